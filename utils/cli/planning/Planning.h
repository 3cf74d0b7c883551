//===- Planning.h - the planner's inputs on the command line ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to read the inputs of a plan from the command line, with checks:
// facts and profile must belong to one program, and the profile must not be one
// of the target itself.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PLANNING_H
#define EVENKEEL_UTILS_CLI_PLANNING_H

#include "cli/common/Cli.h"
#include "format/Facts.h"
#include "format/profile/Profile.h"
#include "planner/Planner.h"
#include "predict/base/Prefix.h"
#include "predict/fits/SeveralBases.h"
#include "predict/symbols/Inputs.h"
#include "predict/symbols/SameNumbers.h"

namespace evenkeel::cli {

struct PlanInputs {
  Facts F;
  /// For role prefix: extended by its repetitions (predict/base/Prefix.h).
  Profile Base;
  /// Of --for, then of the target's command line.
  std::vector<Given> For;
  /// Values of symbols that no name means alone, and sizes of objects, as
  /// earlier runs of the target had them; and the times of their tasks.
  std::vector<KnownSymbol> SeenSymbols = {};
  std::vector<PredictedInstance> SeenSizes = {};
  SeenTypes Seen = {};
  /// Of several base inputs: Base is the nearest one, and this follows from all
  /// of them.
  std::optional<SeveralBases> Several = {};
  FittedValues Fitted = {};
  std::vector<std::string> BasePaths = {}; // as given
  /// What the command line says about symbols.
  std::vector<InputTie> Ties = {};
  /// What earlier runs say about symbols, in the same form.
  std::vector<InputTie> Runs = {};
  /// The target is another input than the base run's, and nothing is known of
  /// it: what is predicted holds for the base run's sizes.
  bool Blind = false;
  /// Notes about the effect of --threads, and about objects that are not in the
  /// facts.
  std::vector<std::string> Notes = {};
  /// For role prefix: the profile as recorded, and its repeated part.
  std::optional<Profile> Prefix = {};
  std::optional<Iteration> Repeats = {};

  /// Ties and Runs, each symbol once: what runs say comes first.
  std::vector<InputTie> told() const;
  /// The profile that a plan contains, for planning again.
  const Profile &recorded() const { return Prefix ? *Prefix : Base; }
};

/// What is asked of the planner \p Planner with the cost model \p Model; refers
/// to \p In and \p M.
PlanRequest requestOf(const PlanInputs &In, const Machine &M,
                      const std::string &Fast, const std::string &Planner,
                      const std::string &Model);

/// Reads --facts, --base, --for and --threads. \p Target: its command line, as
/// far as it is known. Earlier runs of the target count if \p A is of
/// withTuned() (workspace/Tuned.h). Fails for profiles of role target unless
/// \p AllowTarget, and for profiles without a known site.
PlanInputs readPlanInputs(const Args &A, bool AllowTarget, CommandLine Target);

/// The same from the prefix \p Path, without --base, --for and --threads. Fails
/// if it is not a prefix.
PlanInputs readPrefixInputs(const Args &A, const std::string &Path);

} // namespace evenkeel::cli

#endif
