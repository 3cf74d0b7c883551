//===- HookPolicy.cpp - a planner asked again at every hook ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookPolicy.h. How a plan becomes pages is the simulator's own code: the
// wanted placement is laid out in a scratch map by the policy that carries out
// plans, and compared with the map in use.
//===----------------------------------------------------------------------===//
#include "HookPolicy.h"
#include "planner/Trade.h"
#include "simulator/PageMap.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

class Hooked : public HookPolicy {
  PlanRequest Q;
  ReplayRequest R;
  std::unique_ptr<evenkeel::Model> Mod;
  std::vector<std::unique_ptr<Plan>> Plans; // the inner policies refer to them
  std::unique_ptr<Policy> Inner;
  std::vector<double> LastSizes; // what the last look knew
  std::vector<MeasuredPhase> Measured;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, double> Planned; // bytes
  Prediction Predicted;
  std::map<std::string, unsigned> Failed;

  /// Predicted stalls are off by a quarter and more; a move must pay anyhow.
  static constexpr double Margin = 2;

  /// Copies run beside the tasks; what a move of \p Bytes costs them is the
  /// wait of whoever needs the page meanwhile, spread over the team.
  double moveSeconds(double Bytes) const {
    uint32_t Widest = 1;
    for (const ek_raw_phase &H : Q.Base->Phases)
      Widest = std::max(Widest, H.width);
    return Q.M->MigrationPageUs * 1e-6 * Bytes / 4096 / Widest;
  }

  const Plan &current() const { return *Plans.back(); }

  /// Predicted seconds of the phases after \p Phase.
  double rest(const Problem &P, const Plan &X, uint32_t Phase) const {
    std::vector<double> Fast = sharesOf(P, X);
    double Sum = 0;
    for (const PredictedPhase &H : P.Phases)
      if (H.Phase > Phase)
        Sum += phaseSeconds(H, Fast, *Q.M, *Mod);
    return Sum;
  }

  /// Notes what is predicted now for the phases from \p From on.
  void predict(const Problem &P, uint32_t From) {
    std::vector<double> Fast = sharesOf(P, current()), Seconds;
    for (const PredictedPhase &H : P.Phases) {
      if (H.Phase < From)
        continue;
      phaseSeconds(H, Fast, *Q.M, *Mod, &Seconds);
      for (size_t T = 0; T < H.Tasks.size(); ++T)
        Predicted[taskKey(H.Phase, H.Tasks[T].Index, H.Tasks[T].Explicit)] =
            Seconds[T];
    }
  }

  /// Objects allocated up to \p Phase; those freed were seen as well.
  std::vector<PredictedInstance> sizesUpTo(uint32_t Phase) const {
    std::vector<PredictedInstance> Out;
    for (const ek_raw_inst &X : R.Record->Instances) {
      if (X.alloc_phase > Phase)
        continue;
      PredictedInstance Known;
      Known.Site = X.site;
      Known.Creator = X.creator;
      Known.Ordinal = X.ordinal;
      Known.Bytes = double(X.bytes);
      Known.AllocPhase = X.alloc_phase;
      Out.push_back(Known);
    }
    return Out;
  }

  /// Notes the sizes that the plan in force was made for.
  void remember(const Problem &P) {
    for (const PredictedInstance &I : P.Instances)
      Planned[{I.Site, I.Creator, I.Ordinal}] = I.Bytes;
  }

  struct Wanted {
    std::vector<PageMap::Move> Down, Up;
    uint64_t Bytes = 0, Pages = 0;
  };

  Wanted moves(const PageMap &Map, Policy &Next) const {
    PageMap Scratch(*R.Prepared,
                    {R.FastBytes, std::numeric_limits<uint64_t>::max()});
    std::vector<uint32_t> Live;
    for (uint32_t I = 0; I < R.Record->Instances.size(); ++I)
      if (Map.isLive(I))
        Live.push_back(I);
    Next.orderAllocations(Scratch, Live);
    Wanted W;
    for (uint32_t I : Live) {
      Scratch.allocate(I);
      Next.onAlloc(Scratch, I);
      for (uint32_t Page = 0; Page < Map.pages(I); ++Page) {
        uint8_t Is = Map.tier(I, Page), To = Scratch.tier(I, Page);
        if (Is == PageMap::Unplaced || To == PageMap::Unplaced || Is == To)
          continue;
        (To == 0 ? W.Up : W.Down).push_back({I, Page, To});
        W.Bytes += Map.pageBytes(I, Page);
        ++W.Pages;
      }
    }
    return W;
  }

public:
  Hooked(const PlanRequest &Q, const ReplayRequest &R) : Q(Q), R(R) {}

  MaybeError start() {
    auto M = makeModel(Q.Model);
    if (!M)
      return M.takeError();
    Mod = std::move(*M);
    Problem Problem;
    auto First = makePlan(Q, &Problem);
    if (!First)
      return First.takeError();
    auto Owned = std::make_unique<Plan>(std::move(*First));
    auto P = policyFor(*Owned);
    if (!P)
      return P.takeError();
    Inner = std::move(*P);
    Plans.push_back(std::move(Owned));
    remember(Problem);
    predict(Problem, 0);
    return std::nullopt;
  }

  Expected<std::unique_ptr<Policy>> policyFor(const Plan &X) const {
    ReplayRequest Own = R;
    Own.P = &X;
    return makePolicy(Q.Planner, Own);
  }

