//===- RecordedGraph.h - the task graph of a recorded run -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how a record becomes steps and data.
//   * Each explicit task's row is a step; what the threads of a phase do is one
//     step for all of them, before the phase's explicit tasks.
//   * A step waits for those that its record's dependences name, and for all of
//     the phase before.
//   * A datum is an instance, as a whole: a record counts accesses by instance,
//     and which part of it a cached access reached is not in it.
//   * A step overwrites an instance if it reads nothing of it and fetches every
//     line of it to write; otherwise it needs the old contents.
//   * An instance has contents from before the run if its first step only reads
//     it. If that step writes any of it, the rest is taken as not set: memory
//     of malloc has no contents. Static data that is first changed in part
//     counts one copy too few.
//   * Times: replay of the step with all pages in the fast tier, alone; of a
//     phase of threads, of the threads together.
// Not here: policies.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_RECORDEDGRAPH_H
#define EVENKEEL_PROFILES_REQUIRED_RECORDEDGRAPH_H

#include "TaskGraph.h"
#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"

namespace evenkeel::required {

/// Errors: a record without counts of accesses; a machine that cannot be
/// replayed on.
Expected<TaskGraph> recordedGraph(const PreparedRecord &R, const Machine &M);

} // namespace evenkeel::required

#endif
