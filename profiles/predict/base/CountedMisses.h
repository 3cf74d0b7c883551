//===- CountedMisses.h - estimate misses from counts ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how many of a task's accesses to an object reach memory is estimated
// from their access class, the distance between accesses and the task's
// footprint. Sequential accesses fetch each line once per
// pass, unless all data of the task stay in the last level; random accesses hit
// in proportion to the part of the footprint that the last level holds.
// Makes: a profile with lines per chunk and cache size, as in a base profile
// with misses, but still of mode "counts".
// Not here: reuse of lines that another task fetched, late prefetches, and
// interference in shared caches; recorded misses are more accurate.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_COUNTEDMISSES_H
#define EVENKEEL_PROFILES_PREDICT_BASE_COUNTEDMISSES_H

#include "format/Facts.h"
#include "format/profile/Profile.h"

namespace evenkeel {

/// \p P, which has counts but no misses, with estimated misses. Accesses about
/// which \p F says nothing are assumed to be random. In a region that \p F does
/// not know, an object is accessed as everywhere else.
Profile withEstimatedMisses(Profile P, const Facts &F);

} // namespace evenkeel

#endif
