//===- Units.cpp - numbers for people -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Units.h. As usual in HPC tools, bytes have binary prefixes, counts and
// times decimal ones.
//===----------------------------------------------------------------------===//
#include "Units.h"
#include <cmath>
#include <cstdio>
#include <iterator>

namespace evenkeel {

/// \p Unit begins with a space.
static std::string scaled(double Value, const char *Unit) {
  // Three significant digits without an exponent; 999.6 would need four.
  int Digits = Value < 9.995 ? 2 : Value < 99.95 ? 1 : 0;
  char Buffer[48];
  std::snprintf(Buffer, sizeof Buffer, "%.*f%s", Digits, Value, Unit);
  return Buffer;
}

std::string secondsToText(double Seconds) {
  if (Seconds < 0)
    return "-" + secondsToText(-Seconds);
  if (Seconds == 0)
    return "0 s";
  if (Seconds >= 0.9995)
    return scaled(Seconds, " s");
  if (Seconds >= 0.9995e-3)
    return scaled(Seconds * 1e3, " ms");
  if (Seconds >= 0.9995e-6)
    return scaled(Seconds * 1e6, " us");
  return scaled(Seconds * 1e9, " ns");
}

std::string bytesToText(uint64_t Bytes) {
  static const char *const Units[] = {" KiB", " MiB", " GiB", " TiB", " PiB"};
  if (Bytes < 1024)
    return std::to_string(Bytes) + " B";
  double Value = double(Bytes) / 1024;
  size_t Unit = 0;
  for (; Value >= 1023.5 && Unit + 1 < std::size(Units); ++Unit)
    Value /= 1024;
  return scaled(Value, Units[Unit]);
}

std::string countToText(double Count) {
  if (Count < 0)
    return "-" + countToText(-Count);
  static const char *const Units[] = {"", " k", " M", " G", " T"};
  if (Count < 999.5 && Count == std::floor(Count))
    return std::to_string(std::lround(Count));
  size_t Unit = 0;
  for (; Count >= 999.5 && Unit + 1 < std::size(Units); ++Unit)
    Count /= 1000;
  return scaled(Count, Units[Unit]);
}

std::string percentToText(double Share) {
  char Buffer[32];
  std::snprintf(Buffer, sizeof Buffer, "%.1f %%", Share * 100);
  return Buffer;
}

} // namespace evenkeel
