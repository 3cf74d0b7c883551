//===- ImportTouches.h - touched pages as a profile to plan from -*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `evenkeel import --touches`: what record --pages saw of a program in
// any language becomes facts and a profile, for plan, and a table of call
// stacks, for run; without its sources.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_IMPORTTOUCHES_H
#define EVENKEEL_UTILS_CLI_TOUCHES_IMPORTTOUCHES_H

#include "cli/common/Cli.h"

namespace evenkeel::cli {

/// Writes base.ekdb, facts.json and stacks.json, or what options name, from
/// --touches and --program.
int importTouches(const Args &A);

} // namespace evenkeel::cli

#endif
