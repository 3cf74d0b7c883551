//===- Sampling.h - which lines a sampled run follows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one line of every page stands for all its 64. Which one, the page's
// canonical number decides: each block of 16 pages begins where the golden
// ratio says (Knuth, TAOCP 3, 6.4: "Fibonacci hashing"), and every next page of
// it has its line four lines before. So each page of a block has its line in
// another 16th, for pages in any arithmetic progression the choices are spread
// evenly (to an eighth for 5 pages, where it is worst), and strided walks are
// sampled as well as dense ones; of the steps with these properties and the
// ratio's two directions, those here were off least on the workloads
// (test/workloads/RESULTS.md). Each page-aligned object has exactly its share.
//   Sampled lines must compete for a cache as all lines do. So lines are
// counted from their page's sampled one where sets are chosen (turned()): in a
// cache of 64 n sets, the sampled lines are then the only ones of n sets, and
// n sets of their own hold of them exactly what the whole cache would (set
// sampling: Conte, Hirsch, Menezes 1996; Waldspurger et al. 2015, SHARDS). That
// makes no difference to what is dense. Rows that are powers of two apart meet
// in fewer lines than they would by their addresses' bits, as in last levels,
// which hash them (Maurice et al. 2015, "Reverse engineering Intel last-level
// cache complex addressing").
// passes/record/samples/Sampling.cpp inlines the same test.
// Not here: what is done with sampled lines (Recorder.cpp, Lane.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SAMPLING_H
#define EVENKEEL_RUNTIME_RECORD_SAMPLING_H

#include "Options.h"
#include <cstring>

namespace ekrec {

constexpr unsigned LineBits = 6, SampledPageBits = 12;
/// 1 less the golden ratio's fraction, times 2^64.
constexpr uint64_t GoldenRatio = 0x61C8864680B583EBull;

/// The first byte of the sampled line of canonical page \p Page.
inline uint64_t sampledLineOf(uint64_t Page) {
  uint64_t Place = (Page >> 4) * GoldenRatio - (Page << 60);
  return Page << SampledPageBits | Place >> 58 << LineBits;
}

/// Is the line of \p Canonical its page's sampled one?
inline bool sampled(uint64_t Canonical) {
  return (Canonical & ~uint64_t(LineBytes - 1)) ==
         sampledLineOf(Canonical >> SampledPageBits);
}

/// \p Line with its number in its page counted from the sampled line's.
inline uint64_t turned(uint64_t Line) {
  constexpr uint64_t InPage = (1 << (SampledPageBits - LineBits)) - 1;
  const uint64_t First = sampledLineOf(Line / (InPage + 1)) >> LineBits;
  return (Line & ~InPage) | ((Line - First) & InPage);
}
/// The line that turned() made \p Turned of.
inline uint64_t turnedBack(uint64_t Turned) {
  constexpr uint64_t InPage = (1 << (SampledPageBits - LineBits)) - 1;
  const uint64_t First = sampledLineOf(Turned / (InPage + 1)) >> LineBits;
  return (Turned & ~InPage) | ((Turned + First) & InPage);
}

/// \p Weight to 11 binary digits: it is an estimate, and phases alike whose
/// estimates differ by less have the same rows (format/profile/SharedRows.h).
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
