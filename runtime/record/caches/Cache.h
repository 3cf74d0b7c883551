//===- Cache.h - a set-associative LRU cache --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which line numbers a cache holds, and which of them are dirty. The
// least recently used line is replaced; a set is an array ordered by recency,
// so a hit in its first way costs one comparison. The number of sets is
// arbitrary: the set is the line number modulo this number, with the upper half
// mixed in, so that contiguous memory fills all sets evenly.
// Not here: data, other levels, coherence. Not thread-safe. For caches with
// many sets, PackedCache.h is faster.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_CACHE_H
#define EVENKEEL_RUNTIME_RECORD_CACHE_H

#include "record/host/Vec.h"
#include <cstdint>

namespace ekrec {

/// The set of a line.
class Sets {
  uint32_t Number = 0;
  uint32_t Mask = 0; // Number - 1, if Number is a power of two
  uint64_t Reciprocal = 0;

public:
  /// \p Bytes must be a multiple of the set size.
  void init(uint64_t Bytes, uint32_t Ways, uint32_t Line) {
    Number = static_cast<uint32_t>(Bytes / (uint64_t(Ways) * Line));
    Mask = Number & (Number - 1) ? 0 : Number - 1;
    Reciprocal = UINT64_MAX / Number + 1;
  }
  uint32_t size() const { return Number; }
  /// The upper half of a line number times this is added to the lower half. It
  /// is a multiple of a page's lines, so lines of a page keep their order.
  static constexpr uint32_t Mix = 0x9E3779C0u;
  static uint32_t mixed(uint64_t Line) {
    return static_cast<uint32_t>(Line) +
           static_cast<uint32_t>(Line >> 32) * Mix;
  }
  /// mixed() modulo size() by multiplication (Lemire, Kaser, Kurz 2019, "Faster
  /// remainder by direct computation").
  uint32_t of(uint64_t Line) const {
    if (Mask)
      return mixed(Line) & Mask;
    uint64_t Low = Reciprocal * mixed(Line);
    return static_cast<uint32_t>(
        (static_cast<unsigned __int128>(Low) * Number) >> 64);
  }
  /// mixed() divided by size(), which must be more than 1.
  uint32_t quotient(uint64_t Line) const {
    return static_cast<uint32_t>(
        (static_cast<unsigned __int128>(Reciprocal) * mixed(Line)) >> 64);
  }
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
  using Hits = Cache;

  Cache() = default;
  Cache(const Cache &) = delete;
  Cache &operator=(const Cache &) = delete;
  ~Cache() {
    if (Entries)
      munmap(Entries, bytes());
  }

  /// \p Bytes must be a multiple of the set size. False: no memory.
  bool init(uint64_t Bytes, uint32_t NumWays, uint32_t Line) {
    Ways = NumWays;
    Index.init(Bytes, NumWays, Line);
    Entries = static_cast<uint64_t *>(reservePages(bytes()));
    return Entries != nullptr;
  }

  /// Whether it is the most recent line of its set; marks it dirty if \p Write.
  bool hitsFirst(uint64_t Line, bool Write) const {
    uint64_t *S = setOf(Line);
    if (S[0] >> 1 != Line)
      return false;
    S[0] |= Write;
    return true;
  }

  /// A line and its set.
  struct Place {
    uint64_t *Set;
    uint64_t Line;
  };
  Place placeOf(uint64_t Line) const { return {setOf(Line), Line}; }
  /// Prefetches the set from the host's memory: several caches are accessed for
  /// one line, and their sets are rarely in the host's caches.
  void prepare(Place P) const {
    __builtin_prefetch(P.Set, 1);
    __builtin_prefetch(P.Set + Ways - 1, 1);
  }

  /// Makes the line the most recent of its set. True: it was there. Otherwise
  /// \p Evicted is set to the line that was replaced (line << 1 | dirty; 0 =
  /// none).
  bool access(Place P, bool Write, uint64_t &Evicted) {
    uint64_t *S = P.Set;
    uint64_t Carry = S[0];
    if (Carry >> 1 == P.Line) {
      S[0] |= Write;
      return true;
    }
    for (uint32_t W = 1; W < Ways; ++W) {
      uint64_t Here = S[W];
      S[W] = Carry;
      if (Here >> 1 == P.Line) {
        S[0] = Here | Write;
        return true;
      }
      Carry = Here;
    }
    S[0] = P.Line << 1 | Write;
    Evicted = Carry;
    return false;
  }
  /// The same for a cache without dirty lines.
  bool access(Place P) {
    uint64_t Evicted;
    return access(P, false, Evicted);
  }

  /// Marks \p Line dirty if it is in the cache, without changing its recency.
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
