//===- TaskTypes.cpp - what tasks of a type took before -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TaskTypes.h. The factor of a type is measured over predicted seconds,
// summed over its tasks so far, so that long ones count most. Core time and
// exposed latencies are scaled alike: a time does not tell which was wrong.
// Threads of a team are types of their own, because a thread's part of the data
// is; explicit tasks go by work alone.
//===----------------------------------------------------------------------===//
#include "TaskTypes.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace evenkeel;

namespace {

/// Predicted work that differs by less is the same.
constexpr double SameWork = 0.05;
/// No type is taken to be further off: what is may be another program.
constexpr double Widest = 4;
/// Shorter tasks are noise to a clock, and no hook would act on them.
constexpr double Shortest = 1e-5;

struct Type {
  double Core = 0, Lines = 0; // of the first one seen
  double Took = 0, Said = 0;  // seconds, summed
};

bool alike(double A, double B) {
  return std::fabs(A - B) <= SameWork * std::max(A, B);
}

using Key = std::tuple<uint64_t, bool, uint32_t>; // region, explicit, index
Key keyOf(uint64_t Region, bool Explicit, uint32_t Index) {
  return {Region, Explicit, Explicit ? 0 : Index};
}

} // namespace

TaskExpectation evenkeel::expectationOf(const PredictedTask &T,
                                        double Seconds) {
  TaskExpectation E;
  E.Region = T.Region;
  E.CoreSeconds = T.Demand.CoreSeconds / T.TypeFactor;
  for (const UnitDemand &U : T.Demand.Units)
    E.Lines += U.ReadLines + U.WriteLines;
  E.Seconds = Seconds / T.TypeFactor;
  return E;
}

void evenkeel::refineByTaskTypes(Problem &P, const PlanRequest &R,
                                 uint32_t From) {
  std::map<Key, std::vector<Type>> Types;
  auto Find = [&](const Key &K, double Core, double Lines) -> Type * {
    auto It = Types.find(K);
    if (It == Types.end())
      return nullptr;
    for (Type &T : It->second)
      if (alike(T.Core, Core) && alike(T.Lines, Lines))
        return &T;
    return nullptr;
  };
  for (const MeasuredPhase &Seen : R.Measured)
    for (const auto &[Task, Said] : Seen.Expected) {
      auto [Explicit, Index] = Task;
      const auto &Times = Explicit ? Seen.ExplicitSeconds : Seen.TaskSeconds;
      auto Took = Times.find(Index);
      if (Took == Times.end() || !(Took->second >= Shortest) ||
          !(Said.Seconds >= Shortest))
        continue;
      const Key K = keyOf(Said.Region, Explicit, Index);
      Type *T = Find(K, Said.CoreSeconds, Said.Lines);
      if (!T) {
        Types[K].push_back({Said.CoreSeconds, Said.Lines, 0, 0});
        T = &Types[K].back();
      }
      T->Took += Took->second;
      T->Said += Said.Seconds;
    }
  if (Types.empty())
    return;
  for (PredictedPhase &H : P.Phases) {
    if (H.Phase < From)
      continue;
    for (PredictedTask &T : H.Tasks) {
      const TaskExpectation E = expectationOf(T, 0);
      const Type *Known =
          Find(keyOf(T.Region, T.Explicit, T.Index), E.CoreSeconds, E.Lines);
      if (!Known)
        continue;
      T.TypeFactor = std::clamp(Known->Took / Known->Said, 1 / Widest, Widest);
      T.Demand.CoreSeconds *= T.TypeFactor;
      for (UnitDemand &U : T.Demand.Units)
        U.Exposed *= T.TypeFactor;
      ++P.Methods["time: as tasks of the type took before"];
    }
  }
}
