//===- Conversions.h - library functions that read numbers ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which functions of the C and C++ libraries turn text into numbers,
// find options, open files or tell their size, by name.
// Not here: where the text comes from (Texts.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_INPUTS_CONVERSIONS_H
#define EVENKEEL_PASSES_ACCESS_INPUTS_CONVERSIONS_H

#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <string>

namespace evenkeel {

/// A call that reads a number from a text; it returns or writes the number.
struct Conversion {
  enum SourceType {
    Text,     // operand Of points to the text
    Stream,   // operand Of is a C++ stream
    FileText, // operand Of is a FILE
    File,     // operand Of is a FILE: its size or position
    Path      // operand Of names a file: its size
  } From = Text;
  unsigned Of = 0;
  /// The first operand through which values are written; nullopt: the result.
  std::optional<unsigned> Into;
  bool Number = false; // floating point
  int Base = 10;
  std::optional<std::string> Format; // scanf's
};

/// nullopt: \p CB converts nothing.
std::optional<Conversion> conversionOf(const llvm::CallBase &CB);

/// The base name of the called function, without the prefixes and suffixes of
/// libraries' own variants ("__isoc99_sscanf", "stat64"); empty: not known.
llvm::StringRef plainName(const llvm::CallBase &CB);
/// Whether \p CB is getopt, getopt_long or getopt_long_only.
bool isOptionParser(const llvm::CallBase &CB);
/// The literal text that \p V points to; nullopt: it is none.
std::optional<std::string> literalAt(const llvm::Value *V);

/// A call that compares two texts, or their first characters; 0: equal.
struct Comparison {
  unsigned Left = 0, Right = 1;
  bool OfString = false; // Left is a std::string
  std::optional<uint64_t> Characters;
};
std::optional<Comparison> comparisonOf(const llvm::CallBase &CB);

} // namespace evenkeel

#endif
