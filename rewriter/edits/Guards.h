//===- Guards.h - conditions that are said again elsewhere ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: under which conditions of the preprocessor a token of a file lives, as
// text, and how to say these conditions once more around text that is put in
// at another place of the same file.
// Not here: what a condition means; nothing is evaluated.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_GUARDS_H
#define EVENKEEL_REWRITER_GUARDS_H

#include "TokenTable.h"
#include <optional>
#include <set>

namespace evenkeel {

/// The conditions of token \p I, each as one text; `#ifdef _OPENMP` does not
/// count.
std::set<std::string> conditionsOf(const TokenTable &T, size_t I);

/// Lines around text that lives under some conditions only.
struct Guard {
  std::vector<std::string> Open;
  unsigned Ends = 0; ///< how many #endif close it

  bool empty() const { return Open.empty(); }
  /// \p Lines, each with its end, under the conditions.
  std::string around(const std::string &Lines,
                     const std::string &Newline) const;
};

/// What makes text at token \p At live exactly where the tokens \p Of live,
/// too; nullopt: a macro in a condition changes between the two, or may change
/// in a file that is included there. \p Braces: the text must not be there
/// otherwise; else files are taken not to change it.
std::optional<Guard> guardFor(const TokenTable &T,
                              const std::vector<size_t> &Of, size_t At,
                              bool Braces);

} // namespace evenkeel

#endif
