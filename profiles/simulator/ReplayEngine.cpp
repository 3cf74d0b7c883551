//===- ReplayEngine.cpp - a miss record on a machine file -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order of events in a phase: its instances are allocated, its pages
// first touched, its tasks run, what it freed is released, the policy gets the
// hook.
// Makes: the figures of PolicyResult:
//   * makespan: the sum of phase times; a phase ends with its last task;
//   * A.C.V.: std/mean (population) of the task times of a phase, averaged over
//     phases with two tasks or more, weighted by phase time; in phases with
//     explicit tasks only those count, because threads only execute them;
//   * barrier wait: time in which a worker of the phase had nothing to run; in
//     phases without explicit tasks, only workers with a task wait;
//   * fast access share: lines read and written back in tier 0 / all.
// Not here: timing (PhaseRun, Contention), placement (policies).
//===----------------------------------------------------------------------===//
#include "ReplayEngine.h"
#include "PhaseRun.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace evenkeel {
namespace {

/// std/mean of a phase's task times; negative if there are fewer than two.
double variation(const PreparedRecord &R, uint32_t Phase,
                 const std::vector<double> &TaskNs) {
  uint32_t From = R.FirstTask[Phase], To = R.FirstTask[Phase + 1];
  // Tasks are sorted; explicit tasks come last in the phase.
  if (From != To && R.isExplicit(To - 1))
    while (!R.isExplicit(From))
      ++From;
  if (To - From < 2)
    return -1;
  double Mean = 0, Square = 0;
  for (uint32_t T = From; T < To; ++T)
    Mean += TaskNs[T];
  Mean /= To - From;
  for (uint32_t T = From; T < To; ++T)
    Square += (TaskNs[T] - Mean) * (TaskNs[T] - Mean);
  return Mean > 0 ? std::sqrt(Square / (To - From)) / Mean : 0;
}

double waited(const PreparedRecord &R, uint32_t Phase, double PhaseNs,
              const std::vector<double> &BusyNs) {
  uint32_t From = R.FirstTask[Phase], To = R.FirstTask[Phase + 1];
  std::vector<bool> Waits(BusyNs.size(), From != To && R.isExplicit(To - 1));
  for (uint32_t T = From; T < To; ++T)
    if (!R.isExplicit(T))
      Waits[R.Record->Tasks[T].worker] = true;
  double Sum = 0;
  for (size_t W = 0; W < BusyNs.size(); ++W)
    if (Waits[W])
      Sum += std::max(0.0, PhaseNs - BusyNs[W]);
  return Sum;
}

} // namespace

Expected<PolicyResult> replayPrepared(const PreparedRecord &R, const Machine &M,
                                      uint64_t FastBytes, Policy &P,
                                      std::vector<uint8_t> *Tiers) {
  if (MaybeError E = checkMachine(M))
    return *E;
  std::vector<uint64_t> Capacity;
  for (const Tier &T : M.Tiers)
    Capacity.push_back(T.CapacityBytes);
  Capacity[0] =
      P.ignoresCapacity() ? std::numeric_limits<uint64_t>::max() : FastBytes;
  PageMap Map(R, std::move(Capacity));
  PhaseRunner Runner(R, M, Map, FastBytes, P);

  PolicyResult Out;
  Out.Name = P.name();
  Out.Oracle = P.oracleReport();
  double AcvSum = 0, AcvTime = 0;
  for (uint32_t Phase = 0; Phase < R.Record->Phases.size(); ++Phase) {
    std::vector<uint32_t> New = R.Allocated[Phase];
    P.orderAllocations(Map, New);
    for (uint32_t I : New)
      Map.allocate(I);
    for (uint32_t I : New)
      P.onAlloc(Map, I);
    for (uint32_t T = R.FirstTouch[Phase]; T < R.FirstTouch[Phase + 1]; ++T) {
      auto [Instance, Page] = R.Touches[T];
      if (Map.tier(Instance, Page) != PageMap::Unplaced)
        continue;
      unsigned Tier = P.onFirstTouch(Map, Instance, Page);
      if (Tier >= M.Tiers.size())
        return Error{"policy '" + P.name() + "' put a page into tier " +
                     std::to_string(Tier) + " of " +
                     std::to_string(M.Tiers.size())};
      if (Map.tier(Instance, Page) == PageMap::Unplaced)
        Map.placeFrom(Instance, Page, Tier);
    }

    double Ns = Runner.run(Phase);
    Out.PhaseSeconds.push_back(Ns * 1e-9);
    Out.MakespanSeconds += Ns * 1e-9;
    Out.BarrierWaitSeconds += waited(R, Phase, Ns, Runner.busyNs()) * 1e-9;
    if (double V = variation(R, Phase, Runner.taskNs()); V >= 0) {
      AcvSum += V * Ns;
      AcvTime += Ns;
    }
    for (uint32_t I : R.Freed[Phase]) {
      Map.release(I);
      Runner.release(I);
    }
    std::vector<TaskResult> Ended;
    for (uint32_t T = R.FirstTask[Phase]; T < R.FirstTask[Phase + 1]; ++T) {
      const ek_raw_task &Task = R.Record->Tasks[T];
      Ended.push_back({T, Phase, Task.index, Task.region,
                       Runner.taskNs()[T] * 1e-9, R.isExplicit(T),
                       Runner.taskCoreNs()[T] * 1e-9});
    }
    P.onPhaseEnd(Map, Phase, Ended);
    Out.Tasks.insert(Out.Tasks.end(), Ended.begin(), Ended.end());
  }

  Out.Acv = AcvTime > 0 ? AcvSum / AcvTime : 0;
  uint64_t Lines = 0;
  for (uint64_t L : Runner.lines())
    Lines += L;
  Out.FastAccessShare = Lines ? double(Runner.lines()[0]) / double(Lines) : 0;
  Out.PromotedBytes = Runner.promotedBytes();
  Out.DemotedBytes = Runner.demotedBytes();
  Out.MigratedBytes = Out.PromotedBytes + Out.DemotedBytes;
  Out.Faults = Runner.faults();
  Out.Samples = Runner.samplesTaken();
  Out.PeakFastBytes = Map.peak(0);
  Out.RefusedBytes = Map.refusedBytes();
  Out.UnsettledEvents = Runner.unsettled();
  if (Tiers) {
    Tiers->resize(R.totalPages());
    for (uint64_t Page = 0; Page < R.totalPages(); ++Page)
      (*Tiers)[Page] = Map.tierOf(Page);
  }
  return Out;
}

Expected<PolicyResult> replay(const ReplayRequest &Request, Policy &P) {
  if (Request.Prepared)
    return replayPrepared(*Request.Prepared, *Request.M, Request.FastBytes, P);
  auto Prepared = prepareRecord(*Request.Record);
  if (!Prepared)
    return Prepared.takeError();
  return replayPrepared(**Prepared, *Request.M, Request.FastBytes, P);
}

} // namespace evenkeel
