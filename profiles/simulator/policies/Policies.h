//===- Policies.h - one factory per policy ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the constructors behind makePolicy(). Each policy has a file of its
// own whose header comment names its source and parameters.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_H

#include "../PageMap.h"
#include "../Replay.h"

namespace evenkeel {

std::unique_ptr<Policy> makeSlowOnly();
std::unique_ptr<Policy> makeFastOnly();
std::unique_ptr<Policy> makeFirstTouch();
std::unique_ptr<Policy> makeInterleave();
/// \p P must outlive the policy; \p Name is what results are called.
std::unique_ptr<Policy> makePlanned(const std::string &Name, const Plan &P);
/// Searches now, with replays of \p R; R.Prepared must be set.
Expected<std::unique_ptr<Policy>> makeOracle(const ReplayRequest &R);

} // namespace evenkeel

#endif
