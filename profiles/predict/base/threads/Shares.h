//===- Shares.h - the work that each new thread takes over ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: thread t of T executes the share [t / T, (t + 1) / T) of a phase's
// work, so thread u of N gets the share [u / N, (u + 1) / N).
// Makes: the new teams, and for each task of the base profile the new tasks
// that execute parts of it.
// Not here: the tasks' accesses and values.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_THREADS_SHARES_H
#define EVENKEEL_PROFILES_PREDICT_BASE_THREADS_SHARES_H

#include "format/profile/Profile.h"
#include <algorithm>
#include <vector>

namespace evenkeel {
namespace threads {

/// The part of an old task's work that a new task executes, from .. to.
struct Piece {
  uint32_t Task = 0;
  double From = 0, To = 1;
  double share() const { return To - From; }
};

struct Shares {
  unsigned Old = 1, New = 1;              // threads of a team
  std::vector<bool> Shared;               // by phase: a team shares its work
  std::vector<std::vector<Piece>> Pieces; // by old task

  /// The old threads, from the first one to the end, whose work new thread
  /// \p U takes over.
  uint32_t firstOf(uint32_t U) const { return U * Old / New; }
  uint32_t endOf(uint32_t U) const {
    return std::min(Old, ((U + 1) * Old + New - 1) / New);
  }
  /// The part of old thread \p T's work that new thread \p U executes.
  Piece pieceOf(uint32_t U, uint32_t T) const {
    Piece X;
    X.From = std::max(0.0, double(U) * Old / New - T);
    X.To = std::min(1.0, double(U + 1) * Old / New - T);
    return X;
  }
};

/// Adds the phases, tasks, parts and dependences of \p New threads to \p Out.
Shares shareTasks(const Profile &B, unsigned Old, unsigned New, Profile &Out);

} // namespace threads
} // namespace evenkeel

#endif
