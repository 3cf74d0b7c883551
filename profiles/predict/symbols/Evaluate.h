//===- Evaluate.h - expressions on the target -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values of symbols on the target and on the base input.
// Makes: values of expressions in a task of the target.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_EVALUATE_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_EVALUATE_H

#include "SymbolValues.h"
#include "predict/base/Evaluate.h"

namespace evenkeel {
namespace prediction {

/// Nothing where a symbol has no value. \p How gets what the value went by.
/// \p OfOwn: of an object that its thread has to itself, so values that are
/// known of single threads are those of the thread that has it on the target.
std::optional<double> evalTarget(const BaseTables &Base,
                                 const SymbolValues &Known, const Expr &E,
                                 uint32_t Task, Trace &How, bool OfOwn = false);

} // namespace prediction
} // namespace evenkeel

#endif
