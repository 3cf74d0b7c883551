//===- SameNumbers.h - symbols that equal a number of the input -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values of symbols in the base runs, and the numbers in the runs'
// arguments and in the files that these name.
// Makes: ties where the code shows none, because the program reads its input
// in a way that analysis cannot follow: a symbol that was the size of the file
// in all base runs is the size of the file in the target's run.
// Not here: quantities that only grow with a number (predict/fits).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_SAMENUMBERS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_SAMENUMBERS_H

#include "Inputs.h"

namespace evenkeel {

/// Ties of symbols that \p Known does not tie, or only to input that cannot be
/// read, in the order of facts. \p Bases: all base runs, of which two must show
/// different values, unless the code reads the symbol from a file and just one
/// number of it has the value.
std::vector<InputTie>
tiesBySameNumbers(const Facts &F, const std::vector<const Profile *> &Bases,
                  const CommandLine &Target,
                  const std::vector<InputTie> &Known);

} // namespace evenkeel

#endif
