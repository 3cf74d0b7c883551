//===- BaseCounts.h - count expressions on the base input -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the accesses of each task's region.
// Makes: for each task of the base run and each of these accesses, the numbers
// of reads and writes and the length of a run, by their expressions.
// Not here: the target (counts/TargetCounts.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_BASECOUNTS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_BASECOUNTS_H

#include "Tables.h"
#include "Trace.h"

namespace evenkeel {
namespace prediction {

/// Value of a count expression in a task.
struct Count {
  std::optional<double> V;
  Trace How;
};

struct BaseCounts {
  /// By row of Profile.Tasks: three values for each access of its region, in
  /// the order of AccessTable::In.
  std::vector<std::vector<Count>> Of;

  const Count &at(const BaseTables &Base, const AccessFact &A, CountOf Which,
                  uint32_t Task) const {
    return Of[Task]
             [Base.Accesses.PlaceOf.at(&A) * CountsOfAccess + unsigned(Which)];
  }
};
BaseCounts makeBaseCounts(const BaseTables &Base);

} // namespace prediction
} // namespace evenkeel

#endif
