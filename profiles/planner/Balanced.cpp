//===- Balanced.cpp - the placement with the smallest makespan ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Balanced.h. One LP row per task of a phase; for explicit tasks also the
// work per worker and the critical paths found so far; one row per tier and
// direction of bandwidth if it can bind; and, with a small weight, the mean of
// the tasks' times.
//===----------------------------------------------------------------------===//
#include "Balanced.h"
#include "Arbiter.h"
#include "Density.h"
#include "HookPlanner.h"
#include "MinMax.h"
#include "models/Phase.h"
#include "models/Spans.h"
#include "models/shares/FirstTouch.h"
#include "models/shares/Fixed.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

using namespace evenkeel;

namespace {

/// Adds up numbers by unit; returns the sums in the order of units.
class UnitSums {
  std::vector<double> Sum;
  std::vector<bool> Is;
  std::vector<uint32_t> Units;

public:
  explicit UnitSums(size_t N) : Sum(N, 0), Is(N) {}
  void add(uint32_t U, double V) {
    if (!Is[U]) {
      Is[U] = true;
      Units.push_back(U);
    }
    Sum[U] += V;
  }
  template <class F> void take(F &&Each) {
    std::sort(Units.begin(), Units.end());
    for (uint32_t U : Units) {
      Each(U, Sum[U]);
      Sum[U] = 0;
      Is[U] = false;
    }
    Units.clear();
  }
};

class Balancer {
  const Problem &P;
  const Machine &M;
  const Model &Mod;
  std::vector<std::vector<double>> Latency;           // per phase, per tier
  std::vector<std::set<std::vector<uint32_t>>> Paths; // per phase
  std::vector<std::vector<std::pair<uint32_t, double>>> Capacities;
  /// Shares of fixed units that the linear program takes as given; empty: it
  /// may use all room left for them.
  std::vector<double> Pinned;

public:
  Balancer(const Problem &P, const Machine &M, const Model &Mod)
      : P(P), M(M), Mod(Mod), Latency(P.Phases.size(), idleLatency(M)),
        Paths(P.Phases.size()) {}

  Placement run();

private:
  void capacities();
  bool fixedMatters() const;
  bool isPinned(uint32_t U) const { return !Pinned.empty() && isFixed(P, U); }
  MinMaxProblem program() const;
  /// The makespan of \p X; if requested, updates latencies and adds critical
  /// paths.
  double evaluate(const std::vector<double> &X, bool Learn, double Damping,
                  bool &NewPath);
  void fill(std::vector<double> &X) const;
  std::vector<std::vector<double>>
  candidates(const std::vector<double> &Untouched);
  /// Solves the linear program until latencies settle; calls \p Consider with
  /// each placement found and its makespan.
  void search(
      const std::function<void(const std::vector<double> &, double)> &Consider);
};

/// Adds one capacity row per set of instances that live together and do not
/// fit.
void Balancer::capacities() {
  std::vector<std::vector<uint32_t>> FirstOf(P.Instances.size());
  for (uint32_t U = 0; U < P.Units.size(); ++U)
    FirstOf[P.Units[U].Instance].push_back(U);
  std::set<std::vector<uint32_t>> Sets;
  for (const PredictedPhase &H : P.Phases) {
    std::vector<uint32_t> Live;
    double Bytes = 0;
    for (uint32_t I = 0; I < P.Instances.size(); ++I)
      if (isLive(P.Instances[I], H.Phase)) {
        Live.push_back(I);
        if (P.Instances[I].Fixed != PredictedInstance::TierChosen)
          Bytes += P.Instances[I].Bytes;
      }
    if (Bytes > P.FastBytes)
      Sets.insert(std::move(Live));
  }
  for (const auto &S : Sets) {
    bool Inside = false; // a subset of another set adds no constraint
    if (Sets.size() <= 256)
      for (const auto &T : Sets)
        Inside |= T.size() > S.size() &&
                  std::includes(T.begin(), T.end(), S.begin(), S.end());
    if (Inside)
      continue;
    std::vector<std::pair<uint32_t, double>> Row;
    for (uint32_t I : S)
      for (uint32_t U : FirstOf[I])
        if (P.Units[U].Bytes > 0 && takesRoom(P, U))
          Row.emplace_back(U, P.Units[U].Bytes / P.FastBytes);
    Capacities.push_back(std::move(Row));
  }
}

/// Whether fixed objects have enough traffic for their placement to be worth a
/// search of its own.
bool Balancer::fixedMatters() const {
  double All = 0, Its = 0; // lines
  for (const PredictedPhase &H : P.Phases)
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &U : T.Demand.Units) {
        const double Lines = U.ReadLines + U.WriteLines;
        All += Lines;
        Its += isFixed(P, U.Unit) && takesRoom(P, U.Unit) ? Lines : 0;
      }
  return Its > figures().MostHarm * All;
}

