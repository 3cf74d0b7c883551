//===- SharedRows.h - similar phases share their rows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the iterations of a solver do nearly the same, row by row. In a file,
// a phase may share the rows of an earlier one with the same number of tasks:
// its I-th task is like the I-th task there, and the file contains only the
// rows in which the two differ. A row that only the earlier task has is stored
// with all figures 0.
// Makes: the rows of such a file, and all rows again, bit by bit.
// Not here: the container (ProfileFile.cpp), and small tables (phases,
// instances, dependences among tasks).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_SHAREDROWS_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_SHAREDROWS_H

#include "Profile.h"
#include <optional>

namespace evenkeel {

/// Phase \p phase shares the rows of \p as, an earlier one.
struct SharedPhase {
  uint32_t phase, as;
};

/// The rows that a file contains of a profile's tables with rows by task.
struct HeldRows {
  std::vector<SharedPhase> Shared; // by phase
  /// Row numbers of Tasks and Symbols. Symbols without a task keep their
  /// places; the others fill the rest in order of symbol and task.
  std::vector<uint32_t> TaskRows, SymbolRows;
  std::vector<ek_raw_task> Tasks;
  std::vector<ek_raw_access> Accesses;
  std::vector<ek_raw_miss> Misses;
  std::vector<ek_raw_mrc> Curves;
  std::vector<ek_raw_far> Far;
  std::vector<ek_raw_symbol> Symbols;
  std::vector<ek_raw_page> Pages;
};

/// Nullopt if sharing saves nothing, or if rows are not in the order of
/// ek_raw.h.
std::optional<HeldRows> shareRows(const MissRecord &R);

/// Adds all rows of \p Held to \p R, which must have its phases and instances.
/// False: \p Held is damaged.
bool giveAllRows(HeldRows Held, MissRecord &R);

} // namespace evenkeel

#endif
