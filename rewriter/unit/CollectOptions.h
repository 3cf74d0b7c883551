//===- CollectOptions.h - options of one unit's walk ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which files may be edited, and their names; the plan's shares; and
// which functions of other units are allocation wrappers.
// Not here: Clang; the walk (Collect).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_COLLECTOPTIONS_H
#define EVENKEEL_REWRITER_COLLECTOPTIONS_H

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace evenkeel {

/// The library whose plain calls allocate planned data (library/README.md);
/// None: ours.
enum class LibraryCalls { None, OpenMP, Memkind };

/// The generated header of sources with such calls.
inline const char *memoryHeaderName(LibraryCalls Style) {
  return Style == LibraryCalls::OpenMP ? "omp_memory.h" : "memkind_memory.h";
}

struct CollectOptions {
  std::string Root; // absolute, canonical
  /// The root is a guess: headers beside it may belong to the project, too
  /// (ProjectFiles).
  bool Beside = false;
  /// If not empty, only files below this folder are edited.
  std::string Within;
  /// Percentage in the fast tier by site, from the plan; null: no plan, calls
  /// have no shares.
  const std::map<uint64_t, unsigned> *Percent = nullptr;
  /// The plan's sites; null: no plan.
  const std::map<uint64_t, unsigned> *Planned = nullptr;
  /// The main file is preprocessed: it may be edited wherever it is, because
  /// its line markers show which text belongs to the project.
  bool Preprocessed = false;
  /// The result is compiled only with this unit's options (plugin), so other
  /// branches of conditionals do not matter.
  bool OneConfiguration = false;
  /// Allocation wrappers (rules/wrapper.md) that the user names, qualified:
  /// `xmalloc`, `pool::get`.
  std::set<std::string> NamedWrappers;
  /// The wrappers of other units by link name; null: they are unknown, and the
  /// wrappers of this unit are not needed.
  const std::set<std::string> *OtherWrappers = nullptr;
  /// Other units are not read: calls that depend on them are listed
  /// (LinkedWrappers.h).
  bool LinkDecides = false;
  /// Lists the loops whose iterations the compiled code is to count.
  bool CountsLoops = false;
  /// The result is kept as the project's source: names instead of ids, and
  /// added text on lines of its own (kept/README.md).
  bool Kept = false;
  /// Adds priority clauses to tasks with depend clauses (TaskLevels.h).
  bool Priorities = false;
  /// Tasks acquire the data that they use (tasks/ClauseCheck.h).
  bool Acquire = false;
  LibraryCalls Library = LibraryCalls::None;

  /// Whether the project keeps the result, so that macros stay as they are.
  bool isKept() const { return Kept || Library != LibraryCalls::None; }

  /// The name of the file \p Path (absolute, canonical) in ids; empty if it
  /// does not belong to the project.
  std::string nameOf(const std::string &Path) const;
};

} // namespace evenkeel

#endif
