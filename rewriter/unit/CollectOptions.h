//===- CollectOptions.h - what is asked of one unit's walk ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which files may be edited and what they are called, the plan's shares,
// and which functions of other units are allocation wrappers.
// Not here: Clang; the walk (Collect).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COLLECTOPTIONS_H
#define EVENKEEL_REWRITER_COLLECTOPTIONS_H

#include <cstdint>
#include <map>
#include <set>
#include <string>

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

} // namespace evenkeel

#endif
