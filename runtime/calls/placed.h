/*===- placed.h - large blocks as objects --------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: how an object is created, resized and freed; shared by the annotated
 * calls, the interposed functions and operator new.
 * All functions are thread-safe.
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

/* Whether a block of \p n bytes may be ours: it is large, or the plan has
 * arenas for small ones. Starts the runtime if necessary. */
static inline bool ek_may_place(size_t n) {
  return __builtin_expect(n >= __atomic_load_n(&ek_least, __ATOMIC_RELAXED),
                          0) &&
         n <= PTRDIFF_MAX && ek_start() && n >= ek_least;
}

/* Returns \p n bytes, aligned to \p align: a placed object or, if small, a
 * block of the site's arena; or NULL to let the C library try. *zeroed: they
 * read as zero. Keeps errno. */
void *ek_placed_new(uint64_t site, unsigned fast, size_t align, size_t n,
                    bool *zeroed);

/* free, realloc and malloc_usable_size for placed objects. A pointer that is
 * not the start of an object ends the program with one line, as in libc. */
void ek_placed_free(void *p);
void *ek_placed_realloc(void *p, size_t n);
size_t ek_placed_size(void *p);

/* Returns a placed object of \p n bytes, or NULL to let operator new allocate
 * it. \p align is 1 for a plain operator new. */
void *ek_placed_or_null(uint64_t site, unsigned fast, size_t align, size_t n);
/* The same for a block whose site is that of the open expression
 * (context.h). */
void *ek_placed_by_context(size_t align, size_t n);

/* The same for a site found from the call stack. *zeroed: it reads as zero. */
void *ek_placed_at(const ek_asked *asked, size_t align, size_t n, bool *zeroed);
/* Copies the block \p p of the C library (may be NULL) to \p q of \p n bytes,
 * and frees \p p. Returns \p q. */
void *ek_adopt(void *q, size_t n, void *p);

#ifdef __cplusplus
}
#endif
#endif
