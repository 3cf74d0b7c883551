//===- Trade.cpp - a better placement, few moves away ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trade.h. A phase lasts as long as its slowest task, so only what helps
// slow tasks counts. The maximum is smoothed: task t of phase h weighs
//   exp((T_t - max T) / s) / sum,   s = 2 % of max T
// (the gradient of the log-sum-exp bound, Nesterov 2005), which makes the
// remaining seconds a differentiable function of the shares. Each step takes
// the unit with the largest gain per byte into the fast tier and the one with
// the smallest out of it, at most 64 KiB at once; it ends when the one no
// longer exceeds the other with a margin and what copying disturbs, or when
// steps bring nothing any more.
// Moves are copied one after the other while the next phases run, so later ones
// gain less; what is not used until then moves for nothing (as Unimem's helper
// thread does, Wu et al., SC 2017). Latencies stay those of the start:
// keepWhatPays (HookPlanner.h) has the last word.
//===----------------------------------------------------------------------===//
#include "Trade.h"
#include "Phase.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

using namespace evenkeel;

namespace {

constexpr double Smoothing = 0.02;
constexpr double Hedge = 0.05; // of the mean task time, as in Balanced.cpp
constexpr double StepBytes = 64 * 1024;
constexpr unsigned MostSteps = 4096;
/// Of more, only what lives as long is traded: each step looks at all pairs.
constexpr size_t MostLifetimes = 64;
/// Steps of a fixed size go to and fro around the best point: the ones that
/// brought nothing, this many in a row, end the search and are taken back.
constexpr size_t VainSteps = 16;

/// Consecutive units of one instance that a task uses; all the gains of a phase
/// lie in one array, so that a step is a few passes over plain memory.
struct Run {
  uint32_t First = 0, Count = 0; // units
  uint32_t Instance = 0;
  size_t At = 0; // of the first unit's gain
};

/// One task of a phase to come: its time, its weight in the smoothed maximum,
/// and what each unit saves it.
struct Row {
  double Seconds = 0, Weight = 0;
  std::vector<Run> Runs;
};

struct Rest {
  std::vector<std::vector<Row>> Phases;
  std::vector<std::vector<double>> Gains; // seconds per unit, by phase
  std::vector<bool> Changed;      // phases whose weights are to be found
  std::vector<double> Smoothed;   // what each lasts, as the weights see it
  std::vector<double> Start, End; // of each phase, in seconds from the hook
  /// Rows (phase, task) by unit; empty until findUsers.
  std::vector<std::pair<uint32_t, uint32_t>> Users;
  std::vector<size_t> UsersOf;  // where a unit's begin, and one more
  std::vector<uint32_t> Number; // of each phase, in the problem
  std::vector<double> Worth;    // of each phase, of what it gains (findWorth)
  /// What tasks wait for a page that moves while they run, by phase and unit;
  /// empty until findWaits.
  std::vector<std::vector<double>> WaitPerPage;

  double seconds() const {
    double Sum = 0;
    for (const auto &H : Phases) {
      double Longest = 0;
      for (const Row &X : H)
        Longest = std::max(Longest, X.Seconds);
      Sum += Longest;
    }
    return Sum;
  }

  void weigh(size_t H) {
    double Longest = 0, Sum = 0, Mean = 0;
    for (const Row &X : Phases[H]) {
      Longest = std::max(Longest, X.Seconds);
      Mean += X.Seconds / double(Phases[H].size());
    }
    for (Row &X : Phases[H]) {
      X.Weight = Longest > 0
                     ? std::exp((X.Seconds - Longest) / (Smoothing * Longest))
                     : 0;
      Sum += X.Weight;
    }
    Smoothed[H] = Longest > 0
                      ? Longest * (1 + Smoothing * std::log(Sum)) + Hedge * Mean
                      : 0;
    if (Longest > 0)
      for (Row &X : Phases[H])
        X.Weight = X.Weight / Sum + Hedge / double(Phases[H].size());
    Changed[H] = false;
  }

