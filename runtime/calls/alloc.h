/*===- alloc.h - calls that take every pointer --------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: what the interposed functions and the forms of operator new share.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ALLOC_H
#define EVENKEEL_RUNTIME_ALLOC_H

#include "calls/context.h"
#include "evenkeel/ek.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* free, realloc and malloc_usable_size for a pointer of either side
 * (interpose.c). */
void ek_any_free(void *p);
void *ek_any_realloc(void *p, size_t n);
size_t ek_any_usable_size(void *p);

/* The same for placed objects only; what is not the start of one ends the
 * program with one line, as libc does. */
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
/* The program mapped, or is about to map over, [p, p + n): what was there ends,
 * and an anonymous mapping becomes an object of the site. Keeps errno. */
void ek_range_unmapped(void *p, size_t n);
void ek_range_mapped(const ek_asked *asked, void *p, size_t n, int protection,
                     int flags);
/* Moves a block \p p of the C library, or NULL, into \p q of \p n bytes, and
 * ends it. Returns q. */
void *ek_adopt(void *q, size_t n, void *p);

/* What this thread asks for meanwhile was counted already (audit.h); nests. */
void ek_audit_pause(bool yes);

/* Whether a block of \p n bytes is one that is placed. */
bool ek_is_large(size_t n);

#ifdef __cplusplus
}
#endif
#endif
