//===- Sampling.h - which lines a sampled run follows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one line of every page stands for all its 64. Which one, the page's
// canonical number decides by multiplication with the golden ratio (Knuth,
// TAOCP 3, 6.4: "Fibonacci hashing"): for pages in any arithmetic progression
// the choices are spread evenly, so strided walks are sampled as well as dense
// ones, and each page-aligned object has exactly its share. Caches are scaled
// alike: a 64th of the sets, in the same order, hold the sampled lines (Conte,
// Hirsch, Menezes 1996, set sampling; Waldspurger et al. 2015, SHARDS).
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
  return Page << SampledPageBits | (Page * GoldenRatio >> 58) << LineBits;
}

/// Is the line of \p Canonical its page's sampled one?
inline bool sampled(uint64_t Canonical) {
  return (Canonical & ~uint64_t(LineBytes - 1)) ==
         sampledLineOf(Canonical >> SampledPageBits);
}

} // namespace ekrec

#endif
