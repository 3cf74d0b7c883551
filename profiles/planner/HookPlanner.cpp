//===- HookPlanner.cpp - planning again where all tasks wait --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookPlanner.h.
//===----------------------------------------------------------------------===//
#include "HookPlanner.h"
#include "TaskTypes.h"
#include <algorithm>

using namespace evenkeel;

void PhaseLog::predicted(const PredictedPhase &H,
                         const std::vector<double> &Seconds) {
  auto &Into = Said[H.Phase];
  for (size_t T = 0; T < H.Tasks.size(); ++T)
    Into[{H.Tasks[T].Explicit, H.Tasks[T].Index}] =
        expectationOf(H.Tasks[T], Seconds[T]);
}

void PhaseLog::ended(MeasuredPhase H) {
  if (auto It = Said.find(H.Phase); It != Said.end())
    H.Expected = std::move(It->second);
  Said.erase(Said.begin(), Said.upper_bound(H.Phase));
  Measured.push_back(std::move(H));
}

double evenkeel::predictWhileMoving(
    const Problem &P, uint32_t From, const std::vector<double> &Now,
    const std::vector<double> &Then, double Copying, const Machine &M,
    const Model &Mod,
    const std::function<void(const PredictedPhase &,
                             const std::vector<double> &)> &Say) {
  std::vector<double> Fast(Then.size()), Seconds;
  double Start = 0;
  for (const PredictedPhase &H : P.Phases) {
    if (H.Phase < From)
      continue;
    double Middle = Start + phaseSeconds(H, Then, M, Mod) / 2;
    double Done = Copying > 0 ? std::min(1.0, Middle / Copying) : 1;
    for (size_t U = 0; U < Fast.size(); ++U)
      Fast[U] = Now[U] + Done * (Then[U] - Now[U]);
    Start += phaseSeconds(H, Fast, M, Mod, &Seconds);
    Say(H, Seconds);
  }
  return Start;
}

bool evenkeel::movesPay(const Problem &P, const std::vector<double> &Fast,
                        const Machine &M, const Model &Mod, double Least,
                        unsigned *Left) {
  std::vector<uint32_t> Hooks; // where a team or its tasks end, but the last
  for (const PredictedPhase &H : P.Phases)
    if (H.Tasks.size() > 1 && &H != &P.Phases.back())
      Hooks.push_back(H.Phase);
  const size_t Looked = std::min<size_t>(Hooks.size(), MostHooksWeighed);
  if (Left)
    *Left = unsigned(Hooks.size() - Looked);
  auto Ignore = [](const PredictedPhase &, const std::vector<double> &) {};
  for (size_t I = 0; I < Looked; ++I) {
    const uint32_t Hook = Hooks[I * Hooks.size() / Looked];
    Trades T = tradeAtHook(P, Fast, Hook, M, Mod, HookMargin);
    if (T.Steps.empty())
      continue;
    const double Before =
        predictWhileMoving(P, Hook + 1, Fast, Fast, 0, M, Mod, Ignore);
    const double After = predictWhileMoving(P, Hook + 1, Fast, T.Fast,
                                            T.CopySeconds, M, Mod, Ignore);
    if (Before - After > Least)
      return true;
  }
  return false;
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
  D.Chosen = tradeAtHook(D.P, D.Now, Hook, *Again.M, Mod, HookMargin);
  return D;
}
