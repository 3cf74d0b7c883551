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

static_assert(EK_PAGE_COLOURS == 16, "turn has a colour's range");

unsigned ek_colour_next(size_t align) {
  const uint32_t n = __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  /* Programs allocate several arrays for each piece of their data. So not only
   * consecutive blocks should have different colours, but also every second
   * block, every fourth, and so on. Each block is an odd number of colours
   * after the one before, and another one after each sixteen. Of all such
   * steps, these do best: 11 consecutive blocks have different colours, and so
   * have 11 of every second block, 9 of every third, 15 of every fourth or
   * eighth, and 16 of every sixteenth. Of 16 blocks with any period up to 32,
   * at most four have the same colour. */
  const unsigned turn = (n * 13 + n / 16) % EK_PAGE_COLOURS;
  if (align <= EK_LINE_BYTES)
    return turn;
  if (align >= EK_GRANULE)
    return 0;
  const unsigned pages =
      align > EK_PAGE_BYTES ? (unsigned)(align / EK_PAGE_BYTES) : 1;
  return (turn & ~(pages - 1)) | EK_WHOLE_PAGES;
}
