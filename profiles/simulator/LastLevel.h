//===- LastLevel.h - a record behind another last level ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a miss record looks when the tasks have more or less of a last
// level than it was made with. The miss-ratio curves of the record say how many
// lines each task fetches of each object at several sizes (exactly, by caches
// that were simulated beside the others); between sizes the count is taken to
// be linear in the size's logarithm, outside of them that of the nearest one.
// Which pages and quanta they belong to stays as recorded; where the record has
// none, an object's lines spread evenly over its pages and the task's time.
// Write-backs follow the fetches.
// Not here: core time of hits in the last level, which stays as recorded.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_LASTLEVEL_H
#define EVENKEEL_PROFILES_SIMULATOR_LASTLEVEL_H

#include "format/profile/Profile.h"

namespace evenkeel {

/// \p R as if its workers shared a last level of \p Bytes in equal parts.
/// An error when the record has no curves.
Expected<MissRecord> withLastLevel(const MissRecord &R, uint64_t Bytes);

/// Lines fetched with \p Bytes of last level, from a row of a curve; \p Sizes
/// as in ek_raw_conf. Nothing when no size was kept.
double fetchedAt(const ek_raw_mrc &C, const uint32_t *Sizes, double Bytes);

} // namespace evenkeel

#endif
