//===- Trade.h - a better placement, few moves away -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: at a hook most data lies where it lies, and a move costs. Instead of
// the best placement, it looks for the few trades (one unit's bytes into the
// fast tier for another's out of it) that shorten the rest of the run by more
// than they cost. Objects that are not allocated yet move for nothing.
// Leaves out: which pages; the caller compares placements.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_TRADE_H
#define EVENKEEL_PROFILES_PLANNER_TRADE_H

#include "Planner.h"

namespace evenkeel {

/// \p Bytes of unit In come into the fast tier for as many of Out.
struct TradeStep {
  uint32_t In = 0, Out = EK_NO_TASK; // Out: EK_NO_TASK = there is room
  double Bytes = 0;
  double Copied = 0; // seconds that the copier needs up to here
};

struct Trades {
  std::vector<double> Fast;     // share per unit, after all steps
  std::vector<TradeStep> Steps; // in the order in which they pay most
  double CopySeconds = 0;       // that the copier needs for them
  /// What counts of the seconds that phases after the hook gain, one by one:
  /// all, or less where a later hook could bring the same.
  std::vector<double> Worth = {};
};

/// Starting from \p Fast (share per unit), trades for the phases after \p Hook.
/// Whatever lives already takes the copier \p M's time per page, one page after
/// the other; predicted gains count only for what of the phases is left by
/// then, must be \p Margin times what the trade loses, and the waiting of tasks
/// for pages on the move is a loss. Without \p MoveLive only what is allocated
/// after the hook is traded. No steps where no trade pays.
Trades tradeAtHook(const Problem &P, std::vector<double> Fast, uint32_t Hook,
                   const Machine &M, const Model &Mod, double Margin,
                   bool MoveLive = true);

/// Takes back all steps but the first \p Steps.
void keepFirst(Trades &T, size_t Steps, const Problem &P);

} // namespace evenkeel

#endif
