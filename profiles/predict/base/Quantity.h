//===- Quantity.h - quantities behind symbol names --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the spelling of symbol names, "function:expression", with "#2" where
// an expression names several values.
// Not here: values; the caller checks whether two symbols with the same name
// mean the same quantity.
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

/// Whether \p S is the result of converting an argument or a text with a
/// library function (atol): an independent input, even if its base value equals
/// another number.
bool isConverted(const SymbolFact &S);

/// Whether a symbol of this name is the number of threads of a team.
bool isThreadCount(const std::string &Name);

} // namespace evenkeel

#endif
