//===- Policy.h - who decides about copies ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the policies for a required tier, each with its settings and their
// grids; and how each one is shown at its best.
// Not here: the policies, one file each, which begins with source and settings.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_POLICIES_POLICY_H
#define EVENKEEL_PROFILES_REQUIRED_POLICIES_POLICY_H

#include "format/Settings.h"
#include "required/Streams.h"

namespace evenkeel::required {

struct CopyPolicy {
  const char *Name, *Does, *Source;
  Schedule (*Make)(const TaskGraph &, const FastMemory &, const Settings &);
  const std::vector<Tunable> &(*Tunables)();
};

/// In the order of tables.
const std::vector<CopyPolicy> &copyPolicies();
/// Error: an unknown name; lists the names.
Expected<const CopyPolicy *> copyPolicy(const std::string &Name);

struct PolicyRun {
  std::string Name;
  Settings Used; // those that differ from the defaults
  Schedule Decided;
  Replayed Result;
};

/// \p G under \p P with the settings of its grid that replay fastest, of equal
/// ones the defaults; those in \p Set are as given.
PolicyRun runAtBest(const CopyPolicy &P, const TaskGraph &G,
                    const FastMemory &Fast, const Settings &Set = {});

/// Whether \p A is better than \p B: it runs, and then faster, then with fewer
/// bytes copied, then with less room.
bool isBetter(const Replayed &A, const Replayed &B);

/// One for each row of copyPolicies().
/// @{
#define EVENKEEL_COPY_POLICY(Name)                                             \
  Schedule make##Name(const TaskGraph &G, const FastMemory &Fast,              \
                      const Settings &Set);                                    \
  const std::vector<Tunable> &tunablesOf##Name();
EVENKEEL_COPY_POLICY(Vdnn)
EVENKEEL_COPY_POLICY(SuperNeurons)
EVENKEEL_COPY_POLICY(Dymem)
EVENKEEL_COPY_POLICY(Balanced)
#undef EVENKEEL_COPY_POLICY
/// @}

} // namespace evenkeel::required

#endif
