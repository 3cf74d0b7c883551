//===- Options.h - the simulated core and caches ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the figures of the simulated core and cache hierarchy, their defaults
// and sources, and the environment variables that set them:
//
//   EVENKEEL_RECORD_L1=BYTES[/WAYS]    32768/8        Cascade Lake core
//   EVENKEEL_RECORD_L2=BYTES[/WAYS]    1048576/16     Cascade Lake core
//   EVENKEEL_RECORD_LLC=BYTES[/WAYS]   1562166/11     one task's part: 35.75 MB
//                                      of a Xeon 6252N over its 24 cores
//   EVENKEEL_RECORD_LLC_SIZES=B,B,...  that part x 1/16..8; up to 8 sizes at
//                                      which fetched lines are also counted;
//                                      sampled runs: part x 1/8..1, and 4, 8,
//                                      16, 32 MB
//   EVENKEEL_RECORD_LLC_CYCLES=N       50             last-level hit (assumed)
//   EVENKEEL_RECORD_QUANTUM=CYCLES     200000         core time per set of page
//                                      rows
//   EVENKEEL_RECORD_ROB=N              224            reorder window,
//                                      instructions (Cascade Lake)
//   EVENKEEL_RECORD_FILL_BUFFERS=N     12             lines in flight per core
//                                      (assumed: first-level fill buffers)
//   EVENKEEL_RECORD_PREFETCH=N         20             lines in flight per
//                                      stream (assumed); 0: no prefetcher
//   EVENKEEL_RECORD_ROWS=N             16777216       page rows (32 bytes
//                                      each), sampled 1048576; beyond that,
//                                      quanta are joined (RowBudget.h)
//   EVENKEEL_RECORD_RACES=0            1; sampled: 0  do not look for races
//   EVENKEEL_RECORD_LOOKUPS=1          0              full: count look-ups of
//                                      tables' rows (RowTables.h)
//   EVENKEEL_RECORD_BURSTS=0           1              sampled: no full bursts
//                                      (Burst.h); weights are estimates
//   EVENKEEL_RECORD_GHZ=F              2.3            Xeon 6252N, base clock
//   EVENKEEL_RECORD_LEAST=MS           500            milliseconds of computing
//                                      below which a record does not end by
//                                      itself (Until.h)
//
// Not here: latency and bandwidth of memory; those are in machine files.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_OPTIONS_H
#define EVENKEEL_RUNTIME_RECORD_OPTIONS_H

#include "core/tuning.h"
#include "format/ek_sizes.h"
#include <cstdint>

namespace ekrec {

enum : unsigned { LineBytes = EK_LINE, LlcSizes = 8, SampledRate = 64 };
constexpr uint64_t SampledRows = 1 << 20;
/// In full runs, one set in this many is simulated for further last-level
/// sizes.
constexpr unsigned CurveSets = EK_CURVE_SETS;

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
  uint32_t Races = 1;   // whether to look for races
  uint32_t Bursts = 1;  // of sampled runs
  uint32_t LookUps = 0; // whether to count look-ups of rows
  uint64_t Rows = 16 << 20;
  /// The number of lines that each simulated one represents: 1, or SampledRate
  /// (Sampling.h).
  uint32_t Rate = 1;
  uint32_t LeastMs = 500; // minimum for a record that ends by itself
  bool Counts = false;    // only counts accesses, without caches

  /// Rounds sizes to whole sets, to multiples of 64 from 2048 sets on (at most
  /// 3.1 % more), and fills in LlcSize if it is empty; its sizes become
  /// multiples of CurveSets from 128 sets on (at most 5.5 % more).
  void normalise();
};

/// Options from the environment. An invalid value is replaced by its default,
/// with one line on stderr.
Options optionsFromEnvironment(uint32_t Rate, bool Counts = false);

} // namespace ekrec

#endif
