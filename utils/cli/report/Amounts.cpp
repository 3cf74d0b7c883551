//===- Amounts.cpp - numbers and text in a report -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Amounts.h.
//===----------------------------------------------------------------------===//
#include "Amounts.h"
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace evenkeel::cli {

static const char *const Space = "\u00a0"; // does not break
static const char *const Minus = "\u2212";

AmountUnit timeUnit(double LongestSeconds) {
  if (LongestSeconds >= 2)
    return {"s", 1};
  return LongestSeconds >= 2e-3 ? AmountUnit{"ms", 1e3}
                                : AmountUnit{"\u00b5s", 1e6};
}

AmountUnit sizeUnit(double LargestBytes) {
  const double MiB = 1048576;
  if (LargestBytes >= 2048 * MiB)
    return {"GiB", 1 / (1024 * MiB)};
  return LargestBytes >= 2 * MiB ? AmountUnit{"MiB", 1 / MiB}
                                 : AmountUnit{"KiB", 1 / 1024.0};
}

std::string fixedDigits(double Value, int Digits) {
  char Text[64];
  std::snprintf(Text, sizeof Text, "%.*f", Digits, std::fabs(Value));
  // No minus before what is rounded to zero.
  return (Value < 0 && std::strtod(Text, nullptr) > 0 ? Minus : "") +
         std::string(Text);
}

std::string threeDigits(double Value) {
  const double A = std::fabs(Value);
  if (A == 0)
    return "0";
  return fixedDigits(Value, A >= 99.95    ? 0
                            : A >= 9.995  ? 1
                            : A >= 0.9995 ? 2
                                          : 3);
}

std::string signedDigits(double Value) {
  const std::string Text = threeDigits(Value);
  return Value > 0 && std::strtod(Text.c_str(), nullptr) > 0 ? "+" + Text
                                                             : Text;
}

std::string percentDigits(double Share) {
  return fixedDigits(100 * Share, 1) + Space + "%";
}

std::string withUnit(double Value, const AmountUnit &U) {
  return threeDigits(U.of(Value)) + Space + U.Name;
}

std::string codeText(const std::string &Text) {
  return "<code>" + escaped(Text) + "</code>";
}

std::string plainText(const std::string &Html) {
  std::string Out;
  bool InTag = false;
  for (const char C : Html) {
    InTag |= C == '<';
    if (!InTag)
      Out += C;
    InTag &= C != '>';
  }
  static const std::pair<const char *, const char *> Entities[] = {
      {"&lt;", "<"},  {"&gt;", ">"}, {"&quot;", "\""},
      {"&#39;", "'"}, {Space, " "},  {"&amp;", "&"}};
  for (const auto &[From, To] : Entities) {
    const std::string Name = From;
    for (size_t At = 0; (At = Out.find(Name, At)) != std::string::npos; At += 1)
      Out.replace(At, Name.size(), To);
  }
  return Out;
}

double sixDigits(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.6g", Value);
  return std::strtod(Text, nullptr);
}

} // namespace evenkeel::cli
