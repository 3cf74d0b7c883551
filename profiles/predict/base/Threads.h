//===- Threads.h - convert a base profile to other thread counts *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the threads of a team share the work in order. Another number of
// threads divides the same work into other shares.
// Makes: the base profile that this many threads would have left; the
// prediction uses it as if it had been recorded.
// Not here: teams whose size the program sets itself; phases with explicit
// tasks, whose number does not change, and phases in which one thread does all
// the work; the effect on the caches of smaller shares of common objects (a
// task's share of the last level stays the same); when lines are fetched
// (Course.h); values that the program computes from the number of threads.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_THREADS_H
#define EVENKEEL_PROFILES_PREDICT_BASE_THREADS_H

#include "format/Facts.h"
#include "format/profile/Profile.h"

namespace evenkeel {

/// The number of threads in the widest teams; 1: there is no team.
unsigned threadsOf(const Profile &Base);

/// Errors: an MPI program, whose ranks have threads of their own; no teams; no
/// threads, or more than MostThreads.
Expected<Profile> withThreads(const Profile &Base, const Facts &F,
                              unsigned Threads);
constexpr unsigned MostThreads = 4096; ///< more than any one node has

} // namespace evenkeel

#endif
