//===- Phase.cpp - time of a phase under a placement ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a phase lasts as long as its slowest task, its critical path, its work
// per worker (Graham 1969: no schedule of the task graph is shorter than either
// of the last two) or its traffic over a tier's bandwidth, whichever is
// longest; and latency grows with the load on a tier.
//
// Loaded latency is a fixed point: D -> utilisation bytes/(D*bandwidth) ->
// latency -> task times -> D. The map falls as D rises, so there is exactly one
// and bisection finds it. Read and write bandwidth are separate limits; the
// busier one loads the tier.
//===----------------------------------------------------------------------===//
#include "Phase.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

double evenkeel::loadedFactor(const Machine &M, double Utilisation) {
  const auto &L = M.LoadedLatency;
  if (L.empty() || Utilisation <= L.front().first)
    return L.empty() ? 1 : L.front().second;
  for (size_t I = 1; I < L.size(); ++I)
    if (Utilisation <= L[I].first) {
      double T = (Utilisation - L[I - 1].first) / (L[I].first - L[I - 1].first);
      return L[I - 1].second + T * (L[I].second - L[I - 1].second);
    }
  return L.back().second;
}

std::vector<double> evenkeel::idleLatency(const Machine &M) {
  std::vector<double> L;
  for (const Tier &T : M.Tiers)
    L.push_back(T.ReadLatencyNs);
  return L;
}

TaskGraph::TaskGraph(const PredictedPhase &P) : First(P.Tasks.size() + 1, 0) {
  const uint32_t N = uint32_t(P.Tasks.size());
  for (uint32_t T = 0; T < N; ++T)
    for (uint32_t Q : P.Tasks[T].Preds)
      if (Q < N) {
        ++First[Q + 1];
        Any = true;
      }
  for (uint32_t T = 0; T < N; ++T)
    First[T + 1] += First[T];
  Succs.resize(First[N]);
  std::vector<uint32_t> Next(First.begin(), First.end() - 1), Missing(N, 0);
  for (uint32_t T = 0; T < N; ++T)
    for (uint32_t Q : P.Tasks[T].Preds)
      if (Q < N) {
        Succs[Next[Q]++] = T;
        ++Missing[T];
      }
  // Preds may come in any order (Kahn 1962). A damaged graph with a cycle just
  // leaves its tasks out.
  for (uint32_t T = 0; T < N; ++T)
    if (!Missing[T])
      Order.push_back(T);
  for (size_t I = 0; I < Order.size(); ++I)
    for (uint32_t S = First[Order[I]]; S < First[Order[I] + 1]; ++S)
      if (!--Missing[Succs[S]])
        Order.push_back(Succs[S]);
}

double TaskGraph::criticalPath(const std::vector<double> &Seconds,
                               std::vector<uint32_t> *Path) const {
  size_t N = First.size() - 1;
  std::vector<double> Start(N, 0);
  std::vector<uint32_t> From(Path ? N : 0, EK_NO_TASK);
  double Best = 0;
  uint32_t Last = EK_NO_TASK;
  for (uint32_t T : Order) {
    double End = Start[T] + Seconds[T];
    if (Last == EK_NO_TASK || End > Best) {
      Best = End;
      Last = T;
    }
    for (uint32_t I = First[T]; I < First[T + 1]; ++I) {
      uint32_t S = Succs[I];
      if (End <= Start[S] && !(Path && From[S] == EK_NO_TASK))
        continue;
      Start[S] = End;
      if (Path)
        From[S] = T;
    }
  }
  if (Path) {
    Path->clear();
    for (uint32_t T = Last; T != EK_NO_TASK; T = From[T])
      Path->push_back(T);
    std::reverse(Path->begin(), Path->end());
  }
  return Best;
}

