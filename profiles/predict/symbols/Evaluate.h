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

/// None if a symbol has no value. \p How receives how the value was determined.
std::optional<double> evalTarget(const BaseTables &Base,
                                 const SymbolValues &Known, const Expr &E,
                                 uint32_t Task, Trace &How);

} // namespace prediction
} // namespace evenkeel

#endif