MinMaxProblem Balancer::program() const {
  MinMaxProblem L;
  L.Variables = P.Units.size();
  L.Capacities = Capacities;
  for (auto &Row : L.Capacities) // fixed units lie where other units leave room
    Row.erase(
        std::remove_if(Row.begin(), Row.end(),
                       [&](const auto &Its) { return isPinned(Its.first); }),
        Row.end());
  std::vector<double> Slow(P.Units.size(), 0), Gain;
  UnitSums Sums(P.Units.size());
  for (size_t H = 0; H < P.Phases.size(); ++H) {
    const PredictedPhase &Phase = P.Phases[H];
    if (Phase.Tasks.empty())
      continue;
    std::vector<MinMaxRow> Rows, TaskRows;
    bool HasPreds = false, Explicit = false;
    double Floor = 0; // no placement makes the phase shorter
    for (const PredictedTask &T : Phase.Tasks) {
      MinMaxRow R;
      R.A = Mod.seconds(T.Demand, Slow, M, Latency[H]);
      Mod.gains(T.Demand, M, Latency[H], Gain);
      double Least = R.A;
      R.B.reserve(Gain.size());
      for (size_t I = 0; I < Gain.size(); ++I)
        if (const uint32_t U = T.Demand.Units[I].Unit; isPinned(U)) {
          R.A -= Gain[I] * Pinned[U];
          Least -= Gain[I] * Pinned[U];
        } else if (Gain[I] != 0) {
          R.B.emplace_back(U, Gain[I]);
          Least -= std::max(0.0, Gain[I]);
        }
      Floor = std::max(Floor, Least);
      HasPreds |= !T.Preds.empty();
      Explicit |= T.Explicit;
      TaskRows.push_back(std::move(R));
    }
    auto Sum = [&](auto &&Tasks, double Scale) {
      MinMaxRow R;
      for (uint32_t T : Tasks) {
        R.A += TaskRows[T].A * Scale;
        for (auto [U, G] : TaskRows[T].B)
          Sums.add(U, G * Scale);
      }
      Sums.take([&](uint32_t U, double V) { R.B.emplace_back(U, V); });
      return R;
    };
    if (Explicit || Phase.Tasks.size() > Phase.Workers) {
      std::vector<uint32_t> All(Phase.Tasks.size());
      for (uint32_t T = 0; T < All.size(); ++T)
        All[T] = T;
      Rows.push_back(Sum(All, 1.0 / std::max(1u, Phase.Workers)));
    }
    for (const auto &Path : Paths[H])
      Rows.push_back(Sum(Path, 1));
    if (Phase.Tasks.size() > 1) {
      std::vector<uint32_t> All(Phase.Tasks.size());
      for (uint32_t T = 0; T < All.size(); ++T)
        All[T] = T;
      L.Groups.push_back(
          {Sum(All, figures().MeanWeight /
                        static_cast<double>(Phase.Tasks.size()))});
    }
    // With dependences, the paths replace the rows of their tasks.
    for (size_t T = 0; T < TaskRows.size(); ++T)
      if (!HasPreds || !Phase.Tasks[T].Explicit)
        Rows.push_back(std::move(TaskRows[T]));

    const Tier &TF = M.Tiers.front(), &TS = M.Tiers.back();
    double AllReads = 0, AllWrites = 0;
    for (const PredictedTask &T : Phase.Tasks)
      for (const UnitDemand &U : T.Demand.Units) {
        AllReads += U.ReadLines * LineBytes;
        AllWrites += U.WriteLines * LineBytes;
      }
    auto Bandwidth = [&](double UnitDemand::*Lines, double All, double GBps,
                         double Sign) {
      if (All / (GBps * 1e9) <= Floor)
        return;
      MinMaxRow R;
      R.A = Sign > 0 ? All / (GBps * 1e9) : 0;
      for (const PredictedTask &T : Phase.Tasks)
        for (const UnitDemand &U : T.Demand.Units)
          Sums.add(U.Unit, U.*Lines * LineBytes);
      Sums.take([&](uint32_t U, double B) {
        if (isPinned(U))
          R.A -= Sign * B / (GBps * 1e9) * Pinned[U];
        else if (B > 0)
          R.B.emplace_back(U, Sign * B / (GBps * 1e9));
      });
      Rows.push_back(std::move(R));
    };
    Bandwidth(&UnitDemand::ReadLines, AllReads, TS.ReadBandwidthGBps, 1);
    Bandwidth(&UnitDemand::WriteLines, AllWrites, TS.WriteBandwidthGBps, 1);
    Bandwidth(&UnitDemand::ReadLines, AllReads, TF.ReadBandwidthGBps, -1);
    Bandwidth(&UnitDemand::WriteLines, AllWrites, TF.WriteBandwidthGBps, -1);
    L.Groups.push_back(std::move(Rows));
  }
  return L;
}

