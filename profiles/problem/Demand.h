//===- Demand.h - a task's demands on memory --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the core time of one task and its main-memory accesses by unit, as
// predicted; independent of where the data lies.
// Not here: seconds, which depend on the placement (models/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_DEMAND_H
#define EVENKEEL_PROFILES_PROBLEM_DEMAND_H

#include "format/ek_sizes.h"
#include <cstdint>
#include <vector>

namespace evenkeel {

/// Bytes of a cache line, the unit of transfer between caches and memory.
constexpr double LineBytes = EK_LINE;

/// Main-memory accesses of one task to one unit. Invariants: no number is
/// negative; OpeningWrites <= WriteLines.
struct UnitDemand {
  uint32_t Unit = 0;     ///< index into Problem::Units
  double ReadLines = 0;  ///< lines fetched from memory
  double WriteLines = 0; ///< lines written back to memory
  /// Full latencies that the task waits for: ReadLines over the number of reads
  /// in flight at a time.
  double Exposed = 0;
  double OpeningWrites = 0; ///< lines of WriteLines, in the task's opening
  uint32_t Object = 0; ///< the object that contains the unit: an instance's
                       ///< index
  /// The task walks through the object's units in order. False: it accesses all
  /// of them all the time.
  bool Walked = false;
  uint64_t Course = 0; ///< when, as format/Course.h says; 0: not known
};

/// Demand of one task. Invariants: CoreSeconds >= 0; 0 <= Opening <= 1.
struct TaskDemand {
  double CoreSeconds = 0; ///< seconds without waiting for memory
  std::vector<UnitDemand> Units;
  /// The fraction of the task's fetches during which the caches still have
  /// room: until then fetches push out only lines that were there before the
  /// task.
  double Opening = 1;
};

} // namespace evenkeel

#endif
