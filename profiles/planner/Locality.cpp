//===- Locality.cpp - what measured task times tell about gathers ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Locality.h. For task t of a finished phase, with G the predicted stall on
// gathered objects and M, P the measured and predicted time,
//   f = (M - (P - G)) / G
// is how much more, or less, its gathers miss than on the base input. log f has
// two parts: the level of the region, which differs between regions (they
// gather other amounts of bytes at each place) and is not carried over, and the
// task's deviation from its team, which is a property of its part of the data
// and is. So the next phases get exp(log f - mean log f), the mean weighted by
// G; several measured phases count by their G.
//===----------------------------------------------------------------------===//
#include "Locality.h"
#include "Phase.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace evenkeel;

namespace {

/// Times are noisy and models err: no task is taken to be further off.
constexpr double Widest = 4;
/// Stalls that are a smaller share of the task's time say nothing.
constexpr double LeastShare = 0.05;

struct Evidence {
  double LogSum = 0, Weight = 0;
};

} // namespace

void evenkeel::refineLocality(Problem &P, const PlanRequest &R,
                              const Model &Mod) {
  std::map<uint32_t, Evidence> Known; // by task index
  uint32_t Last = 0;
  for (const MeasuredPhase &Seen : R.Measured) {
    // What samples tell (Samples.h) is in the demands already.
    if (Seen.Phase >= P.Phases.size() || !Seen.Stalls.empty())
      continue;
    Last = std::max(Last, Seen.Phase);
    const PredictedPhase &H = P.Phases[Seen.Phase];
    if (!isTeam(H) || H.Gathered.empty())
      continue;
    std::set<uint32_t> Gathered(H.Gathered.begin(), H.Gathered.end());
    std::vector<double> Fast = Seen.Under
                                   ? sharesOf(P, *Seen.Under)
                                   : std::vector<double>(P.Units.size(), 0.0);
    PhaseState S = phaseState(H, Fast, *R.M, Mod);
    struct Row {
      uint32_t Index;
      double Log, Stall;
    };
    std::vector<Row> Rows;
    double Mean = 0, Weight = 0;
    for (size_t T = 0; T < H.Tasks.size(); ++T) {
      auto Time = Seen.TaskSeconds.find(H.Tasks[T].Index);
      if (Time == Seen.TaskSeconds.end())
        continue;
      TaskDemand Without = H.Tasks[T].Demand;
      Without.Units.erase(
          std::remove_if(Without.Units.begin(), Without.Units.end(),
                         [&](const UnitDemand &U) {
                           return Gathered.count(P.Units[U.Unit].Instance);
                         }),
          Without.Units.end());
      double Rest = Mod.seconds(Without, Fast, *R.M, S.LatencyNs);
      double Stall =
          Mod.seconds(H.Tasks[T].Demand, Fast, *R.M, S.LatencyNs) - Rest;
      if (Stall <= LeastShare * Rest)
        continue;
      double F = std::clamp((Time->second - Rest) / Stall, 1 / Widest, Widest);
      Rows.push_back({H.Tasks[T].Index, std::log(F), Stall});
      Mean += Stall * std::log(F);
      Weight += Stall;
    }
    if (Rows.size() < 2)
      continue;
    Mean /= Weight;
    for (const Row &X : Rows) {
      Known[X.Index].LogSum += X.Stall * (X.Log - Mean);
      Known[X.Index].Weight += X.Stall;
    }
  }
  if (Known.empty())
    return;
  for (PredictedPhase &H : P.Phases) {
    if (H.Phase <= Last || !isTeam(H))
      continue;
    std::set<uint32_t> Gathered(H.Gathered.begin(), H.Gathered.end());
    for (PredictedTask &T : H.Tasks) {
      auto It = Known.find(T.Index);
      if (It == Known.end() || Gathered.empty())
        continue;
      double F = std::exp(It->second.LogSum / It->second.Weight);
      for (UnitDemand &U : T.Demand.Units)
        if (Gathered.count(P.Units[U.Unit].Instance)) {
          U.ReadLines *= F;
          U.Exposed *= F;
        }
      ++P.Methods["gathers: corrected by measured task times"];
    }
  }
}
