//===- Formulas.h - sizes that formulas give --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the size formulas of sites and of the calls of wrappers.
// Makes: the size that they give on the target, where they give the base's.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_FORMULAS_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_FORMULAS_H

#include "predict/symbols/SymbolValues.h"

namespace evenkeel {
namespace prediction {

/// The call of a wrapper that made \p I, where the facts know a size for it.
const SiteFact::Caller *callerOf(const Facts &F, const ek_raw_inst &I);

/// The base's task that made \p I, or EK_NO_TASK.
uint32_t makerOf(const BaseTables &Base, const ek_raw_inst &I);

/// Of small blocks the recorder keeps the size of the pool that they lie in:
/// what the formulas give is nearer, where it fits in.
double smallBytes(const BaseTables &Base, const ek_raw_inst &I);

struct FormulaSize {
  enum { None, Untold, Differ, Found } Says = None;
  double Bytes = 0;
  bool Scaled = false; // with a symbol that was scaled
};

/// Only a formula that gives the base size \p Old can be trusted with another.
/// Untold: nothing given has to do with it, so the size is the same on the
/// target, however its object is accessed, until hooks see other sizes. Where
/// callers of a wrapper ask for several sizes, those that fit must agree on the
/// target (else Differ), unless it is known \p Whose block it is.
FormulaSize sizeByFormula(const BaseTables &Base, const SymbolValues &Given,
                          const SiteFact &S, uint32_t Task, double Old,
                          const SiteFact::Caller *Whose);

} // namespace prediction
} // namespace evenkeel

#endif
