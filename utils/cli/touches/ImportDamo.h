//===- ImportDamo.h - a record of damo as touched pages ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: `evenkeel import --damo`: which file becomes which, and what the user
// is told that DAMON does not know.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_TOUCHES_IMPORTDAMO_H
#define EVENKEEL_UTILS_CLI_TOUCHES_IMPORTDAMO_H

#include "cli/common/Cli.h"

namespace evenkeel::cli {

/// Writes touches.json, or what --output names, from --damo and --maps.
int importDamo(const Args &A);

} // namespace evenkeel::cli

#endif
