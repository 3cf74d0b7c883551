//===- Threads.h - a base profile for other numbers of threads --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the threads of a team deal out what there is to do, in order. Another
// number of them deals the same out into other parts.
// Makes: the base profile that as many threads would have left, of which
// everything else goes on as if it had been recorded.
// Leaves out: teams whose size the program says itself; phases with explicit
// tasks, whose number stays, and those in which one thread does it all; what
// smaller parts of shared objects find in the caches (a task's share of the
// last level stays what it was); when lines are fetched (Course.h); values that
// the program works out from the number of threads.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_THREADS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_THREADS_H

#include "format/Facts.h"
#include "format/profile/Profile.h"

namespace evenkeel {

/// Threads of the widest teams; 1: there is none.
unsigned threadsOf(const Profile &Base);

/// Errors: ranks of an MPI program, of which each has its own; no teams; no
/// threads, or more than MostThreads.
Expected<Profile> withThreads(const Profile &Base, const Facts &F,
                              unsigned Threads);
constexpr unsigned MostThreads = 4096; ///< more than any one node has

} // namespace evenkeel

#endif
