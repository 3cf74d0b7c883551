//===- AccessCounts.cpp - growth of a task's accesses ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AccessCounts.h.
//===----------------------------------------------------------------------===//
#include "AccessCounts.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// The way in which the expressions of a ratio were evaluated.
static CountWay wayOf(const Trace &How) {
  return How.Scaled      ? CountWay::FormulaScaled
         : How.Sized     ? CountWay::FormulaSized
         : How.Inherited ? (How.Measured ? CountWay::FormulaLike
                                         : CountWay::FormulaNamesake)
         : How.Kept      ? CountWay::FormulaKept
         : How.Measured  ? CountWay::FormulaGiven
                         : CountWay::Formula;
}

/// For accesses whose growth is derived from their block's size: the number
/// that counts towards the task's work. The size of a block that is accessed
/// repeatedly gives its extent but not the number of repetitions, so only one
/// access per word counts. The size of an array that belongs to one call says
/// nothing about the number of calls.
static double weightBySize(const BaseTables &Base, const BaseDemand &Q) {
  const ek_raw_inst &I = Base.B.Instances[Q.Inst];
  if (const SiteFact *Of = Base.F.site(I.site); Of && Of->onStack())
    return 0;
  return std::min(Q.Accesses, double(I.bytes) / WordBytes);
}

namespace {
/// Computes the growth of the demands of one task.
class TaskGrowth {
  const CountInputs &In;
  const RatiosOfTasks &Ratios;
  const PowerLaws &Laws;
  const Rules &Use;
  const uint32_t Task;

  std::optional<double> byLaw(const BaseDemand &Q, const Ratio &C) const {
    if (!Use.PowerLaws || isGrowthKnown(In.Base, In.Sizes, Q, C))
      return std::nullopt;
    return growthByPowerLaw(In.Base, In.Demands, Ratios, In.Sizes, Laws, Task);
  }

public:
  TaskGrowth(const CountInputs &In, const RatiosOfTasks &Ratios,
             const PowerLaws &Laws, const Rules &Use, uint32_t Task)
      : In(In), Ratios(Ratios), Laws(Laws), Use(Use), Task(Task) {}

  CountGrowth of(size_t K) const;
};
} // namespace

CountGrowth TaskGrowth::of(size_t K) const {
  const BaseDemand &Q = In.Demands.Of[Task][K];
  const bool Knows = In.New.values().knowsTarget();
  const double S = In.Sizes.Ratio[Q.Inst];
  CountGrowth G;
  Ratio &C = G.C = Ratios[Task][K];
  G.Weight = Q.Accesses;
  const Ratio ByFormula = C;
  // If no symbol of a formula has a value for the target, the formula does not
  // apply to a target with other object sizes.
  if (C.How.Kept && !C.How.Changed && std::fabs(S - 1) > 1e-9)
    C.Usable = false;
  if (C.Usable) {
    G.Way = Knows ? wayOf(C.How) : CountWay::Base;
  } else if (std::optional<double> Growth = byLaw(Q, ByFormula)) {
    C.All = C.Writes = *Growth;
    G.Way = CountWay::PowerLaw;
  } else if (In.Sizes.Way[Q.Inst] != SizeWay::Base || !Knows) {
    const std::optional<double> Growth =
        growthBySize(In.Base, In.Growths, Task, Q, S);
    C.All = C.Writes = Growth.value_or(S);
    G.Weight = weightBySize(In.Base, Q);
    G.Way = !Knows   ? CountWay::Base
            : Growth ? CountWay::PowerLaw
                     : CountWay::SizeRatio;
  } else if (In.Work) {
    C.All = C.Writes = *In.Work;
    G.Way = CountWay::WorkRatio;
  }
  return G;
}

static void fillRatios(const CountInputs &In, uint32_t Task,
                       RatiosOfTasks &Ratios) {
  const size_t N = In.Demands.Of[Task].size();
  if (!Ratios[Task].empty() || !N)
    return;
  Ratios[Task].reserve(N);
  for (size_t K = 0; K < N; ++K)
    Ratios[Task].push_back(
        ratioByFormula(In.Base, In.Demands, In.Old, In.New, Task, K));
}

AccessCounts evenkeel::prediction::predictCounts(
    const CountInputs &In, const std::vector<uint32_t> &Tasks, uint32_t From,
    RatiosOfTasks Ratios, const Rules &Use) {
  Ratios.resize(In.Base.B.Tasks.size());
  for (uint32_t T : Tasks)
    fillRatios(In, T, Ratios);
  PowerLaws Laws;
  if (Use.PowerLaws && In.New.values().knowsTarget()) {
    const std::vector<uint64_t> Of = regionsToCome(In.Base, In.Demands, From);
    for (uint64_t Region : Of)
      for (uint32_t T : In.Demands.Began.at(Region))
        fillRatios(In, T, Ratios);
    Laws = fitPowerLaws(In.Base, In.Demands, Ratios, In.Sizes, Of);
  }
  AccessCounts Out;
  Out.Of.resize(In.Base.B.Tasks.size());
  for (uint32_t T : Tasks) {
    const TaskGrowth Growth(In, Ratios, Laws, Use, T);
    Out.Of[T].reserve(In.Demands.Of[T].size());
    for (size_t K = 0; K < In.Demands.Of[T].size(); ++K)
      Out.Of[T].push_back(Growth.of(K));
  }
  Out.Ratios = std::move(Ratios);
  return Out;
}
