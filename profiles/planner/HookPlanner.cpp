//===- HookPlanner.cpp - planning again at hooks --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookPlanner.h.
//===----------------------------------------------------------------------===//
#include "HookPlanner.h"
#include "Arbiter.h"
#include "Draws.h"
#include "HooksToWeigh.h"
#include "models/Phase.h"
#include "predict/measured/TaskTypes.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

using namespace evenkeel;

void PhaseLog::predicted(const PredictedPhase &H,
                         const std::vector<double> &Seconds) {
  // Equal phases are logged close together, with few others in between.
  auto Same = std::find_if(Last.begin(), Last.end(), [&](const Equal &X) {
    return X.Tasks.id() == H.Tasks.id() && X.Seconds == Seconds;
  });
  if (Same == Last.end() || !H.Tasks.id()) {
    Expectations Its;
    for (size_t T = 0; T < H.Tasks.size(); ++T)
      Its[{H.Tasks[T].Explicit, H.Tasks[T].Index}] =
          expectationOf(H.Tasks[T], Seconds[T]);
    if (Last.size() == MostEqual)
      Last.pop_back();
    Last.push_front({H.Tasks, Seconds,
                     std::make_shared<const Expectations>(std::move(Its))});
    Same = Last.begin();
  }
  if (Said.size() <= H.Phase)
    Said.resize(H.Phase + 1);
  Said[H.Phase] = Same->Its;
  Forgotten = std::min(Forgotten, H.Phase);
}

void PhaseLog::placed(const PredictedPhase &H, const Problem &P,
                      const std::vector<double> &Fast) {
  auto &Into = Placed[H.Phase];
  Into.clear();
  for (size_t U = 0; U < Fast.size(); ++U)
    Into.push_back(
        {P.Units[U].Instance, P.Units[U].From, P.Units[U].To, Fast[U]});
}

/// Divides the times of each region's explicit tasks among those of the plan,
/// in proportion to the predictions: a run does not know their numbers.
static void spreadExplicit(MeasuredPhase &H) {
  std::map<uint64_t, MeasuredPhase::TaskSum> Predicted;
  for (const auto &[Task, Its] : H.Expected)
    if (Task.first) {
      ++Predicted[Its.Region].Tasks;
      Predicted[Its.Region].Seconds += Its.Seconds;
    }
  for (const auto &[Task, Its] : H.Expected) {
    const auto Ran = H.ExplicitSums.find(Its.Region);
    if (!Task.first || Ran == H.ExplicitSums.end() || !Ran->second.Tasks)
      continue;
    const MeasuredPhase::TaskSum &All = Predicted[Its.Region];
    if (All.Seconds > 0)
      H.ExplicitSeconds[Task.second] =
          Its.Seconds * (Ran->second.Seconds / double(Ran->second.Tasks)) /
          (All.Seconds / double(All.Tasks));
  }
}

void PhaseLog::ended(MeasuredPhase H) {
  if (H.Phase < Said.size() && Said[H.Phase])
    H.Expected = *Said[H.Phase];
  spreadExplicit(H);
  for (; Forgotten <= H.Phase && Forgotten < Said.size(); ++Forgotten)
    Said[Forgotten].reset();
  if (auto It = Placed.find(H.Phase); It != Placed.end())
    H.Placed = std::move(It->second);
  Placed.erase(Placed.begin(), Placed.upper_bound(H.Phase));
  Measured.push_back(std::move(H));
}

