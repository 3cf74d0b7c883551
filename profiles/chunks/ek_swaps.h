/*===- ek_swaps.h - which chunks of memory change places ----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: the decisions of SHAMBLES' plugins lru and window (repository
 * CARV-ICS-FORTH/shambles), after one sample that hit a slow chunk. Replay
 * (simulator/policies) and runtime (runtime/touches) both decide by these
 * functions. They allocate nothing and call nothing.
 * Not here: where samples come from, and how chunks are moved.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_CHUNKS_EK_SWAPS_H
#define EVENKEEL_PROFILES_CHUNKS_EK_SWAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ek_swap_rule {
  EK_SWAP_LRU,   /* the fast chunks that were sampled longest ago leave */
  EK_SWAP_WINDOW /* fast chunks with fewer of the last samples leave */
};

/* Objects below this size are not cut into chunks, and do not move. */
#define EK_SWAP_LEAST_OBJECT ((uint64_t)64 << 10)

/* What the rules know of a chunk. */
typedef struct ek_chunk_heat {
  uint64_t bytes;
  uint64_t last_sample; /* number of the last sample; 0: never */
  uint32_t in_window;   /* hits among the last samples */
  bool fast;            /* it lies, or shall lie, in fast memory */
  uint32_t leaves; /* ek_swap_choose: as which one it leaves; 0: it stays */
} ek_chunk_heat;

/* --- the window: keys of the last sampled chunks -------------------------- */

typedef struct ek_swap_window {
  uint64_t *keys; /* room for `room` of them */
  size_t room, count, oldest;
} ek_swap_window;

/* Adds \p key. If the window was full, its oldest key leaves, is stored in \p
 * left, and the result is true. */
static inline bool ek_swap_enter(ek_swap_window *w, uint64_t key,
                                 uint64_t *left) {
  if (w->count < w->room) {
    w->keys[(w->oldest + w->count++) % w->room] = key;
    return false;
  }
  *left = w->keys[w->oldest];
  w->keys[w->oldest] = key;
  w->oldest = (w->oldest + 1) % w->room;
  return true;
}

/* --- who leaves ----------------------------------------------------------- */

/* Whether \p c may leave fast memory so that \p up can enter it. */
static inline bool ek_swap_may_leave(enum ek_swap_rule rule,
                                     const ek_chunk_heat *c,
                                     const ek_chunk_heat *up) {
  return c->fast && (rule == EK_SWAP_LRU || c->in_window < up->in_window);
}

/* Whether \p a leaves before \p b; of equal ones, the lower address does. */
static inline bool ek_swap_leaves_before(enum ek_swap_rule rule,
                                         const ek_chunk_heat *a,
                                         const ek_chunk_heat *b) {
  return rule == EK_SWAP_LRU ? a->last_sample < b->last_sample
                             : a->in_window < b->in_window;
}

/* A sample hit the slow chunk \p up. Chooses chunks that leave fast memory, as
 * many as \p up needs beyond \p room bytes, and sets `leaves` of all chunks.
 * \p at(data, i) are all \p count chunks, in the order of addresses. Returns
 * false, with none chosen, if that does not make enough room. */
static inline bool ek_swap_choose(enum ek_swap_rule rule,
                                  const ek_chunk_heat *up, int64_t room,
                                  size_t count,
                                  ek_chunk_heat *(*at)(void *data, size_t i),
                                  void *data) {
  for (size_t i = 0; i < count; ++i)
    at(data, i)->leaves = 0;
  for (uint32_t order = 1; room < (int64_t)up->bytes; ++order) {
    size_t first = count;
    for (size_t i = 0; i < count; ++i) {
      ek_chunk_heat *c = at(data, i);
      if (!c->leaves && ek_swap_may_leave(rule, c, up) &&
          (first == count || ek_swap_leaves_before(rule, c, at(data, first))))
        first = i;
    }
    if (first == count) {
      for (size_t i = 0; i < count; ++i)
        at(data, i)->leaves = 0;
      return false;
    }
    at(data, first)->leaves = order;
    room += (int64_t)at(data, first)->bytes;
  }
  return true;
}

#endif
