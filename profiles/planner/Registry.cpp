//===- Registry.cpp - planners by name ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: our planner, and the planners of papers that the build found
// (Registry.h).
//===----------------------------------------------------------------------===//
#include "Registry.h"
#include "Balanced.h"

using namespace evenkeel;

static const RivalPlanner *findRival(const std::string &Name) {
  for (const RivalPlanner *R : allRivals())
    if (Name == R->Name || (R->Alias && Name == R->Alias))
      return R;
  return nullptr;
}

std::vector<std::string> evenkeel::plannerNames() {
  std::vector<std::string> Names{OwnPlanner};
  for (const RivalPlanner *R : allRivals())
    Names.push_back(R->Name);
  return Names;
}

const std::vector<Tunable> &evenkeel::plannerTunables(const std::string &Name) {
  static const std::vector<Tunable> None;
  const RivalPlanner *R = findRival(Name);
  return R ? R->Tunables() : None;
}

Expected<std::unique_ptr<Planner>>
evenkeel::makePlanner(const std::string &Name, const Settings &Tuned) {
  if (MaybeError E = checkSettings(Tuned, plannerTunables(Name), Name))
    return *E;
  if (Name == OwnPlanner)
    return std::unique_ptr<Planner>(std::make_unique<BalancedPlanner>());
  if (const RivalPlanner *R = findRival(Name))
    return R->Make(Tuned);
  std::string List;
  for (const std::string &N : plannerNames())
    List += (List.empty() ? "" : ", ") + N;
  return Error{"no planner '" + Name + "'; known: " + List};
}