double Balancer::evaluate(const std::vector<double> &X, bool Learn,
                          double Damping, bool &NewPath) {
  double Sum = 0;
  for (size_t H = 0; H < P.Phases.size(); ++H) {
    const PredictedPhase &Phase = P.Phases[H];
    PhaseState S = phaseState(Phase, X, M, Mod);
    Sum += S.Seconds;
    if (!Learn)
      continue;
    for (size_t K = 0; K < S.LatencyNs.size(); ++K)
      Latency[H][K] = (1 - Damping) * Latency[H][K] + Damping * S.LatencyNs[K];
    if (TaskGraph Graph(Phase); Graph.any()) {
      std::vector<uint32_t> Path;
      Graph.criticalPath(S.TaskSeconds, &Path);
      NewPath |= Paths[H].insert(std::move(Path)).second;
    }
  }
  return Sum;
}

/// Fills room that no critical task needs with the units that save any task
/// most per byte: it costs nothing and absorbs prediction errors.
void Balancer::fill(std::vector<double> &X) const {
  size_t N = P.Units.size();
  std::vector<double> Saved(N, 0), Gain;
  for (size_t H = 0; H < P.Phases.size(); ++H)
    for (const PredictedTask &T : P.Phases[H].Tasks) {
      Mod.gains(T.Demand, M, Latency[H], Gain);
      for (size_t I = 0; I < Gain.size(); ++I)
        Saved[T.Demand.Units[I].Unit] += Gain[I];
    }
  std::vector<std::vector<std::pair<uint32_t, double>>> In(N);
  std::vector<double> Used(Capacities.size(), 0);
  for (uint32_t C = 0; C < Capacities.size(); ++C)
    for (auto [U, W] : Capacities[C]) {
      In[U].emplace_back(C, W);
      Used[C] += W * X[U];
    }
  std::vector<uint32_t> Order;
  for (uint32_t U = 0; U < N; ++U)
    if (X[U] < 1 && Saved[U] > 0 && !isPinned(U))
      Order.push_back(U);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    double VA = Saved[A] * P.Units[B].Bytes, VB = Saved[B] * P.Units[A].Bytes;
    return VA != VB ? VA > VB : A < B;
  });
  for (uint32_t U : Order) {
    double Room = 1 - X[U];
    for (auto [C, W] : In[U])
      Room = std::min(Room, std::max(0.0, 1 - Used[C]) / W);
    X[U] += Room;
    for (auto [C, W] : In[U])
      Used[C] += W * Room;
  }
}

void Balancer::search(
    const std::function<void(const std::vector<double> &, double)> &Consider) {
  std::vector<double> X, Last;
  double LastValue = 0;
  for (int Round = 0; Round < figures().BalanceRounds; ++Round) {
    MinMaxProblem L = program();
    MinMaxSolution S = solveMinMax(L, figures().BalanceGap, 2e8, X);
    X = std::move(S.X);
    completeShares(P, X);
    if (!Pinned.empty())
      Pinned = X;
    bool NewPath = false;
    double Value =
        evaluate(X, true, Round ? figures().BalanceStep : 1, NewPath);
    Consider(X, Value);
    bool Ignored = false;
    if (!Last.empty()) {
      // Loaded latency is convex enough that the middle is often better.
      std::vector<double> Middle(X.size());
      for (size_t U = 0; U < X.size(); ++U)
        Middle[U] = (X[U] + Last[U]) / 2;
      completeShares(P, Middle);
      Consider(Middle, evaluate(Middle, false, 0, Ignored));
    }
    bool Settled = !Last.empty() && !NewPath &&
                   std::fabs(Value - LastValue) <= figures().BalanceGap * Value;
    Last = X;
    LastValue = Value;
    if (Settled)
      break;
  }
}

