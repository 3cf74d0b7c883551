//===- Trade.cpp - a better placement, few moves away ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trade.h. A phase lasts as long as its slowest task, so only what helps
// slow tasks counts. The maximum is smoothed: task t of phase h weighs
//   exp((T_t - max T) / s) / sum,   s = 2 % of max T
// (the gradient of the log-sum-exp bound, Nesterov 2005), which makes the
// remaining seconds a differentiable function of the shares. Each step takes
// the unit with the largest gain per byte into the fast tier and the one with
// the smallest out of it, at most 64 KiB at once; it ends when the gain per
// byte is below the cost of the two moves. Latencies stay those of the start.
//===----------------------------------------------------------------------===//
#include "Trade.h"
#include "Phase.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace {

constexpr double Smoothing = 0.02;
constexpr double Hedge = 0.05; // of the mean task time, as in Balanced.cpp
constexpr double StepBytes = 64 * 1024;
constexpr unsigned MostSteps = 4096;

/// One task of a phase to come: its time and what each unit saves it.
struct Row {
  double Seconds = 0;
  std::vector<std::pair<uint32_t, double>> Gain; // unit, seconds
};

struct Rest {
  std::vector<std::vector<Row>> Phases;
  std::vector<std::vector<std::pair<uint32_t, uint32_t>>> UsersOf; // by unit

  double seconds() const {
    double Sum = 0;
    for (const auto &H : Phases) {
      double Longest = 0;
      for (const Row &R : H)
        Longest = std::max(Longest, R.Seconds);
      Sum += Longest;
    }
    return Sum;
  }
};

Rest restOf(const Problem &P, const std::vector<double> &Fast, uint32_t Hook,
            const Machine &M, const Model &Mod) {
  Rest R;
  R.UsersOf.resize(P.Units.size());
  std::vector<double> Gains;
  for (const PredictedPhase &H : P.Phases) {
    if (H.Phase <= Hook)
      continue;
    PhaseState S = phaseState(H, Fast, M, Mod);
    R.Phases.emplace_back();
    bool Explicit =
        std::any_of(H.Tasks.begin(), H.Tasks.end(),
                    [](const PredictedTask &T) { return T.Explicit; });
    for (size_t T = 0; T < H.Tasks.size(); ++T) {
      const TaskDemand &D = H.Tasks[T].Demand;
      Mod.gains(D, M, S.LatencyNs, Gains);
      // Explicit tasks share the workers: their sum counts, not the longest.
      double Part = Explicit ? 1.0 / std::max(1u, H.Workers) : 1;
      if (!Explicit || T == 0)
        R.Phases.back().emplace_back();
      Row &X = R.Phases.back().back();
      X.Seconds += S.TaskSeconds[T] * Part;
      for (size_t U = 0; U < D.Units.size(); ++U)
        X.Gain.emplace_back(D.Units[U].Unit, Gains[U] * Part);
    }
  }
  for (uint32_t H = 0; H < R.Phases.size(); ++H)
    for (uint32_t T = 0; T < R.Phases[H].size(); ++T)
      for (const auto &Entry : R.Phases[H][T].Gain) {
        // A row of many tasks names what several of them use several times.
        auto &Users = R.UsersOf[Entry.first];
        if (Users.empty() || Users.back() != std::make_pair(H, T))
          Users.emplace_back(H, T);
      }
  return R;
}

} // namespace

