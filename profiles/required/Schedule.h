//===- Schedule.h - what a policy decides about copies ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the decisions that a replay on a required tier carries out: the order
// of the steps, which contents are copied out after a use, how early those of a
// step may be copied in, and where they are put.
// Not here: who decides (policies/), and what then happens (Streams.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_SCHEDULE_H
#define EVENKEEL_PROFILES_REQUIRED_SCHEDULE_H

#include "LiveRanges.h"
#include "Order.h"
#include "pools/Pool.h"

namespace evenkeel::required {

struct Schedule {
  Order Steps;
  /// Of each position, of each use: whether live contents leave the tier after
  /// it. Contents that are in the backing object already are just dropped.
  std::vector<std::vector<bool>> Leaves;
  /// Of each position: how many steps must have started before its data is
  /// given room and copied in; at most its own number. A step that is next is
  /// always served.
  std::vector<uint32_t> After;
  /// Each step waits until all copies that were begun have ended.
  bool Barrier = false;
  PoolKind Pool = PoolKind::Gtbm;
  /// Smaller data is reclaimed data of a GTBM pool.
  uint64_t SmallBytes = 0;
  uint64_t ReclaimedBytes = 0; // the size of its space
};

/// Runs the steps in this order, copies the data of each in while the step
/// before it runs, and lets nothing leave unless there is no room.
Schedule oneAhead(const TaskGraph &G, Order O);

/// How many further uses a datum stays for from the use at (\p Position,
/// \p Index) on, until its contents are dead or leave.
uint32_t usesUntilGone(const TaskGraph &G, const Schedule &S,
                       const LiveRanges &Live, uint32_t Position,
                       uint32_t Index);

} // namespace evenkeel::required

#endif
