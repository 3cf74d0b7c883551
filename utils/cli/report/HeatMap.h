//===- HeatMap.h - which parts of memory are used when ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how often each line of each 256th of an object moves between caches
// and memory in one run of a group of phases, and which of these parts the plan
// puts into fast memory. Instances of one object lie on top of each other.
// Makes: levels from 0 (never) to 5 (twice and more), in runs.
// Not here: drawing (page.js).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_HEATMAP_H
#define EVENKEEL_UTILS_CLI_REPORT_HEATMAP_H

#include "ReportInput.h"
#include "cli/tables/PhaseGroups.h"
#include "cli/tables/PlannedObjects.h"
#include <array>

namespace evenkeel::cli {

/// Consecutive parts with the same level.
struct HeatRun {
  unsigned Level = 0, Parts = 0;
};

/// An object in a group of phases.
struct HeatCell {
  std::vector<HeatRun> Runs; // of all parts; empty: nothing moves
  double Lines = 0; // moved in one run of the group's phases, on average
  bool Live = false;
};

struct HeatRow {
  ObjectName Which;
  double Bytes = 0; // of all instances
  double PredictedBytes = 0;
  double Lines = 0;            // moved in the whole run
  std::vector<HeatCell> Cells; // by group
  std::array<double, EK_CHUNKS> FastShare{};
};

/// The rows of all objects; \p Groups as shown. Figures are recorded ones where
/// there is a replay, else predicted.
std::map<ObjectName, HeatRow> heatRows(const ReportInput &In,
                                       const PlannedObjects &Objects,
                                       const std::vector<PhaseGroup> &Groups);

/// A record tells of each page only the part with its first byte. Where parts
/// are smaller than pages: one past the last part of the page that begins in
/// \p Chunk, in an object of \p Bytes.
unsigned endOfPage(unsigned Chunk, double Bytes);

/// Where parts are larger than pages: how many pages a part has on average,
/// over the number of those that begin in \p Chunk.
double pagesPerPart(unsigned Chunk, double Bytes);

/// The level of a part whose lines move \p Times each.
unsigned heatLevel(double Times);

} // namespace evenkeel::cli

#endif