std::vector<double>
evenkeel::tradeAtHook(const Problem &P, std::vector<double> Fast, uint32_t Hook,
                      const Machine &M, const Model &Mod, double SecondsPerByte,
                      double Margin) {
  Rest R = restOf(P, Fast, Hook, M, Mod);
  const double Before = R.seconds();
  const size_t N = P.Units.size();
  auto Gone = [&](const PredictedInstance &I) {
    return I.FreePhase != EK_NO_TASK && I.FreePhase <= Hook;
  };
  auto Cost = [&](uint32_t U) { // of one byte
    return P.Instances[P.Units[U].Instance].AllocPhase > Hook ? 0
                                                              : SecondsPerByte;
  };
  // Both partners hold memory in the same phases to come, so that a trade
  // changes no phase's total.
  auto Lifetime = [&](uint32_t U) {
    const PredictedInstance &I = P.Instances[P.Units[U].Instance];
    return std::make_pair(std::max(I.AllocPhase, Hook + 1), I.FreePhase);
  };
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
  std::vector<double> Value(N), Start = Fast;
  double Paid = 0;
  for (unsigned Step = 0; Step < MostSteps; ++Step) {
    std::fill(Value.begin(), Value.end(), 0.0);
    for (const auto &H : R.Phases) {
      double Longest = 0, Sum = 0;
      for (const Row &X : H)
        Longest = std::max(Longest, X.Seconds);
      if (Longest <= 0)
        continue;
      for (const Row &X : H)
        Sum += std::exp((X.Seconds - Longest) / (Smoothing * Longest));
      for (const Row &X : H) {
        double Weight =
            std::exp((X.Seconds - Longest) / (Smoothing * Longest)) / Sum +
            Hedge / static_cast<double>(H.size());
        for (auto [U, G] : X.Gain)
          Value[U] += Weight * G;
      }
    }
    // Per byte; the best pair that may be traded. Few lifetimes occur, so the
    // best of each is compared with the worst of the same.
    std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>> Best;
    for (uint32_t U = 0; U < N; ++U) {
      const Unit &X = P.Units[U];
      if (X.Bytes <= 0 || Gone(P.Instances[X.Instance]))
        continue;
      auto [It, New] = Best.try_emplace(Lifetime(U), EK_NO_TASK, EK_NO_TASK);
      auto Net = [&](uint32_t V, double Sign) {
        return Sign * Value[V] / P.Units[V].Bytes - Margin * Cost(V);
      };
      auto &[In, Out] = It->second;
      if (Fast[U] < 1 && (In == EK_NO_TASK || Net(U, 1) > Net(In, 1)))
        In = U;
      if (Fast[U] > 0 && (Out == EK_NO_TASK || Net(U, -1) > Net(Out, -1)))
        Out = U;
    }
    uint32_t In = EK_NO_TASK, Out = EK_NO_TASK;
    double Most = 0;
    for (const auto &Entry : Best) {
      auto [A, B] = Entry.second;
      if (A == EK_NO_TASK)
        continue;
      // Less than a page of room is none.
      if (double Net = Value[A] / P.Units[A].Bytes - Margin * Cost(A);
          Net > Most && Room(A) >= 4096) {
        Most = Net;
        In = A;
        Out = EK_NO_TASK;
      }
      if (B == EK_NO_TASK || A == B)
        continue;
      double Net = Value[A] / P.Units[A].Bytes - Value[B] / P.Units[B].Bytes -
                   Margin * (Cost(A) + Cost(B));
      if (Net > Most) {
        Most = Net;
        In = A;
        Out = B;
      }
    }
    if (In == EK_NO_TASK)
      break;
    double Bytes = std::min(
        {StepBytes, (1 - Fast[In]) * P.Units[In].Bytes,
         Out == EK_NO_TASK ? Room(In) : Fast[Out] * P.Units[Out].Bytes});
    auto Shift = [&](uint32_t U, double Share) {
      Fast[U] = std::clamp(Fast[U] + Share, 0.0, 1.0);
      for (auto [H, T] : R.UsersOf[U])
        for (auto [V, G] : R.Phases[H][T].Gain)
          if (V == U)
            R.Phases[H][T].Seconds -= G * Share;
    };
    Shift(In, Bytes / P.Units[In].Bytes);
    Spend(In, Bytes);
    if (Out != EK_NO_TASK) {
      Shift(Out, -Bytes / P.Units[Out].Bytes);
      Spend(Out, -Bytes);
    }
  }
  for (uint32_t U = 0; U < N; ++U)
    Paid += std::fabs(Fast[U] - Start[U]) * P.Units[U].Bytes * Cost(U);
  return Before - R.seconds() > Margin * Paid ? Fast : Start;
}
