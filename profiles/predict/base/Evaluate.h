//===- Evaluate.h - expressions on the base input ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a symbol was in a task of the base run, and how the iterations of
// a loop were dealt out to it.
// Makes: values of expressions in a task.
// Leaves out: the target (symbols/Evaluate.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_EVALUATE_H
#define EVENKEEL_PROFILES_PREDICT_BASE_EVALUATE_H

#include "Tables.h"
#include "Trace.h"

namespace evenkeel {
namespace prediction {

/// \p Task is a row of Profile.Tasks, or EK_NO_TASK for the whole program.
std::optional<double> baseValue(const BaseTables &Base, uint64_t Symbol,
                                uint32_t Task);

/// The place of \p Task among those that share a loop. Symbols are for the
/// caller to look up.
EvalContext contextOf(const BaseTables &Base, uint32_t Task);

/// \p V, or nothing where formulas say nothing of \p Symbol with that value.
std::optional<double> inReach(const BaseTables &Base, uint64_t Symbol,
                              std::optional<double> V, Trace &How);

/// \p How, if given, gets what the value went by.
std::optional<double> evalBase(const BaseTables &Base, const Expr &E,
                               uint32_t Task, Trace *How = nullptr);

} // namespace prediction
} // namespace evenkeel

#endif
