//===- HookPolicy.cpp - a planner asked again at every hook ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookPolicy.h. How a plan becomes pages is the simulator's own code: the
// wanted placement is laid out in a scratch map by the policy that carries out
// plans, and compared with the map in use.
//===----------------------------------------------------------------------===//
#include "HookPolicy.h"
#include "simulator/PageMap.h"
#include <algorithm>
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
  Prediction Predicted;

  static constexpr double Margin = 1.2;

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
        Predicted[{H.Phase, H.Tasks[T].Index}] = Seconds[T];
    }
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
  void orderAllocations(const PageMap &Map,
                        std::vector<uint32_t> &Instances) override {
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
        Measured.back().TaskSeconds[T.Index] = T.Seconds;
    }
    Again.Measured = Measured;
    std::vector<double> Sizes;
    for (uint32_t I = 0; I < R.Record->Instances.size(); ++I) {
      const ek_raw_inst &X = R.Record->Instances[I];
      // Freed objects were seen as well; their sizes stay known.
      if (X.alloc_phase > Phase)
        continue;
      PredictedInstance Known;
      Known.Site = X.site;
      Known.Creator = X.creator;
      Known.Ordinal = X.ordinal;
      Known.Bytes = double(X.bytes);
      Known.AllocPhase = X.alloc_phase;
      Again.KnownSizes.push_back(Known);
      Sizes.push_back(Known.Bytes);
    }
    if (Sizes == LastSizes && Tasks.size() < 2)
      return; // nothing new is known
    LastSizes = Sizes;
    Problem P;
    auto Next = makePlan(Again, &P);
    if (!Next)
      return; // the first plan was possible and stays in force
    auto Owned = std::make_unique<Plan>(std::move(*Next));
    const double Old = rest(P, current(), Phase), New = rest(P, *Owned, Phase);
    predict(P, Phase + 1);
    if (New >= Old)
      return;
    auto NextPolicy = policyFor(*Owned);
    if (!NextPolicy)
      return;
    Wanted W = moves(Map, **NextPolicy);
    const double Cost =
        W.Pages * Q.M->MigrationPageUs * 1e-6 +
        (Q.M->MigrationBandwidthGBps > 0
             ? double(W.Bytes) / (Q.M->MigrationBandwidthGBps * 1e9)
             : 0);
    // Half a plan is worse than the old one: what it wants to be fast would
    // find fast memory occupied.
    if (W.Pages && Old - New <= Margin * Cost)
      return;
    Plans.push_back(std::move(Owned));
    Inner = std::move(*NextPolicy);
    for (const PageMap::Move &M : W.Down)
      Map.requestMove(M.Instance, M.Page, M.To);
    for (const PageMap::Move &M : W.Up)
      Map.requestMove(M.Instance, M.Page, M.To);
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
