//===- CacheStates.h - what tasks find in the caches ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what each task fetches, and the order of the phases.
// Makes: the dirty lines in the caches when each task begins; of a folded base,
// those of the last time that its phase runs and finds other ones.
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

/// Caches of the base machine that hold nothing.
DirtyCaches emptyCaches(const Profile &B);

/// Calls \p Do with each row of a task, in the order of the phases, and the
/// caches in which it begins, and which it changes.
void eachInOrder(const BaseTables &Base, const FetchesOfTask &Of,
                 const std::function<void(uint32_t, DirtyCaches &)> &Do);

} // namespace prediction
} // namespace evenkeel

#endif
