//===- FixedPlacement.h - predictions under a fixed placement ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: carries out one plan to the end while every cost model predicts,
// before the run and again at each hook, the times of the remaining phases.
// Hooks know what HookWatch.h knows; all models get the same predicted demands,
// so differences come from the models.
// Not here: the accuracy of predictions (PredictionReport.h).
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
  /// The same for all models; \p AtHook: as of the last hook before the task.
  virtual const TaskCounts &counts(bool AtHook) const = 0;
};

/// Where data lies: all in one tier, or where the plan made by the request
/// says.
enum class Where { Slow, Fast, Planned };

/// \p Q has what is known before the run; its members and those of \p R must
/// outlive the policy. \p Times: hooks know the times of tasks. \p Blind: the
/// target is not the base input, and nothing of it is known before the run.
/// Errors: no plan, or an unknown model.
Expected<std::unique_ptr<FixedPlacement>>
makeFixedPlacement(const PlanRequest &Q, const ReplayRequest &R, Where W,
                   const std::vector<std::string> &Models, bool Times,
                   bool Blind);

} // namespace evenkeel::cli

#endif
