//===- FactsCheck.h - whether facts agree with themselves -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what must hold in every facts.json: ids are unique and resolve,
// formulas name symbols that are there, uncertain rows say why, give-ups add
// up, places are relative.
// Not here: whether the facts are true; recorded counts tell that.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_FACTSCHECK_H
#define EVENKEEL_PROFILES_FORMAT_FACTSCHECK_H

#include "Facts.h"

namespace evenkeel {

/// One line for each thing that does not hold, in order of the file; empty:
/// all holds. \p Checks gets the number of things looked at.
std::vector<std::string> checkFacts(const Facts &F, size_t &Checks);

} // namespace evenkeel

#endif
