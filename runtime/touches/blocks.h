/*===- blocks.h - large blocks of the program, with their stacks --*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: live blocks and mappings of at least the threshold, each with the call
 * stack that made it; equal stacks are kept once. Taking a stack is paid from a
 * budget (ek_blocks_earn): beyond it, blocks are not tracked and are counted.
 * Not here: the calls themselves (calls.c).
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_BLOCKS_H
#define EVENKEEL_RUNTIME_TOUCHES_BLOCKS_H

#include "format/ek_touches.h"
#include "touches/placing/charge.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ek_block {
  uintptr_t base;
  size_t bytes;
  uintptr_t begin; /* base when it was made: a mapping's front may be gone */
  uint64_t born_ns;
  uint32_t id, stack, kind;
  uint32_t told; /* the stream that has its item */
  ek_charge charge;
} ek_block;

typedef struct ek_stack_taken {
  uint32_t count;
  bool fast; /* its blocks may lie in fast memory at first */
  struct {
    uint32_t module;
    uint64_t address;
  } frames[EK_TOUCH_FRAMES];
} ek_stack_taken;

/* Reserves the tables; false: no memory. \p executable as in
 * ek_modules_start. */
bool ek_blocks_start(size_t threshold, const char *executable);
extern size_t ek_blocks_threshold; /* SIZE_MAX: nothing is tracked */

/* Adds a block that begins at \p p. \p caller is the address of the return
 * address of the intercepted function. */
void ek_blocks_add(void *p, size_t bytes, enum ek_touch_kind kind,
                   const uintptr_t *caller);
/* The same for a block whose pages were another one's, which had taken \p taken
 * bytes of fast memory. */
void ek_blocks_add_moved(void *p, size_t bytes, enum ek_touch_kind kind,
                         const uintptr_t *caller, uint64_t taken);
/* Removes the block that begins at \p p. Returns false if there is none. */
bool ek_blocks_remove(const void *p);
/* Takes over what the block that begins at \p p has taken of fast memory, and
 * ends the policies of its memory, whose pages will move to another block. */
uint64_t ek_blocks_take_over(const void *p);
/* Gives that back, if no block gets it. */
void ek_blocks_give_back(uint64_t taken);
/* Removes, or shortens, what overlaps [from, to). */
void ek_blocks_cut(uintptr_t from, uintptr_t to);
/* Whether any block is tracked. */
bool ek_blocks_any(void);
/* Pays for the stacks of \p n more blocks. */
void ek_blocks_earn(uint64_t n);

/* For the sampler. Copies live blocks to \p to, at most \p room, in the order
 * of addresses. */
size_t ek_blocks_live(ek_block *to, size_t room);
/* Marks a block as told to stream \p stream, if it is still there. */
void ek_blocks_told(const ek_block *b, uint32_t stream);
const ek_stack_taken *ek_blocks_stack(uint32_t stack);
uint32_t ek_blocks_next_id(void);
void ek_blocks_notes(ek_touch_notes *to);

/* --- fast memory of the block \p id at \p base, under the lock; false: it is
 * gone, or there is no room --------------------------------------------------
 */

bool ek_blocks_has(uintptr_t base, uint32_t id);
bool ek_blocks_take(uintptr_t base, uint32_t id, uint64_t bytes);
void ek_blocks_give(uintptr_t base, uint32_t id, uint64_t bytes);
/* Sets what the block has taken. */
bool ek_blocks_charge(uintptr_t base, uint32_t id, uint64_t bytes);
/* A child of fork has taken nothing. */
void ek_blocks_forked(void);

void ek_blocks_lock(void);
void ek_blocks_unlock(void);

#ifdef __cplusplus
}
#endif
#endif
