//===- PackedCache.h - one set-associative LRU cache, 32-bit tags -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the same as Cache.h, for lines that 32 bits distinguish within their
// set. A set of up to 16 ways is then one line of the host's, and all its ways
// are compared and moved at once. There are two kinds of lines and sets:
//   AllLines      those of a full run, with at least 128 sets: the quotient of
//                 a line number by that has 25 bits, and 6 more bits
//                 distinguish the upper halves
//   SampledLines  one line per page (Sampling.h); 64 sets become one. They are
//                 the sets that hold these lines and no others, if lines are
//                 turned().
// Not here: see Cache.h.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PACKEDCACHE_H
#define EVENKEEL_RUNTIME_RECORD_PACKEDCACHE_H

#include "Cache.h"
#include "HitCache.h"
#include "Sampling.h"

namespace ekrec {

class AllLines {
  static constexpr unsigned LowBits = 32, UpperBits = 6;
  static constexpr uint32_t LeastSets = 128;
  static constexpr unsigned RestBits = 25; // of 32, after LeastSets
  uint32_t Ways = 0;
  Sets Index;

public:
  /// Whether tags distinguish all lines in a cache of this size.
  static bool suit(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    return Bytes / (uint64_t(NumWays) * Line) >= LeastSets;
  }
  void init(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    Ways = NumWays;
    Index.init(Bytes, NumWays, Line);
  }
  uint32_t size() const { return Index.size(); }
  uint32_t waysOf(uint32_t) const { return Ways; }
  void locate(uint64_t Line, uint32_t &Set, uint32_t &Tag) const {
    const uint32_t Rest = Index.quotient(Line);
    Set = Sets::mixed(Line) - Rest * Index.size();
    const uint64_t Upper = Line >> LowBits & ((1u << UpperBits) - 1);
    Tag = (static_cast<uint32_t>(Upper) << RestBits | Rest) + 1;
  }
  /// The line with \p Tag in \p Set, in the same 2^38 as \p Line.
  uint64_t lineOf(uint32_t Set, uint32_t Tag, uint64_t Line) const {
    const uint64_t Upper =
        (Line >> (LowBits + UpperBits) << UpperBits) | (Tag - 1) >> RestBits;
    const uint32_t Rest = (Tag - 1) & ((1u << RestBits) - 1);
    return Upper << LowBits | (Rest * Index.size() + Set -
                               static_cast<uint32_t>(Upper) * Sets::Mix);
  }
};

class SampledLines {
  static constexpr unsigned PageLines = SampledPageBits - LineBits;
  static constexpr unsigned Shift = __builtin_ctz(SampledRate);
  Sets Index;        // the full number of sets; 2^Shift of them are one
  uint32_t Last = 0; // the last set has its part of the ways
  uint32_t LastWays = 0, Ways = 0;

public:
  void init(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    Ways = NumWays;
    Index.init(Bytes, NumWays, Line);
    const uint32_t Number = Index.size();
    Last = (Number - 1) >> Shift;
    LastWays = ((Number - (Last << Shift)) * Ways + SampledRate / 2) >> Shift;
    LastWays = LastWays ? LastWays : 1;
  }
  uint32_t size() const { return Last + 1; }
  uint32_t waysOf(uint32_t Set) const { return Set == Last ? LastWays : Ways; }
  void locate(uint64_t Line, uint32_t &Set, uint32_t &Tag) const {
    Set = Index.of(Line >> PageLines << PageLines) >> Shift;
    Tag = static_cast<uint32_t>(Line >> PageLines) + 1;
  }
  /// The line with \p Tag, in the same 2^32 pages as \p Line.
  uint64_t lineOf(uint32_t, uint32_t Tag, uint64_t Line) const {
    uint64_t Page = (Line >> PageLines & ~uint64_t(UINT32_MAX)) | (Tag - 1);
    return sampledLineOf(Page) >> LineBits;
  }
};

template <typename Lines> class PackedCache {
  static constexpr uint32_t Together = 16; // ways in a host line
  typedef uint32_t Four __attribute__((vector_size(16), aligned(16)));

  uint32_t *Tags = nullptr;  // ordered by recency; 0 = empty
  uint64_t *Dirty = nullptr; // bit i: way i
  uint32_t Stride = 0;
  Lines Index;

  uint32_t *tagsOf(uint32_t Set) const {
    return Tags + static_cast<size_t>(Set) * Stride;
  }
  size_t bytes() const {
    return static_cast<size_t>(Index.size()) *
           (Stride * sizeof(uint32_t) + sizeof(uint64_t));
  }
  /// The way of \p Tag in a set of \p N, or N. Unused ways are empty.
  static uint32_t find(const uint32_t *S, uint32_t N, uint32_t Tag) {
    const Four Key = {Tag, Tag, Tag, Tag};
    for (uint32_t From = 0; From < N; From += Together) {
      const Four *V = reinterpret_cast<const Four *>(S + From);
      // At most one matches: its number plus 1.
      Four A = reinterpret_cast<Four>(V[0] == Key) & Four{1, 2, 3, 4},
           B = reinterpret_cast<Four>(V[1] == Key) & Four{5, 6, 7, 8},
           C = reinterpret_cast<Four>(V[2] == Key) & Four{9, 10, 11, 12},
           D = reinterpret_cast<Four>(V[3] == Key) & Four{13, 14, 15, 16};
      Four Any = A | B | C | D;
      Any |= __builtin_shufflevector(Any, Any, 2, 3, 0, 1);
      if (const uint32_t At = Any[0] | Any[1])
        return From + At - 1;
    }
    return N;
  }
  /// Puts \p Tag first; the ways before \p Moved move back by one.
  void moveUp(uint32_t *S, uint32_t Tag, uint32_t Moved) {
    if (__builtin_expect(Stride != Together, 0)) {
      uint32_t Carry = Tag;
      for (uint32_t W = 0; W <= Moved; ++W) {
        const uint32_t Here = S[W];
        S[W] = Carry;
        Carry = Here;
      }
      return;
    }
    Four *V = reinterpret_cast<Four *>(S);
    const Four A = V[0], B = V[1], C = V[2], D = V[3];
    const Four M = {Moved, Moved, Moved, Moved};
    auto Choose = [](Four Stays, Four Old, Four New) {
      return (Old & Stays) | (New & ~Stays);
    };
    auto StaysAt = [M](Four Way) {
      typedef int32_t Signed __attribute__((vector_size(16)));
      return reinterpret_cast<Four>(reinterpret_cast<Signed>(Way) >
                                    reinterpret_cast<Signed>(M));
    };
    V[0] = Choose(StaysAt(Four{0, 1, 2, 3}), A, Four{Tag, A[0], A[1], A[2]});
    V[1] = Choose(StaysAt(Four{4, 5, 6, 7}), B,
                  __builtin_shufflevector(A, B, 3, 4, 5, 6));
    V[2] = Choose(StaysAt(Four{8, 9, 10, 11}), C,
                  __builtin_shufflevector(B, C, 3, 4, 5, 6));
    V[3] = Choose(StaysAt(Four{12, 13, 14, 15}), D,
                  __builtin_shufflevector(C, D, 3, 4, 5, 6));
  }

public:
  /// The same without dirty lines.
  using Hits = HitCache<Lines>;

  PackedCache() = default;
  PackedCache(const PackedCache &) = delete;
  PackedCache &operator=(const PackedCache &) = delete;
  ~PackedCache() {
    if (Tags)
      munmap(Tags, bytes());
  }

  /// Like Cache's; at most 64 ways.
  bool init(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    Stride = (NumWays + Together - 1) / Together * Together;
    Index.init(Bytes, NumWays, Line);
    Tags = static_cast<uint32_t *>(reservePages(bytes()));
    Dirty = reinterpret_cast<uint64_t *>(
        Tags + static_cast<size_t>(Index.size()) * Stride);
    return Tags != nullptr;
  }

  struct Place {
    uint32_t Set, Tag;
    uint64_t Line;
  };
  Place placeOf(uint64_t Line) const {
    Place P;
    P.Line = Line;
    Index.locate(Line, P.Set, P.Tag);
    return P;
  }
  void prepare(Place P) const { __builtin_prefetch(tagsOf(P.Set), 1); }

  bool hitsFirst(uint64_t Line, bool Write) const {
    const Place P = placeOf(Line);
    if (*tagsOf(P.Set) != P.Tag)
      return false;
    if (Write)
      Dirty[P.Set] |= 1;
    return true;
  }

  /// Like Cache's. \p Evicted is only set for dirty lines.
  bool access(Place P, bool Write, uint64_t &Evicted) {
    uint32_t *S = tagsOf(P.Set);
    if (*S == P.Tag) {
      if (Write)
        Dirty[P.Set] |= 1;
      return true;
    }
    const uint32_t N = Index.waysOf(P.Set), At = find(S, N, P.Tag);
    const bool Hit = At != N;
    const uint32_t Moved = Hit ? At : N - 1; // the last way that changes
    const uint32_t Out = S[Moved];
    moveUp(S, P.Tag, Moved);
    const uint64_t D = Dirty[P.Set];
    if (!(D | Write))
      return Hit;
    const uint64_t Front = (2ull << Moved) - 1; // the ways up to Moved
    const bool WasDirty = D >> Moved & 1;
    Dirty[P.Set] = (D & ~Front) | (D << 1 & Front) | Write | (Hit && WasDirty);
    if (!Hit && WasDirty)
      Evicted = Index.lineOf(P.Set, Out, P.Line) << 1 | 1;
    return Hit;
  }
  /// The same for a cache without dirty lines.
  bool access(Place P) {
    uint32_t *S = tagsOf(P.Set);
    if (*S == P.Tag)
      return true;
    const uint32_t N = Index.waysOf(P.Set), At = find(S, N, P.Tag);
    moveUp(S, P.Tag, At != N ? At : N - 1);
    return At != N;
  }

  bool markDirty(uint64_t Line) {
    const Place P = placeOf(Line);
    const uint32_t N = Index.waysOf(P.Set);
    const uint32_t At = find(tagsOf(P.Set), N, P.Tag);
    if (At == N)
      return false;
    Dirty[P.Set] |= 1ull << At;
    return true;
  }
};

using FullCache = PackedCache<AllLines>;
using SampledCache = PackedCache<SampledLines>;

} // namespace ekrec

#endif
