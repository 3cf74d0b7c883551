//===- Tuned.h - what evenkeel tune keeps of a command ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the words of a command name an input of a program's workspace, and
// what a plan for that input is made from.
// Makes: the options of other commands that tune has answered already.
// Not here: making any of these files (commands/Tune.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TUNED_H
#define EVENKEEL_UTILS_CLI_TUNED_H

#include "cli/common/Cli.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/workspace/Workspace.h"
#include <optional>
#include <vector>

namespace evenkeel::cli {

/// The command of a smaller input, from which another is planned.
struct BaseCommand {
  std::vector<std::string> Words;
  std::optional<BuiltCommand> Program; // nullopt: evenkeel-cc built none in it
  std::string Input; // under which the workspace has its record
};
/// \p Text: the command as the user wrote it.
BaseCommand baseCommand(const std::string &Text);

/// The command whose earlier runs count (SeenInputs.h), among the options that
/// tunedOptions() makes; users cannot give it.
inline constexpr char RunsOf[] = "runs of";

/// What a plan for \p Its, the input \p Input of \p W, is made from, as options
/// of plan. \p Command: the words of the command that is planned for.
Args tunedOptions(const Workspace &W, const std::string &Input,
                  const KnownInput &Its,
                  const std::vector<std::string> &Command);

/// \p Given with the facts, base, machine and fast memory from which tune
/// planned for the command after "--", each unless it was given. Unchanged
/// without a command, with --facts, --base or --plan, or if nothing was planned
/// for the command with this build of its program. If the base is the beginning
/// of the very run, the command is taken out, as all its inputs are known.
Args withTuned(const Args &Given);

/// Fails if \p A has neither facts nor base, but the command of a program that
/// evenkeel-cc built: with the command that makes both.
void refuseUntuned(const Args &A);

} // namespace evenkeel::cli

#endif
