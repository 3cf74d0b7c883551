//===- Complete.h - the other complete placement, learned -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: Tahoe's way (Wu et al., SC 2018, sections on performance models): from
// the time of a task with all data in slow memory and a few events, a learned
// function tells the time with all data in fast memory; in between, every line
// counts alike (Linear.h). The paper compares multiple linear regression with a
// neural network; `regression` and `network` are these two. Ours learn the
// logarithm of the quotient of the times, not the time: a task twice as long is
// the same task, and what is made small is the relative error.
// Not here: training (utils/train-model); the function (format/ModelFile.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_COMPLETE_H
#define EVENKEEL_PROFILES_MODELS_COMPLETE_H

#include "Model.h"
#include "format/ModelFile.h"

namespace evenkeel {

class CompleteModel : public Model {
  std::string Name;
  TrainedFunction LogFastToSlow; // of Events.h

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
