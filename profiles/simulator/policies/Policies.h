//===- Policies.h - one factory per policy ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the constructors behind makePolicy(). Each policy has its own file,
// whose first comment names its source and parameters.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_H

#include "simulator/PageMap.h"
#include "simulator/Replay.h"

namespace evenkeel {

std::unique_ptr<Policy> makeSlowOnly();
std::unique_ptr<Policy> makeFastOnly();
std::unique_ptr<Policy> makeFirstTouch();
std::unique_ptr<Policy> makeInterleave();
/// One policy each, with the settings R.Tuned.
/// @{
#define EVENKEEL_TUNABLE_POLICY(Make, Table)                                   \
  std::unique_ptr<Policy> Make(const ReplayRequest &R);                        \
  const std::vector<Tunable> &Table();
EVENKEEL_TUNABLE_POLICY(makeWeightedInterleave, weightedInterleaveTunables)
EVENKEEL_TUNABLE_POLICY(makeMemoryMode, memoryModeTunables)
EVENKEEL_TUNABLE_POLICY(makeHotPage, hotPageTunables)
EVENKEEL_TUNABLE_POLICY(makeNumaBalancing, numaBalancingTunables)
EVENKEEL_TUNABLE_POLICY(makeTpp, tppTunables)
EVENKEEL_TUNABLE_POLICY(makeDamon, damonTunables)
EVENKEEL_TUNABLE_POLICY(makeMemtis, memtisTunables)
EVENKEEL_TUNABLE_POLICY(makeColloid, colloidTunables)
EVENKEEL_TUNABLE_POLICY(makeArms, armsTunables)
EVENKEEL_TUNABLE_POLICY(makeShamblesLru, shamblesLruTunables)
EVENKEEL_TUNABLE_POLICY(makeShamblesWindow, shamblesWindowTunables)
EVENKEEL_TUNABLE_POLICY(makeShamblesAdvised, shamblesWindowTunables)
EVENKEEL_TUNABLE_POLICY(makeAlto, altoTunables)
#undef EVENKEEL_TUNABLE_POLICY
/// @}
/// \p R's plan must outlive the policy; results are reported under \p Name.
/// Without \p Moves, the plan's changes are left out.
std::unique_ptr<Policy> makePlanned(const std::string &Name,
                                    const ReplayRequest &R, bool Moves = true);
/// Searches in this call by replaying \p R; R.Prepared must be set.
Expected<std::unique_ptr<Policy>> makeOracle(const ReplayRequest &R);

} // namespace evenkeel

#endif
