/*===- arena.h - small blocks by site ------------------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the small blocks of a site (and context) that the plan gives an arena
 * share pages with no others, so that these can lie in the tier that the plan
 * says. The heap of a thread fills segments; each segment is an object of the
 * site and grows as the heap reaches further, in granules. So the object map
 * tells the arena of an address, and placement, migration and accounts need to
 * know nothing of blocks.
 * Not here: the allocator (heap.h); large blocks (calls/placed.h).
 * All functions are thread-safe and keep errno.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_ARENA_H
#define EVENKEEL_RUNTIME_ARENA_H

#include "objects/object.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Prepares the arenas that the plan names. Returns whether there are any.
 * Called once, by the start, after the tiers are known. \p by_stack: sites are
 * found from call stacks, and small blocks have none. */
bool ek_arenas_start(bool by_stack);

/* A block of \p n bytes, less than a granule, from the arena of the site and
 * context; NULL: it has none, or the C library must serve it (counted). */
void *ek_arena_alloc(uint64_t site, uint64_t context, size_t align, size_t n);

/* The segment of an arena that contains \p p, an address in the reserved range;
 * NULL: it is in none. Constant time, without locks. */
ek_object *ek_arena_of(const void *p);

/* For blocks of arenas. realloc is for sizes below a granule; it returns NULL,
 * and leaves the block, if the arena cannot serve it. */
void ek_arena_free(void *p);
void *ek_arena_realloc(const ek_object *segment, void *p, size_t n);
size_t ek_arena_size(const void *p);

/* From now on small blocks come from the C library: the program limits or locks
 * its memory. Address space that no heap uses is given back if there is one
 * thread. */
void ek_arenas_close(void);

/* Keep other threads from making arenas and segments (around fork); before the
 * other locks. */
void ek_arenas_lock(void);
void ek_arenas_unlock(void);

/* The summary's line, or member, about arenas; nothing if there are none. */
void ek_arenas_print(FILE *f);
void ek_arenas_json(FILE *f);

#endif
