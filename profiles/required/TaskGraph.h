//===- TaskGraph.h - steps, their data, and who waits for whom --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: steps (tasks, or whole phases) with their time if all their data is in
// the fast tier, the data that each reads and writes, and the order that they
// must keep.
// Makes: a graph by hand, in a few lines; a check of it.
// Not here: graphs of recorded runs (RecordedGraph.h), orders (Order.h), what
// is live when (LiveRanges.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_TASKGRAPH_H
#define EVENKEEL_PROFILES_REQUIRED_TASKGRAPH_H

#include "format/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::required {

/// Data that is in the tier as a whole or not at all.
struct Datum {
  std::string Name;
  uint64_t Bytes = 0;
  bool Output = false; // wanted after the last step
  bool Fresh = false;  // has no contents before the first step
};

/// What a step does with a datum. A step that neither needs the old contents
/// nor leaves any of it overwrites.
struct Use {
  uint32_t Datum = 0;
  bool Needs = false;  // old contents: reads it, or writes only a part
  bool Writes = false; // contents differ afterwards
};

struct Step {
  std::string Name;
  double Seconds = 0;          // with all data in the fast tier
  std::vector<Use> Uses;       // each datum at most once
  std::vector<uint32_t> Waits; // for these steps to end
};

struct TaskGraph {
  std::vector<Datum> Data;
  std::vector<Step> Steps; // numbered such that each waits for earlier ones

  /// For graphs made by hand: the number of what was added.
  /// @{
  uint32_t datum(std::string Name, uint64_t Bytes, bool Output = false) {
    Data.push_back({std::move(Name), Bytes, Output});
    return uint32_t(Data.size() - 1);
  }
  uint32_t step(std::string Name, double Seconds,
                const std::vector<uint32_t> &Reads,
                const std::vector<uint32_t> &Overwrites,
                std::vector<uint32_t> Waits = {});
  /// @}

  /// Successors of each step, rising.
  std::vector<std::vector<uint32_t>> successors() const;
  /// The bytes of all data of a step.
  uint64_t bytesOf(uint32_t Step) const;
};

/// Errors, by name: a datum without bytes or used twice by a step, a number
/// that does not exist, a step that waits for a later one.
MaybeError checkGraph(const TaskGraph &G);

/// Error if a step's data is more than \p Capacity; names the step that needs
/// most.
MaybeError checkFits(const TaskGraph &G, uint64_t Capacity);

} // namespace evenkeel::required

#endif
