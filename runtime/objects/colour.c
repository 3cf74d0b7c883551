/*===- colour.c - the colours of blocks, in turn ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the order in which blocks are asked for, and nothing else, decides, so
 * that a run with one thread is like the next one. Blocks of a larger alignment
 * start at whole pages, or at granules.
 *===----------------------------------------------------------------------===*/
#include "objects/colour.h"

#include <assert.h>

static uint32_t count;

static_assert(EK_PAGE_COLOURS == 1u << (32 - 28), "a turn is a colour");

unsigned ek_colour_next(size_t align) {
  const uint32_t n = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  /* Steps of the golden ratio (Knuth 1973, section 6.4): any eight blocks in a
   * row differ, and so do every second, tenth or sixteenth of a program that
   * has so many arrays for each part of its data. */
  const unsigned turn = n * 2654435769u >> 28;
  if (align <= EK_LINE_BYTES)
    return turn;
  if (align >= EK_GRANULE)
    return 0;
  const unsigned pages =
      align > EK_PAGE_BYTES ? (unsigned)(align / EK_PAGE_BYTES) : 1;
  return (turn & ~(pages - 1)) | EK_WHOLE_PAGES;
}
