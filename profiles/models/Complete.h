//===- Complete.h - the fast-only time, learned -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Tahoe's model (Wu et al., SC 2018, sections on performance models):
// from a task's time with all data in slow memory and a few events, a learned
// function predicts the time with all data in fast memory; in between, every
// line counts the same (Linear.h). The paper compares multiple linear
// regression (`regression`) with a neural network (`network`). Ours learn the
// logarithm of the ratio of the two times, so that the relative error is
// minimised and the length of the task does not matter.
// Not here: training (utils/train-model); the function (format/ModelFile.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_COMPLETE_H
#define EVENKEEL_PROFILES_MODELS_COMPLETE_H

#include "Model.h"
#include "format/ModelFile.h"

namespace evenkeel {

class CompleteModel : public Model {
  std::string Name;
  TrainedFunction LogFastToSlow; // of the events in Events.h

public:
  CompleteModel(std::string Name, TrainedFunction F)
      : Name(std::move(Name)), LogFastToSlow(std::move(F)) {}
  std::string name() const override { return Name; }
  double seconds(const TaskDemand &T, const std::vector<double> &FastShare,
                 const Machine &M,
                 const std::vector<double> &LatencyNs) const override;
  void gains(const TaskDemand &T, const Machine &M,
             const std::vector<double> &LatencyNs,
             std::vector<double> &Out) const override;
};

} // namespace evenkeel

#endif