/// See predictWhileMoving. \p Alike are the groups of phases from \p From on;
/// \p Drawn, if not empty, has a phase for each group in its stead.
static double runWhileMoving(const Problem &P, const AlikePhases &Alike,
                             const std::vector<PredictedPhase> &Drawn,
                             uint32_t From, const std::vector<double> &Now,
                             const Trades &Moves, const Machine &M,
                             const Model &Mod, const SayTimes &Say,
                             std::vector<double> *PhaseSeconds) {
  // Live data is copied in the order of the steps, at a constant rate.
  auto Copied = [&](uint32_t U) {
    return U != EK_NO_TASK && P.Instances[P.Units[U].Instance].AllocPhase < From
               ? 1.0
               : 0.0;
  };
  std::vector<double> Arrives; // by step, seconds from the hook
  double Bytes = 0;
  for (const TradeStep &S : Moves.Steps)
    Arrives.push_back(Bytes += S.Bytes * (Copied(S.In) + Copied(S.Out)));
  for (double &X : Arrives)
    X = Bytes > 0 ? Moves.CopySeconds * X / Bytes : 0;
  struct Settled { // of a group, after all copies
    double Long = -1;
    std::vector<double> Seconds;
  };
  std::vector<Settled> Its(Alike.First.size());
  double Start = 0;
  for (size_t K = 0; K < P.Phases.size(); ++K) {
    if (Alike.Of[K] == AlikePhases::None)
      continue;
    const PredictedPhase &H = Drawn.empty() ? P.Phases[K] : Drawn[Alike.Of[K]];
    Settled &Then = Its[Alike.Of[K]];
    if (Then.Long < 0)
      Then.Long = phaseSeconds(H, Moves.Fast, M, Mod, &Then.Seconds);
    if (Arrives.empty() || Arrives.back() <= Start) {
      if (PhaseSeconds)
        PhaseSeconds->push_back(Then.Long);
      Start += Then.Long;
      if (Say)
        Say(H, Then.Seconds, Moves.Fast);
      continue;
    }
    // The mean shares of units during the phase.
    std::vector<double> Fast = Moves.Fast, Seconds;
    const double End = Start + Then.Long;
    for (size_t I = Moves.Steps.size(); I-- > 0 && Arrives[I] > Start;) {
      const TradeStep &S = Moves.Steps[I];
      const double Before =
          End > Start ? std::min(1.0, (Arrives[I] - Start) / (End - Start)) : 1;
      Fast[S.In] -= Before * S.Bytes / P.Units[S.In].Bytes;
      if (S.Out != EK_NO_TASK)
        Fast[S.Out] += Before * S.Bytes / P.Units[S.Out].Bytes;
    }
    for (size_t U = 0; U < Fast.size(); ++U)
      Fast[U] = std::clamp(Fast[U], std::min(Now[U], Moves.Fast[U]),
                           std::max(Now[U], Moves.Fast[U]));
    const double Long = phaseSeconds(H, Fast, M, Mod, &Seconds);
    if (PhaseSeconds)
      PhaseSeconds->push_back(Long);
    Start += Long;
    if (Say)
      Say(H, Seconds, Fast);
  }
  return Start;
}

double evenkeel::predictWhileMoving(const Problem &P, uint32_t From,
                                    const std::vector<double> &Now,
                                    const Trades &Moves, const Machine &M,
                                    const Model &Mod, const SayTimes &Say,
                                    std::vector<double> *PhaseSeconds) {
  return runWhileMoving(P, AlikePhases(P, From), {}, From, Now, Moves, M, Mod,
                        Say, PhaseSeconds);
}

HookedRun evenkeel::predictWithHooks(const Problem &P,
                                     const std::vector<double> &Fast,
                                     const Machine &M, const Model &Mod) {
  HookedRun Out;
  std::vector<size_t> Hooks; // ends of teams and of tasks, except the last
  for (size_t H = 0; H + 1 < P.Phases.size(); ++H)
    if (P.Phases[H].Tasks.size() > 1)
      Hooks.push_back(H);
  const AlikePhases Alike(P);
  std::vector<HookKind> Kinds;
  for (size_t H : Hooks)
    Kinds.push_back({P.Phases[H].Region, P.Phases[H + 1].Region});
  const std::vector<size_t> Weighed =
      hooksToWeigh(Kinds, size_t(figures().MostHooksWeighed));
  auto Between = [&](size_t H) {
    return std::make_pair(Alike.Of[H], Alike.Of[H + 1]);
  };
  std::set<std::pair<uint32_t, uint32_t>> InVain; // between phases of groups
  std::map<HookKind, bool> Moved; // by kind: whether a weighed hook moves
  std::vector<double> Now = Fast, Seconds;
  Trades Moves{Fast, {}, 0};
  size_t Next = 0; // index of the first phase that has not run
  auto Run = [&](uint32_t From) {
    Seconds.clear();
    predictWhileMoving(P, From, Now, Moves, M, Mod, nullptr, &Seconds);
  };
  Run(0);
  size_t Ran = 0; // of the phases in Seconds
  for (size_t I : Weighed) {
    const size_t At = Hooks[I];
    const uint32_t Hook = P.Phases[At].Phase;
    if (Moves.Steps.empty() && InVain.count(Between(At))) {
      Moved.emplace(Kinds[I], false);
      continue;
    }
    const auto Begin = Seconds.begin() + ptrdiff_t(Ran),
               End = Begin + ptrdiff_t(At + 1 - Next);
    const double Meanwhile = std::accumulate(Begin, End, 0.0);
    if (!Moves.Steps.empty() && Moves.Steps.back().Copied > Meanwhile)
      continue; // hooks wait for moves to end
    Next = At + 1;
    Out.Seconds += Meanwhile;
    Now = Moves.Fast;
    Moves = tradeAtHook(P, Now, Hook, M, Mod);
    keepWhatPays(P, Now, Moves, Hook, M, Mod);
    Moved[Kinds[I]] |= !Moves.Steps.empty();
    if (Moves.Steps.empty()) {
      InVain.insert(Between(At));
    } else {
      InVain.clear();
      Out.Changes.push_back({Hook + 1, Moves.Fast});
    }
    Run(Hook + 1);
    Ran = 0;
  }
  for (size_t I = 0; I < Hooks.size(); ++I)
    if (!std::binary_search(Weighed.begin(), Weighed.end(), I)) {
      const auto Its = Moved.find(Kinds[I]);
      Out.Left += Its == Moved.end() || Its->second;
    }
  Out.Seconds +=
      std::accumulate(Seconds.begin() + ptrdiff_t(Ran), Seconds.end(), 0.0);
  return Out;
}

