//===- Stages.cpp - tables before the stages, the Problem after them ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Stages.h.
//===----------------------------------------------------------------------===//
#include "Stages.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

Expected<std::unique_ptr<const PredictionTables>>
evenkeel::prediction::makePredictionTables(const PlanRequest &R) {
  const Facts &F = *R.F;
  const Profile &B = *R.Base;
  if (B.Tasks.empty())
    return Error{"empty profile: no task was recorded; record it with "
                 "`evenkeel record`"};
  if (B.Role == "target")
    return Error{"the profile has the role 'target': a plan must not be made "
                 "from the run it is for; record a base input with "
                 "`evenkeel record`"};
  BaseTables Base = makeBaseTables(F, B, R.Use);
  Expected<ValuesBySymbol> FromPeople = readGiven(Base, R.For);
  if (!FromPeople)
    return FromPeople.takeError();
  BaseCounts Counts = makeBaseCounts(Base);
  BaseDemands Demands = makeDemands(Base);
  FittedRows Fits(B, R.Fitted);
  return std::unique_ptr<const PredictionTables>(new PredictionTables{
      std::move(Base), std::move(Counts), Definitions(F, B), std::move(Demands),
      std::move(*FromPeople), std::move(Fits),
      B.Role == "prefix" ? likenessOf(B) : std::vector<Likeness>()});
}

namespace {
/// Counts Problem::Methods; texts are constants and compared by address.
class MethodCounts {
  std::unordered_map<const char *, unsigned> Of;

public:
  void add(const char *Method, double Times) { Of[Method] += unsigned(Times); }
  void addTo(std::map<std::string, unsigned> &Methods) const {
    for (auto [Method, N] : Of)
      Methods[Method] += N;
  }
};
} // namespace

/// The predicted task of row \p T, from all stages.
static PredictedTask taskOf(const CountInputs &In, StageValues &Stages,
                            uint32_t T, double GHz,
                            const std::vector<Likeness> &Alike,
                            MethodCounts &Methods) {
  const Profile &B = In.Base.B;
  const ek_raw_task &Row = B.Tasks[T];
  const double Times = In.Base.times(T);
  PredictedTask X;
  X.Region = Row.region;
  X.Index = Row.index;
  X.Explicit = Row.flags & 1;
  TaskTraffic &Lines = Stages.Lines.Of[T];
  X.Demand.Units = std::move(Lines.Units);
  X.Demand.Opening = Lines.Opening;
  const std::vector<CountGrowth> &Counts = Stages.Counts.Of[T];
  for (size_t K = 0; K < Counts.size(); ++K) {
    const BaseDemand &Q = In.Demands.Of[T][K];
    const CountGrowth &G = Counts[K];
    Methods.add(text(G.Way), Times);
    if (G.C.How.Below && !G.C.Usable)
      Methods.add("count: no formula, it is for values of 0 or more", Times);
    const CacheWay Way =
        B.Mode == "counts" ? CacheWay::Counted : Lines.Lines[K].Way;
    Methods.add(text(Way), Times);
    X.Estimates.push_back(
        {Q.Inst, G.Way, Way, In.Demands.Gather.isGathered(Row.phase, Q.Inst),
         Q.Accesses * G.C.All, Lines.Lines[K].Lines, G.FitOff});
    X.Accesses += Q.Accesses * G.C.All;
  }
  const CoreTime &Core = Stages.Core[T];
  X.Core = Core.Way;
  X.CoreOff = Core.FitOff;
  if (!Alike.empty()) {
    X.CoreOff += Alike[T].Core;
    for (Estimate &E : X.Estimates)
      E.FitOff +=
          std::hypot(Alike[T].Lines, samplingBound(E.Lines, double(B.OneIn)));
  }
  Methods.add(text(X.Core), Times);
  X.Determined = !Core.Computes && isDetermined(In, T, Counts);
  X.Demand.CoreSeconds =
      static_cast<double>(Row.core_cycles) * Core.Growth / (GHz * 1e9);
  return X;
}

/// The phase of the base, without its tasks.
static PredictedPhase phaseOf(const CountInputs &In, uint32_t H) {
  PredictedPhase X;
  X.Phase = H;
  X.Gathered = In.Demands.Gather.Gathered[H];
  X.Scattered = In.Demands.Gather.Scattered[H];
  X.Kind = In.Base.Kinds.Of[H];
  X.Workers = workersOf(In.Base.B, H);
  return X;
}

/// A phase counts as the region that most of its tasks run.
static uint64_t regionOf(const std::vector<PredictedTask> &Tasks) {
  std::map<uint64_t, unsigned> Votes;
  unsigned Most = 0;
  uint64_t Out = 0;
  for (const PredictedTask &T : Tasks)
    if (++Votes[T.Region] > Most) {
      Most = Votes[T.Region];
      Out = T.Region;
    }
  return Out;
}

/// Phases and tasks correspond to those of the base.
static std::vector<PredictedPhase> phasesOf(const CountInputs &In,
                                            StageValues &Stages, double GHz,
                                            const std::vector<Likeness> &Alike,
                                            MethodCounts &Methods) {
  const Profile &B = In.Base.B;
  std::vector<std::vector<PredictedTask>> Tasks(B.Phases.size());
  std::vector<uint32_t> Local(B.Tasks.size(), 0);
  for (uint32_t T : In.Base.Tasks.InOrder)
    if (Stages.Predicted[T]) {
      const uint32_t H = B.Tasks[T].phase;
      Local[T] = static_cast<uint32_t>(Tasks[H].size());
      Tasks[H].push_back(taskOf(In, Stages, T, GHz, Alike, Methods));
    }
  for (const ek_raw_dep &E : B.Deps)
    if (const uint32_t H = B.Tasks[E.task].phase;
        H == B.Tasks[E.pred].phase && Stages.Predicted[E.task])
      Tasks[H][Local[E.task]].Preds.push_back(Local[E.pred]);
  std::vector<PredictedPhase> Out(B.Phases.size());
  for (uint32_t H = 0; H < B.Phases.size(); ++H) {
    if (!In.Base.Phases.stands(H)) {
      Out[H] = Out[In.Base.Phases.Like[H]];
      Out[H].Phase = H;
      continue;
    }
    Out[H] = phaseOf(In, H);
    Out[H].Region = regionOf(Tasks[H]);
    Out[H].Tasks = std::move(Tasks[H]);
  }
  return Out;
}

double
evenkeel::prediction::peakBytes(const std::vector<PredictedInstance> &Instances,
                                size_t Phases) {
  std::set<uint32_t> Comes{0}; // phases in which something changed
  for (const PredictedInstance &I : Instances)
    Comes.insert(I.AllocPhase);
  double Most = 0;
  for (uint32_t H : Comes) {
    if (H >= Phases)
      continue;
    double Live = 0;
    for (const PredictedInstance &I : Instances)
      if (isLive(I, H))
        Live += I.Bytes;
    Most = std::max(Most, Live);
  }
  return Most;
}

Problem evenkeel::prediction::joinProblem(const CountInputs &In,
                                          StageValues &&Stages, double GHz,
                                          const std::vector<Likeness> &Alike) {
  Problem P;
  MethodCounts Methods;
  P.Phases = phasesOf(In, Stages, GHz, Alike, Methods);
  P.Methods = std::move(Stages.Sizes.Methods);
  Methods.addTo(P.Methods);
  P.Instances = std::move(Stages.Sizes.Instances);
  P.Units = std::move(Stages.Units);
  P.PeakBytes = peakBytes(P.Instances, P.Phases.size());
  return P;
}
