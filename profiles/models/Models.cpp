//===- Models.cpp - cost models by name -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the names that `--model` takes.
//===----------------------------------------------------------------------===//
#include "Linear.h"
#include "Overlap.h"

using namespace evenkeel;

std::vector<std::string> evenkeel::modelNames() {
  return {"linear", "overlap"};
}

Expected<std::unique_ptr<Model>> evenkeel::makeModel(const std::string &Name) {
  if (Name == "overlap")
    return std::unique_ptr<Model>(std::make_unique<OverlapModel>());
  if (Name == "linear")
    return std::unique_ptr<Model>(std::make_unique<LinearModel>());
  std::string List;
  for (const std::string &N : modelNames())
    List += (List.empty() ? "" : ", ") + N;
  return Error{"no model '" + Name + "'; known: " + List};
}
