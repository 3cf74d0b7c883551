//===- HandedValues.h - values that programs hand over ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which variables annotated sources hand to the runtime before a
// parallel region begins (EK_VALUES in ek.h), of which loops the code that
// evenkeel-cc makes hands over the iterations (ek_total), and which symbol of
// the facts each of them is there.
// Not here: the edits (rewriter/unit/HandedVariables.h) and the code
// (rewriter/plugin/CountingCode.h), and the use of the values
// (problem/ToldValues.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_HANDEDVALUES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_HANDEDVALUES_H

#include <cstdint>
#include <optional>
#include <vector>

namespace evenkeel {

struct Facts;

/// Before region Region begins, the program hands over the value of variable
/// HandedAs, which is that of symbol Symbol. Or (IsTotal) each of its threads,
/// once it has run the loop HandedAs, hands over that loop's iterations.
struct PlanValue {
  uint64_t Region = 0, HandedAs = 0, Symbol = 0;
  /// The value that the plan was made for; none: the base run had several.
  std::optional<double> Expected = std::nullopt;
  bool IsTotal = false;
};

/// The values in formulas of parallel regions and their explicit tasks, without
/// expected values; sorted by region and variable. A variable that is two
/// symbols in one region is left out.
std::vector<PlanValue> handedValues(const Facts &F);

} // namespace evenkeel

#endif
