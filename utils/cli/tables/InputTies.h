//===- InputTies.h - what the command line says, as a table -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to show the symbols whose values the program's input, or an
// earlier run, tells.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_INPUTTIES_H
#define EVENKEEL_UTILS_CLI_INPUTTIES_H

#include "predict/symbols/Inputs.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

/// One line with the values that the command line told; with \p Verbose, a
/// table of all symbols that come from the input. Empty if there are none.
std::string inputsText(const std::vector<InputTie> &Ties, bool Verbose);
nlohmann::json inputsJson(const std::vector<InputTie> &Ties);

} // namespace evenkeel::cli

#endif
