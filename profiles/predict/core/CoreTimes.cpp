//===- CoreTimes.cpp - core times of tasks --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CoreTimes.h.
//===----------------------------------------------------------------------===//
#include "CoreTimes.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// The growth of the counts of all accesses of the task's region; null: not
/// known.
static std::optional<double> growthByFormulas(const CountInputs &In,
                                              uint32_t Task) {
  auto Its = In.Base.Accesses.In.find(In.Base.B.Tasks[Task].region);
  if (Its == In.Base.Accesses.In.end())
    return std::nullopt;
  double Old = 0, New = 0;
  for (const AccessFact *A : Its->second)
    for (CountOf Which : {CountOf::Reads, CountOf::Writes}) {
      Trace How;
      const std::optional<double> V0 = In.Old.at(In.Base, *A, Which, Task).V;
      const std::optional<double> V1 =
          V0 ? In.New.at(*A, Which, Task, How) : std::nullopt;
      if (V1 && *V0 > 0) {
        Old += *V0;
        New += std::max(0.0, *V1);
      }
    }
  return Old > 0 ? std::optional<double>(New / Old) : std::nullopt;
}

CoreTime evenkeel::prediction::coreTimeOf(const CountInputs &In, uint32_t Task,
                                          const std::vector<CountGrowth> &Its) {
  double Before = 0, After = 0, Recorded = 0;
  for (size_t K = 0; K < Its.size(); ++K) {
    Before += Its[K].Weight;
    After += Its[K].Weight * Its[K].C.All;
    Recorded += In.Demands.Of[Task][K].Accesses;
  }
  CoreTime Out;
  const FittedTasks *F = In.Fits && In.New.values().knowsTarget()
                             ? In.Fits->tasksOf(Task)
                             : nullptr;
  if (F && F->Core && (F->CoreDetermined || !isDetermined(In, Task, Its))) {
    Out.Growth = F->Core->Times;
    Out.FitOff = F->Core->Off;
    Out.Way = CoreWay::Bases;
    return Out;
  }
  Out.Computes = In.Work && Recorded * figures().InstructionsPerAccess <
                                double(In.Base.B.Tasks[Task].instructions);
  if (Before > 0 && !Out.Computes) {
    Out.Growth = After / Before;
    Out.Way = CoreWay::Accesses;
    return Out;
  }
  // If no object was recorded, use the formulas of the region.
  const std::optional<double> ByFormulas =
      Before > 0 ? std::nullopt : growthByFormulas(In, Task);
  if (ByFormulas) {
    Out.Growth = *ByFormulas;
    Out.Way = CoreWay::Formulas;
  } else if (Before > 0 || In.Work) {
    Out.Growth = *In.Work; // the task computes, so use the growth of the work
    Out.Way = CoreWay::Work;
  }
  return Out;
}

CoreTimes
evenkeel::prediction::predictCoreTimes(const CountInputs &In,
                                       const AccessCounts &Counts,
                                       const std::vector<bool> &Predicted) {
  CoreTimes Out(Predicted.size());
  for (uint32_t T = 0; T < Out.size(); ++T)
    if (Predicted[T])
      Out[T] = coreTimeOf(In, T, Counts.Of[T]);
  return Out;
}
