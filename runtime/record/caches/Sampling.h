//===- Sampling.h - the lines that a sampled run follows --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one line of every page represents all its 64 lines. The page's
// canonical number decides which: the first page of each block of 16 gets a
// line by the golden ratio (Knuth, TAOCP 3, 6.4: "Fibonacci hashing"), and each
// further page of the block a line four lines earlier. So each page of a block
// has its line in another 16th. For pages in any arithmetic progression the
// choices are spread evenly (to an eighth for 5 pages, the worst case), and
// strided walks are sampled as well as dense ones. Of the steps with these
// properties and the ratio's two directions, these had the smallest errors on
// the workloads (test/workloads/RESULTS.md). A page-aligned object has exactly
// its share of sampled lines.
//   Sampled lines must compete for a cache as all lines do. So where sets are
// chosen, lines are counted from their page's sampled one (turned()). In a
// cache of 64 n sets, the sampled lines are then the only lines in n sets, and
// a cache of n sets holds exactly those of them that the whole cache would hold
// (set sampling: Conte, Hirsch, Menezes 1996; Waldspurger et al. 2015, SHARDS).
// This makes no difference for dense data. Rows at a distance of a power of two
// share fewer lines than by their address bits, as in real last levels, which
// hash addresses (Maurice et al. 2015, "Reverse engineering Intel last-level
// cache complex addressing"). passes/record/samples/Sampling.cpp inlines the
// same test.
// Not here: the use of sampled lines (SampledAccesses.cpp, Lane.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SAMPLING_H
#define EVENKEEL_RUNTIME_RECORD_SAMPLING_H

#include "Options.h"
#include "format/ek_sizes.h"
#include <cstring>

namespace ekrec {

constexpr unsigned LineBits = EK_LINE_SHIFT, SampledPageBits = EK_PAGE_SHIFT;
/// 1 minus the golden ratio's fraction, times 2^64.
constexpr uint64_t GoldenRatio = 0x61C8864680B583EBull;

/// The first byte of the sampled line of canonical page \p Page.
inline uint64_t sampledLineOf(uint64_t Page) {
  uint64_t Place = (Page >> 4) * GoldenRatio - (Page << 60);
  return Page << SampledPageBits | Place >> 58 << LineBits;
}

/// Whether the line of \p Canonical is its page's sampled one.
inline bool sampled(uint64_t Canonical) {
  return (Canonical & ~uint64_t(LineBytes - 1)) ==
         sampledLineOf(Canonical >> SampledPageBits);
}

/// \p Line with its number within the page counted from the sampled line.
inline uint64_t turned(uint64_t Line) {
  constexpr uint64_t InPage = (1 << (SampledPageBits - LineBits)) - 1;
  const uint64_t First = sampledLineOf(Line / (InPage + 1)) >> LineBits;
  return (Line & ~InPage) | ((Line - First) & InPage);
}
/// The line for which turned() returned \p Turned.
inline uint64_t turnedBack(uint64_t Turned) {
  constexpr uint64_t InPage = (1 << (SampledPageBits - LineBits)) - 1;
  const uint64_t First = sampledLineOf(Turned / (InPage + 1)) >> LineBits;
  return (Turned & ~InPage) | ((Turned + First) & InPage);
}

/// \p Weight rounded to 11 binary digits. It is an estimate, and similar phases
/// whose estimates differ by less then have equal rows
/// (format/profile/SharedRows.h).
inline float roundedWeight(double Weight) {
  constexpr uint32_t Dropped = 23 - 10;
  const auto Single = static_cast<float>(Weight);
  uint32_t Bits;
  memcpy(&Bits, &Single, sizeof Bits);
  Bits = (Bits + (1u << (Dropped - 1))) & ~((1u << Dropped) - 1);
  float Rounded;
  memcpy(&Rounded, &Bits, sizeof Rounded);
  return Rounded;
}

} // namespace ekrec

#endif
