//===- HitCache.h - a set-associative LRU cache, 16-bit tags ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the same as PackedCache.h, for caches that only answer whether they
// hold a line: without dirty lines and evicted lines. 16 mixed bits of a line's
// tag suffice: one in 65536 missing lines per way is mistaken for a hit. A set
// of up to 16 ways is half a line of the host's, and neighbours share one.
// These are the recorder's largest tables, and their use of the host's caches
// slows the program down.
// Not here: see PackedCache.h.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_HITCACHE_H
#define EVENKEEL_RUNTIME_RECORD_HITCACHE_H

#include "record/host/Vec.h"
#include <cstdint>
#include <cstring>

namespace ekrec {

template <typename Lines> class HitCache {
  static constexpr uint32_t Together = 16; // ways in half a host line
  typedef uint16_t Eight __attribute__((vector_size(16), aligned(16)));
  typedef int16_t Signed __attribute__((vector_size(16)));
  typedef uint64_t Two __attribute__((vector_size(16)));

  uint16_t *Tags = nullptr; // ordered by recency; 0 = empty
  uint32_t Stride = 0;
  Lines Index;

  uint16_t *tagsOf(uint32_t Set) const {
    return Tags + static_cast<size_t>(Set) * Stride;
  }
  size_t bytes() const {
    return static_cast<size_t>(Index.size()) * Stride * sizeof(uint16_t);
  }
  /// All ones in the lane of the matching tag; there is at most one.
  static uint32_t wayIn(Eight A, Eight B) {
    const Two X = reinterpret_cast<Two>(A), Y = reinterpret_cast<Two>(B);
    if (const uint64_t Low = X[0])
      return static_cast<uint32_t>(__builtin_ctzll(Low)) / 16;
    if (const uint64_t High = X[1])
      return 4 + static_cast<uint32_t>(__builtin_ctzll(High)) / 16;
    if (const uint64_t Low = Y[0])
      return 8 + static_cast<uint32_t>(__builtin_ctzll(Low)) / 16;
    return 12 + static_cast<uint32_t>(__builtin_ctzll(Y[1])) / 16;
  }
  /// Sets of at most 16 ways.
  static bool accessFew(uint16_t *S, uint32_t N, uint16_t Tag) {
    Eight *V = reinterpret_cast<Eight *>(S);
    const Eight A = V[0], B = V[1];
    const Eight Key = {Tag, Tag, Tag, Tag, Tag, Tag, Tag, Tag};
    const Eight InA = reinterpret_cast<Eight>(A == Key),
                InB = reinterpret_cast<Eight>(B == Key);
    const Two Any = reinterpret_cast<Two>(InA | InB);
    const bool Hit = Any[0] | Any[1];
    const auto Moved = static_cast<int16_t>(Hit ? wayIn(InA, InB) : N - 1);
    const Signed M = {Moved, Moved, Moved, Moved, Moved, Moved, Moved, Moved};
    auto Choose = [](Eight Stays, Eight Old, Eight New) {
      return (Old & Stays) | (New & ~Stays);
    };
    Eight FromA = __builtin_shufflevector(A, A, 0, 0, 1, 2, 3, 4, 5, 6);
    FromA[0] = Tag;
    const Eight FromB =
        __builtin_shufflevector(A, B, 7, 8, 9, 10, 11, 12, 13, 14);
    V[0] = Choose(reinterpret_cast<Eight>(Signed{0, 1, 2, 3, 4, 5, 6, 7} > M),
                  A, FromA);
    V[1] = Choose(
        reinterpret_cast<Eight>(Signed{8, 9, 10, 11, 12, 13, 14, 15} > M), B,
        FromB);
    return Hit;
  }
  static bool accessMany(uint16_t *S, uint32_t N, uint16_t Tag) {
    uint32_t At = 0;
    while (At < N && S[At] != Tag)
      ++At;
    memmove(S + 1, S, (At < N ? At : N - 1) * sizeof *S);
    *S = Tag;
    return At < N;
  }

public:
  HitCache() = default;
  HitCache(const HitCache &) = delete;
  HitCache &operator=(const HitCache &) = delete;
  ~HitCache() {
    if (Tags)
      munmap(Tags, bytes());
  }

  /// Like Cache's; at most 64 ways.
  bool init(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    Stride = (NumWays + Together - 1) / Together * Together;
    Index.init(Bytes, NumWays, Line);
    Tags = static_cast<uint16_t *>(reservePages(bytes()));
    return Tags != nullptr;
  }

  struct Place {
    uint32_t Set;
    uint16_t Tag;
  };
  Place placeOf(uint64_t Line) const {
    uint32_t Set, Tag;
    Index.locate(Line, Set, Tag);
    const uint32_t Mixed = Tag * 0x9E3779B1u >> 16;
    return {Set, static_cast<uint16_t>(Mixed ? Mixed : 1)};
  }
  void prepare(Place P) const { __builtin_prefetch(tagsOf(P.Set), 1); }

  /// Makes the line the most recent of its set. True: it was there.
  bool access(Place P) {
    uint16_t *S = tagsOf(P.Set);
    if (*S == P.Tag)
      return true;
    const uint32_t N = Index.waysOf(P.Set);
    return Stride == Together ? accessFew(S, N, P.Tag)
                              : accessMany(S, N, P.Tag);
  }
};

} // namespace ekrec

#endif
