//===- Sampling.h - which lines a sampled run follows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one line of every page stands for all its 64. Which one, the page's
// canonical number decides: each block of 16 pages begins where the golden
// ratio says (Knuth, TAOCP 3, 6.4: "Fibonacci hashing"), and every next page of
// it has its line four lines before. So each page of a block has its line in
// another 16th, for pages in any arithmetic progression the choices are spread
// evenly (to an eighth for 5 pages, where it is worst), and strided walks are
// sampled as well as dense ones; of the steps with these properties, four back
// was off least on the workloads (test/workloads/RESULTS.md). Each page-aligned
// object has exactly its share. Of pages that are 4 apart, four in a row have
// their lines in different quarters of the page, so caches can be scaled by
// sets: a 64th of them hold the sampled lines, by page and quarter (Cache.h;
// Conte, Hirsch, Menezes 1996, set sampling; Waldspurger et al. 2015, SHARDS).
// passes/record/Sampling.cpp inlines the same test.
// Leaves out: what is done with sampled lines (Recorder.cpp, Lane.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_SAMPLING_H
#define EVENKEEL_RUNTIME_RECORD_SAMPLING_H

#include "Options.h"

namespace ekrec {

constexpr unsigned LineBits = 6, SampledPageBits = 12;
constexpr uint64_t GoldenRatio = 0x9E3779B97F4A7C15ull;

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

} // namespace ekrec

#endif
