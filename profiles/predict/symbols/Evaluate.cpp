//===- Evaluate.cpp - expressions on the target ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a symbol of the target has the value seen in its phase, or in a phase
// of the same kind; else the value of its task, or of the program; else the
// value by `scales_with`, if that depends on a value of the target; else its
// base value, if it is one value for the whole program; else none.
//===----------------------------------------------------------------------===//
#include "Evaluate.h"
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// One evaluation of one expression.
class Evaluation {
  const BaseTables &Base;
  const SymbolValues &Known;
  std::set<uint64_t> Busy; // symbols being scaled: ends cycles

  std::optional<double> seen(const SeenValues::OfPhases *Live, uint64_t Symbol,
                             uint32_t Task, Trace &How) const;
  std::optional<double> own(uint64_t Symbol, const BaseValues *Old,
                            uint32_t Task, Trace &How) const;
  std::optional<double> scaled(uint64_t Symbol, const SymbolFact &Fact,
                               double Old, uint32_t Task, Trace &How);
  std::optional<double> kept(const BaseValues *Its,
                             const SeenValues::OfPhases *Live, double Old,
                             Trace &How) const;
  std::optional<double> value(uint64_t Symbol, uint32_t Task, Trace &How);

public:
  Evaluation(const BaseTables &Base, const SymbolValues &Known)
      : Base(Base), Known(Known) {}

  std::optional<double> of(const Expr &E, uint32_t Task, Trace &How);
};

} // namespace

/// The phase of a task, and its index if it is a thread.
static std::pair<uint32_t, uint32_t> placeOf(const ek_raw_task &T) {
  return {T.phase, T.flags & 1 ? EK_NO_TASK : T.index};
}

/// The value seen in the task's phase, or in a phase of the same kind.
std::optional<double> Evaluation::seen(const SeenValues::OfPhases *Live,
                                       uint64_t Symbol, uint32_t Task,
                                       Trace &How) const {
  if (!Live || Task == EK_NO_TASK)
    return std::nullopt;
  const auto [Phase, Index] = placeOf(Base.B.Tasks[Task]);
  const double *Now = Live->find(Phase, Index);
  if (!Now) {
    auto Again = Live->OfKind.find(Base.Kinds.Of[Phase]);
    if (Again != Live->OfKind.end())
      Now = Live->find(Again->second, Index);
  }
  if (!Now)
    return std::nullopt;
  // A seen value that equals the base's is known, but is no reason to assume
  // that other values stayed the same.
  How.Changed |= baseValue(Base, Symbol, Task) != *Now;
  return *Now;
}

/// The target's own value, for the task or for the program.
std::optional<double> Evaluation::own(uint64_t Symbol, const BaseValues *Old,
                                      uint32_t Task, Trace &How) const {
  auto It = Known.Of.find(Symbol);
  if (It == Known.Of.end())
    return std::nullopt;
  const TargetValues &V = It->second;
  const bool Measured = Old && Old->isMeasured();
  auto Note = [&] {
    How.Measured |= Measured;
    How.Changed = true;
    How.Inherited |= V.Inherited;
  };
  if (Task != EK_NO_TASK) {
    const uint32_t Index = Base.B.Tasks[Task].index;
    auto T = V.PerIndex.find(Index);
    if (T != V.PerIndex.end()) {
      // The value belongs to another phase, where the region reaches that loop.
      if (Measured && !Old->PerTask.count(Task) && Old->Indices.count(Index))
        return 0;
      Note();
      return T->second;
    }
  }
  if (V.Program) {
    Note();
    How.Kept |= V.Partly;
  }
  return V.Program;
}

