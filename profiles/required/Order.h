//===- Order.h - orders in which steps may run ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: orders in which each step comes after those that it waits for.
//   * breadthFirst: of the steps that may run, the one that could first
//   * depthFirst: Yang 2022, chapter 4, algorithm 2: a step is entered once it
//     was reached as often as it has predecessors, and its successors come
//     next, so a branch is finished, and its data released, before the next
//   * leastLive: of the steps that may run, the one that leaves fewest bytes
//     live (Evenkeel; a greedy search as of register pressure)
//   * asWritten: the numbers of the steps
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_ORDER_H
#define EVENKEEL_PROFILES_REQUIRED_ORDER_H

#include "TaskGraph.h"

namespace evenkeel::required {

using Order = std::vector<uint32_t>; // steps by position

Order breadthFirst(const TaskGraph &G);
Order depthFirst(const TaskGraph &G);
Order leastLive(const TaskGraph &G);
Order asWritten(const TaskGraph &G);

/// Whether \p O has each step once, after those that it waits for.
bool isOrder(const TaskGraph &G, const Order &O);

} // namespace evenkeel::required

#endif
