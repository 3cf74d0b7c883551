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

/// A phase while data moves.
struct PhaseWhileMoving {
  size_t At; ///< index in Problem::Phases
  double Seconds;
  const std::vector<double> &TaskSeconds;
  const std::vector<double> &Fast; ///< by unit: the mean share
  bool IsSettled;                  ///< all moves ended before
};

/// See predictWhileMoving. \p Alike are the groups of phases from \p From on.
template <typename Fn>
static double runWhileMoving(const Problem &P, const AlikePhases &Alike,
                             uint32_t From, const std::vector<double> &Now,
                             const Trades &Moves, const Machine &M,
                             const Model &Mod, Fn Visit) {
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
    const PredictedPhase &H = P.Phases[K];
    Settled &Then = Its[Alike.Of[K]];
    if (Then.Long < 0)
      Then.Long = phaseSeconds(H, Moves.Fast, M, Mod, &Then.Seconds);
    if (Arrives.empty() || Arrives.back() <= Start) {
      Start += Then.Long;
      Visit(PhaseWhileMoving{K, Then.Long, Then.Seconds, Moves.Fast, true});
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
    Start += Long;
    Visit(PhaseWhileMoving{K, Long, Seconds, Fast, false});
  }
  return Start;
}

double evenkeel::predictWhileMoving(const Problem &P, uint32_t From,
                                    const std::vector<double> &Now,
                                    const Trades &Moves, const Machine &M,
                                    const Model &Mod, const SayTimes &Say,
                                    std::vector<double> *PhaseSeconds) {
  return runWhileMoving(P, AlikePhases(P, From), From, Now, Moves, M, Mod,
                        [&](const PhaseWhileMoving &X) {
                          if (PhaseSeconds)
                            PhaseSeconds->push_back(X.Seconds);
                          if (Say)
                            Say(P.Phases[X.At], X.TaskSeconds, X.Fast);
                        });
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

/// Judges moves at a hook, against staying, on draws of the phases to come. In
/// all draws, data arrives when it would if everything were as predicted.
class HookArbiter {
  const Problem &P;
  const AlikePhases &Alike;
  const std::vector<double> &Now, &Worth; // by unit; by phase after the hook
  const uint32_t Hook;
  const Machine &M;
  const Model &Mod;
  const double Disturbs;
  const size_t Draws;
  std::vector<PhaseErrors> Errors; // by group
  using ByDraw = std::vector<double>;
  std::vector<ByDraw> Stay; // by group: seconds of a phase

  ByDraw seconds(uint32_t Group, size_t Phase,
                 const std::vector<double> &Fast) const {
    ByDraw Out;
    for (const PhaseState &S :
         statesWith(P.Phases[Phase], Errors[Group], Fast, M, Mod))
      Out.push_back(S.Seconds);
    return Out;
  }

  struct Sums { // over phases
    double All = 0, Worth = 0;
    void add(double Its, double ItsWorth) {
      All += Its;
      Worth += Its * ItsWorth;
    }
  };

public:
  HookArbiter(const Problem &P, const AlikePhases &Alike,
              const std::vector<double> &Now, const std::vector<double> &Worth,
              uint32_t Hook, const Machine &M, const Model &Mod)
      : P(P), Alike(Alike), Now(Now), Worth(Worth), Hook(Hook), M(M), Mod(Mod),
        Disturbs(disturbance(P, Hook, M)), Draws(size_t(figures().HookDraws)) {
    for (uint32_t G = 0; G < Alike.First.size(); ++G) {
      Errors.push_back(
          drawErrors(P, P.Phases[Alike.First[G]], unsigned(Draws)));
      Stay.push_back(seconds(G, Alike.First[G], Now));
    }
  }

  /// A gain that a later hook could bring as well counts only in part; the time
  /// of its phase and the cost of copying are weighed alike. A loss is compared
  /// with all that is left of the run, because later hooks can undo the moves.
  Standing standing(const Trades &T) const {
    std::vector<Sums> Stays(Draws), Gains(Draws);
    std::vector<Sums> Settled(Alike.First.size()); // numbers of phases
    std::vector<size_t> Last(Alike.First.size());  // of these
    size_t Place = 0;
    auto Add = [&](uint32_t Group, const ByDraw &Move, const Sums &Phases) {
      for (size_t D = 0; D < Draws; ++D)
        for (auto Of : {&Sums::All, &Sums::Worth}) {
          Stays[D].*Of += Stay[Group][D] * (Phases.*Of);
          Gains[D].*Of += (Stay[Group][D] - Move[D]) * (Phases.*Of);
        }
    };
    runWhileMoving(P, Alike, Hook + 1, Now, T, M, Mod,
                   [&](const PhaseWhileMoving &X) {
                     const uint32_t G = Alike.Of[X.At];
                     Sums One;
                     One.add(1, Worth[Place++]);
                     if (!X.IsSettled)
                       return Add(G, seconds(G, X.At, X.Fast), One);
                     Settled[G].All += One.All;
                     Settled[G].Worth += One.Worth;
                     Last[G] = X.At;
                   });
    for (uint32_t G = 0; G < Settled.size(); ++G)
      if (Settled[G].All > 0)
        Add(G, seconds(G, Last[G], T.Fast), Settled[G]);
    std::vector<double> Ratios;
    Sums All;
    for (size_t D = 0; D < Draws; ++D) {
      All.All += Stays[D].All;
      All.Worth += Stays[D].Worth;
      const double Due =
          Gains[D].All > 0 ? std::clamp(Gains[D].Worth / Gains[D].All, 0.0, 1.0)
                           : 1;
      const double Ours =
          Stays[D].Worth - Gains[D].Worth + Due * Disturbs * T.CopySeconds;
      Ratios.push_back(Stays[D].Worth > 0 ? Ours / Stays[D].Worth : 1);
    }
    Standing Of = standingOf(std::move(Ratios));
    if (All.All > 0)
      Of.Bad = 1 + (Of.Bad - 1) * All.Worth / All.All;
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
