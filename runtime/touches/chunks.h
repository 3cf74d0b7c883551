/*===- chunks.h - the program's mappings, cut into chunks ---------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the mappings that the last reading found, and which of them have the
 * flag MADV_DONTDUMP from us: every second chunk, so that the kernel keeps
 * neighbours apart. Only memory that has been touched is cut: its pieces share
 * what the kernel needs to join them again.
 * Not here: mappings whose flag the program has set, files, the stack of the
 * first thread, and reservations that are mostly untouched; they stay whole.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_RUNTIME_TOUCHES_CHUNKS_H
#define EVENKEEL_RUNTIME_TOUCHES_CHUNKS_H

#include "touches/base/smaps.h"
#include "touches/blocks.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A mapping, as far as later steps need it. */
typedef struct ek_map_seen {
  uintptr_t from, to;
  uint64_t resident; /* bytes */
  bool anonymous, huge, cuttable, flagged;
} ek_map_seen;

bool ek_chunks_start(uint32_t most_mappings);
/* Begins a new reading, in which each mapping is added in address order. */
void ek_chunks_read_again(void);
void ek_chunks_add(const ek_mapping *m);
/* The mappings of the last reading. */
const ek_map_seen *ek_chunks_maps(size_t *count);

/* The bytes that can be cut. */
uint64_t ek_chunks_cuttable(void);
/* Cuts them at multiples of \p chunk and at the borders of \p blocks. Returns
 * how many ranges the kernel refused to flag. */
uint32_t ek_chunks_cut(uint64_t chunk, const ek_block *blocks, size_t count,
                       uintptr_t page);
/* Takes our flags from [from, to) and from whole chunks around it. */
void ek_chunks_join(uintptr_t from, uintptr_t to);

/* Between these, nothing is cut or joined by others. */
void ek_chunks_lock(void);
void ek_chunks_unlock(void);

#endif
