//===- SymbolNames.h - how formulas name their symbols ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the shortest name that tells a symbol from the others of its facts,
// which is also one that --for takes.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_SYMBOLNAMES_H
#define EVENKEEL_UTILS_CLI_SYMBOLNAMES_H

#include "format/Facts.h"
#include <functional>

namespace evenkeel::cli {

/// By symbol id: the name without its function where no other function has it,
/// else `function:name`; the id where \p F does not know the symbol. Refers to
/// \p F.
std::function<std::string(uint64_t)> symbolNames(const Facts &F);

} // namespace evenkeel::cli

#endif
