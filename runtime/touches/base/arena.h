/*===- arena.h - memory of the page watcher -----------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: one address range, reserved once, from which everything here is taken
 * and nothing is given back; only touched pages take memory. Inaccessible pages
 * around it keep the kernel from merging it with mappings of the program, so
 * its own pages never appear in a record.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_ARENA_H
#define EVENKEEL_RUNTIME_TOUCHES_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reserves the range; false: no address space. Called once. */
bool ek_arena_start(void);
/* Zeroed memory, aligned to a page; NULL: none left. Not thread-safe. */
void *ek_arena_take(size_t bytes);
/* Whether [from, to) lies in the range or its borders. */
bool ek_arena_has(uintptr_t from, uintptr_t to);

#endif
