//===- RunPolicy.h - evenkeel run --policy ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to run an unchanged program under libevenkeel-touches with a
// policy that moves its memory, on the nodes of this computer or on emulated
// tiers.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_RUNPOLICY_H
#define EVENKEEL_UTILS_CLI_RUNPOLICY_H

#include "cli/common/Cli.h"

namespace evenkeel::cli {

/// Fails if an option of --policy is given without it.
void refusePolicyOptions(const Args &A);

/// `run --policy`; returns the program's exit status.
int runPolicy(const Args &A);

} // namespace evenkeel::cli

#endif
