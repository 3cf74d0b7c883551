//===- FixedPlacement.h - predict, move nothing -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a plan carried out to the end while every cost model says, before the
// run and again at each hook, how long the phases to come will take under it.
// What hooks know is what HookWatch.h knows; all models get the same predicted
// demands, so that what differs is the model.
// Not here: whether a prediction was right (PredictionReport.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_FIXEDPLACEMENT_H
#define EVENKEEL_UTILS_CLI_FIXEDPLACEMENT_H

#include "HookWatch.h"
#include <memory>
#include <string>
#include <vector>

namespace evenkeel::cli {

struct ModelPrediction {
  std::string Model;
  TaskTimes Offline, Hook;
};

class FixedPlacement : public Policy {
public:
  virtual const std::vector<ModelPrediction> &predictions() const = 0;
  /// The same for all models; \p AtHook: at the last hook before the task.
  virtual const TaskCounts &counts(bool AtHook) const = 0;
};

/// \p Q says what is known before the run; its members and those of \p R must
/// outlive the policy. \p Slow and \p Fast: all data in one tier; else the plan
/// that \p Q makes is carried out. Errors: no plan; a model that is not there.
enum class Where { Slow, Fast, Planned };
Expected<std::unique_ptr<FixedPlacement>>
makeFixedPlacement(const PlanRequest &Q, const ReplayRequest &R, Where W,
                   const std::vector<std::string> &Models, bool Sampling);

} // namespace evenkeel::cli

#endif
