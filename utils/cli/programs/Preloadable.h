//===- Preloadable.h - programs that take a preloaded library ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for which programs the loader ignores LD_PRELOAD.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_PRELOADABLE_H
#define EVENKEEL_UTILS_CLI_PRELOADABLE_H

#include <string>

namespace evenkeel::cli {

/// Fails if the loader preloads nothing into the executable at \p Program,
/// which messages call \p Shown. Scripts pass: their interpreters run.
void checkPreloadable(const std::string &Program, const std::string &Shown);

/// LD_PRELOAD with \p Library first, so that calls reach it before other
/// preloaded libraries.
std::string preloadFirst(const std::string &Library);

} // namespace evenkeel::cli

#endif
