//===- LastLevel.h - a record with another last level -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to convert a miss record to another size of the last-level cache
// per task. The record's miss-ratio curves contain the number of lines that
// each task fetches of each object at several sizes (exactly, from caches that
// were simulated at the same time). Between these sizes, the number is
// interpolated linearly in the logarithm of the size; outside, it is that of
// the nearest size. The distribution over pages and quanta stays as recorded;
// if the record has none, an object's lines are spread evenly over its pages
// and the task's time. Write-backs are scaled like fetches.
// Not here: core time of last-level hits, which stays as recorded.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_LASTLEVEL_H
#define EVENKEEL_PROFILES_SIMULATOR_LASTLEVEL_H

#include "format/profile/Profile.h"

namespace evenkeel {

/// \p R as if its workers shared a last level of \p Bytes in equal parts. Error
/// if the record has no curves.
Expected<MissRecord> withLastLevel(const MissRecord &R, uint64_t Bytes);

/// Lines fetched with \p Bytes of last level according to a row of a curve; \p
/// Sizes as in ek_raw_conf. 0 if no size was recorded.
double fetchedAt(const ek_raw_mrc &C, const uint32_t *Sizes, double Bytes);

} // namespace evenkeel

#endif
