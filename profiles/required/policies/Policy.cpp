//===- Policy.cpp - policies by name, each at its best --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Policy.h.
//===----------------------------------------------------------------------===//
#include "Policy.h"
#include <tuple>

namespace evenkeel::required {

const std::vector<CopyPolicy> &copyPolicies() {
  static const std::vector<CopyPolicy> All = {
      {"vdnn",
       "inputs are copied out, and in one step ahead; each step waits "
       "for all copies",
       "vDNN (Rhu et al., MICRO 2016)", makeVdnn, tunablesOfVdnn},
      {"superneurons",
       "results of heavy steps are copied out, and in up to the "
       "next heavy step",
       "SuperNeurons (Wang et al., PPoPP 2018), without recomputation",
       makeSuperNeurons, tunablesOfSuperNeurons},
      {"dymem",
       "depth first; copies in for two heavy steps ahead, without a "
       "barrier",
       "Yang 2022 (dissertation), chapter 4", makeDymem, tunablesOfDymem},
      {"balanced",
       "order and copies with the smallest time in replay, from "
       "dymem's on",
       "Evenkeel", makeBalanced, tunablesOfBalanced},
  };
  return All;
}

Expected<const CopyPolicy *> copyPolicy(const std::string &Name) {
  std::string Names;
  for (const CopyPolicy &P : copyPolicies()) {
    if (Name == P.Name)
      return &P;
    Names += (Names.empty() ? "" : ", ") + std::string(P.Name);
  }
  return Error{"unknown policy '" + Name +
               "' for a machine with a required tier; its policies are " +
               Names};
}

bool isBetter(const Replayed &A, const Replayed &B) {
  if (A.failed() != B.failed())
    return B.failed();
  auto Key = [](const Replayed &R) {
    return std::tuple(R.Seconds, R.InBytes + R.OutBytes, R.PeakBytes);
  };
  return Key(A) < Key(B);
}

PolicyRun runAtBest(const CopyPolicy &P, const TaskGraph &G,
                    const FastMemory &Fast, const Settings &Set) {
  std::vector<Tunable> Grid = P.Tunables();
  for (Tunable &T : Grid)
    if (auto It = Set.find(T.Name); It != Set.end())
      T.Grid = {It->second};
  // The defaults come first, so that they win where settings do not matter.
  std::vector<Settings> Points = gridPoints(Grid);
  Points.insert(Points.begin(), Set);
  PolicyRun Best;
  for (const Settings &Point : Points) {
    PolicyRun Run{P.Name, {}, P.Make(G, Fast, Point), {}};
    Run.Result = replayStreams(G, Run.Decided, Fast);
    for (const Tunable &T : P.Tunables())
      if (double V = settingOf(Point, P.Tunables(), T.Name); V != T.Default)
        Run.Used[T.Name] = V;
    if (Best.Name.empty() || isBetter(Run.Result, Best.Result))
      Best = std::move(Run);
  }
  return Best;
}

} // namespace evenkeel::required
