//===- DamoTarget.h - what DAMON saw of a target ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: snapshots of one target: of address ranges, which share of DAMON's
// samples in an aggregation interval found them accessed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_DAMO_DAMOTARGET_H
#define EVENKEEL_PROFILES_FORMAT_DAMO_DAMOTARGET_H

#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::damo {

/// DAMON's own intervals, where a file has none.
inline constexpr double DefaultSampleUs = 5000, DefaultAggregationUs = 100000;

struct Region {
  uint64_t Start = 0, End = 0;
  double Share = 0; // of the samples that found it accessed: 0 to 1
};

struct Snapshot {
  double StartNs = 0, EndNs = 0;
  std::vector<Region> Regions; // in the order of addresses; none overlap
};

struct Target {
  std::string Id;
  double SampleNs = 0;             // between two samples
  bool Assumed = false;            // the intervals: the file does not tell
  std::vector<Snapshot> Snapshots; // in the order of time, with regions
};

} // namespace evenkeel::damo

#endif
