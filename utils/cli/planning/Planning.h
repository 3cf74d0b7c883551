//===- Planning.h - what plan and simulate ask of the planner ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the inputs of a plan as they come from the command line, with the
// checks that keep them honest: facts and profile of one program, and never a
// profile of the target itself.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANNING_H
#define EVENKEEL_UTILS_CLI_PLANNING_H

#include "cli/common/Cli.h"
#include "format/Facts.h"
#include "format/profile/Profile.h"
#include "planner/Planner.h"
#include "predict/base/Prefix.h"

namespace evenkeel::cli {

struct PlanInputs {
  Facts F;
  /// Of role prefix: with what repeats repeated (predict/base/Prefix.h).
  Profile Base;
  std::vector<Given> For;
  SeenTypes Seen = {}; // of --seen
  /// What --threads made of the base profile, and objects that facts do not
  /// know.
  std::vector<std::string> Notes = {};
  /// Of role prefix: the profile itself, and what of it repeats.
  std::optional<Profile> Prefix = {};
  std::optional<Iteration> Repeats = {};

  /// The profile that a plan takes along, to plan again with.
  const Profile &recorded() const { return Prefix ? *Prefix : Base; }
};

/// Reads --facts, --base, --for, --threads and --seen; refuses profiles of role
/// target unless \p AllowTarget, and profiles of whose sites the facts know
/// none.
PlanInputs readPlanInputs(const Args &A, bool AllowTarget);

/// The same from the beginning of the run, \p Path, of which no other option
/// tells anything. Fails where that is no such profile.
PlanInputs readPrefixInputs(const Args &A, const std::string &Path);

} // namespace evenkeel::cli

#endif