  /// How much of a phase is left when a page arrives \p Later than the hook.
  double left(size_t H, double Later) const {
    return End[H] > Start[H]
               ? std::clamp((End[H] - Later) / (End[H] - Start[H]), 0.0, 1.0)
               : 1;
  }
};

Rest restOf(const Problem &P, const std::vector<double> &Fast, uint32_t Hook,
            const Machine &M, const Model &Mod) {
  Rest R;
  std::vector<double> Gains;
  for (const PredictedPhase &H : P.Phases) {
    if (H.Phase <= Hook)
      continue;
    PhaseState S = phaseState(H, Fast, M, Mod);
    R.Phases.emplace_back();
    R.Gains.emplace_back();
    R.Start.push_back(R.End.empty() ? 0 : R.End.back());
    R.End.push_back(R.Start.back() + S.Seconds);
    R.Number.push_back(uint32_t(&H - P.Phases.data()));
    bool Explicit =
        std::any_of(H.Tasks.begin(), H.Tasks.end(),
                    [](const PredictedTask &T) { return T.Explicit; });
    size_t Uses = 0;
    for (const PredictedTask &T : H.Tasks)
      Uses += T.Demand.Units.size();
    R.Gains.back().reserve(Uses);
    R.Phases.back().reserve(Explicit ? 1 : H.Tasks.size());
    for (size_t T = 0; T < H.Tasks.size(); ++T) {
      const TaskDemand &D = H.Tasks[T].Demand;
      Mod.gains(D, M, S.LatencyNs, Gains);
      // Explicit tasks share the workers: their sum counts, not the longest.
      double Part = Explicit ? 1.0 / std::max(1u, H.Workers) : 1;
      if (!Explicit || T == 0)
        R.Phases.back().emplace_back();
      Row &X = R.Phases.back().back();
      X.Seconds += S.TaskSeconds[T] * Part;
      if (!Explicit)
        X.Runs.reserve(D.Units.size());
      std::vector<double> &All = R.Gains.back();
      for (size_t U = 0; U < D.Units.size(); ++U) {
        const uint32_t Unit = D.Units[U].Unit;
        const uint32_t Instance = P.Units[Unit].Instance;
        if (U == 0 || X.Runs.back().Instance != Instance ||
            X.Runs.back().First + X.Runs.back().Count != Unit)
          X.Runs.push_back({Unit, 0, Instance, All.size()});
        ++X.Runs.back().Count;
        All.push_back(Gains[U] * Part);
      }
    }
  }
  R.Changed.assign(R.Phases.size(), true);
  R.Smoothed.assign(R.Phases.size(), 0);
  return R;
}

/// Up to the next hook all counts that is gained. What only later phases gain
/// can be brought then: worth having now is what they would lose meanwhile,
/// when all of the fast tier is exchanged within \p Copying seconds, one page
/// after the other.
void findWorth(Rest &R, const Problem &P, double Copying) {
  bool Later = false;
  for (size_t H = 0; H < R.Number.size(); ++H) {
    const double Length = R.End[H] - R.Start[H];
    double Lost = 1;
    if (Later && Length > 0)
      Lost = Copying < Length ? Copying / (2 * Length)
                              : 1 - Length / (2 * Copying);
    R.Worth.push_back(Lost);
    Later |= P.Phases[R.Number[H]].Tasks.size() > 1;
  }
}

/// Only worth it where something is traded.
void findUsers(Rest &R, size_t Units) {
  constexpr std::pair<uint32_t, uint32_t> Nobody{EK_NO_TASK, EK_NO_TASK};
  std::vector<std::pair<uint32_t, uint32_t>> Last(Units, Nobody);
  auto Each = [&](auto &&Use) {
    std::fill(Last.begin(), Last.end(), Nobody);
    for (uint32_t H = 0; H < R.Phases.size(); ++H)
      for (uint32_t T = 0; T < R.Phases[H].size(); ++T)
        for (const Run &X : R.Phases[H][T].Runs)
          for (uint32_t U = X.First; U < X.First + X.Count; ++U) {
            // A row of many tasks names what several use several times.
            if (std::exchange(Last[U], std::make_pair(H, T)) !=
                std::make_pair(H, T))
              Use(U, H, T);
          }
  };
  R.UsersOf.assign(Units + 1, 0);
  Each([&](uint32_t U, uint32_t, uint32_t) { ++R.UsersOf[U + 1]; });
  std::partial_sum(R.UsersOf.begin(), R.UsersOf.end(), R.UsersOf.begin());
  R.Users.resize(R.UsersOf[Units]);
  std::vector<size_t> Next = R.UsersOf;
  Each(
      [&](uint32_t U, uint32_t H, uint32_t T) { R.Users[Next[U]++] = {H, T}; });
}

/// An exponential per task and unit: only worth it where some trade pays that
/// nobody would have to wait for.
void findWaits(Rest &R, const Problem &P, const Machine &M) {
  const double Away = M.MigrationPageUs * 1e-6;
  for (size_t I = 0; I < R.Number.size(); ++I) {
    const PredictedPhase &H = P.Phases[R.Number[I]];
    const double Seconds = R.End[I] - R.Start[I];
    std::vector<double> Wait(P.Units.size(), 0);
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &D : T.Demand.Units) {
        // As in replay: the first of fetches that come at random, at a rate,
        // waits for the rest of the time that the page is out of reach.
        const double Pages = std::max(1.0, P.Units[D.Unit].Bytes / 4096);
        const double Rate = D.ReadLines / Pages / Seconds;
        if (Seconds > 0 && Rate > 0)
          Wait[D.Unit] += (Away + std::expm1(-Rate * Away) / Rate) /
                          static_cast<double>(H.Tasks.size());
      }
    R.WaitPerPage.push_back(std::move(Wait));
  }
}

} // namespace

