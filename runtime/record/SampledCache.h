//===- SampledCache.h - one set-associative LRU cache, sampled --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the same as Cache.h, of lines of which there is one per page. So 32
// bits tell a line of all that the recorder follows, a set of up to 16 ways is
// one line of the host's, and all its ways are compared at once.
// Leaves out: the same as there.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SAMPLEDCACHE_H
#define EVENKEEL_RUNTIME_RECORD_SAMPLEDCACHE_H

#include "Cache.h"
#include "Sampling.h"
#include <cstring>

namespace ekrec {

class SampledCache {
  static constexpr uint32_t Together = 16; // ways of a host line
  typedef uint32_t Four __attribute__((vector_size(16), aligned(16)));

  uint32_t *Tags = nullptr;  // 0 = empty, in order of recency
  uint64_t *Dirty = nullptr; // bit i: way i
  uint32_t Ways = 0, Stride = 0;
  Sets Index;

  static constexpr unsigned PageLines = SampledPageBits - LineBits;
  static uint32_t tagOf(uint64_t Line) {
    return static_cast<uint32_t>(Line >> PageLines) + 1;
  }
  /// The line that had \p Tag, from the same 2^32 pages as \p Line.
  static uint64_t lineOf(uint32_t Tag, uint64_t Line) {
    uint64_t Page = (Line >> PageLines & ~uint64_t(UINT32_MAX)) | (Tag - 1);
    return sampledLineOf(Page) >> LineBits;
  }
  uint32_t *tagsOf(uint32_t Set) const {
    return Tags + static_cast<size_t>(Set) * Stride;
  }
  size_t bytes() const {
    return static_cast<size_t>(Index.size()) *
           (Stride * sizeof(uint32_t) + sizeof(uint64_t));
  }
  /// The way of \p Tag in a set of \p N; N: in none. Ways behind are empty.
  static uint32_t find(const uint32_t *S, uint32_t N, uint32_t Tag) {
    const Four Key = {Tag, Tag, Tag, Tag};
    for (uint32_t From = 0; From < N; From += Together) {
      const Four *V = reinterpret_cast<const Four *>(S + From);
      Four A = reinterpret_cast<Four>(V[0] == Key),
           B = reinterpret_cast<Four>(V[1] == Key),
           C = reinterpret_cast<Four>(V[2] == Key),
           D = reinterpret_cast<Four>(V[3] == Key);
      Four Any = A | B | C | D;
      if (__builtin_expect(!(Any[0] | Any[1] | Any[2] | Any[3]), 1))
        continue;
      for (uint32_t W = From;; ++W)
        if (S[W] == Tag)
          return W;
    }
    return N;
  }

public:
  SampledCache() = default;
  SampledCache(const SampledCache &) = delete;
  SampledCache &operator=(const SampledCache &) = delete;
  ~SampledCache() {
    if (Tags)
      munmap(Tags, bytes());
  }

  /// As Cache's; at most 64 ways.
  bool init(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    Ways = NumWays;
    Stride = (NumWays + Together - 1) / Together * Together;
    Index.init(Bytes, NumWays, Line, SampledRate);
    Tags = static_cast<uint32_t *>(reservePages(bytes()));
    Dirty = reinterpret_cast<uint64_t *>(
        Tags + static_cast<size_t>(Index.size()) * Stride);
    return Tags != nullptr;
  }

  bool hitsFirst(uint64_t Line, bool Write) const {
    const uint32_t Set = Index.of(Line);
    if (*tagsOf(Set) != tagOf(Line))
      return false;
    if (Write)
      Dirty[Set] |= 1;
    return true;
  }

  /// As Cache's. Of what goes, only dirty lines are told.
  bool access(uint64_t Line, bool Write, uint64_t &Evicted) {
    const uint32_t Set = Index.of(Line), Tag = tagOf(Line);
    uint32_t *S = tagsOf(Set);
    if (*S == Tag) {
      if (Write)
        Dirty[Set] |= 1;
      return true;
    }
    const uint32_t N = Index.waysOf(Set), At = find(S, N, Tag);
    const bool Hit = At != N;
    const uint32_t Moved = Hit ? At : N - 1; // ways that go one back
    const uint32_t Out = S[Moved];
    if (!Hit && Stride == Together) {
      Four *V = reinterpret_cast<Four *>(S);
      const Four A = V[0], B = V[1], C = V[2], D = V[3];
      V[0] = Four{Tag, A[0], A[1], A[2]};
      V[1] = __builtin_shufflevector(A, B, 3, 4, 5, 6);
      V[2] = __builtin_shufflevector(B, C, 3, 4, 5, 6);
      V[3] = __builtin_shufflevector(C, D, 3, 4, 5, 6);
      if (N < Together)
        S[N] = 0;
    } else {
      uint32_t Carry = Tag;
      for (uint32_t W = 0; W <= Moved; ++W) {
        const uint32_t Here = S[W];
        S[W] = Carry;
        Carry = Here;
      }
    }
    const uint64_t D = Dirty[Set];
    if (!(D | Write))
      return Hit;
    const uint64_t Front = (2ull << Moved) - 1; // those and the one at Moved
    const bool WasDirty = D >> Moved & 1;
    Dirty[Set] = (D & ~Front) | (D << 1 & Front) | Write | (Hit && WasDirty);
    if (!Hit && WasDirty)
      Evicted = lineOf(Out, Line) << 1 | 1;
    return Hit;
  }

  void prepare(uint64_t Line) const {
    __builtin_prefetch(tagsOf(Index.of(Line)), 1);
  }

  bool markDirty(uint64_t Line) {
    const uint32_t Set = Index.of(Line), N = Index.waysOf(Set);
    const uint32_t At = find(tagsOf(Set), N, tagOf(Line));
    if (At == N)
      return false;
    Dirty[Set] |= 1ull << At;
    return true;
  }
};

} // namespace ekrec

#endif
