//===- WorkingSet.h - bytes in use, window by window ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the working set of one process: the bytes that each pass's window sees
// touched, of all memory and of each group of objects, and how they are
// distributed over the passes.
// Not here: how it is shown (CurvePictures.h, TouchText.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_CURVES_WORKINGSET_H
#define EVENKEEL_UTILS_CLI_TOUCHES_CURVES_WORKINGSET_H

#include "Groups.h"
#include <array>

namespace evenkeel::cli {

/// Percentiles of a distribution that are shown, as `damo report wss` does.
inline constexpr std::array<unsigned, 5> ShownPercentiles = {0, 25, 50, 75,
                                                             100};

struct Distribution {
  double Mean = 0;
  std::array<double, ShownPercentiles.size()> At{}; // of ShownPercentiles
};

/// Of values in any order; zeros if there are none. A percentile is a value
/// that occurs: of N sorted ones the one with index N * percent / 100.
Distribution distributionOf(std::vector<double> Values);

struct WorkingSetRow {
  TouchGroup Its;
  std::vector<double> Touched; // bytes, by pass
  double Mean = 0;             // of Touched
};

struct WorkingSet {
  std::vector<double> Seconds;           // of the passes
  double WindowSeconds = 0;              // on average
  std::vector<double> Touched, Resident; // bytes, by pass, of all memory
  std::vector<WorkingSetRow> Rows;       // by rank; none untouched
};

/// Of the passes of \p Process; rows as groupsOf makes them.
WorkingSet workingSetOf(const TouchRecord &R, uint32_t Process, bool Single);

} // namespace evenkeel::cli

#endif
