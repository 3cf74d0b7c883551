//===- PreparedRecord.h - a miss record, checked and indexed ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: everything that all replays of one record need, independent of
// placement and machine: page rows grouped into intervals of virtual time,
// tasks per phase, the task graph, lifetimes per phase, pages in order of first
// touch.
// Makes: a PreparedRecord, or a one-line error if rows contradict each other.
// Not here: times; core cycles become seconds only on a machine.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_PREPAREDRECORD_H
#define EVENKEEL_PROFILES_SIMULATOR_PREPAREDRECORD_H

#include "format/profile/Profile.h"
#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace evenkeel {

struct PreparedRecord {
  /// One EK_RAW_PAGE row without its key.
  struct Row {
    uint32_t Page; // global
    float Weight;
    uint32_t Reads, Writes;
  };
  /// A quantum with rows, or a sequence of quanta without any.
  struct Interval {
    double CoreCycles;
    uint32_t FirstRow, EndRow;
  };
  struct TouchedPage {
    uint32_t Instance, Page;
  };

  const MissRecord *Record = nullptr;
  std::vector<uint64_t>
      FirstPage; // global page number; per instance, and the end
  std::vector<Row> Rows;
  std::vector<Interval> Intervals;
  std::vector<uint32_t> FirstInterval; // per task, and the end
  std::vector<uint32_t> FirstTask;     // per phase, and the end
  /// Per phase: the number of virtual workers for its explicit tasks.
  std::vector<uint32_t> Workers;
  /// Dependences within a phase as lists of successors: those of task T are
  /// Successors[FirstSuccessor[T] .. FirstSuccessor[T+1]).
  std::vector<uint32_t> FirstSuccessor, Successors, PredecessorCount;
  /// Pages by first appearance (phase, quantum, task, row); sliced by phase.
  std::vector<TouchedPage> Touches;
  std::vector<uint32_t> FirstTouch;                    // per phase, and the end
  std::vector<std::vector<uint32_t>> Allocated, Freed; // per phase

  uint64_t totalPages() const { return FirstPage.back(); }
  /// The instance that contains a global page.
  uint32_t instanceOf(uint64_t Page) const {
    auto Next = std::upper_bound(FirstPage.begin(), FirstPage.end(), Page);
    return uint32_t(Next - FirstPage.begin()) - 1;
  }
  uint32_t pages(uint32_t Instance) const {
    return uint32_t(FirstPage[Instance + 1] - FirstPage[Instance]);
  }
  uint64_t pageBytes(uint32_t Instance, uint32_t Page) const {
    uint64_t Bytes = Record->Instances[Instance].bytes;
    uint64_t From = uint64_t(Page) * EK_PAGE;
    return Bytes - From < EK_PAGE ? Bytes - From : EK_PAGE;
  }
  double lineBytes() const {
    const uint32_t Bytes = Record->Config.line_bytes;
    return Bytes ? Bytes : EK_LINE;
  }
  bool isExplicit(uint32_t Task) const { return Record->Tasks[Task].flags & 1; }
};

/// Checks and indexes \p R, which must outlive the result. Thread-safe. Errors
/// name the table, the row and the contradiction.
Expected<std::unique_ptr<PreparedRecord>> prepareRecord(const MissRecord &R);

} // namespace evenkeel

#endif
