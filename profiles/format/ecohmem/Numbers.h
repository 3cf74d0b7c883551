//===- Numbers.h - numbers as ecoHMEM reads and prints them -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the numbers of ecoHMEM's files. Its tools are Python, so a number is
// what Python's float() and int() accept, and is printed as Python prints it.
// Not here: the files (Histogram.h, MemoryConfig.h, AllocsInfo.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_ECOHMEM_NUMBERS_H
#define EVENKEEL_PROFILES_FORMAT_ECOHMEM_NUMBERS_H

#include <cstdint>
#include <optional>
#include <string>

namespace evenkeel::ecohmem {

/// A decimal number between blanks, "inf" and "nan" included; nullopt: none.
std::optional<double> readFloat(const std::string &Text);
/// An integer between blanks; nullopt: none, or more than 64 bits.
std::optional<int64_t> readInteger(const std::string &Text);
/// The integer part; nullopt: no number, not finite, or beyond +-2^62.
std::optional<int64_t> wholePart(std::optional<double> Number);
/// Bytes from "12G", "4096b" or "1024": units of 1024, letters in either case.
std::optional<int64_t> readBytes(const std::string &Text);

/// The shortest text that reads back as \p Number: "1.0", "0.1", "1e+16".
std::string floatText(double Number);

/// \p Text with "\r\n" and "\r" as "\n", as Python reads text files.
std::string unixLines(const std::string &Text);

} // namespace evenkeel::ecohmem

#endif
