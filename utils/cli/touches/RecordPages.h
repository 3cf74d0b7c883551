//===- RecordPages.h - evenkeel record --pages ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to run an unchanged program under libevenkeel-touches, and to make
// touches.json of what its processes leave.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_RECORDPAGES_H
#define EVENKEEL_UTILS_CLI_RECORDPAGES_H

#include "cli/common/Cli.h"

namespace evenkeel::cli {

/// Options of `record` that --pages understands.
bool isPagesOption(const std::string &Name);

/// `record --pages`; returns the program's exit status.
int recordPages(const Args &A);

} // namespace evenkeel::cli

#endif
