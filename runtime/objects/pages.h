/*===- pages.h - the pages behind extents -------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the reserved range has two modes. In reserved mode all of it is mapped
 * without access, becomes writable in large steps, and an extent's pages are
 * dropped when it is freed. In exact mode only live extents are mapped, as with
 * the C library. Exact mode is used if address space, data or locked memory is
 * limited, or if the program locks its memory, because reserved memory would
 * count.
 * Also records which granules got attributes from the program (attributes.c):
 * such attributes end with the extent, as they end with a block of the C
 * library.
 * Not here: which granules are free (extent.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_PAGES_H
#define EVENKEEL_RUNTIME_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Requests a table next to the range with \p width bytes per granule, initially
 * zero. ek_pages_reserve, which must come later, sets *where; entries of
 * granules below ek_reserved.bytes are then usable. */
void ek_pages_table(void *where, size_t width);

/* Puts the tables on huge pages where the kernel has some. */
void ek_pages_large_tables(void);

/* Finds a range of up to \p bytes, halving that as long as the system refuses,
 * and sets *granules to its size. Returns false if less than 1 GiB is
 * available. Called once. */
bool ek_pages_reserve(size_t bytes, uint32_t *granules);

/* Switches to exact mode: unmaps everything but the extents in use. \p each
 * calls its argument for every free range. *granules becomes the new size of
 * the range. Under the lock of extents. */
typedef void ek_pages_free(uint32_t granule, uint32_t length);
void ek_pages_exact(uint32_t top, void (*each)(ek_pages_free *),
                    uint32_t *granules);
bool ek_pages_are_exact(void);

/* Makes [base, base + bytes) usable for extents. Under the lock of extents. */
bool ek_pages_reach(size_t bytes);

/* Provides pages for [p + from, p + to) of the extent at \p p. Returns false
 * and errno: EEXIST if a foreign mapping lies there, else ENOMEM or similar. */
bool ek_pages_enter(void *p, size_t from, size_t to);

/* Gives up [p + from, p + to), the tail or the whole of the extent at \p p, and
 * returns the state of its pages. */
typedef enum {
  EK_PAGES_CLEAN, /* they read as zero when used again */
  EK_PAGES_DIRTY, /* they keep their contents; only if \p may_stay */
  EK_PAGES_LOST,  /* they must not be used again */
} ek_pages_left;
ek_pages_left ek_pages_leave(void *p, size_t from, size_t to, bool may_stay);

/* Records, or asks, whether the program changed mappings or attributes in
 * [p, p + n). Lock-free. */
void ek_pages_alter(const void *p, size_t n);
bool ek_pages_altered(const void *p, size_t n);

#ifdef __cplusplus
}
#endif
#endif
