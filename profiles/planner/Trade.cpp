//===- Trade.cpp - a better placement by few moves ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Trade.h. A phase lasts as long as its slowest task, so only gains of slow
// tasks count. The maximum is smoothed: task t of phase h has the weight
//   exp((T_t - max T) / s) / sum,   s = 2 % of max T
// (the gradient of the log-sum-exp bound, Nesterov 2005), which makes the
// remaining seconds a differentiable function of the shares. Each step takes
// the unit with the largest gain per byte into the fast tier and the one with
// the smallest out of it, at most 64 KiB at once, or a small part of a large
// fast tier. Steps are made in rounds, with the gains at the start of the
// round: of a long search, a step changes little. A round has a fixed share of
// the steps before it, and one step after a round in vain. The search ends when
// the gain no longer exceeds the loss and the cost of copying, or when steps no
// longer improve anything.
// Moves are copied one after the other while the next phases run, so later
// moves gain less; data not used until then moves at no cost (as with Unimem's
// helper thread, Wu et al., SC 2017). Latencies are those at the start;
// keepWhatPays (HookPlanner.h) makes the final decision.
//===----------------------------------------------------------------------===//
#include "Trade.h"
#include "FewBest.h"
#include "Remaining.h"
#include "models/Phase.h"
#include "models/shares/Fixed.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

using namespace evenkeel;

namespace {

double mostAtOnce(const Problem &P) {
  return std::max(figures().TradeStepBytes,
                  P.FastBytes / figures().TradeStepParts);
}

/// Free bytes of the fast tier in the phases after a hook.
class Room {
  struct Stretch { // consecutive phases between allocations and frees
    uint32_t From;
    double Free;
  };
  std::vector<Stretch> All;
  double Most, Step;

public:
  Room(const Problem &P, uint32_t Hook)
      : Most(P.FastBytes), Step(mostAtOnce(P)) {
    std::set<uint32_t> Begin{Hook + 1};
    for (const PredictedInstance &I : P.Instances)
      for (uint32_t H :
           {I.AllocPhase,
            I.FreePhase == EK_NO_TASK ? EK_NO_TASK : I.FreePhase + 1})
        if (H > Hook && !P.Phases.empty() && H <= P.Phases.back().Phase)
          Begin.insert(H);
    if (!P.Phases.empty() && P.Phases.back().Phase > Hook)
      for (uint32_t H : Begin)
        All.push_back({H, P.FastBytes});
  }
  void spend(const PredictedInstance &I, double Bytes) {
    for (Stretch &X : All)
      if (isLive(I, X.From))
        X.Free -= Bytes;
  }
  double least(const PredictedInstance &I) const {
    double Least = Most;
    for (const Stretch &X : All)
      if (isLive(I, X.From))
        Least = std::min(Least, X.Free);
    return Least;
  }
  /// Whether some phase of [From, To) has no room for a step.
  bool isFull(uint32_t From, uint32_t To) const {
    for (size_t K = 0; K < All.size() && All[K].From < To; ++K)
      if (All[K].Free < Step && From < To &&
          (K + 1 == All.size() || From < All[K + 1].From))
        return true;
    return false;
  }
};

class Trader {
  const Problem &P;
  const uint32_t Hook;
  const Machine &M;
  const double Disturbs; // share of the copying time
  const double StepBytes;
  Remaining Rest;
  const size_t N;
  std::vector<double> Fast, PerByte; // by unit; 1 / its bytes
  std::vector<char> Lives;
  double CopyPerByte;
  using Lifetime = std::pair<uint32_t, uint32_t>; // phases, the first and last
  std::map<Lifetime, uint32_t> Lifetimes;
  std::vector<std::pair<uint32_t, uint32_t>> Movable; // units, their lifetime
  Room Free;
  std::vector<double> Value; // by unit: seconds that it saves
  std::vector<double> Whole; // the same without the discount
  // Data copied in one direction is not copied back: each copy would gain what
  // the phases had left at that time, and lose less at the next.
  std::vector<char> CameIn, WentOut;
  std::vector<FewBest> Incoming, Outgoing; // units, by lifetime
  std::vector<TradeStep> Steps;
  double Cost = 0;   // seconds that tasks lose by the trades so far
  double Copied = 0; // seconds of copying for the trades so far
  double Arrives = 0;
  bool KnowsWaits = false;
  const std::vector<double> *Waits = nullptr; // by unit, in the running phase

public:
  Trader(const Problem &P, std::vector<double> Start, uint32_t Hook,
         const Machine &M, const Model &Mod, bool MoveLive)
      : P(P), Hook(Hook), M(M), Disturbs(disturbance(P, Hook, M)),
        StepBytes(mostAtOnce(P)), Rest(P, Start, Hook, M, Mod),
        N(P.Units.size()), Fast(std::move(Start)), Lives(N), Free(P, Hook),
        Value(N), Whole(N), CameIn(N), WentOut(N) {
    CopyPerByte =
        M.MigrationPageUs * 1e-6 / EK_PAGE +
        (M.MigrationBandwidthGBps > 0 ? 1 / (M.MigrationBandwidthGBps * 1e9)
                                      : 0);
    if (MoveLive)
      Rest.findWorth(CopyPerByte);
    for (uint32_t U = 0; U < N; ++U) {
      PerByte.push_back(P.Units[U].Bytes > 0 ? 1 / P.Units[U].Bytes : 0);
      Lives[U] = of(U).AllocPhase <= Hook;
      if (Fast[U] > 0 && takesRoom(P, U))
        Free.spend(of(U), Fast[U] * P.Units[U].Bytes);
    }
    findLifetimes(MoveLive);
    Incoming.resize(Lifetimes.size());
    Outgoing.resize(Lifetimes.size());
  }

