//===- Terminal.h - text in columns -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how wide a terminal is, whether it shows UTF-8 and colours, and how to
// put text into columns of it. Without UTF-8, all text is ASCII.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_VIEWS_TERMINAL_H
#define EVENKEEL_UTILS_CLI_VIEWS_TERMINAL_H

#include "cli/common/Cli.h"
#include <cstdint>
#include <string>

namespace evenkeel::cli {

struct TextStyle {
  size_t Width = 80; // columns
  bool Ascii = false, Colour = false;
};

/// Of standard output: the width is that of the terminal, or COLUMNS; UTF-8 is
/// shown if the locale says so; colours are for terminals, unless NO_COLOR is
/// set.
TextStyle terminalStyle();

/// The options --width and --ascii, and the style that they ask for.
std::vector<Option> styleOptions();
TextStyle styleOf(const Args &A);

/// The number of columns that \p Text takes.
size_t columnsOf(const std::string &Text);

/// \p Text in \p Columns, cut where it is longer.
std::string leftIn(size_t Columns, const std::string &Text);
std::string rightIn(size_t Columns, const std::string &Text);

std::string repeated(const std::string &Character, size_t Times);

/// \p Text with other characters for those that are not ASCII.
std::string asciiText(const std::string &Text);

enum class Paint : uint8_t { None, Dim, Blue, Orange, Bold };
/// \p Text in a colour, if \p S has colours.
std::string painted(const TextStyle &S, Paint P, const std::string &Text);

/// Words of \p Text in lines of at most \p Columns; further lines begin with
/// \p Indent spaces.
std::string brokenLines(const std::string &Text, size_t Columns, size_t Indent);

} // namespace evenkeel::cli

#endif
