//===- Amounts.h - numbers and text in a report -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: all times of a report have one unit, and all sizes have one, chosen
// for the largest; numbers have three significant digits. Text from sources and
// arguments never becomes markup.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_AMOUNTS_H
#define EVENKEEL_UTILS_CLI_REPORT_AMOUNTS_H

#include "cli/common/Cli.h"
#include <string>

namespace evenkeel::cli {

struct AmountUnit {
  std::string Name;
  double Factor = 1; // of seconds or bytes, to have the number in the unit

  double of(double Value) const { return Value * Factor; }
};
/// "s", "ms" or "us" (as a page writes it).
AmountUnit timeUnit(double LongestSeconds);
/// "GiB", "MiB" or "KiB".
AmountUnit sizeUnit(double LargestBytes);

/// "0", "0.123", "1.23", "12.3", "123", "1230".
std::string threeDigits(double Value);
/// "+1.23", "-1.23", with a real minus sign.
std::string signedDigits(double Value);
/// As many digits behind the point as \p Digits.
std::string fixedDigits(double Value, int Digits);
/// "12.8 %" of 0.128, with a space that does not break.
std::string percentDigits(double Share);

/// A number and its unit, with a space that does not break.
std::string withUnit(double Value, const AmountUnit &U);

/// In a typewriter font.
std::string codeText(const std::string &Text);

/// \p Html without tags, and with the characters for entities.
std::string plainText(const std::string &Html);

/// \p Value with six significant digits, for data.
double sixDigits(double Value);

} // namespace evenkeel::cli

#endif
