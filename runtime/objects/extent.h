/*===- extent.h - address space for placed objects ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one reserved address range, cut into granules of 64 KiB; extents are
 * runs of granules. Whether a pointer is ours is one comparison, and the object
 * map is an array over granules. What an extent holds starts somewhere in its
 * first granule (colour.h); no two extents have a page in common.
 * Leaves out: objects and tiers.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_EXTENT_H
#define EVENKEEL_RUNTIME_EXTENT_H

#include "core/reserved.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reserves up to \p bytes (halving while the system refuses); false if less
 * than 1 GiB could be had. Called once. */
bool ek_extents_reserve(size_t bytes);

/* From here on nothing is reserved or kept but what extents have (pages.h).
 * Thread-safe. */
void ek_extents_exact(void);

/* At least \p bytes at a multiple of \p align (a power of two); NULL if the
 * range or the memory is used up. *zeroed says whether it reads as zero.
 * Thread-safe. */
void *ek_extent_alloc(size_t bytes, size_t align, bool *zeroed);

/* Gives back an extent that holds \p bytes. With \p retain the pages may stay
 * mapped for reuse, up to ek_opt.retain in all. Thread-safe. */
void ek_extent_free(void *p, size_t bytes, bool retain);

/* Nobody may touch an extent that is kept for later; somebody has it again. For
 * AddressSanitizer only. */
void ek_extent_hide(void *p, size_t bytes);
void ek_extent_show(void *p, size_t bytes);

/* Grows in place from \p old_bytes to \p new_bytes; false if the space behind
 * is taken. New pages may be dirty. Thread-safe. */
bool ek_extent_grow(void *p, size_t old_bytes, size_t new_bytes);

/* Cuts the extent's tail off. Thread-safe. */
void ek_extent_shrink(void *p, size_t old_bytes, size_t new_bytes, bool retain);

/* Bytes of free extents below the high-water mark, and their number: for
 * tests of coalescing. */
void ek_extents_state(size_t *free_bytes, size_t *free_extents, size_t *top);

void ek_extents_lock(void);
void ek_extents_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
