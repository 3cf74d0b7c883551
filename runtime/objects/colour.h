/*===- colour.h - where in its first granule a block starts -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: blocks that all started at granules would have their first lines, and
 * every line at the same distance from the start, in the same sets of each
 * cache: arrays that a loop reads side by side would throw each other out. So
 * each block starts a page and a line further than the one before. Sixteen such
 * starts, its colours, lie within a granule.
 * Leaves out: which granules (extent.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_COLOUR_H
#define EVENKEEL_RUNTIME_COLOUR_H

#include "core/reserved.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EK_LINE_BYTES ((size_t)64)
/* A colour is a number of pages, and as many lines unless EK_WHOLE_PAGES is
 * added. It has EK_COLOUR_BITS bits. */
#define EK_PAGE_COLOURS 16u
#define EK_WHOLE_PAGES EK_PAGE_COLOURS
#define EK_COLOUR_BITS 5
/* No block starts further inside a page than this. */
#define EK_MOST_IN_PAGE ((EK_PAGE_COLOURS - 1) * EK_LINE_BYTES)

/* Bytes from the granule to the start of a block. */
static inline size_t ek_colour_bytes(unsigned colour) {
  return (colour % EK_PAGE_COLOURS) *
         (EK_PAGE_BYTES + (colour & EK_WHOLE_PAGES ? 0 : EK_LINE_BYTES));
}

/* The colour of a block that starts at \p base. */
static inline unsigned ek_colour_of(uintptr_t base) {
  const unsigned pages = (unsigned)(base % EK_GRANULE / EK_PAGE_BYTES);
  return pages | (base % EK_PAGE_BYTES ? 0 : EK_WHOLE_PAGES);
}

/* The colour of the next block, which is to start at a multiple of \p align (a
 * power of two). Thread-safe. */
unsigned ek_colour_next(size_t align);

#ifdef __cplusplus
}
#endif
#endif
