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
         : How.Inherited ? CountWay::FormulaNamesake
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

/// The way of a count that follows a size which was found in the way \p W: it
/// is as uncertain as the size.
static CountWay bySize(SizeWay W) {
  switch (W) {
  case SizeWay::FormulaScaled:
    return CountWay::FormulaScaled;
  case SizeWay::Accesses:
    return CountWay::WorkRatio;
  case SizeWay::NotGiven:
  case SizeWay::Base:
    return CountWay::BaseCount;
  case SizeWay::Known:
  case SizeWay::Small:
  case SizeWay::Formula:
  case SizeWay::Bases:
    break;
  }
  return CountWay::SizeRatio;
}

/// Replaces \p G by a fit over several base inputs, unless it was estimated in
/// a better way than that which the fit was better than.
static void useFit(const CountInputs &In, uint32_t Task, const BaseDemand &Q,
                   CountGrowth &G) {
  const FittedTasks::Object *F = In.Fits && In.New.values().knowsTarget()
                                     ? In.Fits->find(Task, Q.Inst)
                                     : nullptr;
  if (!F || unsigned(G.Way) < F->Than)
    return;
  if (F->Accesses) {
    G.C.All = G.C.Writes = F->Accesses->Times;
    G.C.Usable = true;
    G.C.How = {};
    G.C.How.Scaled = G.C.How.Changed = true;
    G.Weight = Q.Accesses;
    G.Way = CountWay::Bases;
    G.FitOff = F->Accesses->Off;
  }
  if (F->Lines) {
    G.Lines = &*F->Lines;
    G.FitOff = F->Lines->Off;
  }
}

/// The growth of the K-th demand of \p Task, whose expressions grow by \p C.
static CountGrowth growthOf(const CountInputs &In, uint32_t Task, size_t K,
                            const Ratio &ByFormula) {
  const BaseDemand &Q = In.Demands.Of[Task][K];
  const bool Knows = In.New.values().knowsTarget();
  const double S = In.Sizes.Ratio[Q.Inst];
  CountGrowth G;
  Ratio &C = G.C = ByFormula;
  G.Weight = Q.Accesses;
  // If no symbol of a formula has a value for the target, the formula does not
  // apply to a target with other object sizes.
  if (C.How.Kept && !C.How.Changed && std::fabs(S - 1) > 1e-9)
    C.Usable = false;
  if (C.Usable) {
    G.Way = Knows ? wayOf(C.How) : CountWay::Base;
  } else if (In.Sizes.Way[Q.Inst] != SizeWay::Base || !Knows) {
    C.All = C.Writes = S;
    G.Weight = weightBySize(In.Base, Q);
    G.Way = Knows ? bySize(In.Sizes.Way[Q.Inst]) : CountWay::Base;
  } else if (In.Work) {
    C.All = C.Writes = *In.Work;
    G.Way = CountWay::WorkRatio;
  }
  useFit(In, Task, Q, G);
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

AccessCounts
evenkeel::prediction::predictCounts(const CountInputs &In,
                                    const std::vector<uint32_t> &Tasks,
                                    RatiosOfTasks Ratios) {
  Ratios.resize(In.Base.B.Tasks.size());
  AccessCounts Out;
  Out.Of.resize(In.Base.B.Tasks.size());
  for (uint32_t T : Tasks) {
    fillRatios(In, T, Ratios);
    Out.Of[T].reserve(In.Demands.Of[T].size());
    for (size_t K = 0; K < In.Demands.Of[T].size(); ++K)
      Out.Of[T].push_back(growthOf(In, T, K, Ratios[T][K]));
  }
  Out.Ratios = std::move(Ratios);
  return Out;
}
