//===- FittedRows.h - growth by fits, by rows of the base -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: growth of objects and types of tasks, by name (FittedValues.h).
// Makes: the growth for each row of the base profile.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_FITTEDROWS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_FITTEDROWS_H

#include "format/plan/FittedValues.h"
#include "format/profile/Profile.h"
#include <map>
#include <utility>
#include <vector>

namespace evenkeel {
namespace prediction {

class FittedRows {
  FittedValues Values;
  std::vector<const FittedGrowth *> Sizes; // by instance; empty: no fits
  std::vector<const FittedTasks *> Tasks;  // by row; empty: no fits
  std::map<std::pair<const FittedTasks *, uint32_t>,
           const FittedTasks::Object *>
      Objects; // by instance

public:
  FittedRows() = default;
  FittedRows(const Profile &B, FittedValues V);
  FittedRows(FittedRows &&) = default; // pointers stay valid
  FittedRows(const FittedRows &) = delete;

  bool empty() const { return Values.empty(); }
  /// Null: no fit.
  const FittedGrowth *sizeOf(uint32_t Inst) const {
    return Sizes.empty() ? nullptr : Sizes[Inst];
  }
  const FittedTasks *tasksOf(uint32_t Task) const {
    return Tasks.empty() ? nullptr : Tasks[Task];
  }
  const FittedTasks::Object *find(uint32_t Task, uint32_t Inst) const;
};

} // namespace prediction
} // namespace evenkeel

#endif
