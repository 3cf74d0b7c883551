//===- Models.cpp - cost models by name -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the names for `--model`, and which models are trained.
//===----------------------------------------------------------------------===//
#include "Complete.h"
#include "Correlated.h"
#include "Events.h"
#include "Linear.h"
#include "Overlap.h"

using namespace evenkeel;

std::vector<std::string> evenkeel::modelNames() {
  return {"linear", "regression", "network", "correlated", "overlap"};
}

/// Reads the function of the model \p Name; an error if its inputs differ from
/// ours.
static Expected<TrainedFunction>
functionOf(const std::string &Name, const char *Predicts, bool WithShare) {
  Expected<TrainedFunction> F = readTrainedFunction(Name);
  if (!F)
    return F.takeError();
  std::vector<std::string> Inputs = eventNames();
  if (WithShare)
    Inputs.push_back("fast_share");
  if (F->Predicts != Predicts || F->Inputs != Inputs)
    return Error{"trained model '" + Name + "' predicts '" + F->Predicts +
                 "' from other inputs than this version has; train it anew "
                 "with utils/train-model"};
  return F;
}

Expected<std::unique_ptr<Model>> evenkeel::makeModel(const std::string &Name) {
  if (Name == "overlap")
    return std::unique_ptr<Model>(std::make_unique<OverlapModel>());
  if (Name == "linear")
    return std::unique_ptr<Model>(std::make_unique<LinearModel>());
  if (Name == "regression" || Name == "network") {
    Expected<TrainedFunction> F = functionOf(Name, "log_fast_to_slow", false);
    if (!F)
      return F.takeError();
    return std::unique_ptr<Model>(
        std::make_unique<CompleteModel>(Name, std::move(*F)));
  }
  if (Name == "correlated") {
    Expected<TrainedFunction> F = functionOf(Name, "gap_left", true);
    if (!F)
      return F.takeError();
    return std::unique_ptr<Model>(
        std::make_unique<CorrelatedModel>(std::move(*F)));
  }
  std::string List;
  for (const std::string &N : modelNames())
    List += (List.empty() ? "" : ", ") + N;
  return Error{"no model '" + Name + "'; known: " + List};
}
