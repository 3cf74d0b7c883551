//===- ReadRun.h - the recorded run on the command line ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to read a recorded run, the machine to replay it on, and what
// plans for it are made from, with checks that they belong together.
// Not here: policies (PolicyRuns.h); options that belong to one command.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_READRUN_H
#define EVENKEEL_UTILS_CLI_READRUN_H

#include "PolicyRuns.h"

namespace evenkeel::cli {

/// The plan of --plan, if given. Fails if --facts is given, too.
std::optional<Plan> readGivenPlan(const Args &A);

/// Reads --record, --machine, --plan-machine, --fast, --facts with --base (as
/// plan does), --prefix and --llc into \p J, whose Given is set already. In, M
/// and Amounts may be set, too, if the options for them are not given.
/// \p Target: the target's command line; none: as recorded. Prints notes on
/// stderr.
void readRun(const Args &A, const std::optional<CommandLine> &Target,
             JudgedRun &J);

} // namespace evenkeel::cli

#endif
