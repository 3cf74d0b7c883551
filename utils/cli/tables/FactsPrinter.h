//===- FactsPrinter.h - tables of facts -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tables of `evenkeel analyze --print`.
// Not here: the stable form for FileCheck (print<ek-access>).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_FACTSPRINTER_H
#define EVENKEEL_UTILS_CLI_FACTSPRINTER_H

#include "format/Facts.h"

namespace evenkeel::cli {

/// Prints sites, regions with their accesses, and give-ups to stdout.
void printFacts(const Facts &F);

} // namespace evenkeel::cli

#endif
