//===- OwnTimes.cpp - correct tasks by their own times --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OwnTimes.h.
//===----------------------------------------------------------------------===//
#include "OwnTimes.h"
#include "TaskTypes.h"
#include "models/Phase.h"
#include "problem/AlikePhases.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <numeric>

using namespace evenkeel;

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
    if (!isTeam(H) || H.Kind == AnyKind)
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
      const double F =
          std::clamp(X->Took / X->Said, 1 / figures().MostOwnFactor,
                     figures().MostOwnFactor);
      T.Demand.CoreSeconds *= F;
      for (UnitDemand &U : T.Demand.Units)
        U.Exposed *= F;
      T.ByOwnTimes = true;
      P.Methods["time: as the thread's own in phases of the kind before"] +=
          Count;
    }
  });
}
