//===- SharedRows.h - phases alike keep their rows once ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the iterations of a solver do nearly the same, row by row. In a file a
// phase may share the rows of one before it: it has as many tasks, its I-th
// task is like the I-th of the other, and the file holds only the rows in which
// the two differ. A row that the other has and this one lacks is held with all
// figures 0.
// Makes: the rows that such a file holds, and all rows of them again, bit by
// bit.
// Not here: the container (ProfileFile.cpp), and rows of tables that are
// small (phases, instances, dependences among tasks).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_SHAREDROWS_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_SHAREDROWS_H

#include "Profile.h"
#include <optional>

namespace evenkeel {

/// Phase \p phase shares the rows of \p as, which is before it.
struct SharedPhase {
  uint32_t phase, as;
};

/// What a file holds of the tables of a profile that have rows by task.
struct HeldRows {
  std::vector<SharedPhase> Shared; // by phase
  /// Row numbers of Tasks and Symbols. Of symbols, those of no task keep their
  /// places; all others fill the rest in order of symbol and task.
  std::vector<uint32_t> TaskRows, SymbolRows;
  std::vector<ek_raw_task> Tasks;
  std::vector<ek_raw_access> Accesses;
  std::vector<ek_raw_miss> Misses;
  std::vector<ek_raw_mrc> Curves;
  std::vector<ek_raw_far> Far;
  std::vector<ek_raw_symbol> Symbols;
  std::vector<ek_raw_page> Pages;
};

/// Nothing, if no phase gains by it or the rows are not in the order of
/// ek_raw.h.
std::optional<HeldRows> shareRows(const MissRecord &R);

/// Gives \p R, whose phases and instances are there, all rows of \p Held.
/// False:
/// \p Held is damaged.
bool giveAllRows(HeldRows Held, MissRecord &R);

} // namespace evenkeel

#endif
