/*===- heap.h - the small-block allocator of arenas ----------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: mimalloc, loaded at run time if it is installed, and only if a plan
 * names arenas. Its heaps take memory from regions that we give it. A heap
 * belongs to one thread; blocks may be freed by any thread and outlive theirs.
 * Its malloc and free stay invisible to the program.
 * Not here: which region a site has (arena.h).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_HEAP_H
#define EVENKEEL_RUNTIME_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Regions begin and end at multiples of this: a heap takes that much address
 * space at a time, and fills it from below. */
#define EK_SEGMENT ((size_t)32 << 20)
/* More regions than mimalloc has room for are refused by it. */
#define EK_MOST_REGIONS 64
/* Larger alignments are left to the C library. */
#define EK_HEAP_ALIGN ((size_t)4096)

/* Loads the library. Returns NULL, or why it cannot be used. Called once. */
const char *ek_heap_load(void);

/* Makes [base, base + bytes), which reads as zero, a region; sets *id. */
bool ek_heap_region(void *base, size_t bytes, int *id);

/* The calling thread's heap in region \p id, number \p at of those in use;
 * NULL: none, because the thread has ended or there is no memory. */
void *ek_heap_mine(unsigned at, int id);

/* Returns a block, or NULL if the region is full. */
void *ek_heap_alloc(void *heap, size_t align, size_t n);
void ek_heap_free(void *p);
size_t ek_heap_size(const void *p);

#endif
