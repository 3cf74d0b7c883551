//===- StepTimes.h - times with all data in the fast tier -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how long each task of a record takes alone, and each phase's threads
// together, if no page is ever slow.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_STEPTIMES_H
#define EVENKEEL_PROFILES_REQUIRED_STEPTIMES_H

#include "simulator/PreparedRecord.h"
#include "simulator/Replay.h"

namespace evenkeel::required {

struct StepTimes {
  std::vector<double> OfTask;  // seconds, alone
  std::vector<double> OfPhase; // seconds, by policy fast-only
};

/// Errors: a machine that cannot be replayed on.
Expected<StepTimes> stepTimes(const PreparedRecord &R, const Machine &M);

} // namespace evenkeel::required

#endif
