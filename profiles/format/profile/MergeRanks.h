//===- MergeRanks.h - one record from those of the ranks --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to merge the records of the ranks of an MPI program. Ranks become
// further workers, with thread numbers after those of the previous ranks, and
// phases lie between two collectives. If a rank passes several phases between
// collectives (parallel regions), its last one is aligned with the last ones of
// other ranks, and the others in order.
// Not here: messages and waits for single ranks, which do not end a phase (nor
// do collectives of some ranks only, which the recorder does not report); the
// MPI library's own traffic, which is not recorded. A rank that ended early has
// no tasks from then on.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_MERGERANKS_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_MERGERANKS_H

#include "Profile.h"

namespace evenkeel {

/// \p Ranks are ordered by rank and come from one run. Their modes and
/// simulated caches must agree. Joins race rows and images, too.
Expected<MissRecord> mergeRanks(std::vector<MissRecord> Ranks);

/// The ranks that ended before others, as text; empty: none.
std::string earlyRanks(const std::vector<MissRecord> &Ranks);

} // namespace evenkeel

#endif
