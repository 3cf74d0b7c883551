//===- model_target.cpp - trained functions -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: files come from a script, so there is no round trip; what was accepted
// ends for any inputs, and its result lies between its bounds.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/ModelFile.h"

using namespace evenkeel;
using namespace ekfuzz;

bool ekfuzz::runModel(const std::string &Input) {
  Expected<TrainedFunction> F = parseTrainedFunction(Input, "in");
  if (!F) {
    checkError(F.message());
    return false;
  }
  EK_HOLDS(!F->Inputs.empty() && F->Low <= F->High, "inputs and bounds");
  for (double V : {0.0, -1e300, 1e300, 0.5}) {
    double Y = (*F)(std::vector<double>(F->Inputs.size(), V));
    EK_HOLDS(Y >= F->Low && Y <= F->High, "the result leaves its bounds");
  }
  return true;
}
