//===- GoneLines.cpp - lines of freed objects -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: when caches push out dirty lines of a freed object, they are recorded
// for the object that lies there now.
// Makes: the number of a task's write-backs that are such lines.
//===----------------------------------------------------------------------===//
#include "CacheStates.h"
#include "Demands.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

double evenkeel::prediction::leftByGone(const Profile &B, uint32_t Task,
                                        const PushedOut &Back) {
  double Sum = 0;
  for (const auto &[Inst, Its] : Back)
    if (B.Instances[Inst].free_phase < B.Tasks[Task].phase)
      Sum += Its.Lines;
  return Sum;
}

void evenkeel::prediction::addOfGone(const Profile &B, double Left,
                                     const PushedOut &Back,
                                     std::vector<BaseDemand> &Its) {
  uint32_t Freed = EK_NO_TASK;
  for (const auto &Entry : Back)
    Freed = std::min(Freed, B.Instances[Entry.first].free_phase);
  auto More = [&](const BaseDemand &Q) {
    return B.Instances[Q.Inst].alloc_phase >= Freed
               ? std::max(0.0, Q.Writes - Q.PushedOut)
               : 0;
  };
  double Sum = 0;
  for (const BaseDemand &Q : Its)
    Sum += More(Q);
  for (BaseDemand &Q : Its)
    if (Sum > 0)
      Q.OfGone = More(Q) * std::min(1.0, Left / Sum);
}
