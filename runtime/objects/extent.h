/*===- extent.h - address space for placed objects ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one reserved address range is divided into granules of 64 KiB; an
 * extent is a run of granules. One comparison tells whether a pointer is ours,
 * and the object map is an array over granules. An object starts somewhere in
 * the first granule of its extent (colour.h). Extents share no page.
 * Not here: objects and tiers.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_EXTENT_H
#define EVENKEEL_RUNTIME_EXTENT_H

#include "core/reserved.h"

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reserves up to \p bytes, halving that as long as the system refuses. Returns
 * false if less than 1 GiB is available. Called once. */
bool ek_extents_reserve(size_t bytes);

/* Switches to exact mode (pages.h): from now on only live extents are mapped.
 * Thread-safe. */
void ek_extents_exact(void);

/* Returns at least \p bytes, aligned to \p align (a power of two); NULL if the
 * range or memory is exhausted. *zeroed: the memory reads as zero. The caller
 * frees it with ek_extent_free. Thread-safe. */
void *ek_extent_alloc(size_t bytes, size_t align, bool *zeroed);

/* Frees an extent of \p bytes. If \p retain, its pages may stay mapped for
 * reuse, up to ek_opt.retain bytes in total. Thread-safe. */
void ek_extent_free(void *p, size_t bytes, bool retain);

/* Mark a retained extent as inaccessible, and as accessible again, for
 * AddressSanitizer. */
void ek_extent_hide(void *p, size_t bytes);
void ek_extent_show(void *p, size_t bytes);

/* Grows an extent in place from \p old_bytes to \p new_bytes. Returns false if
 * the space after it is not free. New pages may be nonzero. Thread-safe. */
bool ek_extent_grow(void *p, size_t old_bytes, size_t new_bytes);

/* Frees the tail of an extent. Thread-safe. */
void ek_extent_shrink(void *p, size_t old_bytes, size_t new_bytes, bool retain);

/* For tests of coalescing: the bytes and number of free extents below the
 * high-water mark, and that mark in bytes. */
void ek_extents_state(size_t *free_bytes, size_t *free_extents, size_t *top);

void ek_extents_lock(void);
void ek_extents_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
