//===- InputNumbers.h - the numbers in an input -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a program's arguments, and what the files that they name showed.
// Makes: the numbers in them, by place, so that inputs can be compared.
// Not here: which of them the program uses, and for what
// (predict/symbols/Inputs.h, predict/symbols/SameNumbers.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_INPUTS_INPUTNUMBERS_H
#define EVENKEEL_PROFILES_FORMAT_INPUTS_INPUTNUMBERS_H

#include "CommandLine.h"

namespace evenkeel {

struct InputNumber {
  /// The same in inputs whose arguments and files have the same form: the
  /// argument's place, what stands around the number, its place among others.
  std::string Place;
  std::string Name; ///< for people: "argument 2", "lines of argument 3"
  double Value = 0;
};

/// In the order of arguments. Empty if \p C is not known.
std::vector<InputNumber> numbersOf(const CommandLine &C);

/// What the file at \p Path shows; its text only if it is not longer than
/// \p MostBytes. False: there is no such regular file.
bool readInputFile(const std::string &Path, size_t MostBytes, InputFile &Out);

} // namespace evenkeel

#endif
