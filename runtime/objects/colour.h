/*===- colour.h - where in its first granule a block starts -------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: if all blocks started at granules, elements at equal offsets would
 * fall into the same sets of every cache, and arrays that a loop reads side by
 * side would evict each other. So blocks start at sixteen points of their first
 * granule, one page and one line apart, called colours.
 * Not here: the choice of granules (extent.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_COLOUR_H
#define EVENKEEL_RUNTIME_COLOUR_H

#include "core/reserved.h"

#ifdef __cplusplus
extern "C" {
#endif

#define EK_LINE_BYTES ((size_t)EK_LINE)
/* A colour is a number of pages, and the same number of lines unless
 * EK_WHOLE_PAGES is added. It has EK_COLOUR_BITS bits. */
#define EK_PAGE_COLOURS 16u
#define EK_WHOLE_PAGES EK_PAGE_COLOURS
#define EK_COLOUR_BITS 5
/* The largest offset of a block from the start of its first page. */
#define EK_MOST_IN_PAGE ((EK_PAGE_COLOURS - 1) * EK_LINE_BYTES)

/* Bytes from the start of the granule to the start of the block. */
static inline size_t ek_colour_bytes(unsigned colour) {
  return (colour % EK_PAGE_COLOURS) *
         (EK_PAGE_BYTES + (colour & EK_WHOLE_PAGES ? 0 : EK_LINE_BYTES));
}

/* The colour of a block that starts at \p base. */
static inline unsigned ek_colour_of(uintptr_t base) {
  const unsigned pages = (unsigned)(base % EK_GRANULE / EK_PAGE_BYTES);
  return pages | (base % EK_PAGE_BYTES ? 0 : EK_WHOLE_PAGES);
}

/* The colour of the next block, which is aligned to \p align (a power of two).
 * Thread-safe. */
unsigned ek_colour_next(size_t align);

#ifdef __cplusplus
}
#endif
#endif
