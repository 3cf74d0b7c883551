//===- TimeTable.cpp - groups of phases and their tasks -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TimeTable.h.
//===----------------------------------------------------------------------===//
#include "TimeTable.h"
#include "models/Phase.h"
#include "models/shares/FirstTouch.h"
#include "models/shares/Planned.h"
#include "problem/ReachedTiers.h"
#include <algorithm>
#include <cmath>

namespace evenkeel::cli {

std::string withoutColumn(const std::string &At) {
  const auto [Path, Line, Column] = coordinateOf(At);
  return Line ? Path + ":" + std::to_string(Line) : At;
}

// --- tasks ------------------------------------------------------------------

/// Threads and ranks get lanes in the order of their numbers.
static void numberLanes(std::vector<TimedRun *> Runs, size_t &Lanes) {
  std::map<uint32_t, uint32_t> Of;
  for (const TimedRun *R : Runs)
    for (const TimedPhase &P : R->Phases)
      for (const TimedTask &T : P.Tasks)
        if (!T.Explicit)
          Of[T.Index];
  for (auto &Entry : Of)
    Entry.second = uint32_t(Lanes++);
  for (TimedRun *R : Runs)
    for (TimedPhase &P : R->Phases)
      for (TimedTask &T : P.Tasks)
        if (!T.Explicit)
          T.Lane = Of[T.Index];
}

/// The times of a replay.
static TimedRun replayedRun(const JudgedRun &J, const PolicyResult &R) {
  TimedRun Out;
  Out.Makespan = R.MakespanSeconds;
  Out.Waited = R.BarrierWaitSeconds;
  const PreparedRecord &Prepared = *J.Prepared;
  for (uint32_t Phase = 0; Phase < R.PhaseSeconds.size(); ++Phase) {
    Out.Phases.push_back({Phase, R.PhaseSeconds[Phase], 1, {}});
    if (Phase < Prepared.Workers.size())
      Out.Phases.back().Workers = Prepared.Workers[Phase];
  }
  for (const TaskResult &T : R.Tasks)
    Out.Phases[T.Phase].Tasks.push_back(
        {T.Index, T.Explicit, 0, T.Seconds, {}});
  for (uint32_t T = 0; T + 1 < Prepared.FirstSuccessor.size(); ++T)
    for (uint32_t I = Prepared.FirstSuccessor[T];
         I < Prepared.FirstSuccessor[T + 1]; ++I) {
      const uint32_t S = Prepared.Successors[I];
      const uint32_t Phase = J.Record.Tasks[S].phase;
      const uint32_t First = Prepared.FirstTask[Phase];
      if (S >= First && T >= First)
        Out.Phases[Phase].Tasks[S - First].Preds.push_back(T - First);
    }
  return Out;
}

/// The times that are predicted under \p Fast.
static TimedRun predictedRun(const ReportInput &In, const Machine &Reached,
                             const Model &Mod,
                             const std::vector<double> &Fast) {
  TimedRun Out;
  for (const PredictedPhase &H : In.Pr->Phases) {
    const PhaseState S = phaseState(H, Fast, Reached, Mod);
    TimedPhase P{H.Phase, orderedSeconds(H, S), H.Workers, {}};
    for (size_t T = 0; T < H.Tasks.size(); ++T)
      P.Tasks.push_back({H.Tasks[T].Index, H.Tasks[T].Explicit, 0,
                         S.TaskSeconds[T], H.Tasks[T].Preds});
    Out.Makespan += P.Seconds;
    Out.Phases.push_back(std::move(P));
  }
  return Out;
}

// --- groups -----------------------------------------------------------------

static std::vector<PhaseKey> keysOf(const ReportInput &In,
                                    const TimedRun &Slower) {
  std::vector<PhaseKey> Out;
  if (const PolicyResult *R = replayOf(In, "first-touch"))
    Out = phaseKeys(*R);
  else
    for (const PredictedPhase &H : In.Pr->Phases)
      Out.push_back({H.Phase, H.Region, 0});
  for (size_t I = 0; I < Out.size() && I < Slower.Phases.size(); ++I)
    Out[I].Seconds = Slower.Phases[I].Seconds;
  return Out;
}

static void nameGroups(const Facts &F, const std::vector<PhaseKey> &Keys,
                       bool HasRest, std::vector<PhaseGroup> Groups,
                       ReportData &D) {
  std::map<uint32_t, uint64_t> RegionOf;
  for (const PhaseKey &K : Keys)
    RegionOf[K.Phase] = K.Region;
  for (size_t I = 0; I < Groups.size(); ++I) {
    GroupData G;
    G.Its = std::move(Groups[I]);
    G.Rest = HasRest && I + 1 == Groups.size();
    if (const RegionFact *R = F.region(RegionOf[G.Its.Phases[0]]);
        R && !G.Rest) {
      G.Function = R->Function;
      G.At = withoutColumn(R->At);
      G.Serial = R->isSerial();
    }
    G.Named = G.Rest ? std::to_string(G.Its.Phases.size()) + " other phases"
              : G.At.empty() ? "phase " + std::to_string(G.Its.Phases[0])
                             : G.Function + " " + G.At;
    D.Groups.push_back(std::move(G));
  }
}

/// Adds up the phases of a group.
static LaidOutPhase added(const std::vector<const LaidOutPhase *> &Phases) {
  LaidOutPhase Out;
  for (const LaidOutPhase *P : Phases) {
    Out.Seconds += P->Seconds;
    Out.Explicit |= P->Explicit;
    if (P->Busy.size() > Out.Busy.size()) {
      Out.Busy.resize(P->Busy.size(), 0);
      Out.LastTask.resize(P->Busy.size(), UINT32_MAX);
    }
    for (size_t I = 0; I < P->Busy.size(); ++I) {
      Out.Busy[I] += P->Busy[I];
      if (P->LastTask[I] != UINT32_MAX)
        Out.LastTask[I] = P->LastTask[I];
    }
  }
  if (Phases.size() == 1)
    Out.Bars = Phases[0]->Bars;
  return Out;
}

/// Keeps the bars of all groups few enough to be drawn.
static bool limitBars(RunData &R) {
  double Resolution = R.Makespan / 4000;
  auto Count = [&] {
    size_t N = 0;
    for (const LaidOutPhase &P : R.Groups)
      N += P.Bars.size();
    return N;
  };
  bool Joined = false;
  for (int Tries = 0; Count() > MostBars && Tries < 24; ++Tries) {
    Joined = true;
    for (LaidOutPhase &P : R.Groups)
      joinBars(P.Bars, Resolution);
    Resolution *= 2;
  }
  return Joined;
}

static RunData drawn(TimedRun Its, ReportData &D) {
  RunData Out;
  Out.Makespan = Its.Makespan;
  std::map<uint32_t, LaidOutPhase> Of;
  for (const TimedPhase &P : Its.Phases) {
    LaidOutPhase L = layOut(P);
    Out.Waited += waitedIn(L);
    D.Explicit |= L.Explicit;
    D.Lanes = std::max(D.Lanes, L.Busy.size());
    Of[P.Phase] = std::move(L);
  }
  if (Its.Waited > 0)
    Out.Waited = Its.Waited;
  size_t Figures = 0, Phases = 0;
  for (auto &Entry : Of) {
    D.LanesPerBand =
        std::max(D.LanesPerBand, joinLanes(Entry.second, MostLanes));
    Figures += 2 * Entry.second.Busy.size();
  }
  std::vector<LaidOutPhase> Unfolded;
  for (const GroupData &G : D.Groups) {
    std::vector<const LaidOutPhase *> All;
    for (const uint32_t Phase : G.Its.Phases)
      All.push_back(&Of[Phase]);
    Phases += All.size();
    Out.Groups.push_back(added(All));
  }
  if (Phases > D.Groups.size() && Figures <= MostUnfolded) {
    std::vector<uint32_t> Shown;
    for (const GroupData &G : D.Groups)
      Shown.insert(Shown.end(), G.Its.Phases.begin(), G.Its.Phases.end());
    std::sort(Shown.begin(), Shown.end());
    for (const uint32_t Phase : Shown) {
      Out.Unfolded.push_back(Of[Phase]);
      Out.Unfolded.back().Bars.clear();
    }
  }
  D.JoinedBars |= limitBars(Out);
  return Out;
}

// --- belief -----------------------------------------------------------------

/// Tasks shorter than this matter to nobody.
constexpr double LeastSeconds = 1e-4;

static void addPoint(TaskPoint X, double Error, BeliefData &B, double &Sum) {
  ++B.Tasks;
  Sum += Error;
  B.Inside += Error <= 0.1;
  B.Worst = std::max(B.Worst, Error);
  B.Points.push_back(X);
}

static void addBelief(const ReportInput &In, ReportData &D) {
  std::map<uint32_t, uint32_t> GroupOf;
  for (uint32_t G = 0; G < D.Groups.size(); ++G)
    for (const uint32_t Phase : D.Groups[G].Its.Phases)
      GroupOf[Phase] = G;
  double Sum = 0;
  if (!In.Replayed) {
    for (const PlanPhase &H : In.P->Phases)
      for (const PlanTask &T : H.Tasks)
        if (T.Seconds >= LeastSeconds && GroupOf.count(H.Phase))
          addPoint({GroupOf[H.Phase], T.Index, T.Explicit, T.Seconds, 0,
                    T.BoundSeconds},
                   T.BoundSeconds / T.Seconds, D.Belief, Sum);
  } else {
    TaskTimes Predicted;
    for (const PredictedPolicy &X : In.Replayed->Played->Predictions)
      if (X.Name == policyOfPlan(In.P->Planner) && X.When == "offline")
        Predicted = X.Predicted;
    if (const PolicyResult *R = replayOf(In, policyOfPlan(In.P->Planner)))
      for (const TaskResult &T : R->Tasks) {
        auto At = Predicted.find(taskKey(T.Phase, T.Index, T.Explicit));
        if (At != Predicted.end() && T.Seconds >= LeastSeconds &&
            GroupOf.count(T.Phase))
          addPoint(
              {GroupOf[T.Phase], T.Index, T.Explicit, At->second, T.Seconds, 0},
              std::fabs(At->second / T.Seconds - 1), D.Belief, Sum);
      }
  }
  BeliefData &B = D.Belief;
  B.Mean = B.Tasks ? Sum / double(B.Tasks) : 0;
  if (B.Points.size() <= MostPoints)
    return;
  // Every so many, and one of the worst.
  const size_t Step = (B.Points.size() + MostPoints - 1) / MostPoints;
  std::vector<TaskPoint> Some;
  bool HasWorst = false;
  for (size_t I = 0; I < B.Points.size(); ++I) {
    const TaskPoint &X = B.Points[I];
    const double Error = D.Replayed ? std::fabs(X.Predicted / X.Replayed - 1)
                                    : X.Bound / X.Predicted;
    const bool Worst = Error >= B.Worst && !HasWorst;
    HasWorst |= Worst;
    if (I % Step == 0 || Worst)
      Some.push_back(X);
  }
  B.Points = std::move(Some);
}

TimedRuns timedRuns(const ReportInput &In) {
  TimedRuns Out;
  TimedRun &Touch = Out.FirstTouch, &Plan = Out.Plan;
  const PolicyResult *Replayed = replayOf(In, "first-touch"),
                     *ReplayedPlan = replayOf(In, policyOfPlan(In.P->Planner));
  if (Replayed && ReplayedPlan) {
    Touch = replayedRun(*In.Replayed->Run, *Replayed);
    Plan = replayedRun(*In.Replayed->Run, *ReplayedPlan);
  } else {
    const Machine Reached = withoutUnreachedTiers(*In.M, In.Pr->PeakBytes);
    const auto Mod = orFail(makeModel(In.P->Model));
    Touch = predictedRun(In, Reached, *Mod, firstTouchShares(*In.Pr));
    Plan = In.P->KeepsFirstTouch
               ? Touch
               : predictedRun(In, Reached, *Mod, sharesOf(*In.Pr, *In.P));
  }
  size_t Lanes = 0;
  numberLanes({&Touch, &Plan}, Lanes);
  return Out;
}

void addTimes(const ReportInput &In, ReportData &D) {
  auto [Touch, Plan] = timedRuns(In);
  D.AllPhases = Touch.Phases.size();
  std::vector<PhaseKey> Keys =
      keysOf(In, Touch.Makespan >= Plan.Makespan ? Touch : Plan);
  D.ShortPhases = dropShort(Keys, D.ShortSeconds);
  std::vector<PhaseGroup> Groups = groupPhases(Keys);
  const bool HasRest = limitGroups(Groups, Keys, MostGroups);
  nameGroups(*In.F, Keys, HasRest, std::move(Groups), D);
  D.FirstTouch = drawn(std::move(Touch), D);
  D.Plan = drawn(std::move(Plan), D);
  addBelief(In, D);
}

} // namespace evenkeel::cli
