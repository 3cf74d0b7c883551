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

namespace {

class HookPolicy : public Policy {
  PlanRequest Q;
  ReplayRequest R;
  std::unique_ptr<evenkeel::Model> Mod;
  std::vector<std::unique_ptr<Plan>> Plans; // the inner policies refer to them
  std::unique_ptr<Policy> Inner;
  std::vector<double> LastSizes; // what the plan in force knew

  static constexpr double Margin = 1.2;

  const Plan &current() const { return *Plans.back(); }

  /// Fast share of every unit of \p P when \p X is carried out.
  static std::vector<double> shares(const Problem &P, const Plan &X) {
    std::vector<double> Out(P.Units.size(), 0.0);
    for (size_t U = 0; U < P.Units.size(); ++U) {
      const Unit &Where = P.Units[U];
      const PredictedInstance &I = P.Instances[Where.Instance];
      const PlanObject *O = X.find(I.Site, I.Creator, I.Ordinal);
      if (!O || Where.To <= Where.From)
        continue;
      if (O->Ranges.empty())
        Out[U] = O->Share;
      for (const PlanRange &G : O->Ranges) {
        unsigned From = std::max(G.From, Where.From);
        unsigned To = std::min(G.To, Where.To);
        if (To > From)
          Out[U] += G.Share * (To - From) / (Where.To - Where.From);
      }
    }
    return Out;
  }

  /// Predicted seconds of the phases after \p Phase.
  double rest(const Problem &P, const Plan &X, uint32_t Phase) const {
    std::vector<double> Fast = shares(P, X);
    double Sum = 0;
    for (const PredictedPhase &H : P.Phases)
      if (H.Phase > Phase)
        Sum += phaseSeconds(H, Fast, *Q.M, *Mod);
    return Sum;
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
  HookPolicy(const PlanRequest &Q, const ReplayRequest &R) : Q(Q), R(R) {}

  MaybeError start() {
    auto M = makeModel(Q.Model);
    if (!M)
      return M.takeError();
    Mod = std::move(*M);
    auto First = makePlan(Q);
    if (!First)
      return First.takeError();
    auto Owned = std::make_unique<Plan>(std::move(*First));
    auto P = policyFor(*Owned);
    if (!P)
      return P.takeError();
    Inner = std::move(*P);
    Plans.push_back(std::move(Owned));
    return std::nullopt;
  }

  Expected<std::unique_ptr<Policy>> policyFor(const Plan &X) const {
    ReplayRequest Own = R;
    Own.P = &X;
    return makePolicy(Q.Planner, Own);
  }

  std::string name() const override { return Q.Planner + "-hook"; }
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

  void onPhaseEnd(PageMap &Map, uint32_t Phase) override {
    PlanRequest Again = Q;
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
    if (Sizes.empty() || Sizes == LastSizes)
      return;
    LastSizes = Sizes;
    Problem P;
    auto Next = makePlan(Again, &P);
    if (!Next)
      return; // the first plan was possible and stays in force
    auto Owned = std::make_unique<Plan>(std::move(*Next));
    const double Old = rest(P, current(), Phase), New = rest(P, *Owned, Phase);
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
  }
};

} // namespace

Expected<std::unique_ptr<Policy>>
evenkeel::cli::makeHookPolicy(const PlanRequest &Q, const ReplayRequest &R) {
  auto P = std::make_unique<HookPolicy>(Q, R);
  if (MaybeError E = P->start())
    return *E;
  return std::unique_ptr<Policy>(std::move(P));
}
