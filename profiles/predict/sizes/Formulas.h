//===- Formulas.h - sizes by formulas ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the size formulas of sites and of the calls of wrappers.
// Makes: the size by formula on the target, if the formula gives the base's
// size.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SIZES_FORMULAS_H
#define EVENKEEL_PROFILES_PREDICT_SIZES_FORMULAS_H

#include "predict/symbols/SymbolValues.h"

namespace evenkeel {
namespace prediction {

/// The wrapper call that made \p I, if the facts have a size for it.
const SiteFact::Caller *callerOf(const Facts &F, const ek_raw_inst &I);

/// The task of the base that made \p I, or EK_NO_TASK.
uint32_t makerOf(const BaseTables &Base, const ek_raw_inst &I);

/// For small blocks the recorder stores the size of their pool; the size by
/// formula is more accurate, if it fits.
double smallBytes(const BaseTables &Base, const ek_raw_inst &I);

struct FormulaSize {
  enum { None, NotGiven, Differ, Found } Says = None;
  double Bytes = 0;
  bool Scaled = false; // with a symbol that was scaled
};

/// A formula is trusted only if it gives the base size \p Old. NotGiven: the
/// formula contains no given value, so the size is the same on the target,
/// however the object is accessed, until hooks see other sizes. If callers of a
/// wrapper request several sizes, the fitting formulas must agree on the target
/// (else Differ), unless it is known \p Whose block it is.
FormulaSize sizeByFormula(const BaseTables &Base, const SymbolValues &Given,
                          const SiteFact &S, uint32_t Task, double Old,
                          const SiteFact::Caller *Whose);

} // namespace prediction
} // namespace evenkeel

#endif
