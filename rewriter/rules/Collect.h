//===- Collect.h - from one unit's AST to findings --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the Clang AST of one unit: which calls and new-expressions are sites,
// which OpenMP directives make tasks wait, where each stands (identity) and
// which edits annotate it, or the named reason why none does.
// Not here: other units, files on disk, output.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COLLECT_H
#define EVENKEEL_REWRITER_COLLECT_H

#include "edits/Findings.h"
#include "edits/Paths.h"
#include "unit/QuotedText.h"
#include <map>
#include <set>

namespace clang {
class ASTContext;
class HeaderSearch;
} // namespace clang

namespace evenkeel {

struct CollectOptions {
  std::string Root; // absolute, canonical
  /// Nobody has named the root: headers beside it may be the project's, too
  /// (ProjectFiles).
  bool Beside = false;
  /// Only files below this folder are edited, if it is not empty.
  std::string Within;
  /// Percent in fast memory by site, from the plan; null: no plan, the calls
  /// say nothing.
  const std::map<uint64_t, unsigned> *Percent = nullptr;
  /// Sites that the plan speaks of; null: no plan.
  const std::map<uint64_t, unsigned> *Planned = nullptr;
  /// The main file is preprocessed: it may be edited wherever it lies, because
  /// its line markers say what of it is the project's.
  bool Preprocessed = false;
  /// The result is compiled as this unit is and nowhere else (the plugin), so
  /// what other arms of conditionals say does not matter.
  bool OneConfiguration = false;
  /// Allocation wrappers (rules/wrapper.md) that people have named, qualified:
  /// `xmalloc`, `pool::get`.
  std::set<std::string> NamedWrappers;
  /// Those of other units, by the names that linkers know; null: nobody has
  /// looked, and nobody asks which are here.
  const std::set<std::string> *OtherWrappers = nullptr;
  /// Nobody will look at the other units: what depends on them is listed
  /// (LinkedWrappers.h).
  bool LinkDecides = false;

  /// What ids call the file at \p Path, absolute and canonical; empty where it
  /// is none of the project's.
  std::string nameOf(const std::string &Path) const;
};

/// Walks \p Context and adds to \p Result; leaves \p Quoted text alone.
void collectUnit(clang::ASTContext &Context, const clang::HeaderSearch &Headers,
                 const CollectOptions &Options, const QuotedText &Quoted,
                 UnitResult &Result);

} // namespace evenkeel

#endif
