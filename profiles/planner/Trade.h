//===- Trade.h - a better placement by few moves ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: at a hook most data is already placed, and moves cost time. So instead
// of the best placement, it searches for the few trades (bytes of one unit into
// the fast tier for another unit's out of it) that shorten the rest of the run
// by more than they cost. Objects that are not allocated yet move at no cost.
// Not here: the choice of pages; the caller compares placements.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_TRADE_H
#define EVENKEEL_PROFILES_PLANNER_TRADE_H

#include "Planner.h"

namespace evenkeel {

/// \p Bytes of unit In move into the fast tier, and the same number of Out
/// leave it.
struct TradeStep {
  uint32_t In = 0, Out = EK_NO_TASK; // Out: EK_NO_TASK = there is room
  double Bytes = 0;
  double Copied = 0; // seconds of copying up to here
};

struct Trades {
  std::vector<double> Fast;     // share per unit, after all steps
  std::vector<TradeStep> Steps; // the most profitable first
  double CopySeconds = 0;       // seconds of copying for all steps
  /// For each phase after the hook, the fraction of a gain that counts: all, or
  /// less if a later hook could make the same move.
  std::vector<double> Worth = {};
};

/// Starting from \p Fast (share per unit), returns trades for the phases after
/// \p Hook. Moving live data takes the copier \p M's time per page, one page
/// after the other. Predicted gains count only for what is left of the phases
/// by then and must exceed the trade's losses, among which are the waits of
/// tasks for moving pages. Without \p MoveLive only objects allocated after the
/// hook are traded. Returns no steps if no trade pays.
Trades tradeAtHook(const Problem &P, std::vector<double> Fast, uint32_t Hook,
                   const Machine &M, const Model &Mod, bool MoveLive = true);

/// The share of the time of copying after \p Hook that tasks lose by it. The
/// copier is a thread: where tasks keep all of the machine's cores busy, one of
/// them waits as long as it copies, and all others for that one.
double disturbance(const Problem &P, uint32_t Hook, const Machine &M);

/// Undoes all steps except the first \p Steps.
void keepFirst(Trades &T, size_t Steps, const Problem &P);

} // namespace evenkeel

#endif