namespace {

/// Judges moves at a hook, against staying, on draws of the phases to come.
class HookArbiter {
  const std::vector<double> &Now, &Worth; // by unit; by phase after the hook
  const uint32_t Hook;
  const Machine &M;
  const Model &Mod;
  const AlikePhases &Alike;
  const double Disturbs;
  const Problem &P;
  std::vector<std::vector<PredictedPhase>> Drawn; // by draw and group
  std::vector<std::vector<double>> Stay;          // by draw and phase: seconds

  std::vector<double> times(size_t Draw, const Trades &T) {
    std::vector<double> Out;
    runWhileMoving(P, Alike, Drawn[Draw], Hook + 1, Now, T, M, Mod, nullptr,
                   &Out);
    return Out;
  }

public:
  HookArbiter(const Problem &P, const AlikePhases &Alike,
              const std::vector<double> &Now, const std::vector<double> &Worth,
              uint32_t Hook, const Machine &M, const Model &Mod)
      : Now(Now), Worth(Worth), Hook(Hook), M(M), Mod(Mod), Alike(Alike),
        Disturbs(disturbance(P, Hook, M)), P(P),
        Drawn(size_t(figures().HookDraws)) {
    for (uint32_t H : Alike.First) {
      const PhaseDraws Of(P, P.Phases[H]);
      for (size_t D = 0; D < Drawn.size(); ++D)
        Drawn[D].push_back(Of.draw(unsigned(D)));
    }
    for (size_t D = 0; D < Drawn.size(); ++D)
      Stay.push_back(times(D, {Now, {}, 0}));
  }

  /// A gain that a later hook could bring as well counts only in part; the time
  /// of its phase and the cost of copying are weighed alike. A loss is compared
  /// with all that is left of the run, because later hooks can undo the moves.
  Standing standing(const Trades &T) {
    std::vector<double> Ratios;
    double Rest = 0, Concerned = 0;
    for (size_t D = 0; D < Drawn.size(); ++D) {
      const std::vector<double> Move = times(D, T);
      double All = 0, Gain = 0, Now = 0;
      for (size_t H = 0; H < Move.size(); ++H) {
        Rest += Stay[D][H];
        All += Worth[H] * Stay[D][H];
        Gain += Stay[D][H] - Move[H];
        Now += Worth[H] * (Stay[D][H] - Move[H]);
      }
      Concerned += All;
      const double Due = Gain > 0 ? std::clamp(Now / Gain, 0.0, 1.0) : 1;
      const double Ours = All - Now + Due * Disturbs * T.CopySeconds;
      Ratios.push_back(All > 0 ? Ours / All : 1);
    }
    Standing Of = standingOf(std::move(Ratios));
    if (Rest > 0)
      Of.Bad = 1 + (Of.Bad - 1) * Concerned / Rest;
    return Of;
  }
};

} // namespace

void evenkeel::keepWhatPays(const Problem &P, const std::vector<double> &Now,
                            Trades &T, uint32_t Hook, const Machine &M,
                            const Model &Mod) {
  if (T.Steps.empty())
    return;
  const AlikePhases Alike(P, Hook + 1);
  HookArbiter Judge(P, Alike, Now, T.Worth, Hook, M, Mod);
  // The first moves gain most per byte, so what pays is a beginning of the
  // list.
  std::vector<Standing> Of{{}};
  std::vector<size_t> Steps{0};
  for (Trades Part = T; !Part.Steps.empty();
       keepFirst(Part, Part.Steps.size() / 2, P)) {
    Steps.push_back(Part.Steps.size());
    Of.push_back(Judge.standing(Part));
    if (const size_t Best = leastHarm(Of); Best && Best + 1 < Of.size())
      break; // half of what pays gains less
  }
  keepFirst(T, Steps[leastHarm(Of)], P);
}

bool evenkeel::leavesFirstTouch(const Plan &X, const Problem &Now) {
  return X.KeepsFirstTouch && !(X.AllFits && !allFits(Now));
}

Expected<HookDecision> evenkeel::decideAtHook(
    TargetPredictor &Predictor, const PlanRequest &Again, const Model &Mod,
    uint32_t Hook,
    const std::function<std::vector<double>(const Problem &)> &Where) {
  Expected<Problem> Next = predictRefined(Predictor, Again, Mod, Hook + 1);
  if (!Next)
    return Next.takeError();
  HookDecision D;
  D.P = std::move(*Next);
  D.Now = Where(D.P);
  D.Chosen = tradeAtHook(D.P, D.Now, Hook, *Again.M, Mod);
  keepWhatPays(D.P, D.Now, D.Chosen, Hook, *Again.M, Mod);
  return D;
}
