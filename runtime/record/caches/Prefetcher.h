//===- Prefetcher.h - lines that a stream prefetcher has fetched -*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: 16 streams, each within a page; a new stream replaces the least
// recently used one. After two misses on neighbouring lines, the next lines in
// that direction, up to the end of the page, count as prefetched.
// Not here: when a prefetched line arrives, and what it replaces.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_PREFETCHER_H
#define EVENKEEL_RUNTIME_RECORD_PREFETCHER_H

#include "format/ek_sizes.h"
#include <cstdint>

namespace ekrec {

class Prefetcher {
  static constexpr unsigned Streams = 16;
  static constexpr uint8_t Trained = 1; // steps before lines arrive early
  typedef uint32_t Four __attribute__((vector_size(16), aligned(16)));
  /// Lower halves of pages plus 1, for the search; 0: no stream.
  alignas(16) uint32_t Tags[Streams] = {};
  struct Stream {
    uint64_t Page, Last;
    int8_t Direction;
    uint8_t Steps;
  } Table[Streams] = {};
  /// Stream numbers as hexadecimal digits, the most recently used one lowest.
  uint64_t Order = 0x0123456789ABCDEFull;

  /// The first stream with tag \p Tag; Streams: none.
  unsigned find(uint32_t Tag) const {
    const Four Key = {Tag, Tag, Tag, Tag};
    const Four *V = reinterpret_cast<const Four *>(Tags);
    const Four A = reinterpret_cast<Four>(V[0] == Key) & Four{1, 2, 4, 8},
               B = reinterpret_cast<Four>(V[1] == Key) & Four{16, 32, 64, 128},
               C = reinterpret_cast<Four>(V[2] == Key) &
                   Four{1 << 8, 1 << 9, 1 << 10, 1 << 11},
               D = reinterpret_cast<Four>(V[3] == Key) &
                   Four{1 << 12, 1 << 13, 1 << 14, 1 << 15};
    Four Any = A | B | C | D;
    Any |= __builtin_shufflevector(Any, Any, 2, 3, 0, 1);
    const uint32_t Found = Any[0] | Any[1];
    return Found ? static_cast<unsigned>(__builtin_ctz(Found)) : Streams;
  }
  unsigned streamOf(uint64_t Page, uint32_t Tag) const {
    unsigned I = find(Tag);
    if (__builtin_expect(I < Streams && Table[I].Page != Page, 0))
      // Pages 2^32 apart have the same tag.
      for (I = 0; I < Streams; ++I)
        if (Tags[I] == Tag && Table[I].Page == Page)
          break;
    return I;
  }
  /// Makes stream \p I the most recently used one.
  void use(unsigned I) {
    constexpr uint64_t Ones = 0x1111111111111111ull;
    if ((Order & (Streams - 1)) == I)
      return;
    const uint64_t Others = Order ^ I * Ones; // its digit is 0, and no other
    const uint64_t Zero = (Others - Ones) & ~Others & Ones << 3;
    const unsigned Digit = static_cast<unsigned>(__builtin_ctzll(Zero)) & ~3u;
    const uint64_t Before = (1ull << Digit) - 1;
    const uint64_t With = Before << 4 | (Streams - 1);
    Order = (Order & ~With) | (Order & Before) << 4 | I;
  }

public:
  /// Shows a line that missed L2; true if it was prefetched.
  bool observe(uint64_t Line) {
    const uint64_t Page = Line >> (EK_PAGE_SHIFT - EK_LINE_SHIFT);
    uint32_t Tag = static_cast<uint32_t>(Page) + 1;
    Tag += !Tag;
    const unsigned I = streamOf(Page, Tag);
    if (I == Streams) {
      const auto Oldest = static_cast<unsigned>(Order >> (4 * (Streams - 1)));
      Order = Order << 4 | Oldest;
      Tags[Oldest] = Tag;
      Table[Oldest] = {Page, Line, 0, 0};
      return false;
    }
    use(I);
    Stream &S = Table[I];
    const int8_t Step = Line == S.Last + 1 ? 1 : Line + 1 == S.Last ? -1 : 0;
    const bool Early = Step && Step == S.Direction && S.Steps >= Trained;
    if (!Step)
      S.Steps = 0;
    else if (Step != S.Direction)
      S.Steps = 1;
    else if (S.Steps < Trained)
      ++S.Steps;
    S.Direction = Step;
    S.Last = Line;
    return Early;
  }
};

} // namespace ekrec

#endif
