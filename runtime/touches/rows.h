/*===- rows.h - from mappings to rows of objects ------------------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: which object a piece of a mapping belongs to: a block, or memory
 * without one (heap, stack, static storage, files, the rest). Where several
 * objects share a mapping, its touched pages are shared out by their pages.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_ROWS_H
#define EVENKEEL_RUNTIME_TOUCHES_ROWS_H

#include "touches/blocks.h"
#include "touches/mechanisms/watch.h"

bool ek_rows_start(void);
/* Begins a pass over \p blocks, in address order, for stream number \p stream.
 * Times are told since \p start_ns. */
void ek_rows_begin(ek_block *blocks, size_t count, uint32_t stream,
                   uint64_t start_ns, uintptr_t page);
/* Adds the rows of a mapping, in which the pass has \p seen so much. Mappings
 * come in address order. */
void ek_rows_add(const ek_mapping *m, const ek_watch_seen *seen);
/* Tells the blocks of the pass that the stream does not know yet. */
void ek_rows_tell_blocks(void);
const ek_touch_row *ek_rows_all(uint32_t *count);
/* Chunks for which there was no room, since the start. */
extern uint32_t ek_rows_left_out;

#endif
