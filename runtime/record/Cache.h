//===- Cache.h - one set-associative LRU cache ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which of the line numbers it was shown it would hold, and which of
// those are dirty. Least recently used is replaced; a set is an array in order
// of recency, so a hit in its first way costs one comparison. Any number of
// sets: the set is the line number modulo the sets, with the upper half mixed
// in, so contiguous memory fills all sets evenly.
// Sampled (Sampling.h): 64 sets are one. In a cache whose sets are numbered by
// the line's lower bits, those of four pages' quarters that lie alike and not
// those of one page: data of which each page is used in part only, such as a
// block of columns, then fills the share of the cache that it fills in full.
// Leaves out: data, other levels, coherence. Not thread-safe.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_CACHE_H
#define EVENKEEL_RUNTIME_RECORD_CACHE_H

#include "Vec.h"
#include <cstdint>

namespace ekrec {

/// Which set a line belongs to.
class Sets {
  uint32_t Number = 0, Shift = 0; // as numbered; 2^Shift of them are one
  uint32_t Quarters = 0; // sets of each quarter; 0: whole pages are one set
  uint64_t Reciprocal = 0;
  uint32_t Last = 0; // and its ways
  uint32_t LastWays = 0, Ways = 0;

public:
  /// \p Bytes must be whole sets. A cache of a sampled run holds one line in
  /// \p Rate (1 or SampledRate): so many sets are one, of the same ways; the
  /// last one has its share of them.
  void init(uint64_t Bytes, uint32_t NumWays, uint32_t Line, uint32_t Rate) {
    Ways = NumWays;
    Number = static_cast<uint32_t>(Bytes / (uint64_t(NumWays) * Line));
    Reciprocal = UINT64_MAX / Number + 1;
    Shift = static_cast<uint32_t>(__builtin_ctz(Rate));
    Last = (Number - 1) >> Shift;
    // A power of two, so that of() has no division, and pages of four quarters.
    bool Numbered = !(Number & (Number - 1)) && (Last + 1) % 4 == 0;
    Quarters = Rate > 1 && Numbered ? (Last + 1) / 4 : 0;
    LastWays = ((Number - Last * Rate) * Ways + Rate / 2) / Rate;
    LastWays = LastWays ? LastWays : 1;
  }
  uint32_t size() const { return Last + 1; }
  uint32_t of(uint64_t Line) const {
    // Which of its neighbours was sampled does not matter but for the quarter:
    // dense memory fills all sets evenly.
    uint32_t Quarter = static_cast<uint32_t>(Line) >> 4 & 3;
    Line = Line >> Shift << Shift;
    uint32_t X = static_cast<uint32_t>(Line) +
                 static_cast<uint32_t>(Line >> 32) * 0x9E3779B1u;
    // X mod Number by multiplication (Lemire, Kaser, Kurz 2019, "Faster
    // remainder by direct computation").
    uint64_t Low = Reciprocal * X;
    uint32_t Set = static_cast<uint32_t>(
        (static_cast<unsigned __int128>(Low) * Number) >> 64);
    Set >>= Shift;
    if (Quarters)
      Set = (Set & (Quarters - 1)) + Quarter * Quarters;
    return Set;
  }
  uint32_t waysOf(uint32_t Set) const { return Set == Last ? LastWays : Ways; }
};

class Cache {
  uint64_t *Entries = nullptr; // line << 1 | dirty; 0 = empty
  uint32_t Ways = 0;
  Sets Index;

  uint64_t *setOf(uint64_t Line) const {
    return Entries + static_cast<size_t>(Index.of(Line)) * Ways;
  }
  size_t bytes() const {
    return static_cast<size_t>(Index.size()) * Ways * sizeof(uint64_t);
  }

public:
  Cache() = default;
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;
  ~Cache() {
    if (Entries)
      munmap(Entries, bytes());
  }

  /// \p Bytes must be whole sets. False: no memory.
  bool init(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    Ways = NumWays;
    Index.init(Bytes, NumWays, Line, 1);
    Entries = static_cast<uint64_t *>(reservePages(bytes()));
    return Entries != nullptr;
  }

  /// The most recent line of its set? Marks it dirty if \p Write.
  bool hitsFirst(uint64_t Line, bool Write) const {
    uint64_t *S = setOf(Line);
    if (S[0] >> 1 != Line)
      return false;
    S[0] |= Write;
    return true;
  }

  /// Makes \p Line the most recent of its set. True: it was there. Otherwise
  /// \p Evicted is what had to go (line << 1 | dirty; 0 = nothing).
  bool access(uint64_t Line, bool Write, uint64_t &Evicted) {
    uint64_t *S = setOf(Line);
    uint64_t Carry = S[0];
    if (Carry >> 1 == Line) {
      S[0] |= Write;
      return true;
    }
    for (uint32_t W = 1; W < Ways; ++W) {
      uint64_t Here = S[W];
      S[W] = Carry;
      if (Here >> 1 == Line) {
        S[0] = Here | Write;
        return true;
      }
      Carry = Here;
    }
    S[0] = Line << 1 | Write;
    Evicted = Carry;
    return false;
  }

  /// Starts to load the set of \p Line from the host's memory: several caches
  /// are asked about one line, and their sets are rarely in the host's caches.
  void prepare(uint64_t Line) const {
    const uint64_t *S = setOf(Line);
    __builtin_prefetch(S, 1);
    __builtin_prefetch(S + Ways - 1, 1);
  }

  /// Marks \p Line dirty where it is held, without touching its recency.
  bool markDirty(uint64_t Line) {
    uint64_t *S = setOf(Line);
    for (uint32_t W = 0; W < Ways; ++W)
      if (S[W] >> 1 == Line) {
        S[W] |= 1;
        return true;
      }
    return false;
  }
};

} // namespace ekrec

#endif