Trades evenkeel::tradeAtHook(const Problem &P, std::vector<double> Fast,
                             uint32_t Hook, const Machine &M, const Model &Mod,
                             double Margin, bool MoveLive) {
  Rest R = restOf(P, Fast, Hook, M, Mod);
  const size_t N = P.Units.size();
  const double CopyPerByte =
      M.MigrationPageUs * 1e-6 / 4096 +
      (M.MigrationBandwidthGBps > 0 ? 1 / (M.MigrationBandwidthGBps * 1e9) : 0);
  if (MoveLive)
    findWorth(R, P, 2 * P.FastBytes * CopyPerByte);
  else
    R.Worth.assign(R.Phases.size(), 1.0);
  auto Gone = [&](uint32_t U) {
    const PredictedInstance &I = P.Instances[P.Units[U].Instance];
    return I.FreePhase != EK_NO_TASK && I.FreePhase <= Hook;
  };
  std::vector<bool> Lives(N);
  for (uint32_t U = 0; U < N; ++U)
    Lives[U] = P.Instances[P.Units[U].Instance].AllocPhase <= Hook;
  // What goes makes room in all phases to come in which what comes finds none.
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> Lifetimes;
  std::vector<uint32_t> LifetimeOf(N, EK_NO_TASK); // of those that may move
  for (uint32_t U = 0; U < N; ++U) {
    const PredictedInstance &I = P.Instances[P.Units[U].Instance];
    if (P.Units[U].Bytes > 0 && !Gone(U) && (!Lives[U] || MoveLive))
      LifetimeOf[U] =
          Lifetimes
              .try_emplace(
                  {std::max(I.AllocPhase, Hook + 1),
                   I.FreePhase == EK_NO_TASK ? EK_NO_TASK : I.FreePhase + 1},
                  uint32_t(Lifetimes.size()))
              .first->second;
  }
  std::vector<double> Free(P.Phases.size(), P.FastBytes); // by phase to come
  auto Spend = [&](uint32_t U, double Bytes) {
    for (const PredictedPhase &H : P.Phases)
      if (H.Phase > Hook && isLive(P.Instances[P.Units[U].Instance], H.Phase))
        Free[H.Phase] -= Bytes;
  };
  auto Room = [&](uint32_t U) {
    double Least = P.FastBytes;
    for (const PredictedPhase &H : P.Phases)
      if (H.Phase > Hook && isLive(P.Instances[P.Units[U].Instance], H.Phase))
        Least = std::min(Least, Free[H.Phase]);
    return Least;
  };
  for (uint32_t U = 0; U < N; ++U)
    if (Fast[U] > 0)
      Spend(U, Fast[U] * P.Units[U].Bytes);
  std::vector<uint32_t> FullBefore(Free.size() + 1, 0);
  auto Full = [&](uint32_t From, uint32_t To) { // how many phases before To
    const auto End = uint32_t(Free.size());
    return From < To
               ? FullBefore[std::min(To, End)] - FullBefore[std::min(From, End)]
               : 0;
  };
  std::vector<double> Value(N);
  // What is copied one way does not come back: it would gain by each copy what
  // the phases had left at that time, and lose less by the next.
  std::vector<bool> CameIn(N), WentOut(N);
  // First phase in which the unit can be used, of those to come.
  auto FirstUse = [&](uint32_t U) {
    const uint32_t Alloc = P.Instances[P.Units[U].Instance].AllocPhase;
    size_t H = 0;
    for (const PredictedPhase &X : P.Phases)
      H += X.Phase > Hook && X.Phase < Alloc;
    return H;
  };
  const double Before = R.seconds();
  const std::vector<double> AtFirst = Fast;
  std::vector<TradeStep> Steps;
  std::vector<std::pair<uint32_t, uint32_t>> Best; // in and out, by lifetime
  double Waited = 0;                               // seconds
  double Copied = 0; // seconds that the copier needs for the trades so far
  struct {
    size_t Steps = 0;
    double Smoothed = std::numeric_limits<double>::infinity();
    double Seconds = 0, Waited = 0, Copied = 0;
  } Least;
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    std::fill(Value.begin(), Value.end(), 0.0);
    // One page out, one in: the middle of the step arrives after half of both.
    const double Arrives = Copied + StepBytes * CopyPerByte;
    size_t Meanwhile = 0; // the phase that runs then
    while (Meanwhile < R.End.size() && R.End[Meanwhile] <= Arrives)
      ++Meanwhile;
    auto Wait = [&](uint32_t U) { // per byte
      return !Lives[U] || Meanwhile >= R.WaitPerPage.size()
                 ? 0.0
                 : R.WaitPerPage[Meanwhile][U] / 4096;
    };
    std::vector<double> Left(R.Phases.size());
    for (size_t H = 0; H < R.Phases.size(); ++H) {
      Left[H] = R.left(H, Arrives);
      if (R.Changed[H])
        R.weigh(H);
      const double *Gains = R.Gains[H].data();
      for (const Row &X : R.Phases[H])
        for (const Run &Y : X.Runs) {
          const double Weight =
              X.Weight * R.Worth[H] * (Lives[Y.First] ? Left[H] : 1);
          if (Weight == 0)
            continue;
          double *V = Value.data() + Y.First;
          for (uint32_t K = 0; K < Y.Count; ++K)
            V[K] += Weight * Gains[Y.At + K];
        }
    }
    const double Smoothed =
        std::accumulate(R.Smoothed.begin(), R.Smoothed.end(), 0.0);
    if (Smoothed < Least.Smoothed)
      Least = {Steps.size(), Smoothed, R.seconds(), Waited, Copied};
    else if (Steps.size() - Least.Steps >= VainSteps)
      break;
    // Per byte; the best pair that may be traded. Few lifetimes occur, so the
    // best of each is compared with the worst of each.
    Best.assign(Lifetimes.size(), {EK_NO_TASK, EK_NO_TASK});
    auto PerByte = [&](uint32_t U) { return Value[U] / P.Units[U].Bytes; };
    for (uint32_t U = 0; U < N; ++U) {
      if (LifetimeOf[U] == EK_NO_TASK)
        continue;
      auto &[In, Out] = Best[LifetimeOf[U]];
      if (Fast[U] < 1 && !WentOut[U] &&
          (In == EK_NO_TASK || PerByte(U) - Wait(U) > PerByte(In) - Wait(In)))
        In = U;
      if (Fast[U] > 0 && !CameIn[U] &&
          (Out == EK_NO_TASK ||
           PerByte(U) + Wait(U) < PerByte(Out) + Wait(Out)))
        Out = U;
    }
    uint32_t In = EK_NO_TASK, Out = EK_NO_TASK;
    double Most = 0;
    auto Consider = [&](uint32_t A, uint32_t B) {
      // What is allocated before the other has left finds no room.
      if (B != EK_NO_TASK && Lives[B] && !Lives[A])
        if (size_t H = FirstUse(A); H < R.Start.size() && R.Start[H] < Arrives)
          return;
      double Loss = Wait(A) + (B == EK_NO_TASK ? 0 : PerByte(B) + Wait(B));
      const int Copies = Lives[A] + (B != EK_NO_TASK && Lives[B]);
      double Net = PerByte(A) - (Lives[A] ? Margin : 1) * Loss -
                   Disturbance * CopyPerByte * Copies;
      if (Net > Most) {
        Most = Net;
        In = A;
        Out = B;
      }
    };
    for (size_t H = 0; H < Free.size(); ++H)
      FullBefore[H + 1] = FullBefore[H] + (Free[H] < StepBytes);
    for (const auto &[Comes, I] : Lifetimes) {
      const uint32_t A = Best[I].first;
      if (A == EK_NO_TASK)
        continue;
      if (Room(A) >= 4096) // less than a page of room is none
        Consider(A, EK_NO_TASK);
      if (Lifetimes.size() > MostLifetimes) {
        if (const uint32_t B = Best[I].second; B != EK_NO_TASK && A != B)
          Consider(A, B);
        continue;
      }
      for (const auto &[Goes, K] : Lifetimes)
        if (const uint32_t B = Best[K].second;
            B != EK_NO_TASK && A != B &&
            Full(Comes.first, std::min(Comes.second, Goes.first)) == 0 &&
            Full(std::max(Comes.first, Goes.second), Comes.second) == 0)
          Consider(A, B);
    }
    if (In == EK_NO_TASK)
      break;
    if (R.WaitPerPage.empty()) { // there is one: now with waits
      findWaits(R, P, M);
      findUsers(R, N);
      continue;
    }
    double Bytes = std::min(
        {StepBytes, (1 - Fast[In]) * P.Units[In].Bytes,
         Out == EK_NO_TASK ? Room(In) : Fast[Out] * P.Units[Out].Bytes});
    auto Shift = [&](uint32_t U, double Share) {
      Fast[U] = std::clamp(Fast[U] + Share, 0.0, 1.0);
      for (size_t I = R.UsersOf[U]; I < R.UsersOf[U + 1]; ++I) {
        auto [H, T] = R.Users[I];
        Row &X = R.Phases[H][T];
        for (const Run &Y : X.Runs)
          if (U - Y.First < Y.Count)
            X.Seconds -= R.Gains[H][Y.At + U - Y.First] * Share * R.Worth[H] *
                         (Lives[U] ? Left[H] : 1);
        R.Changed[H] = true;
      }
      Spend(U, Share * P.Units[U].Bytes);
      Waited += std::fabs(Share) * P.Units[U].Bytes * Wait(U);
      if (Lives[U])
        Copied += std::fabs(Share) * P.Units[U].Bytes * CopyPerByte;
    };
    Shift(In, Bytes / P.Units[In].Bytes);
    CameIn[In] = Lives[In];
    if (Out != EK_NO_TASK) {
      Shift(Out, -Bytes / P.Units[Out].Bytes);
      WentOut[Out] = Lives[Out];
    }
    Steps.push_back({In, Out, Bytes, Copied});
  }
  if (Before - Least.Seconds <=
      Margin * Least.Waited + Disturbance * Least.Copied)
    return {AtFirst, {}, 0};
  Trades Out{std::move(Fast), std::move(Steps), Copied, std::move(R.Worth)};
  keepFirst(Out, Least.Steps, P);
  return Out;
}

void evenkeel::keepFirst(Trades &T, size_t Steps, const Problem &P) {
  for (; T.Steps.size() > Steps; T.Steps.pop_back()) {
    const TradeStep &S = T.Steps.back();
    auto Back = [&](uint32_t U, double Bytes) {
      T.Fast[U] = std::clamp(T.Fast[U] + Bytes / P.Units[U].Bytes, 0.0, 1.0);
    };
    Back(S.In, -S.Bytes);
    if (S.Out != EK_NO_TASK)
      Back(S.Out, S.Bytes);
  }
  T.CopySeconds = T.Steps.empty() ? 0 : T.Steps.back().Copied;
}
