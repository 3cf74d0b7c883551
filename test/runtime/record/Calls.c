/* Calls.c - the recorder has every call that the pass may insert
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Links with the address of each function of record_calls.def. The compilers
 * check their types: a definition with another type does not compile, and the
 * pass uses the list's types only.
 */
#include "record/abi/record_abi.h"
#include <stdio.h>

typedef void (*Function)(void);

static const Function Calls[] = {
#define EK_REC_CALL(Result, Name, Arguments, Unwinds)                          \
  (Function) __ek_rec_##Name,
#include "record/abi/record_calls.def"
};

int main(void) {
  unsigned N = 0;
  for (unsigned I = 0; I < sizeof Calls / sizeof *Calls; ++I)
    N += Calls[I] != NULL;
  printf("%u calls\n", N);
  return N == sizeof Calls / sizeof *Calls ? 0 : 1;
}