  Trades run();

private:
  const PredictedInstance &of(uint32_t U) const {
    return P.Instances[P.Units[U].Instance];
  }
  double perByte(uint32_t U) const { return Value[U] * PerByte[U]; }
  /// The fraction of the costs of copying \p U that counts now: the rest is to
  /// be paid at a later hook, for the gains that can still be had then.
  double due(uint32_t U) const {
    return Whole[U] > 0 ? std::clamp(Value[U] / Whole[U], 0.0, 1.0) : 1;
  }
  double wait(uint32_t U) const { // per byte
    return Lives[U] && Waits ? (*Waits)[U] : 0;
  }
  void findLifetimes(bool MoveLive);
  void value();
  void findBest(size_t Most);
  std::pair<uint32_t, uint32_t> choose() const;
  void shift(uint32_t U, double Share);
  void trade(uint32_t In, uint32_t Out);
  bool tradeRound(size_t Most);
};

/// The outgoing unit must make room in all phases in which the incoming one
/// finds none.
void Trader::findLifetimes(bool MoveLive) {
  for (uint32_t U = 0; U < N; ++U) {
    const PredictedInstance &I = of(U);
    const bool Gone = I.FreePhase != EK_NO_TASK && I.FreePhase <= Hook;
    if (P.Units[U].Bytes > 0 && !Gone && !isFixed(I) && (!Lives[U] || MoveLive))
      Movable.emplace_back(
          U, Lifetimes
                 .try_emplace(
                     {std::max(I.AllocPhase, Hook + 1),
                      I.FreePhase == EK_NO_TASK ? EK_NO_TASK : I.FreePhase + 1},
                     uint32_t(Lifetimes.size()))
                 .first->second);
  }
}

/// The gain of each unit if the middle of the next step, one page out and one
/// in, comes after half of both copies.
void Trader::value() {
  Arrives = Copied + StepBytes * CopyPerByte;
  Rest.arrive(Arrives);
  Waits = KnowsWaits ? Rest.waits(M) : nullptr;
  std::fill(Value.begin(), Value.end(), 0.0);
  std::fill(Whole.begin(), Whole.end(), 0.0);
  Rest.addValues(Lives, Value, Whole);
}

/// There are few distinct lifetimes, so compare the best of each with the worst
/// of each.
void Trader::findBest(size_t Most) {
  for (FewBest &X : Incoming)
    X.clear(Most);
  for (FewBest &X : Outgoing)
    X.clear(Most);
  for (const auto [U, L] : Movable) {
    const double Its = perByte(U), Waiting = wait(U);
    if (Its > Incoming[L].least() && Fast[U] < 1 && !WentOut[U])
      if (const double Net = Waiting > 0 ? Its - due(U) * Waiting : Its;
          Net > Incoming[L].least())
        Incoming[L].add(Net, U);
    if (-(Its + Waiting) > Outgoing[L].least() && Fast[U] > 0 && !CameIn[U])
      Outgoing[L].add(-(Its + Waiting), U);
  }
}

/// The pair of units with the largest gain per byte among allowed trades; none
/// if no trade pays.
std::pair<uint32_t, uint32_t> Trader::choose() const {
  uint32_t In = EK_NO_TASK, Out = EK_NO_TASK;
  double Most = 0;
  auto Consider = [&](uint32_t A, uint32_t B) {
    // A unit allocated before the other has left finds no room.
    if (B != EK_NO_TASK && Lives[B] && !Lives[A] &&
        Rest.startOf(of(A).AllocPhase) < Arrives)
      return;
    const double Waiting = wait(A) + (B == EK_NO_TASK ? 0 : wait(B));
    const double Loss = due(A) * Waiting + (B == EK_NO_TASK ? 0 : perByte(B));
    const int Copies = Lives[A] + (B != EK_NO_TASK && Lives[B]);
    const double Net =
        perByte(A) - Loss - Disturbs * CopyPerByte * Copies * due(A);
    if (Net > Most) {
      Most = Net;
      In = A;
      Out = B;
    }
  };
  for (const auto &[Comes, I] : Lifetimes) {
    const uint32_t A = Incoming[I].first();
    if (A == EK_NO_TASK)
      continue;
    if (Free.least(of(A)) >= EK_PAGE) // less room than a page counts as none
      Consider(A, EK_NO_TASK);
    if (Lifetimes.size() > figures().MostLifetimes) {
      if (const uint32_t B = Outgoing[I].first(); B != EK_NO_TASK && A != B)
        Consider(A, B);
      continue;
    }
    for (const auto &[Goes, K] : Lifetimes)
      if (const uint32_t B = Outgoing[K].first();
          B != EK_NO_TASK && A != B &&
          !Free.isFull(Comes.first, std::min(Comes.second, Goes.first)) &&
          !Free.isFull(std::max(Comes.first, Goes.second), Comes.second))
        Consider(A, B);
  }
  return {In, Out};
}

void Trader::shift(uint32_t U, double Share) {
  Fast[U] = std::clamp(Fast[U] + Share, 0.0, 1.0);
  Rest.shift(U, Share, Lives[U]);
  Free.spend(of(U), Share * P.Units[U].Bytes);
  if (Lives[U])
    Copied += std::fabs(Share) * P.Units[U].Bytes * CopyPerByte;
}

void Trader::trade(uint32_t In, uint32_t Out) {
  const double Before = Copied, Due = due(In);
  const double Moved =
      std::min({StepBytes, (1 - Fast[In]) * P.Units[In].Bytes,
                Out == EK_NO_TASK ? Free.least(of(In))
                                  : Fast[Out] * P.Units[Out].Bytes});
  const double Waiting = wait(In) + (Out == EK_NO_TASK ? 0 : wait(Out));
  shift(In, Moved / P.Units[In].Bytes);
  CameIn[In] = Lives[In];
  if (Out != EK_NO_TASK) {
    shift(Out, -Moved / P.Units[Out].Bytes);
    WentOut[Out] = Lives[Out];
  }
  Cost += Due * (Moved * Waiting + Disturbs * (Copied - Before));
  Steps.push_back({In, Out, Moved, Copied});
}

/// A round of at most \p Most trades. False: none pays.
bool Trader::tradeRound(size_t Most) {
  for (size_t Made = 0; Made < Most; ++Made) {
    const auto [In, Out] = choose();
    if (In == EK_NO_TASK)
      return Made > 0;
    trade(In, Out);
    bool UsedUp = false;
    for (std::vector<FewBest> *All : {&Incoming, &Outgoing})
      for (FewBest &X : *All) {
        auto IsDone = [&](uint32_t U) {
          return All == &Incoming ? Fast[U] >= 1 || WentOut[U]
                                  : Fast[U] <= 0 || CameIn[U];
        };
        while (X.first() != EK_NO_TASK && IsDone(X.first()))
          X.use();
        UsedUp |= X.isUsedUp();
      }
    if (UsedUp)
      break;
  }
  return true;
}

Trades Trader::run() {
  Rest.arrive(0);
  const double Before = Rest.seconds();
  const std::vector<double> AtFirst = Fast;
  struct {
    size_t Steps = 0;
    double Smoothed = std::numeric_limits<double>::infinity();
    double Seconds = 0, Cost = 0;
  } Least;
  for (unsigned Step = 0; Step < figures().MostTradeSteps; ++Step) {
    value();
    if (const double Smoothed = Rest.smoothed(); Smoothed < Least.Smoothed)
      Least = {Steps.size(), Smoothed, Rest.seconds(), Cost};
    else if (Steps.size() - Least.Steps >= figures().VainSteps)
      break;
    const size_t Most =
        Least.Steps < Steps.size()
            ? 1
            : size_t(1 + double(Steps.size()) / figures().TradeRoundParts);
    findBest(Most);
    if (KnowsWaits ? !tradeRound(Most) : choose().first == EK_NO_TASK)
      break;
    KnowsWaits = true; // a trade pays: check again with waits
  }
  if (Before - Least.Seconds <= Least.Cost)
    return {AtFirst, {}, 0};
  Trades Out{std::move(Fast), std::move(Steps), Copied, Rest.worth()};
  keepFirst(Out, Least.Steps, P);
  return Out;
}

} // namespace

Trades evenkeel::tradeAtHook(const Problem &P, std::vector<double> Fast,
                             uint32_t Hook, const Machine &M, const Model &Mod,
                             bool MoveLive) {
  return Trader(P, std::move(Fast), Hook, M, Mod, MoveLive).run();
}

double evenkeel::disturbance(const Problem &P, uint32_t Hook,
                             const Machine &M) {
  uint32_t Busy = 0;
  for (const PredictedPhase &H : P.Phases)
    if (H.Phase > Hook)
      Busy = std::max(Busy, H.Tasks.empty() || H.Tasks[0].Explicit
                                ? uint32_t(H.Workers)
                                : uint32_t(H.Tasks.size()));
  return Busy >= M.Cores ? 1 : figures().Disturbance;
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
