//===- FactsPrinter.h - facts for people ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tables of `evenkeel analyze --print`.
// Not here: the line-stable form for FileCheck, which is print<ek-access>.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_FACTSPRINTER_H
#define EVENKEEL_UTILS_CLI_FACTSPRINTER_H

#include "format/Facts.h"

namespace evenkeel::cli {

/// Writes sites, regions with their accesses, and give-ups to stdout.
void printFacts(const Facts &F);

} // namespace evenkeel::cli

#endif
