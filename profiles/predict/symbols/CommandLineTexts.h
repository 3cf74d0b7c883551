//===- CommandLineTexts.h - texts on a command line -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where a program finds the value of an argument, option or variable on
// its command line, as it looks for it itself or by getopt; and what the C
// library's conversions make of a text.
// Not here: expressions (Inputs.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_COMMANDLINETEXTS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_COMMANDLINETEXTS_H

#include "format/inputs/CommandLine.h"
#include "format/inputs/InputFacts.h"
#include <optional>

namespace evenkeel {

/// The text of \p I on the command line \p C; nullopt: it is not there, or is
/// not part of a command line.
std::optional<std::string> textOnCommandLine(const InputFact &I,
                                             const CommandLine &C);

/// The number that the conversion of \p I makes of \p Text; nullopt: none
/// stands there.
std::optional<double> numberIn(const InputFact &I, const std::string &Text);

} // namespace evenkeel

#endif
