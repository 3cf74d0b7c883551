//===- HookWatch.cpp - information available at hooks ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HookWatch.h.
//===----------------------------------------------------------------------===//
#include "HookWatch.h"
#include "format/plan/HandedValues.h"
#include "simulator/PreparedRecord.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace evenkeel;
using namespace evenkeel::cli;

HookWatch::HookWatch(const Facts &F, const Profile &Base,
                     const ReplayRequest &R, const TargetPredictor &Predictor)
    : R(R), Predictor(Predictor),
      Match(matchPhases(phaseEnds(Base), phaseEnds(*R.Record))) {
  for (const PlanValue &V : handedValues(F))
    (V.IsTotal ? TotalsOf : SymbolsOf)[V.Region].insert(V.Symbol);
  HandsOver.resize(R.Record->Phases.size());
  for (const ek_raw_task &T : R.Record->Tasks)
    if (SymbolsOf.count(T.region) && T.phase < HandsOver.size())
      HandsOver[T.phase] = true;
  for (const ek_raw_symbol &S : R.Record->Symbols) {
    const SymbolFact *Fact = F.symbol(S.symbol);
    if (S.task == EK_NO_TASK && Fact && Fact->Kind == SymbolFact::Given &&
        S.min == S.max && S.times)
      Constant[S.symbol] = double(S.first);
  }
  std::set<std::pair<uint32_t, uint64_t>>
      Differ; // values that differ among the phase's tasks
  for (const ek_raw_symbol &S : R.Record->Symbols) {
    const SymbolFact *Fact = F.symbol(S.symbol);
    if (S.task == EK_NO_TASK || !S.times || !Fact ||
        Fact->Kind == SymbolFact::Measured)
      continue;
    const ek_raw_task &T = R.Record->Tasks[S.task];
    auto Captured = SymbolsOf.find(T.region);
    if (Captured == SymbolsOf.end() || !Captured->second.count(S.symbol))
      continue;
    auto [It, New] = InPhase[T.phase].try_emplace(S.symbol, double(S.first));
    if (S.min != S.max || It->second != double(S.first))
      Differ.insert({T.phase, S.symbol});
  }
  for (auto [Phase, Symbol] : Differ)
    InPhase[Phase].erase(Symbol);
  findTotals();
  countKnown();
}

/// The totals of loops that compiled code counts. In programs of several ranks
/// a rank's threads know only their own.
void HookWatch::findTotals() {
  if (!R.Record->Ranks.empty())
    return;
  for (const ek_raw_symbol &S : R.Record->Symbols) {
    if (S.task == EK_NO_TASK)
      continue;
    const ek_raw_task &T = R.Record->Tasks[S.task];
    const auto Counted = TotalsOf.find(T.region);
    if (Counted != TotalsOf.end() && !(T.flags & 1) &&
        Counted->second.count(S.symbol))
      Totals.push_back({S.symbol, S.sum, T.phase, T.index});
  }
  std::sort(Totals.begin(), Totals.end(),
            [](const KnownSymbol &A, const KnownSymbol &B) {
              return std::tie(A.Phase, A.Symbol, A.Task) <
                     std::tie(B.Phase, B.Symbol, B.Task);
            });
}

/// The runtime manages no small blocks, and a hook only sees objects that are
/// alive then.
static bool isSeenAtHooks(const ek_raw_inst &X) {
  return !EK_RAW_IS_SMALL(X.ordinal) && X.free_phase != X.alloc_phase;
}

void HookWatch::countKnown() {
  auto At = [&](uint32_t Phase) -> size_t & {
    if (NewlyKnown.size() <= Phase)
      NewlyKnown.resize(Phase + 1);
    return NewlyKnown[Phase];
  };
  for (const ek_raw_inst &X : R.Record->Instances)
    if (isSeenAtHooks(X))
      ++At(X.alloc_phase);
  for (const KnownSymbol &S : Totals)
    ++At(S.Phase);
  // Values are known one phase ahead.
  auto Ahead = [](uint32_t Phase) { return Phase ? Phase - 1 : 0; };
  for (const auto &[Phase, Values] : InPhase)
    At(Ahead(Phase)) += Values.size();
  std::map<uint64_t, uint32_t> First; // first phase of each region
  for (const ek_raw_task &T : R.Record->Tasks) {
    auto [It, New] = First.try_emplace(T.region, T.phase);
    It->second = std::min(It->second, T.phase);
  }
  std::map<uint64_t, uint32_t> FirstOf;
  for (auto [Region, Phase] : First)
    if (auto It = SymbolsOf.find(Region); It != SymbolsOf.end())
      for (uint64_t Symbol : It->second)
        if (Constant.count(Symbol)) {
          auto [Of, New] = FirstOf.try_emplace(Symbol, Phase);
          Of->second = std::min(Of->second, Phase);
        }
  for (const auto &Entry : FirstOf)
    ++At(Ahead(Entry.second));
  std::partial_sum(NewlyKnown.begin(), NewlyKnown.end(), NewlyKnown.begin());
}

size_t HookWatch::knownUpTo(uint32_t Phase) const {
  return NewlyKnown.empty()
             ? 0
             : NewlyKnown[std::min<size_t>(Phase, NewlyKnown.size() - 1)];
}

