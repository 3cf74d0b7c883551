//===- LookBudget.h - how often a replay plans again ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: planning again takes time proportional to the number of phases, so
// planning at every hook would take quadratic time. That is too slow, both at
// run time (where a look must be paid for by its possible gain) and in replay.
// Makes: permission for every look in programs with some hundreds of phases. In
// longer ones, it permits a number of looks that does not depend on their
// length: some at the beginning, where most is learned, and others evenly
// spread.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_LOOKBUDGET_H
#define EVENKEEL_UTILS_CLI_LOOKBUDGET_H

#include <cstddef>

namespace evenkeel::cli {

class LookBudget {
  double Left = AtOnce; // phases that looks may process

public:
  static constexpr double AtOnce = 60000, PerPhase = 4;

  /// Call after each phase.
  void phaseEnded() { Left += PerPhase; }

  /// Whether a look at a program of \p Phases is permitted now; if so, it is
  /// deducted.
  bool pays(size_t Phases) {
    if (Left < double(Phases))
      return false;
    Left -= double(Phases);
    return true;
  }
};

} // namespace evenkeel::cli

#endif
