//===- live.h - live objects, for planning again ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the planner needs to know of each live object, including those of
// other ranks (board.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_LIVE_H
#define EVENKEEL_RUNTIME_LIVE_H

#include "planner/HookPlanner.h"

#include <vector>

namespace evenkeel {

/// A live object.
struct Live {
  InstanceName Name;
  double Bytes;
  double Reached; // fraction of its wanted fast pages that are fast; of all its
                  // pages where first touch is kept
};

/// The objects of this process that the plan may place, sorted by name.
std::vector<Live> liveObjects();

/// The fast share of each unit of \p P under \p Now, as far as pages have got
/// there.
std::vector<double> sharesNow(const Problem &P, const Plan &Now,
                              const std::vector<Live> &Alive);

/// The objects of all ranks: the leader's and the others' answers. Throws if a
/// rank's answer did not fit.
std::vector<Live> objectsOfAll();

} // namespace evenkeel

#endif