std::vector<KnownSymbol> HookWatch::symbolsUpTo(uint32_t Next) {
  std::set<uint64_t> Regions, Symbols;
  for (const ek_raw_task &T : R.Record->Tasks)
    if (T.phase <= Next)
      Regions.insert(T.region);
  for (uint64_t Region : Regions)
    if (auto It = SymbolsOf.find(Region); It != SymbolsOf.end())
      Symbols.insert(It->second.begin(), It->second.end());
  std::vector<KnownSymbol> Out;
  for (uint64_t S : Symbols)
    if (auto It = Constant.find(S); It != Constant.end())
      Out.push_back({S, It->second});
  for (const auto &[Phase, Values] : InPhase)
    if (Phase <= Next)
      for (auto [Symbol, Value] : Values)
        Out.push_back({Symbol, Value, Match.current(Phase)});
  // Hooks come in order, apart from looks at what is allocated.
  if (Latest.Count && Totals[Latest.Count - 1].Phase >= Next)
    Latest = {};
  for (; Latest.Count < Totals.size() && Totals[Latest.Count].Phase < Next;
       ++Latest.Count) {
    KnownSymbol Its = Totals[Latest.Count];
    Its.Phase = Match.current(Its.Phase);
    Latest.Its.add(Predictor, Its);
  }
  Latest.Its.appendTo(Out);
  return Out;
}

void HookWatch::begin(const Problem &P) {
  for (const PredictedPhase &H : P.Phases) {
    double Latencies = 0;
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &U : T.Demand.Units)
        Latencies += U.Exposed;
    const bool Team =
        H.Tasks.size() > 1 && (!H.Gathered.empty() || !H.Scattered.empty());
    Gathers.push_back(Team && Latencies > 0);
  }
  expect(P);
}

void HookWatch::expect(const Problem &P) {
  for (const PredictedInstance &I : P.Instances)
    Expected[keyOf(nameOf(I))] = I.Bytes;
}

PredictedInstance evenkeel::cli::knownSize(const ek_raw_inst &X) {
  PredictedInstance Known = instanceNamed(nameOf(X));
  Known.Bytes = double(X.bytes);
  Known.AllocPhase = EK_NO_TASK; // the runtime has its own phases
  return Known;
}

std::vector<PredictedInstance>
evenkeel::cli::withEarlier(std::vector<PredictedInstance> Now,
                           const std::vector<PredictedInstance> &Earlier) {
  std::set<InstanceKey> Known;
  for (const PredictedInstance &I : Now)
    Known.insert(keyOf(nameOf(I)));
  for (const PredictedInstance &I : Earlier)
    if (Known.insert(keyOf(nameOf(I))).second)
      Now.push_back(I);
  return Now;
}

std::vector<PredictedInstance> HookWatch::sizesUpTo(uint32_t Phase) const {
  std::vector<PredictedInstance> Out;
  for (const ek_raw_inst &X : R.Record->Instances)
    if (X.alloc_phase <= Phase && isSeenAtHooks(X))
      Out.push_back(knownSize(X));
  return Out;
}

bool HookWatch::unexpected(const std::vector<uint32_t> &Instances,
                           uint32_t &Phase) const {
  bool Surprise = false;
  for (uint32_t I : Instances) {
    const ek_raw_inst &X = R.Record->Instances[I];
    Phase = X.alloc_phase;
    auto It = Expected.find(keyOf(nameOf(X)));
    Surprise |=
        It == Expected.end() || std::fabs(double(X.bytes) - It->second) >
                                    figures().SizeTolerance * It->second;
  }
  return Surprise;
}

std::optional<double>
HookWatch::expectedBytes(const PredictedInstance &I) const {
  auto It = Expected.find(keyOf(nameOf(I)));
  if (It == Expected.end())
    return std::nullopt;
  return It->second;
}

void HookWatch::predicted(const PredictedPhase &H,
                          const std::vector<double> &Seconds, const Problem &P,
                          const std::vector<double> &Fast) {
  Log.predicted(H, Seconds);
  if (H.Phase >= Gathers.size() || !Gathers[H.Phase])
    return;
  if (PlacedPhase == EK_NO_TASK ||
      (Over != EK_NO_TASK && PlacedPhase <= Over) || H.Phase <= PlacedPhase) {
    Log.placed(H, P, Fast);
    PlacedPhase = H.Phase;
  }
}

void HookWatch::phaseEnded(uint32_t Phase, const std::vector<TaskResult> &Tasks,
                           const Plan &Under) {
  const uint32_t Ended = Match.ended(Phase);
  if (Ended == PhaseMatch::None)
    return;
  Over = Ended;
  if (Tasks.size() < 2)
    return;
  MeasuredPhase H;
  H.Phase = Ended;
  H.Under = &Under;
  for (const TaskResult &T : Tasks)
    if (!T.Explicit) {
      H.TaskSeconds[T.Index] = T.Seconds;
    } else {
      MeasuredPhase::TaskSum &Sum = H.ExplicitSums[T.Region];
      ++Sum.Tasks;
      Sum.Seconds += T.Seconds;
    }
  Log.ended(std::move(H));
}
