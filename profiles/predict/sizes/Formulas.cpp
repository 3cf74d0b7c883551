//===- Formulas.cpp - sizes by formulas -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the recorder rounds sizes up to a line, so formulas that agree up to a
// line agree.
// Makes: see Formulas.h.
//===----------------------------------------------------------------------===//
#include "Formulas.h"
#include "predict/symbols/Evaluate.h"
#include "problem/Problem.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Whether a formula's value is the size \p Bytes; the recorder may round up to
/// a line.
static bool isSize(double Value, double Bytes) {
  return std::fabs(Value - Bytes) <= LineBytes + 1e-6 * Bytes;
}

const SiteFact::Caller *evenkeel::prediction::callerOf(const Facts &F,
                                                       const ek_raw_inst &I) {
  const SiteFact *S = I.context ? F.site(I.site) : nullptr;
  for (size_t K = 0; S && K < S->Contexts.size(); ++K)
    if (S->Contexts[K].Id == I.context && S->Contexts[K].Size)
      return &S->Contexts[K];
  return nullptr;
}

uint32_t evenkeel::prediction::makerOf(const BaseTables &Base,
                                       const ek_raw_inst &I) {
  const std::vector<uint32_t> &Like = Base.Phases.Like;
  const uint32_t Phase =
      I.alloc_phase < Like.size() ? Like[I.alloc_phase] : I.alloc_phase;
  auto It = Base.Tasks.OfThread.find({Phase, I.creator});
  return It == Base.Tasks.OfThread.end() ? EK_NO_TASK : It->second;
}

double evenkeel::prediction::smallBytes(const BaseTables &Base,
                                        const ek_raw_inst &I) {
  double Most = 0;
  if (const SiteFact *S = Base.F.site(I.site)) {
    std::vector<ExprRef> Formulas = S->Sizes;
    Formulas.push_back(S->Size);
    for (const ExprRef &E : Formulas)
      if (std::optional<double> V =
              E ? evalBase(Base, *E, makerOf(Base, I)) : std::nullopt;
          V && *V <= double(I.bytes))
        Most = std::max(Most, *V);
  }
  return Most > 0 ? Most : double(I.bytes);
}

/// The formulas that may hold for a block of \p S made by \p Whose.
static std::vector<ExprRef> formulasOf(const BaseTables &Base,
                                       const SymbolValues &Given,
                                       const SiteFact &S, uint32_t Task,
                                       const SiteFact::Caller *Whose) {
  std::vector<ExprRef> Out = S.Sizes;
  if (S.Size)
    Out.push_back(S.Size);
  if (!Whose)
    return Out;
  // If the call has a formula with a value, only that counts.
  Trace How;
  if (evalTarget(Base, Given, *Whose->Size, Task, How) &&
      (How.Changed || !How.Kept))
    return {Whose->Size};
  Out.push_back(Whose->Size);
  return Out;
}

FormulaSize evenkeel::prediction::sizeByFormula(const BaseTables &Base,
                                                const SymbolValues &Given,
                                                const SiteFact &S,
                                                uint32_t Task, double Old,
                                                const SiteFact::Caller *Whose) {
  FormulaSize Out;
  for (const ExprRef &E : formulasOf(Base, Given, S, Task, Whose)) {
    const std::optional<double> V0 = evalBase(Base, *E, Task);
    if (!V0 || !isSize(*V0, Old))
      continue;
    Trace How;
    const std::optional<double> V1 = evalTarget(Base, Given, *E, Task, How);
    // A formula with only base values says nothing about the target.
    const bool Says = How.Changed || !How.Kept || Given.Of.empty();
    if (Out.Says == FormulaSize::None && !How.Changed &&
        (How.Kept || How.Derived) && !Given.KnowsSizes && Given.FromPeople)
      Out.Says = FormulaSize::NotGiven;
    if (!V1 || *V1 < 0 || !Says)
      continue;
    if (Out.Says == FormulaSize::Found && !isSize(*V1, Out.Bytes)) {
      Out.Says = FormulaSize::Differ;
      return Out;
    }
    Out = {FormulaSize::Found, *V1, How.Scaled};
  }
  return Out;
}
