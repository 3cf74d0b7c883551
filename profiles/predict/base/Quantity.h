//===- Quantity.h - what the name of a symbol stands for --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the spelling of symbol names, "function:expression", with "#2" where
// an expression names several values.
// Leaves out: values; that two symbols with one name mean one thing is for the
// caller to check.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_QUANTITY_H
#define EVENKEEL_PROFILES_PREDICT_BASE_QUANTITY_H

#include "format/Facts.h"
#include <string>

namespace evenkeel {

/// \p Name without its function.
std::string shortName(const std::string &Name);

/// The quantity behind a name: "f:a.rows" and "g:rows#1" are both "rows".
std::string quantity(const std::string &Name);

/// Whether \p S is what a library function made of an argument or a text
/// (atol): an input of its own, whatever number it agrees with on the base.
bool isConverted(const SymbolFact &S);

/// Whether a symbol of that name is the number of threads of a team.
bool isThreadCount(const std::string &Name);

} // namespace evenkeel

#endif
