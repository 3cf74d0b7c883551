/*===- options_main.c - evenkeel-options: prints the option table -*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Makes: the table of options.def on standard output, for documentation checks.
 *===----------------------------------------------------------------------===*/
#include "core/options.h"

int main(void) {
  ek_options_print(stdout);
  return 0;
}
