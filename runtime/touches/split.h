/*===- split.h - cutting memory into chunks -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: where chunks begin: at the borders of objects and at multiples of the
 * chunk size, in address order; and that neighbours get different flags so that
 * the kernel keeps them as separate mappings. Where huge pages may lie, borders
 * are multiples of the huge page's size, because a border would split it.
 * Not here: how a range gets its flag (sampler.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_SPLIT_H
#define EVENKEEL_RUNTIME_TOUCHES_SPLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EK_HUGE_PAGE ((uintptr_t)2 << 20)

/* The first border behind \p at and before \p to, or \p to. [at, to) lies in
 * one mapping; \p end is where the object at \p at ends, or the next one
 * begins. */
static inline uintptr_t ek_split_next(uintptr_t at, uintptr_t to, uintptr_t end,
                                      uintptr_t chunk, bool huge,
                                      uintptr_t page) {
  if (huge) {
    chunk = chunk < EK_HUGE_PAGE ? EK_HUGE_PAGE : chunk;
    page = EK_HUGE_PAGE;
  }
  uintptr_t next = (at / chunk + 1) * chunk;
  const uintptr_t border = (end + page - 1) / page * page;
  if (border > at && border < next)
    next = border;
  return next < to && next > at ? next : to;
}

#ifdef __cplusplus
}
#endif
#endif
