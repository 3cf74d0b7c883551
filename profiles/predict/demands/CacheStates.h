//===- CacheStates.h - cache contents at the start of tasks -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what each task fetches, and the order of the phases.
// Makes: the dirty lines in the caches when each task begins; for a folded
// base, those of the last time that its phase finds different ones.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_DEMANDS_CACHESTATES_H
#define EVENKEEL_PROFILES_PREDICT_DEMANDS_CACHESTATES_H

#include "predict/base/Tables.h"
#include "predict/base/WriteBacks.h"
#include <functional>

namespace evenkeel {
namespace prediction {

/// What tasks fetch, by row of Profile.Tasks.
using FetchesOfTask =
    std::function<const std::vector<DirtyCaches::Fetch> &(uint32_t)>;

/// Empty caches of the base machine.
DirtyCaches emptyCaches(const Profile &B);

/// Calls \p Do with each row of a task, in the order of the phases, and the
/// caches at its start, which it updates.
void eachInOrder(const BaseTables &Base, const FetchesOfTask &Of,
                 const std::function<void(uint32_t, DirtyCaches &)> &Do);

} // namespace prediction
} // namespace evenkeel

#endif