/// The placements that may be better than first touch, the nominally best one
/// first; empty if there is no fast memory.
std::vector<std::vector<double>>
Balancer::candidates(const std::vector<double> &Untouched) {
  std::vector<std::vector<double>> Out;
  if (P.FastBytes <= 0)
    return Out;
  bool NewPath = false;
  evaluate(Untouched, true, 0, NewPath);
  capacities();
  std::vector<double> Best = placeByDensity(withoutFixed(P, M), M).FastShare;
  completeShares(P, Best);
  double BestValue = evaluate(Best, true, 0, NewPath);
  auto Consider = [&](const std::vector<double> &X, double Value) {
    if (Value < BestValue) {
      BestValue = Value;
      Best = X;
    }
  };
  if (fixedMatters())
    search(Consider); // it may leave room for them
  if (std::any_of(P.Instances.begin(), P.Instances.end(),
                  [](const PredictedInstance &I) { return isFixed(I); }))
    Pinned = Best;
  search(Consider);
  Out.push_back(Best);
  std::vector<double> Filled = Best;
  fill(Filled);
  completeShares(P, Filled);
  if (Filled != Best)
    Out.push_back(std::move(Filled));
  return Out;
}

Placement Balancer::run() {
  Placement Out;
  const std::vector<double> Untouched = firstTouchShares(P);
  std::vector<std::vector<double>> All = candidates(Untouched);
  All.insert(All.begin(), Untouched);
  const std::vector<Standing> Of = standings(P, M, Mod, All);
  const size_t Best = leastHarm(Of);
  unsigned Left = 0;
  // Where no placement is better by itself, hooks may still gain from one.
  size_t Start = Best;
  bool HooksGain = false;
  if (!Best && P.FastBytes > 0) {
    double Least = makespan(P, Untouched, M, Mod) * (1 - figures().MostHarm);
    for (size_t C : {size_t(0), All.size() - 1}) {
      HookedRun Its = predictWithHooks(P, All[C], M, Mod);
      // Hooks judge their moves when they come to them; where the data lies
      // until then is judged here.
      if (Its.Seconds < Least &&
          (C == 0 || isHarmless(standingOfChanges(P, M, Mod, Untouched, All[C],
                                                  Its.Changes, Its.Seconds)))) {
        Least = Its.Seconds;
        Left = Its.Left;
        Out.Changes = std::move(Its.Changes);
        Out.MovingSeconds = Its.Seconds;
        Start = C;
        HooksGain = true;
      }
    }
  } else if (Best) {
    HookedRun Its = predictWithHooks(P, All[Best], M, Mod);
    if (Its.Seconds <
        makespan(P, All[Best], M, Mod) * (1 - figures().LeastGain)) {
      Left = Its.Left;
      Out.Changes = std::move(Its.Changes);
      Out.MovingSeconds = Its.Seconds;
    }
  }
  Out.KeepsFirstTouch = !Best && !HooksGain;
  Out.FastShare = std::move(All[Start]);
  if (Out.KeepsFirstTouch)
    Out.Notes.push_back(
        allFits(P)
            ? "all is predicted to fit into the fast tier: first touch is "
              "kept, and hooks move what pays where it turns out not to fit; "
              "for a larger input say --for NAME=VALUE"
            : "first touch is predicted to be as good as any placement; "
              "nothing is changed");
  if (Left)
    Out.Notes.push_back(
        "moves were weighed at " +
        std::to_string(int(figures().MostHooksWeighed)) +
        " sync points only; " + std::to_string(Left) +
        (Left == 1 ? " other may gain, too" : " others may gain, too"));
  return Out;
}

} // namespace

Placement BalancedPlanner::place(const Problem &P, const Machine &M,
                                 const Model &Mod) const {
  return Balancer(P, M, Mod).run();
}
