//===- PlacedShares.h - where the parts of a prediction lie -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which instances of a record the instances of a prediction are, which
// pages a unit has, and how many of them lie fast. It joins planner and
// simulator, which know nothing of each other.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLACEDSHARES_H
#define EVENKEEL_UTILS_CLI_PLACEDSHARES_H

#include "planner/Planner.h"
#include "simulator/PageMap.h"
#include "simulator/Replay.h"
#include <utility>
#include <vector>

namespace evenkeel::cli {

/// Instance of the record for each predicted one; EK_NO_TASK = none lives.
std::vector<uint32_t> liveInstances(const Problem &P, const MissRecord &Record,
                                    const PageMap &Map);

/// Pages of a unit that lies in instance \p I.
std::pair<uint32_t, uint32_t> pagesOf(const Unit &U, uint32_t I,
                                      const PageMap &Map);

/// Fast share of every unit: where its pages lie; not a number where none of
/// them lies anywhere yet.
std::vector<double> placedShares(const Problem &P, const MissRecord &Record,
                                 const PageMap &Map);

/// The same, and of what lies nowhere yet as \p X has it.
std::vector<double> sharesUnder(const Plan &X, const Problem &P,
                                const MissRecord &Record, const PageMap &Map);

} // namespace evenkeel::cli

#endif
