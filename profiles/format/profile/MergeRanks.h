//===- MergeRanks.h - one record of many ranks ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how records of the ranks of one MPI program become one: ranks are
// further workers, with thread numbers behind those of the ranks before, and
// phases are what lies between two collectives. Where a rank passes through
// several phases between collectives (parallel regions), its last one is
// aligned with the others' last ones and the rest in order.
// Not here: messages and waits for single ranks, which end no phase; the MPI
// library's own traffic, which is not recorded. Collectives of some ranks only
// are such waits: the recorder tells of those alone that all take part in. A
// rank that ended before the others did has no tasks from there on.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_MERGERANKS_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_MERGERANKS_H

#include "Profile.h"

namespace evenkeel {

/// \p Ranks in order of their rank, recorded in one run. Modes and simulated
/// caches must agree. Race rows and images are joined as well.
Expected<MissRecord> mergeRanks(std::vector<MissRecord> Ranks);

/// Which ranks ended before others did, as a line for people; empty: none.
std::string earlyRanks(const std::vector<MissRecord> &Ranks);

} // namespace evenkeel

#endif