/// \p Old times the growth of the expression with which the facts say that the
/// symbol scales.
std::optional<double> Evaluation::scaled(uint64_t Symbol,
                                         const SymbolFact &Fact, double Old,
                                         uint32_t Task, Trace &How) {
  if (!Fact.ScalesWith || !Busy.insert(Symbol).second)
    return std::nullopt;
  // It applies only if one of its symbols has a value of the target.
  Trace Scale;
  const std::optional<double> From = evalBase(Base, *Fact.ScalesWith, Task);
  const std::optional<double> To = of(*Fact.ScalesWith, Task, Scale);
  Busy.erase(Symbol);
  if (!From || !To || *From == 0 || !Scale.Changed)
    return std::nullopt;
  How.Scaled = How.Changed = true;
  How.Kept |= Scale.Kept;
  return Old * *To / *From;
}

/// \p Old, if the value of symbol \p Its may be assumed to stay the same.
std::optional<double> Evaluation::kept(const BaseValues *Its,
                                       const SeenValues::OfPhases *Live,
                                       double Old, Trace &How) const {
  const SymbolFact *Fact = Its ? Its->Fact : nullptr;
  // One value for the whole program that was not given: a constant (threads,
  // steps).
  if (Its && !Its->isMeasured() && Its->OneValue &&
      (!Fact || Fact->Kind != SymbolFact::Derived)) {
    How.Kept = true;
    return Old;
  }
  // Values that the program computes, above all block lengths, are assumed to
  // stay the same if other values are known; alone they say nothing. A value
  // that differs between the threads of a team is a part of something that they
  // share: the bounds of its part change when that grows. A value for which
  // other phases showed a different value on the target than on the base does
  // not stay the same either.
  if (Fact &&
      (Fact->Kind == SymbolFact::Derived || isRankNumber(Base.B, *Its)) &&
      !Its->Differs && (!Live || Its->OneValue)) {
    How.Kept = How.Derived = true;
    return Old;
  }
  return std::nullopt;
}

std::optional<double> Evaluation::value(uint64_t Symbol, uint32_t Task,
                                        Trace &How) {
  auto B0 = Base.Symbols.find(Symbol);
  const BaseValues *Its = B0 == Base.Symbols.end() ? nullptr : &B0->second;
  const SymbolFact *Fact = Its ? Its->Fact : nullptr;
  auto L = Known.Seen->ByPhase.find(Symbol);
  const SeenValues::OfPhases *Live =
      L == Known.Seen->ByPhase.end() ? nullptr : &L->second;
  if (std::optional<double> V = seen(Live, Symbol, Task, How))
    return V;
  if (std::optional<double> V = own(Symbol, Its, Task, How))
    return V;
  const std::optional<double> Old = baseValue(Base, Symbol, Task);
  if (!Old)
    return std::nullopt;
  // Nothing is known to change: the target is the base.
  if (!Known.knowsTarget()) {
    How.Kept = true;
    return Old;
  }
  if (Its && Its->isMeasured() && *Old == 0) { // no iterations to scale
    How.Idle = true;
    return Old;
  }
  if (Fact && Fact->ScalesWith && Fact->ScalesWith->K == Expr::Const)
    return Old; // the same on every input
  if (Fact)
    if (std::optional<double> V = scaled(Symbol, *Fact, *Old, Task, How))
      return V;
  return kept(Its, Live, *Old, How);
}

std::optional<double> Evaluation::of(const Expr &E, uint32_t Task, Trace &How) {
  EvalContext C = contextOf(Base, Task);
  Trace Own;
  C.Lookup = [&](uint64_t S) {
    return inReach(Base, S, value(S, Task, Own), Own);
  };
  const std::optional<double> V = valueOf(E, C);
  How.add(Own);
  if (Own.Derived && !Own.Changed)
    return std::nullopt;
  return V && std::isfinite(*V) ? V : std::nullopt;
}

std::optional<double>
evenkeel::prediction::evalTarget(const BaseTables &Base,
                                 const SymbolValues &Known, const Expr &E,
                                 uint32_t Task, Trace &How) {
  return Evaluation(Base, Known).of(E, Task, How);
}
