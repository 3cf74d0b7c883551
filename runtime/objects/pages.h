/*===- pages.h - the pages behind extents -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: two ways to have the reserved range. Reserved: all of it is mapped
 * without access, made writable in large steps, and emptied when an extent is
 * free. Exact: nothing but live extents is mapped, as with the C library. Exact
 * where address space, data or locked memory is limited, or where the program
 * locks its memory: what is only reserved would count there.
 * Also which granules a program gave attributes of its own (attributes.c):
 * these end with the extent, as they end with a block of the C library.
 * Leaves out: which granules are free (extent.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PAGES_H
#define EVENKEEL_RUNTIME_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A table beside the range with \p width bytes for each granule, zero at first.
 * *where is set by ek_pages_reserve; entries of granules below
 * ek_reserved.bytes may be used. Before that call. */
void ek_pages_table(void *where, size_t width);

/* They are large by now: on huge pages, where the kernel has some. */
void ek_pages_large_tables(void);

/* Finds a range of up to \p bytes (halving while the system refuses); false if
 * less than 1 GiB could be had. *granules: of all of it. Called once. */
bool ek_pages_reserve(size_t bytes, uint32_t *granules);

/* From here on exact: gives everything back but the extents in use. \p each
 * calls its argument for each free range. Under the lock of extents. *granules:
 * as many are left. */
typedef void ek_pages_free(uint32_t granule, uint32_t length);
void ek_pages_exact(uint32_t top, void (*each)(ek_pages_free *),
                    uint32_t *granules);
bool ek_pages_are_exact(void);

/* [base, base + bytes) may hold extents. Under the lock of extents. */
bool ek_pages_reach(size_t bytes);

/* An extent at \p p has, or gets back, pages for [p + from, p + to). False:
 * there are none, with ENOMEM or so in errno; with EEXIST, others are there. */
bool ek_pages_enter(void *p, size_t from, size_t to);

/* An extent at \p p leaves [p + from, p + to), its end or all. */
typedef enum {
  EK_PAGES_CLEAN, /* read as zero next time */
  EK_PAGES_DIRTY, /* as they are, as \p may_stay allowed */
  EK_PAGES_LOST,  /* not to be used again */
} ek_pages_left;
ek_pages_left ek_pages_leave(void *p, size_t from, size_t to, bool may_stay);

/* The program changed what is mapped at [p, p + n), or how. Lock-free. */
void ek_pages_alter(const void *p, size_t n);
bool ek_pages_altered(const void *p, size_t n);

#ifdef __cplusplus
}
#endif
#endif
