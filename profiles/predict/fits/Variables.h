//===- Variables.h - what tells base inputs apart ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: symbols that have a value for the target, and the numbers in command
// lines and in the files that they name.
// Makes: the numbers that differ between base inputs and are known of the
// target; the base input that is nearest to it; and, for each base input, the
// values that would have been given if it were the target.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_FITS_VARIABLES_H
#define EVENKEEL_PROFILES_PREDICT_FITS_VARIABLES_H

#include "Fits.h"
#include "predict/symbols/SymbolValues.h"

namespace evenkeel {
namespace fits {

/// The known numbers, also those that all base inputs share, and the nearest
/// base input. \p Bases: all for the same facts. \p Target may be unknown.
Inputs inputsOf(const std::vector<prediction::BaseTables> &Bases,
                const prediction::ValuesBySymbol &OfTarget,
                const CommandLine &Target);

/// \p In without the numbers that all base inputs share.
Inputs withDifferent(const Inputs &In);

/// The values in \p Base of the symbols for which \p OfTarget has values.
std::vector<Given> givenLike(const prediction::BaseTables &Base,
                             const prediction::ValuesBySymbol &OfTarget);

} // namespace fits
} // namespace evenkeel

#endif
