//===- ToldValues.h - what handed-over values say ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values that a program handed over so far.
// Makes: the known symbols that a hook's planner is given; for the runtime and
// for replay, so that both know the same.
// Not here: how values are handed over (format/plan/HandedValues.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_TOLDVALUES_H
#define EVENKEEL_PROFILES_PROBLEM_TOLDVALUES_H

#include "Measured.h"
#include "format/Facts.h"
#include <vector>

namespace evenkeel {

/// Before a region of phase Phase began, the symbol had this value.
struct ToldValue {
  uint64_t Symbol = 0;
  double Value = 0;
  uint32_t Phase = 0;
};

/// Adds \p Value to \p Told, unless it says nothing new.
void addTold(std::vector<ToldValue> &Told, const Facts &F,
             const ToldValue &Value);

/// A value that holds for the whole program is known once it was told, unless
/// it changed since. Other values are known for the phases in which they were
/// told, if there was only one. Sorted by phase and symbol.
std::vector<KnownSymbol> knownSymbols(const Facts &F,
                                      const std::vector<ToldValue> &Told);

} // namespace evenkeel

#endif
