/*===- colour.c - assigning colours to blocks ---------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: colours depend only on the order of allocations, so single-threaded
 * runs are reproducible. Blocks of a larger alignment start at whole pages or
 * granules.
 *===----------------------------------------------------------------------===*/
#include "objects/colour.h"

#include <assert.h>

static uint32_t count;

static_assert(EK_PAGE_COLOURS == 1u << (32 - 28), "turn has a colour's range");

unsigned ek_colour_next(size_t align) {
  const uint32_t n = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  /* Steps of the golden ratio (Knuth 1973, section 6.4): any eight consecutive
   * blocks have different colours, and so have any four of every second block
   * and any nine of every tenth or sixteenth block, for programs that allocate
   * that many arrays per piece of their data. */
  const unsigned turn = n * 2654435769u >> 28;
  if (align <= EK_LINE_BYTES)
    return turn;
  if (align >= EK_GRANULE)
    return 0;
  const unsigned pages =
      align > EK_PAGE_BYTES ? (unsigned)(align / EK_PAGE_BYTES) : 1;
  return (turn & ~(pages - 1)) | EK_WHOLE_PAGES;
}