PhaseState evenkeel::phaseState(const PredictedPhase &P,
                                const std::vector<double> &Fast,
                                const Machine &M, const Model &Mod) {
  size_t Tiers = M.Tiers.size(), N = P.Tasks.size();
  PhaseState S;
  // Task times are affine in the latencies of the two tiers (Model.h): three
  // evaluations give the coefficients.
  std::vector<double> L(Tiers, 0);
  std::vector<double> Base(N), PerFast(N), PerSlow(N);
  double ReadFast = 0, ReadSlow = 0, WriteFast = 0, WriteSlow = 0;
  for (size_t T = 0; T < N; ++T) {
    const TaskDemand &D = P.Tasks[T].Demand;
    Base[T] = Mod.seconds(D, Fast, M, L);
    L.front() = 1;
    PerFast[T] = Mod.seconds(D, Fast, M, L) - Base[T];
    L.front() = 0;
    L.back() = 1;
    PerSlow[T] = Mod.seconds(D, Fast, M, L) - Base[T];
    L.back() = 0;
    for (const UnitDemand &U : D.Units) {
      double X = Fast[U.Unit];
      ReadFast += U.ReadLines * X;
      ReadSlow += U.ReadLines * (1 - X);
      WriteFast += U.WriteLines * X;
      WriteSlow += U.WriteLines * (1 - X);
    }
  }
  const Tier &TF = M.Tiers.front(), &TS = M.Tiers.back();
  struct {
    double Seconds;
    const char *What;
    const Tier *T;
  } Limits[] = {
      {ReadFast * LineBytes / (TF.ReadBandwidthGBps * 1e9), "read", &TF},
      {WriteFast * LineBytes / (TF.WriteBandwidthGBps * 1e9), "write", &TF},
      {ReadSlow * LineBytes / (TS.ReadBandwidthGBps * 1e9), "read", &TS},
      {WriteSlow * LineBytes / (TS.WriteBandwidthGBps * 1e9), "write", &TS}};
  double Bandwidth = 0;
  for (const auto &B : Limits)
    Bandwidth = std::max(Bandwidth, B.Seconds);
  const TaskGraph Graph(P);
  S.TaskSeconds.resize(N);
  S.LatencyNs = idleLatency(M);
  auto Evaluate = [&](double D) {
    double UF = D > 0 ? std::max(Limits[0].Seconds, Limits[1].Seconds) / D : 0;
    double US = D > 0 ? std::max(Limits[2].Seconds, Limits[3].Seconds) / D : 0;
    S.LatencyNs.front() = TF.ReadLatencyNs * loadedFactor(M, UF);
    S.LatencyNs.back() = TS.ReadLatencyNs * loadedFactor(M, US);
    double Slowest = 0, Work = 0;
    for (size_t T = 0; T < N; ++T) {
      S.TaskSeconds[T] = Base[T] + PerFast[T] * S.LatencyNs.front() +
                         PerSlow[T] * S.LatencyNs.back();
      Slowest = std::max(Slowest, S.TaskSeconds[T]);
      Work += S.TaskSeconds[T];
    }
    S.Seconds = Slowest;
    S.Bound = "slowest task";
    double Path = Graph.any() ? Graph.criticalPath(S.TaskSeconds) : 0;
    if (Path > S.Seconds) {
      S.Seconds = Path;
      S.Bound = "critical path";
    }
    double PerWorker = Work / std::max(1u, P.Workers);
    if (PerWorker > S.Seconds * (1 + 1e-12)) {
      S.Seconds = PerWorker;
      S.Bound = "work per worker";
    }
    for (const auto &B : Limits)
      if (B.Seconds > S.Seconds) {
        S.Seconds = B.Seconds;
        S.Bound = std::string(B.What) + " bandwidth of " + B.T->Name;
      }
  };
  double Low = Bandwidth;
  Evaluate(Low);
  double High = S.Seconds; // the map falls, so the fixed point is below it
  for (int I = 0; I < 60 && High - Low > 1e-9 * High; ++I) {
    double Mid = (Low + High) / 2;
    Evaluate(Mid);
    (S.Seconds > Mid ? Low : High) = Mid;
  }
  Evaluate(High);
  return S;
}

double evenkeel::phaseSeconds(const PredictedPhase &P,
                              const std::vector<double> &Fast, const Machine &M,
                              const Model &Mod,
                              std::vector<double> *TaskSeconds) {
  PhaseState S = phaseState(P, Fast, M, Mod);
  if (TaskSeconds)
    *TaskSeconds = std::move(S.TaskSeconds);
  return S.Seconds;
}

double evenkeel::makespan(const Problem &P, const std::vector<double> &Fast,
                          const Machine &M, const Model &Mod) {
  double Sum = 0;
  for (const PredictedPhase &H : P.Phases)
    Sum += phaseSeconds(H, Fast, M, Mod);
  return Sum;
}
