//===- SymbolNames.h - short names of symbols -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the shortest name that identifies a symbol among the facts, which
// --for also accepts.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_SYMBOLNAMES_H
#define EVENKEEL_UTILS_CLI_SYMBOLNAMES_H

#include "format/Facts.h"
#include <functional>

namespace evenkeel::cli {

/// By symbol id: the name without its function if no other function has it;
/// else `function:name`; the id if \p F does not have the symbol. Refers to \p
/// F.
std::function<std::string(uint64_t)> symbolNames(const Facts &F);

} // namespace evenkeel::cli

#endif
