//===- Units.h - numbers for people -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: numbers that people read have a unit and three significant digits;
// percentages have one digit after the point.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_TEXT_UNITS_H
#define EVENKEEL_PROFILES_TEXT_UNITS_H

#include <cstdint>
#include <string>

namespace evenkeel {

/// "3.21 ms", "-12.0 s".
std::string secondsToText(double Seconds);
/// "12.5 MiB".
std::string bytesToText(uint64_t Bytes);
/// "12", "3.21 k", "45.0 M".
std::string countToText(double Count);
/// Of a share: "12.5 %".
std::string percentToText(double Share);

} // namespace evenkeel

#endif
