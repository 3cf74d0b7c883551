/*===- ek_wrapper.h - a mark that linkers resolve -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the data behind a symbol that compiled code defines for a function
 * that may allocate for its callers; its name is the function's with a prefix.
 * A unit that calls the function refers to the symbol weakly: if no unit
 * defines it, the function is not an allocation wrapper. A symbol whose mark
 * holds regardless of other units is one byte long, EK_WRAPPER_YES; any other
 * is a whole ek_wrapper.
 * Not here: who defines them (rewriter/plugin), who evaluates them (wrapper.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_FORMAT_EK_WRAPPER_H
#define EVENKEEL_PROFILES_FORMAT_EK_WRAPPER_H

#include <stdint.h>

enum { EK_WRAPPER_OPEN = 0, EK_WRAPPER_YES = 1, EK_WRAPPER_NO = 2 };

typedef struct ek_wrapper {
  uint8_t state; /* final once decided */
  uint32_t count;
  uint32_t search;             /* the last search that visited it */
  struct ek_wrapper *next;     /* next one in that search */
  struct ek_wrapper *if_any[]; /* `count` entries, each may be NULL */
} ek_wrapper;

#endif
