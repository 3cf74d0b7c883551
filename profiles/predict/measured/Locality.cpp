//===- Locality.cpp - correct gathers by measured task times --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Locality.h. For task t of a finished phase, with G the predicted stall
// time on gathered objects and M, P the measured and predicted task time,
//   f = (M - (P - G)) / G
// is the factor by which its gathers miss more, or less, than on the base
// input. log f has two parts. The level of the region differs between regions
// (they gather different numbers of bytes at each place) and is not carried
// over. The task's deviation from its team is a property of its part of the
// data, and is carried over. So later phases get exp(log f - mean log f), with
// the mean weighted by G; several measured phases are weighted by their G.
//===----------------------------------------------------------------------===//
#include "Locality.h"
#include "TaskTypes.h"
#include "models/Phase.h"
#include "models/shares/Planned.h"
#include "problem/AlikePhases.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace evenkeel;

namespace {

struct Evidence {
  double LogSum = 0, Weight = 0;
};

} // namespace

void evenkeel::refineLocality(Problem &P, const PlanRequest &R,
                              const Model &Mod) {
  std::map<uint32_t, Evidence> Known;                      // by task index
  std::map<const Plan *, std::vector<double>> SharesUnder; // by unit
  uint32_t Last = 0;
  for (const MeasuredPhase &Seen : R.Measured) {
    // Corrections by samples (Samples.h) are already in the demands.
    if (Seen.Phase >= P.Phases.size() || !Seen.Stalls.empty())
      continue;
    Last = std::max(Last, Seen.Phase);
    const PredictedPhase &H = P.Phases[Seen.Phase];
    if (!isTeam(H) || H.Gathered.empty())
      continue;
    std::set<uint32_t> Gathered(H.Gathered.begin(), H.Gathered.end());
    auto [Shares, New] = SharesUnder.try_emplace(Seen.Under);
    if (New)
      Shares->second = Seen.Under ? sharesOf(P, *Seen.Under)
                                  : std::vector<double>(P.Units.size(), 0.0);
    const std::vector<double> &Fast = Shares->second;
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
      if (Stall <= figures().LocalityShare * Rest)
        continue;
      double F = std::clamp((Time->second - Rest) / Stall,
                            1 / figures().MostLocality, figures().MostLocality);
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
  const AlikePhases Alike(P, Last + 1);
  editAlike(P, Alike, [&](PredictedPhase &H, uint32_t Count) {
    if (!isTeam(H) || H.Gathered.empty())
      return;
    std::set<uint32_t> Gathered(H.Gathered.begin(), H.Gathered.end());
    for (PredictedTask &T : H.Tasks.edit()) {
      auto It = Known.find(T.Index);
      if (It == Known.end())
        continue;
      double F = std::exp(It->second.LogSum / It->second.Weight);
      for (UnitDemand &U : T.Demand.Units)
        if (Gathered.count(P.Units[U.Unit].Instance)) {
          U.ReadLines *= F;
          U.Exposed *= F;
        }
      P.Methods["gathers: corrected by measured task times"] += Count;
    }
  });
}

namespace {

/// For a thread in phases of a kind, in which its core time is the same;
/// seconds. Phases of a kind need not do the same: if a collective is called
/// from several places, all code that ranks execute before it is of one kind.
struct Residual {
  double Core = 0;
  double Took = 0, Said = 0;
};

Residual *find(std::vector<Residual> &All, double Core) {
  for (Residual &X : All)
    if (isSameWork(X.Core, Core))
      return &X;
  return nullptr;
}

/// The fast shares of the units of \p P during a phase.
std::vector<double> sharesIn(const MeasuredPhase &Seen, const Problem &P) {
  std::map<uint32_t, std::vector<double>> Chunks;
  for (const MeasuredPhase::PlacedPart &X : Seen.Placed) {
    std::vector<double> &Its = Chunks[X.Instance];
    Its.resize(EK_CHUNKS);
    std::fill(Its.begin() + X.From, Its.begin() + X.To, X.Share);
  }
  std::vector<double> Fast;
  for (const Unit &U : P.Units) {
    auto Its = Chunks.find(U.Instance);
    Fast.push_back(Its == Chunks.end()
                       ? 0
                       : std::accumulate(Its->second.begin() + U.From,
                                         Its->second.begin() + U.To, 0.0) /
                             (U.To - U.From));
  }
  return Fast;
}

} // namespace

void evenkeel::refineByOwnTimes(Problem &P, const PlanRequest &R,
                                const Model &Mod) {
  // By kind and index of the task.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<Residual>> Known;
  uint32_t Last = 0;
  for (const MeasuredPhase &Seen : R.Measured) {
    Last = std::max(Last, Seen.Phase);
    if (Seen.Phase >= P.Phases.size() || Seen.Placed.empty())
      continue;
    const PredictedPhase &H = P.Phases[Seen.Phase];
    if (!isTeam(H) || H.Kind == AnyKind ||
        (Seen.Stalls.empty() && !H.Gathered.empty())) // see refineLocality
      continue;
    std::vector<double> Said;
    phaseSeconds(H, sharesIn(Seen, P), *R.M, Mod, &Said);
    for (size_t T = 0; T < H.Tasks.size(); ++T)
      if (auto Time = Seen.TaskSeconds.find(H.Tasks[T].Index);
          Time != Seen.TaskSeconds.end()) {
        const double Core = H.Tasks[T].Demand.CoreSeconds;
        std::vector<Residual> &Its = Known[{H.Kind, H.Tasks[T].Index}];
        Residual *X = find(Its, Core);
        if (!X)
          X = &Its.emplace_back(Residual{Core, 0, 0});
        X->Took += Time->second;
        X->Said += Said[T];
      }
  }
  if (Known.empty())
    return;
  const AlikePhases Alike(P, Last + 1);
  editAlike(P, Alike, [&](PredictedPhase &H, uint32_t Count) {
    if (!isTeam(H) || H.Kind == AnyKind)
      return;
    for (PredictedTask &T : H.Tasks.edit()) {
      auto Its = Known.find({H.Kind, T.Index});
      const Residual *X = Its == Known.end()
                              ? nullptr
                              : find(Its->second, T.Demand.CoreSeconds);
      if (!X || !(X->Said > 0))
        continue;
      const double F = std::clamp(X->Took / X->Said, 1 / figures().MostLocality,
                                  figures().MostLocality);
      T.Demand.CoreSeconds *= F;
      for (UnitDemand &U : T.Demand.Units)
        U.Exposed *= F;
      T.ByOwnTimes = true;
      P.Methods["time: as the thread's own in phases of the kind before"] +=
          Count;
    }
  });
}
