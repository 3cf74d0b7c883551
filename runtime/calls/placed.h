/*===- placed.h - large blocks as objects --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the annotated calls, the interposed functions and the forms of
 * operator new share: how an object is made, resized and ended.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PLACED_H
#define EVENKEEL_RUNTIME_PLACED_H

#include "calls/context.h"
#include "core/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a block of \p n bytes is one that is placed. */
static inline bool ek_is_large(size_t n) {
  return __builtin_expect(n >= __atomic_load_n(&ek_threshold, __ATOMIC_RELAXED),
                          0) &&
         n <= PTRDIFF_MAX && ek_start() && n >= ek_threshold;
}

/* A placed object of \p n bytes at a multiple of \p align, or NULL: let the C
 * library try; *zeroed: it reads as zero. Keeps errno. */
void *ek_placed_new(uint64_t site, unsigned fast, size_t align, size_t n,
                    bool *zeroed);

/* free, realloc and malloc_usable_size of placed objects; what is not the start
 * of one ends the program with one line, as libc does. */
void ek_placed_free(void *p);
void *ek_placed_realloc(void *p, size_t n);
size_t ek_placed_size(void *p);

/* A placed object of \p n bytes, or NULL if operator new shall do it. An align
 * of 1 is that of a plain operator new. */
void *ek_placed_or_null(uint64_t site, unsigned fast, size_t align, size_t n);
/* The same for a block whose site the open expression tells (context.h). */
void *ek_placed_by_context(size_t align, size_t n);

/* The same where the call stack told; *zeroed: it reads as zero. */
void *ek_placed_at(const ek_asked *asked, size_t align, size_t n, bool *zeroed);
/* Moves a block \p p of the C library, or NULL, into \p q of \p n bytes, and
 * ends it. Returns q. */
void *ek_adopt(void *q, size_t n, void *p);

#ifdef __cplusplus
}
#endif
#endif
