//===- FixedPlacement.cpp - predictions under a fixed placement -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FixedPlacement.h.
//===----------------------------------------------------------------------===//
#include "FixedPlacement.h"
#include "PlacedShares.h"
#include "models/Phase.h"
#include "predict/Confidence.h"
#include "predict/Refined.h"
#include "predict/TargetPredictor.h"
#include "tuning/Tuning.h"

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

class Fixed : public FixedPlacement {
  PlanRequest Q;
  TargetPredictor Predictor;
  ReplayRequest R;
  const Where W;
  const bool Times, Blind;
  HookWatch Watch;
  std::unique_ptr<Model> Refiner; // of the demands, which all models share
  std::vector<std::unique_ptr<Model>> Models;
  Plan Own;
  std::unique_ptr<Policy> Inner;
  std::vector<ModelPrediction> Said;
  TaskCounts Counted[2];         // offline, at hooks
  std::vector<double> LastKnown; // number of sizes and symbols at the last look

  std::vector<double> shares(const Problem &P) const {
    if (W == Where::Planned)
      return sharesOf(P, Own);
    return std::vector<double>(P.Units.size(), W == Where::Fast ? 1 : 0);
  }

  /// Whether the next hook, at the end of the next team phase, predicts again.
  static bool isLastSaid(const PredictedPhase &H, bool AtHook, bool First) {
    return AtHook && !First && H.Tasks.size() > 1;
  }

  /// The bound of the predicted time \p Seconds of \p T. Until a hook knows
  /// something of a target that is not the base input, it has the base input's
  /// times, and these say nothing.
  double boundOf(const PredictedTask &T, double Seconds, bool Knows) const {
    return Blind && !Knows ? figures().MostOff * Seconds
                           : timeBound(T, Seconds);
  }

  void predict(const Problem &P, uint32_t From, bool AtHook,
               const std::vector<double> &Fast, bool Knows,
               bool First = false) {
    for (const PredictedPhase &H : P.Phases) {
      if (H.Phase < From)
        continue;
      for (const PredictedTask &T : H.Tasks) {
        TaskCount C{T.Accesses, 0,      T.Determined,
                    T.Region,   T.Core, T.Demand.CoreSeconds};
        for (const Estimate &E : T.Estimates) {
          C.Objects[keyOf(nameOf(P.Instances[E.Instance]))] = E;
        }
        for (const UnitDemand &U : T.Demand.Units)
          C.Lines += U.ReadLines + U.WriteLines;
        Counted[AtHook][taskKey(H.Phase, T.Index, T.Explicit)] = C;
      }
      if (isLastSaid(H, AtHook, First))
        break;
    }
    std::vector<double> Seconds;
    for (size_t K = 0; K < Models.size(); ++K) {
      TaskTimes &Into = AtHook ? Said[K].Hook : Said[K].Offline;
      for (const PredictedPhase &H : P.Phases) {
        if (H.Phase < From)
          continue;
        PhaseState S = phaseState(H, Fast, *Q.M, *Models[K]);
        Seconds = std::move(S.TaskSeconds);
        if (Said[K].Model == Q.Model)
          for (size_t T = 0; T < H.Tasks.size(); ++T) {
            const PredictedTask &Its = H.Tasks[T];
            TaskCount &C =
                Counted[AtHook][taskKey(H.Phase, Its.Index, Its.Explicit)];
            C.Bound = boundOf(Its, Seconds[T], Knows);
            C.RestsOn = basisOf(Its, Seconds[T]);
          }
        if (AtHook && Said[K].Model == Q.Model)
          Watch.predicted(H, Seconds, P, Fast);
        for (size_t T = 0; T < H.Tasks.size(); ++T)
          Into[taskKey(H.Phase, H.Tasks[T].Index, H.Tasks[T].Explicit)] =
              Seconds[T];
        if (isLastSaid(H, AtHook, First))
          break;
      }
    }
  }

  /// Predicts again for the run's phases from \p From on, with what is known
  /// now, including the current placement.
  void predictAgain(const PageMap &Map, uint32_t Known, uint32_t From) {
    PlanRequest Again = Q;
    Again.KnownSizes = withEarlier(Watch.sizesUpTo(Known), Q.KnownSizes);
    Again.KnownSymbols = Watch.symbolsUpTo(From);
    if (Times)
      Again.Measured = Watch.measured();
    const uint32_t Next = Watch.match().current(From);
    // If that fails, the earlier predictions stand.
    if (auto P = predictRefined(Predictor, Again, *Refiner, Next)) {
      Watch.expect(*P);
      predict(*P, Next, true,
              W == Where::Planned ? sharesUnder(Own, *P, *R.Record, Map)
                                  : shares(*P),
              !Again.KnownSizes.empty() || !Again.KnownSymbols.empty());
    }
  }

public:
  Fixed(const PlanRequest &Q, const ReplayRequest &R, Where W, bool Times,
        bool Blind)
      : Q(Q), Predictor(Q), R(R), W(W), Times(Times), Blind(Blind),
        Watch(*Q.F, *Q.Base, R, Predictor) {}

  MaybeError start(const std::vector<std::string> &Names) {
    auto Main = makeModel(Q.Model);
    if (!Main)
      return Main.takeError();
    Refiner = std::move(*Main);
    for (const std::string &Name : Names) {
      auto M = makeModel(Name);
      if (!M)
        return M.takeError();
      Models.push_back(std::move(*M));
      Said.push_back({Name, {}, {}});
    }
    Problem P;
    auto Made = makePlan(Q, &P);
    if (!Made)
      return Made.takeError();
    Own = std::move(*Made);
    ReplayRequest Under = R;
    Under.P = &Own;
    auto Policy = makePolicy(W == Where::Slow   ? "slow-only"
                             : W == Where::Fast ? "fast-only"
                                                : Q.Planner,
                             Under);
    if (!Policy)
      return Policy.takeError();
    Inner = std::move(*Policy);
    Watch.begin(P);
    predict(P, 0, false, shares(P), false);
    predict(P, 0, true, shares(P), false, true);
    return std::nullopt;
  }

  const std::vector<ModelPrediction> &predictions() const override {
    return Said;
  }
  const TaskCounts &counts(bool AtHook) const override {
    return Counted[AtHook];
  }

  std::string name() const override { return Inner->name(); }
  bool ignoresCapacity() const override { return Inner->ignoresCapacity(); }
  void orderAllocations(const PageMap &Map,
                        std::vector<uint32_t> &Instances) override {
    uint32_t Phase = 0;
    if (Watch.unexpected(Instances, Phase))
      predictAgain(Map, Phase, Phase);
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
    Watch.phaseEnded(Phase, Tasks, Own);
    std::vector<double> Known;
    for (const PredictedInstance &I : Watch.sizesUpTo(Phase))
      Known.push_back(I.Bytes);
    for (const KnownSymbol &S : Watch.symbolsUpTo(Phase + 1))
      Known.push_back(S.Value);
    if (Known == LastKnown && (!Times || Tasks.size() < 2))
      return; // nothing new is known
    LastKnown = std::move(Known);
    predictAgain(Map, Phase, Phase + 1);
  }
};

} // namespace

Expected<std::unique_ptr<FixedPlacement>> evenkeel::cli::makeFixedPlacement(
    const PlanRequest &Q, const ReplayRequest &R, Where W,
    const std::vector<std::string> &Models, bool Times, bool Blind) {
  auto P = std::make_unique<Fixed>(Q, R, W, Times, Blind);
  if (MaybeError E = P->start(Models))
    return *E;
  return std::unique_ptr<FixedPlacement>(std::move(P));
}
