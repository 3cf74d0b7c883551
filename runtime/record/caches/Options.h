//===- Options.h - how the recorded core and caches look --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: every figure of the simulated core and cache hierarchy, its default
// and source, and the environment variable that sets it:
//
//   EVENKEEL_RECORD_L1=BYTES[/WAYS]    32768/8        Cascade Lake core
//   EVENKEEL_RECORD_L2=BYTES[/WAYS]    1048576/16     Cascade Lake core
//   EVENKEEL_RECORD_LLC=BYTES[/WAYS]   1562166/11     share of one task: 35.75
//   MB
//                                      of a Xeon 6252N over its 24 cores
//   EVENKEEL_RECORD_LLC_SIZES=B,B,...  share x 1/16..8, up to 8 sizes at which
//                                      fetched lines are counted as well;
//                                      sampled runs: share x 1/8..1, and 4, 8,
//                                      16, 32 MB
//   EVENKEEL_RECORD_LLC_CYCLES=N       50             a last-level hit
//   (assumed) EVENKEEL_RECORD_QUANTUM=CYCLES     200000         core time per
//   page row set EVENKEEL_RECORD_ROB=N              224            reorder
//   window, instructions
//                                      (Cascade Lake)
//   EVENKEEL_RECORD_FILL_BUFFERS=N     12             lines in flight per core
//                                      (assumed: first-level fill buffers)
//   EVENKEEL_RECORD_PREFETCH=N         20             lines in flight per
//   stream
//                                      (assumed); 0 switches the prefetcher off
//   EVENKEEL_RECORD_ROWS=N             16777216       page rows (32 bytes
//                                      each), sampled 1048576; with more,
//                                      quanta are joined (RowBudget.h)
//   EVENKEEL_RECORD_RACES=0            1; sampled: 0  do not look for races
//   EVENKEEL_RECORD_BURSTS=0           1              sampled: no bursts in
//   full
//                                      (Burst.h), weights are estimates
//   EVENKEEL_RECORD_GHZ=F              2.3            Xeon 6252N, base clock
//   EVENKEEL_RECORD_LEAST=MS           500            milliseconds of computing
//                                      below which a record does not end by
//                                      itself (Until.h)
//
// Not here: latency and bandwidth of memory; those belong to machine files.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_OPTIONS_H
#define EVENKEEL_RUNTIME_RECORD_OPTIONS_H

#include <cstdint>

namespace ekrec {

enum : unsigned { LineBytes = 64, LlcSizes = 8, SampledRate = 64 };
constexpr uint64_t SampledRows = 1 << 20;
/// Of a full run's further last-level sizes, one set in so many is simulated.
constexpr unsigned CurveSets = 8;

struct Options {
  uint32_t L1Bytes = 32768, L1Ways = 8;
  uint32_t L2Bytes = 1048576, L2Ways = 16;
  uint32_t LlcBytes = 1562166, LlcWays = 11; // rounded, see normalise()
  uint32_t LlcSize[LlcSizes] = {};           // bytes; 0 = unused
  uint32_t LlcCycles = 50;
  uint32_t Rob = 224;
  uint32_t FillBuffers = 12;
  uint32_t PrefetchDepth = 20;
  uint64_t QuantumCycles = 200000;
  double Ghz = 2.3;
  uint32_t Races = 1;  // look for them
  uint32_t Bursts = 1; // of sampled runs
  uint64_t Rows = 16 << 20;
  /// Lines that each simulated one stands for: 1, or SampledRate (Sampling.h).
  uint32_t Rate = 1;
  uint32_t LeastMs = 500; // of a record that ends by itself
  bool Counts = false;    // accesses are counted, no caches simulated

  /// Rounds sizes to whole sets, from 2048 sets on up to multiples of 64 (3 %
  /// more at most), and fills in LlcSize where it is empty; these from 128 sets
  /// on up to multiples of CurveSets (5 % more at most).
  void normalise();
};

/// Options from the environment. A value that makes no sense is left at its
/// default, with one line on stderr.
Options optionsFromEnvironment(uint32_t Rate, bool Counts = false);

} // namespace ekrec

#endif
