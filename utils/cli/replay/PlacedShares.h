//===- PlacedShares.h - the current placement of units ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which instance of a record corresponds to a predicted instance, the
// pages of a unit, and how many of them are fast. This connects planner and
// simulator, which do not know each other.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLACEDSHARES_H
#define EVENKEEL_UTILS_CLI_PLACEDSHARES_H

#include "planner/Planner.h"
#include "simulator/PageMap.h"
#include "simulator/Replay.h"
#include <utility>
#include <vector>

namespace evenkeel::cli {

/// The record's live instance for each predicted one; EK_NO_TASK = none.
std::vector<uint32_t> liveInstances(const Problem &P, const MissRecord &Record,
                                    const PageMap &Map);

/// The pages of a unit in instance \p I.
std::pair<uint32_t, uint32_t> pagesOf(const Unit &U, uint32_t I,
                                      const PageMap &Map);

/// The current fast share of every unit; NaN if none of its pages is placed.
std::vector<double> placedShares(const Problem &P, const MissRecord &Record,
                                 const PageMap &Map);

/// The same, with units that are not placed yet as in \p X.
std::vector<double> sharesUnder(const Plan &X, const Problem &P,
                                const MissRecord &Record, const PageMap &Map);

/// The same as the runtime knows it: it counts the fast pages of an object, and
/// takes it that all its parts lack the same share of what \p X gives them.
std::vector<double> sharesByObject(const Plan &X, const Problem &P,
                                   const MissRecord &Record,
                                   const PageMap &Map);

} // namespace evenkeel::cli

#endif
