//===- Phase.cpp - time of a phase under a placement ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a phase takes as long as its slowest task, its critical path, its work
// per worker (Graham 1969: no schedule of the task graph is shorter than either
// of the last two) or its traffic over a tier's bandwidth, whichever is
// longest; and latency grows with the load of a tier.
//
// Loaded latency is a fixed point: D -> utilisation bytes/(D*bandwidth) ->
// latency -> task times -> D. The map falls as D rises, so there is exactly one
// fixed point, between any D and its image; secants narrow this interval. Read
// and write bandwidth are separate limits; the busier one determines the load.
// Each span of a phase (Spans.h) has a fixed point of its own. If a tier is
// saturated at any latency, tasks wait for it line by line.
//===----------------------------------------------------------------------===//
#include "Phase.h"
#include "Spans.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>

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
  if (!Any) { // the usual case
    Order.resize(N);
    std::iota(Order.begin(), Order.end(), 0);
    return;
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
  // Preds may come in any order (Kahn 1962). In a damaged graph, tasks on a
  // cycle are ignored.
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

double TaskGraph::schedule(const std::vector<double> &Seconds,
                           unsigned Workers) const {
  const size_t N = First.size() - 1;
  std::vector<uint32_t> Missing(N, 0);
  for (uint32_t S : Succs)
    ++Missing[S];
  using Event = std::pair<double, uint32_t>; // end, task
  std::priority_queue<Event, std::vector<Event>, std::greater<>> Running;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> Ready;
  for (uint32_t T = 0; T < N; ++T)
    if (!Missing[T])
      Ready.push(T);
  double Now = 0;
  while (!Ready.empty() || !Running.empty()) {
    for (; !Ready.empty() && Running.size() < std::max(1u, Workers);
         Ready.pop())
      Running.push({Now + Seconds[Ready.top()], Ready.top()});
    const uint32_t T = Running.top().second;
    Now = Running.top().first;
    Running.pop();
    for (uint32_t I = First[T]; I < First[T + 1]; ++I)
      if (!--Missing[Succs[I]])
        Ready.push(Succs[I]);
  }
  return Now;
}

namespace {

/// Lower bounds on the length of a phase or span.
struct Bounds {
  using By = PhaseBound::By;
  const PredictedPhase &P;
  const TaskGraph &Graph;
  bool Explicit; // there may be several tasks per worker

  /// The largest bound.
  double seconds(const std::vector<double> &Tasks, double Bandwidth,
                 By *Which = nullptr,
                 By OfBandwidth = By::ReadBandwidth) const {
    double Slowest = 0, Work = 0;
    for (double T : Tasks) {
      Slowest = std::max(Slowest, T);
      Work += T;
    }
    double Most = Slowest;
    By Largest = By::SlowestTask;
    double Path = Graph.any() ? Graph.criticalPath(Tasks) : 0;
    if (Path > Most) {
      Most = Path;
      Largest = By::CriticalPath;
    }
    double PerWorker = Work / std::max(1u, P.Workers);
    if (PerWorker > Most * (1 + 1e-12)) {
      Most = PerWorker;
      Largest = By::Work;
    }
    if (Bandwidth > Most) {
      Most = Bandwidth;
      Largest = OfBandwidth;
    }
    if (Which)
      *Which = Largest;
    return Most;
  }

  void apply(PhaseState &S, double Bandwidth, const Machine &M,
             Way Busiest) const {
    const bool Reads = Busiest == ReadFast || Busiest == ReadSlow;
    S.Seconds = seconds(S.TaskSeconds, Bandwidth, &S.Bound.What,
                        Reads ? By::ReadBandwidth : By::WriteBandwidth);
    const bool Slow = S.Bound.isBandwidth() && Busiest >= ReadSlow;
    S.Bound.Tier = Slow ? M.Tiers.size() - 1 : 0;
  }
};

struct Settled {
  PhaseState S;
  double Bandwidth = 0; // seconds that the busiest tier and direction needs
  Way Busiest = ReadFast;
};

/// Solves Map(D) = D for a non-increasing map, from \p Low on, where its value
/// is \p AtLow. The solution lies between any D and its value. The last call of
/// \p Map is with the solution, up to a relative error of 1e-9.
template <class Fn> void findFixedPoint(double Low, double AtLow, Fn Map) {
  constexpr double Tolerance = 1e-9;
  constexpr int MostTries = 60;
  double X[2] = {Low, AtLow}, Over[2] = {AtLow - Low, 0}; // Map(X) - X
  double High = AtLow;
  for (int I = 0; I < MostTries; ++I) {
    const double Value = Map(X[1]);
    Over[1] = Value - X[1];
    if (std::fabs(Over[1]) <= Tolerance * X[1])
      return;
    Low = std::max(Low, std::min(Value, X[1]));
    High = std::min(High, std::max(Value, X[1]));
    double Next = X[1] - Over[1] * (X[1] - X[0]) / (Over[1] - Over[0]);
    // Next to a kink of the curve, a secant may make no progress.
    if (!(Next > Low && Next < High) || I % 8 == 7)
      Next = Low + (High - Low) / 2;
    X[0] = X[1];
    Over[0] = Over[1];
    X[1] = Next;
  }
}

Settled settle(const Span &X, const Bounds &Of, const Machine &M) {
  const size_t N = X.Tasks.size();
  const Tier &TF = M.Tiers.front(), &TS = M.Tiers.back();
  const double GBps[Ways] = {TF.ReadBandwidthGBps, TF.WriteBandwidthGBps,
                             TS.ReadBandwidthGBps, TS.WriteBandwidthGBps};
  double Limits[Ways] = {};
  Way Most = ReadFast;
  for (Way W : {ReadFast, WriteFast, ReadSlow, WriteSlow}) {
    for (const SpanTask &T : X.Tasks)
      Limits[W] += T.Lines[W];
    Limits[W] *= LineBytes / (GBps[W] * 1e9);
    if (Limits[W] > Limits[Most])
      Most = W;
  }
  Settled R;
  PhaseState &S = R.S;
  R.Bandwidth = Limits[Most];
  R.Busiest = Most;
  S.TaskSeconds.resize(N);
  S.LatencyNs = idleLatency(M);
  auto Evaluate = [&](double D) {
    double UF = D > 0 ? std::max(Limits[ReadFast], Limits[WriteFast]) / D : 0;
    double US = D > 0 ? std::max(Limits[ReadSlow], Limits[WriteSlow]) / D : 0;
    S.LatencyNs.front() = TF.ReadLatencyNs * loadedFactor(M, UF);
    S.LatencyNs.back() = TS.ReadLatencyNs * loadedFactor(M, US);
    for (size_t T = 0; T < N; ++T) {
      const SpanTask &Its = X.Tasks[T];
      S.TaskSeconds[T] = Its.Base + Its.PerFast * S.LatencyNs.front() +
                         Its.PerSlow * S.LatencyNs.back();
    }
    return S.Seconds = Of.seconds(S.TaskSeconds, R.Bandwidth);
  };
  const double AtOnce = Evaluate(R.Bandwidth);
  const bool Full = AtOnce <= R.Bandwidth; // at any latency
  if (!Full)
    findFixedPoint(R.Bandwidth, AtOnce, Evaluate);
  Of.apply(S, R.Bandwidth, M, R.Busiest);
  if (Full && R.Bandwidth > 0) {
    // Each line of the saturated direction waits, equally long for all tasks.
    double Wait = std::numeric_limits<double>::infinity(), Work = 0, Lines = 0;
    for (size_t T = 0; T < N; ++T) {
      const double Mine = X.Tasks[T].Lines[Most];
      if (Mine > 0)
        Wait = std::min(Wait, (S.Seconds - S.TaskSeconds[T]) / Mine);
      Work += S.TaskSeconds[T];
      Lines += Mine;
    }
    if (Of.Explicit)
      Wait = (S.Seconds * std::max(1u, Of.P.Workers) - Work) / Lines;
    for (size_t T = 0; T < N && Wait > 0; ++T)
      S.TaskSeconds[T] += Wait * X.Tasks[T].Lines[Most];
  }
  return R;
}

} // namespace

std::string evenkeel::boundText(const PhaseBound &B, const Machine &M) {
  switch (B.What) {
  case PhaseBound::By::SlowestTask:
    return "slowest task";
  case PhaseBound::By::CriticalPath:
    return "critical path";
  case PhaseBound::By::Work:
    return "work per worker";
  case PhaseBound::By::ReadBandwidth:
    return "read bandwidth of " + M.Tiers[B.Tier].Name;
  case PhaseBound::By::WriteBandwidth:
    return "write bandwidth of " + M.Tiers[B.Tier].Name;
  }
  return "";
}

PhaseState evenkeel::phaseState(const PredictedPhase &P,
                                const std::vector<double> &Fast,
                                const Machine &M, const Model &Mod) {
  return settleSpans(P, spansOf(P, Fast, M, Mod), TaskGraph(P), M);
}

double evenkeel::orderedSeconds(const PredictedPhase &P, const PhaseState &S) {
  // If bandwidth is the limit, tasks wait less while other workers are idle.
  if (!hasExplicit(P) || S.Bound.isBandwidth())
    return S.Seconds;
  return std::max(S.Seconds, TaskGraph(P).schedule(S.TaskSeconds, P.Workers));
}

PhaseState evenkeel::settleSpans(const PredictedPhase &P,
                                 const std::vector<Span> &Spans,
                                 const TaskGraph &Graph, const Machine &M) {
  const Bounds Of{P, Graph, hasExplicit(P) || P.Tasks.size() > P.Workers};
  if (Spans.size() == 1)
    return settle(Spans.front(), Of, M).S;
  PhaseState S;
  S.TaskSeconds.resize(P.Tasks.size());
  S.LatencyNs.resize(M.Tiers.size());
  double Bandwidth = 0, Most = -1;
  Way Busiest = ReadFast;
  for (const Span &X : Spans) {
    const Settled Y = settle(X, Of, M);
    for (size_t T = 0; T < P.Tasks.size(); ++T)
      S.TaskSeconds[T] += Y.S.TaskSeconds[T];
    for (size_t K = 0; K < M.Tiers.size(); ++K)
      S.LatencyNs[K] += Y.S.LatencyNs[K] * X.Share;
    Bandwidth += Y.Bandwidth;
    if (Y.Bandwidth > Most) {
      Most = Y.Bandwidth;
      Busiest = Y.Busiest;
    }
  }
  Of.apply(S, Bandwidth, M, Busiest);
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
