//===- Guards.h - preprocessor conditions, repeated elsewhere ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the preprocessor conditions of a token, as text, and how to repeat
// them around text that is inserted elsewhere in the file. Also whether a hook
// already follows under certain conditions.
// Not here: the meaning of a condition; nothing is evaluated.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_GUARDS_H
#define EVENKEEL_REWRITER_GUARDS_H

#include "TokenTable.h"
#include <optional>
#include <set>

namespace evenkeel {

/// The conditions of token \p I, as one text each, without `#ifdef _OPENMP`.
std::set<std::string> conditionsOf(const TokenTable &T, size_t I);

/// Conditional lines to put around inserted text.
struct Guard {
  std::vector<std::string> Open;
  unsigned Ends = 0; ///< how many #endif close it

  bool empty() const { return Open.empty(); }
  /// \p Lines, which have line ends, enclosed in the conditions.
  std::string around(const std::string &Lines,
                     const std::string &Newline) const;
};

/// A guard that makes text at token \p At exist exactly if the tokens \p Of
/// exist. nullopt: a macro in a condition changes in between, or may change in
/// a file included there. \p Braces: the text must not exist otherwise; without
/// it, included files are assumed not to change the macro.
std::optional<Guard> guardFor(const TokenTable &T,
                              const std::vector<size_t> &Of, size_t At,
                              bool Braces);

/// Whether a hook begins at token \p I, perhaps after lines that we added,
/// under all conditions in \p Needed and none outside \p Allowed.
bool isHook(const TokenTable &T, size_t I, const std::set<std::string> &Needed,
            const std::set<std::string> &Allowed);

} // namespace evenkeel

#endif
