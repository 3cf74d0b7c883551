//===- MemProfRun.h - a profile from what MemProf counted -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: MemProf counts the accesses to the blocks of each call stack, in
// caches and in memory alike. Makes a profile of the kind that `record
// --counts` makes (plan estimates what reaches memory) and, if there is no
// analysis of the program, facts in which each call stack is a site. What
// MemProf does not say is not made up: the run is one phase of one task,
// accesses are loads, and nothing tells how counts grow with the input. Not
// here: the text (MemProfText).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_MEMPROF_MEMPROFRUN_H
#define EVENKEEL_PROFILES_FORMAT_MEMPROF_MEMPROFRUN_H

#include "MemProfText.h"
#include "format/ecohmem/Trace.h"

namespace evenkeel::memprof {

/// The run of \p Profile, whose objects are sites of \p Analysis, or call
/// stacks without one. \p Seconds is the run's duration; 0: from the first
/// allocation to the last release. Errors: no object with accesses, no
/// duration.
Expected<ecohmem::TracedRun> runOfMemProf(const std::vector<Blocks> &Profile,
                                          const Facts *Analysis,
                                          double Seconds);

} // namespace evenkeel::memprof

#endif