  std::string name() const override { return Q.Planner; }
  const Prediction &predicted() const override { return Predicted; }
  const std::map<std::string, unsigned> &failed() const override {
    return Failed;
  }
  /// At an allocation the real size is known. An object that is not as large as
  /// the plan took it to be gets the bytes it was meant to get, and what the
  /// objects to come make of the fast tier is decided anew.
  void orderAllocations(const PageMap &Map,
                        std::vector<uint32_t> &Instances) override {
    bool Surprise = false;
    uint32_t Phase = 0;
    for (uint32_t I : Instances) {
      const ek_raw_inst &X = R.Record->Instances[I];
      Phase = X.alloc_phase;
      auto It = Planned.find({X.site, X.creator, X.ordinal});
      Surprise |= It == Planned.end() ||
                  std::fabs(double(X.bytes) - It->second) > 0.05 * It->second;
    }
    if (Surprise && Phase > 0) {
      PlanRequest Again = Q;
      Again.KnownSizes = sizesUpTo(Phase);
      Again.Measured = Measured;
      Problem P;
      auto Next = makePlan(Again, &P);
      if (!Next) {
        ++Failed[Next.message()];
      } else if (current().KeepsFirstTouch) {
        remember(P); // first touch needs no sizes
        predict(P, Phase);
      } else {
        std::vector<double> Fast = sharesOf(P, current());
        for (size_t U = 0; U < Fast.size(); ++U) {
          const PredictedInstance &I = P.Instances[P.Units[U].Instance];
          auto It = Planned.find({I.Site, I.Creator, I.Ordinal});
          if (I.AllocPhase >= Phase && It != Planned.end() &&
              I.Bytes > It->second)
            Fast[U] *= It->second / I.Bytes;
        }
        Placement Place;
        // Nothing moves here: only what is allocated from now on is free.
        Place.FastShare = tradeAtHook(P, Fast, Phase - 1, *Q.M, *Mod, 1, 1);
        auto Owned = std::make_unique<Plan>(planOf(Again, P, *Mod, Place));
        if (auto Changed = policyFor(*Owned)) {
          Plans.push_back(std::move(Owned));
          Inner = std::move(*Changed);
          remember(P);
          predict(P, Phase);
        } else {
          ++Failed[Changed.message()];
        }
      }
    }
    Inner->orderAllocations(Map, Instances);
  }
  void onAlloc(PageMap &Map, uint32_t Instance) override {
    Inner->onAlloc(Map, Instance);
  }
  unsigned onFirstTouch(PageMap &Map, uint32_t Instance,
                        uint32_t Page) override {
    return Inner->onFirstTouch(Map, Instance, Page);
  }

  void onPhaseEnd(PageMap &Map, uint32_t Phase,
                  const std::vector<TaskResult> &Tasks) override {
    PlanRequest Again = Q;
    if (Tasks.size() > 1) {
      Measured.push_back({Phase, {}, &current()});
      for (const TaskResult &T : Tasks)
        if (!T.Explicit)
          Measured.back().TaskSeconds[T.Index] = T.Seconds;
    }
    Again.Measured = Measured;
    Again.KnownSizes = sizesUpTo(Phase);
    std::vector<double> Sizes;
    for (const PredictedInstance &I : Again.KnownSizes)
      Sizes.push_back(I.Bytes);
    if (Sizes == LastSizes && Tasks.size() < 2)
      return; // nothing new is known
    LastSizes = Sizes;
    Problem P;
    auto Next = makePlan(Again, &P);
    if (!Next) { // the plan in force was possible and stays
      ++Failed[Next.message()];
      return;
    }
    predict(P, Phase + 1);
    // The best placement from scratch, and the best that few moves reach.
    std::unique_ptr<Plan> Owned;
    std::unique_ptr<Policy> NextPolicy;
    Wanted W;
    double Best = 0;
    const double Old = rest(P, current(), Phase);
    std::vector<double> Now = sharesOf(P, current());
    std::vector<double> Traded = tradeAtHook(P, Now, Phase, *Q.M, *Mod,
                                             moveSeconds(4096) / 4096, Margin);
    std::vector<Plan> Candidates;
    Candidates.push_back(std::move(*Next));
    if (Traded != Now) {
      Placement Place;
      Place.FastShare = std::move(Traded);
      Candidates.push_back(planOf(Again, P, *Mod, Place));
    }
    for (Plan &X : Candidates) {
      auto Candidate = std::make_unique<Plan>(std::move(X));
      auto Policy = policyFor(*Candidate);
      if (!Policy) {
        ++Failed[Policy.message()];
        continue;
      }
      Wanted Moves = moves(Map, **Policy);
      // What it gains must exceed the waiting for pages on the move.
      double Gain = Old - rest(P, *Candidate, Phase) -
                    Margin * double(Moves.Pages) * moveSeconds(4096);
      if (Gain <= Best)
        continue;
      Best = Gain;
      Owned = std::move(Candidate);
      NextPolicy = std::move(*Policy);
      W = std::move(Moves);
    }
    if (!Owned)
      return;
    Plans.push_back(std::move(Owned));
    Inner = std::move(NextPolicy);
    // In turn, so that the fast tier is never emptied on the way.
    for (size_t I = 0; I < std::max(W.Down.size(), W.Up.size()); ++I)
      for (const auto *List : {&W.Down, &W.Up})
        if (I < List->size())
          Map.requestMove((*List)[I].Instance, (*List)[I].Page, (*List)[I].To);
    remember(P);
    predict(P, Phase + 1);
  }
};

} // namespace

Expected<std::unique_ptr<HookPolicy>>
evenkeel::cli::makeHookPolicy(const PlanRequest &Q, const ReplayRequest &R) {
  auto P = std::make_unique<Hooked>(Q, R);
  if (MaybeError E = P->start())
    return *E;
  return std::unique_ptr<HookPolicy>(std::move(P));
}
