//===- LiveRanges.h - when the contents of a datum are needed ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for steps in a given order, what a datum's contents are good for after
// each use: a later step needs them, or all of it is overwritten first, or
// nobody looks again. Dead contents need neither room nor a copy.
// Not here: where the contents are.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_LIVERANGES_H
#define EVENKEEL_PROFILES_REQUIRED_LIVERANGES_H

#include "TaskGraph.h"

namespace evenkeel::required {

constexpr uint32_t Never = ~uint32_t(0);

/// One use of a datum, seen in an order of the steps.
struct UseInOrder {
  uint32_t Position = 0; // of its step in the order
  uint32_t Index = 0;    // in Step::Uses
  /// Whether contents are needed afterwards, by a later step or at the end.
  bool LiveAfter = false;
  /// The position of the next step that uses the datum in any way.
  uint32_t NextUse = Never;
  uint32_t UsesLeft = 0; // after this one
};

/// Of each datum its uses, in the order of the steps.
struct LiveRanges {
  std::vector<std::vector<UseInOrder>> OfDatum;
  /// Of each position, of each of the step's uses, its index in OfDatum.
  std::vector<std::vector<uint32_t>> Ordinal;

  const UseInOrder &at(const TaskGraph &G, const std::vector<uint32_t> &Order,
                       uint32_t Position, uint32_t Index) const {
    const uint32_t Datum = G.Steps[Order[Position]].Uses[Index].Datum;
    return OfDatum[Datum][Ordinal[Position][Index]];
  }
};

LiveRanges liveRanges(const TaskGraph &G, const std::vector<uint32_t> &Order);

/// Most bytes in use at a time if the steps run one by one in this order and
/// nothing is copied out: of each step its own data and all live contents. Data
/// with contents from before the first step counts from its first use.
uint64_t peakBytes(const TaskGraph &G, const std::vector<uint32_t> &Order);

} // namespace evenkeel::required

#endif
