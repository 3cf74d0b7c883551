//===- live.h - objects that are alive, for planning again ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the planner asks of each, also of the other ranks' (board.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_LIVE_H
#define EVENKEEL_RUNTIME_LIVE_H

#include "planner/HookPlanner.h"

#include <vector>

namespace evenkeel {

/// What is asked of a live object.
struct Live {
  InstanceName Name;
  double Bytes;
  double Reached; // pages in the fast tier over those wanted there, or over all
                  // where first touch is kept
};

/// Those of this process that the plan speaks of, or may, sorted by name.
std::vector<Live> liveObjects();

/// The leader's and what the others have answered. Throws where a rank has more
/// than fit on the board.
std::vector<Live> objectsOfAll();

} // namespace evenkeel

#endif
