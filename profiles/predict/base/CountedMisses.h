//===- CountedMisses.h - misses of a profile that has counts ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: of a task's accesses to an object, as many reach memory as their
// class, the bytes from one to the next and the task's footprint say (design,
// section 6): what walks in order brings a line once per pass unless all that
// the task uses stays in the last level; what jumps about hits as often as the
// last level holds the footprint.
// Makes: a profile with lines per chunk and cache size, as a base with misses
// has them, of mode "counts" still.
// Leaves out: what comes first to an object and hits later, prefetches that are
// too late, neighbours in the caches: misses that were recorded are better.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_COUNTEDMISSES_H
#define EVENKEEL_PROFILES_PREDICT_BASE_COUNTEDMISSES_H

#include "format/Facts.h"
#include "format/profile/Profile.h"

namespace evenkeel {

/// \p P, which has counts and no misses, with the lines that they are estimated
/// to be. What \p F says nothing of is taken to jump about.
Profile withEstimatedMisses(Profile P, const Facts &F);

} // namespace evenkeel

#endif
