/*===- ek_choice.h - who may start a relaxed all-reduce -----------*- C -*-===*
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Knows: each round has a few candidates, drawn at random, but alike in all
 * ranks; the first of them that is ready starts the round (the power of two
 * choices). And the weights of contributions of one rank that no round has
 * taken: they grow linearly with the rank's iteration.
 * Used by the runtime and by the replay, in C and C++.
 *===----------------------------------------------------------------------===*/
#ifndef EVENKEEL_PROFILES_COLLECTIVES_EK_CHOICE_H
#define EVENKEEL_PROFILES_COLLECTIVES_EK_CHOICE_H

#include <stdint.h>

static inline uint64_t ek_choice_hash(uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

/* Whether \p rank is one of the \p probes candidates of \p round. Ranks that
 * have ended (\p ended, a byte for each; NULL: none) are no candidates. */
static inline int ek_choice_is_candidate(uint64_t round, uint32_t rank,
                                         uint32_t ranks, uint32_t probes,
                                         const unsigned char *ended) {
  const uint64_t its = ek_choice_hash(round << 20 | rank);
  uint32_t before = 0;
  if (ended && ended[rank])
    return 0;
  for (uint32_t r = 0; r < ranks && before < probes; ++r) {
    const uint64_t other = ek_choice_hash(round << 20 | r);
    before += r != rank && !(ended && ended[r]) &&
              (other < its || (other == its && r < rank));
  }
  return before < probes;
}

/* The weight of a contribution of iteration \p t at iteration \p now, with at
 * most \p bound iterations between them: 1 for the oldest, bound + 1 for the
 * newest; 0: too old. */
static inline uint64_t ek_choice_weight(uint64_t t, uint64_t now,
                                        uint64_t bound) {
  return now - t > bound ? 0 : t + bound - now + 1;
}

#endif
