//===- Changes.h - changed values of symbols --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the value of an expression in a task depends on the symbols' values
// for the whole target and for the task's phase, and on which thread has which
// objects.
// Makes: the tasks in which an expression may have changed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_CHANGES_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_CHANGES_H

#include "SymbolValues.h"

namespace evenkeel {
namespace prediction {

/// What changed between two sets of values: these symbols in every task, and
/// everything in these phases.
struct Changes {
  bool All = false;
  std::set<uint64_t> Symbols;
  std::set<uint32_t> Phases;

  bool none() const { return !All && Symbols.empty() && Phases.empty(); }
};

Changes changesBetween(const PhaseKinds &Kinds, const SymbolValues &Old,
                       const SymbolValues &New);

/// Rows of Profile.Tasks that \p C affects; a row may be repeated.
std::vector<uint32_t> tasksTouched(const BaseTables &Base, const Changes &C);

} // namespace prediction
} // namespace evenkeel

#endif
