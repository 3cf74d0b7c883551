//===- Steps.cpp - what several policies ask about steps ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Steps.h.
//===----------------------------------------------------------------------===//
#include "Steps.h"

namespace evenkeel::required {

std::vector<bool> heavySteps(const TaskGraph &G, double Times) {
  double Sum = 0;
  size_t Count = 0;
  for (const Step &S : G.Steps) {
    Sum += S.Seconds;
    Count += S.Seconds > 0;
  }
  std::vector<bool> Out;
  for (const Step &S : G.Steps)
    Out.push_back(S.Seconds > 0 && S.Seconds * double(Count) >= Times * Sum);
  return Out;
}

Order orderByNumber(const TaskGraph &G, unsigned Number) {
  switch (Number) {
  case 1:
    return breadthFirst(G);
  case 2:
    return depthFirst(G);
  case 3:
    return leastLive(G);
  default:
    return asWritten(G);
  }
}

} // namespace evenkeel::required
