//===- LookBudget.h - how often a replay plans again ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: to plan again takes time in proportion to the phases of the program,
// so that to do so at each hook of a program with many takes time that grows
// with their square. Nobody would wait for that, neither at run time (there a
// look has to be paid for by what it may gain) nor in replay.
// Makes: leave for all looks of programs with some hundreds of phases, and for
// a number of looks in longer ones that does not grow with their length: some
// at their beginning, where most is learned, others evenly spread.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_LOOKBUDGET_H
#define EVENKEEL_UTILS_CLI_LOOKBUDGET_H

#include <cstddef>

namespace evenkeel::cli {

class LookBudget {
  double Left = AtOnce; // phases that looks may go through

public:
  static constexpr double AtOnce = 60000, PerPhase = 4;

  /// A phase has run.
  void phaseEnded() { Left += PerPhase; }

  /// Whether there may be a look at a program of \p Phases now, which is then
  /// paid for.
  bool pays(size_t Phases) {
    if (Left < double(Phases))
      return false;
    Left -= double(Phases);
    return true;
  }
};

} // namespace evenkeel::cli

#endif
