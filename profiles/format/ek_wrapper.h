/*===- ek_wrapper.h - a mark that linkers resolve -----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the memory behind a symbol that compiled code has for a function which
 * may allocate for its callers, under the function's name with a prefix. A unit
 * that calls the function refers to the symbol weakly: where no unit defines
 * it, the function is no allocation wrapper. A symbol that holds whatever other
 * units do is one byte long, EK_WRAPPER_YES; any other is a whole ek_wrapper.
 * Not here: who makes them (rewriter/plugin), who decides (wrapper.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_FORMAT_EK_WRAPPER_H
#define EVENKEEL_PROFILES_FORMAT_EK_WRAPPER_H

#include <stdint.h>

enum { EK_WRAPPER_OPEN = 0, EK_WRAPPER_YES = 1, EK_WRAPPER_NO = 2 };

typedef struct ek_wrapper {
  uint8_t state; /* once decided, it stays */
  uint32_t count;
  uint32_t search;             /* the last that came here */
  struct ek_wrapper *next;     /* in it */
  struct ek_wrapper *if_any[]; /* count others, any of them may be NULL */
} ek_wrapper;

#endif
