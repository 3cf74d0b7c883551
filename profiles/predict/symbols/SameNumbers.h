//===- SameNumbers.h - sizes that are numbers in a file ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: facts say from which file of the command line the code reads a symbol,
// but not from which place in it; profiles keep the first numbers of the file.
// Makes: ties to the one number that had the symbol's value in the base runs.
// Not here: equal values without such code; quantities that only grow with a
// number (predict/fits).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_SAMENUMBERS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_SAMENUMBERS_H

#include "Inputs.h"

namespace evenkeel {

/// Ties of symbols that \p Known does not tie, or only to input that cannot be
/// read, in the order of facts. \p Bases: all base runs.
std::vector<InputTie>
tiesBySameNumbers(const Facts &F, const std::vector<const Profile *> &Bases,
                  const CommandLine &Target,
                  const std::vector<InputTie> &Known);

} // namespace evenkeel

#endif
