//===- Trade.h - a better placement, few moves away -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: at a hook most data lies where it lies, and a move costs. Instead of
// the best placement, it looks for the few trades (one unit's bytes into the
// fast tier for another's out of it) that shorten the rest of the run by more
// than they cost. Objects that are not allocated yet move for free.
// Leaves out: which pages; the caller compares placements.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_TRADE_H
#define EVENKEEL_PROFILES_PLANNER_TRADE_H

#include "Planner.h"

namespace evenkeel {

/// Starting from \p Fast (share per unit), trades for the phases after \p Hook.
/// \p SecondsPerByte is the cost of moving live data, \p Margin how many times
/// the cost a gain must be. Returns shares; equal to \p Fast where no trade
/// pays.
std::vector<double> tradeAtHook(const Problem &P, std::vector<double> Fast,
                                uint32_t Hook, const Machine &M,
                                const Model &Mod, double SecondsPerByte,
                                double Margin);

} // namespace evenkeel

#endif
