//===- Evaluate.h - expressions on the base input ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the value of a symbol in a task of the base run, and how the
// iterations of a loop were distributed to it.
// Makes: values of expressions in a task.
// Not here: the target (symbols/Evaluate.h).
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

/// The position of \p Task among the tasks that share a loop. The caller looks
/// up symbols.
EvalContext contextOf(const BaseTables &Base, uint32_t Task);

/// \p V, or none if formulas do not hold for that value of \p Symbol.
std::optional<double> inReach(const BaseTables &Base, uint64_t Symbol,
                              std::optional<double> V, Trace &How);

/// \p How, if given, receives how the value was determined.
std::optional<double> evalBase(const BaseTables &Base, const Expr &E,
                               uint32_t Task, Trace *How = nullptr);

} // namespace prediction
} // namespace evenkeel

#endif
