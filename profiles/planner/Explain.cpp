//===- Explain.cpp - reasons for an object's placement --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Explain.h.
//===----------------------------------------------------------------------===//
#include "Explain.h"
#include "models/Phase.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace evenkeel;

namespace {

std::vector<uint32_t> unitsOf(const Problem &P, const ObjectName &Which) {
  std::vector<uint32_t> Units;
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    if (Which.covers(P.Instances[P.Units[U].Instance]))
      Units.push_back(U);
  return Units;
}

std::vector<double> with(std::vector<double> Fast,
                         const std::vector<uint32_t> &Units, double Share) {
  for (uint32_t U : Units)
    Fast[U] = Share;
  return Fast;
}

bool touches(const PredictedPhase &H, const std::vector<bool> &Own) {
  for (const PredictedTask &T : H.Tasks)
    for (const UnitDemand &U : T.Demand.Units)
      if (Own[U.Unit])
        return true;
  return false;
}

size_t slowest(const std::vector<double> &Seconds) {
  return static_cast<size_t>(std::max_element(Seconds.begin(), Seconds.end()) -
                             Seconds.begin());
}

} // namespace

bool evenkeel::explainObject(const Problem &P, const Plan &X, const Machine &M,
                             const Model &Mod, const ObjectName &Which,
                             ObjectExplanation &Out) {
  const std::vector<uint32_t> Units = unitsOf(P, Which);
  if (Units.empty())
    return false;
  const std::vector<double> Now = sharesOf(P, X);
  const std::vector<double> Slow = with(Now, Units, 0);
  const std::vector<double> Quick = with(Now, Units, 1);
  std::vector<bool> Own(P.Units.size(), false);
  double FastBytes = 0;
  for (uint32_t U : Units) {
    Own[U] = true;
    Out.Bytes += P.Units[U].Bytes;
    FastBytes += P.Units[U].Bytes * Now[U];
  }
  Out.FastShare = Out.Bytes > 0 ? FastBytes / Out.Bytes : 0;

  double Felt = 0, Caused = 0;
  for (const PredictedPhase &H : P.Phases) {
    PhaseState As = phaseState(H, Now, M, Mod);
    Out.Makespan += As.Seconds;
    if (H.Tasks.empty() || !touches(H, Own)) {
      Out.SlowMakespan += As.Seconds;
      Out.FastMakespan += As.Seconds;
      continue;
    }
    PhaseState Down = phaseState(H, Slow, M, Mod);
    PhaseState Up = phaseState(H, Quick, M, Mod);
    Out.SlowMakespan += Down.Seconds;
    Out.FastMakespan += Up.Seconds;
    PhaseEffect E;
    E.Phase = H.Phase;
    E.Region = H.Region;
    E.Bound = As.Bound;
    E.SlowestTask = H.Tasks[slowest(As.TaskSeconds)].Index;
    E.Seconds = As.Seconds;
    E.SlowSeconds = Down.Seconds;
    E.FastSeconds = Up.Seconds;
    size_t Most = 0;
    for (size_t T = 1; T < H.Tasks.size(); ++T)
      if (Down.TaskSeconds[T] - Up.TaskSeconds[T] >
          Down.TaskSeconds[Most] - Up.TaskSeconds[Most])
        Most = T;
    E.Task = H.Tasks[Most].Index;
    E.TaskSeconds = As.TaskSeconds[Most];
    E.TaskSlowSeconds = Down.TaskSeconds[Most];
    E.TaskFastSeconds = Up.TaskSeconds[Most];
    Felt += Down.Seconds - Up.Seconds;
    Caused += E.TaskSlowSeconds - E.TaskFastSeconds;
    Out.Phases.push_back(E);
  }
  if (Caused > 0)
    Out.Criticality = std::max(0.0, Felt / Caused);

  for (const PredictedPhase &H : P.Phases) {
    double Used = 0;
    for (uint32_t U = 0; U < P.Units.size(); ++U)
      if (isLive(P.Instances[P.Units[U].Instance], H.Phase))
        Used += Now[U] * P.Units[U].Bytes;
    Out.Full |= Used >= figures().FullShare * P.FastBytes;
  }

  // Room is taken from objects that live in the phase to which this one matters
  // most.
  uint32_t Main = 0;
  double Most = -1;
  for (const PhaseEffect &E : Out.Phases)
    if (E.SlowSeconds - E.FastSeconds > Most) {
      Most = E.SlowSeconds - E.FastSeconds;
      Main = E.Phase;
    }
  std::set<ObjectName> Others;
  for (const PredictedInstance &I : P.Instances)
    if (isLive(I, Main) && !Which.covers(I))
      Others.insert({I.Site, I.Site == Which.Site ? I.Context : 0});
  for (const ObjectName &Other : Others) {
    const std::vector<uint32_t> Its = unitsOf(P, Other);
    double Bytes = 0;
    for (uint32_t U : Its)
      Bytes += Now[U] * P.Units[U].Bytes;
    if (Bytes <= 0)
      continue;
    double Gain = makespan(P, with(Now, Its, 0), M, Mod) - Out.Makespan;
    double PerMiB = Gain / (Bytes / 1048576);
    if (!Out.Next.Site || PerMiB < Out.NextGainPerMiB) {
      Out.Next = Other;
      Out.NextGainPerMiB = PerMiB;
    }
  }
  return true;
}
