//===- FactsCheck.h - consistency of facts ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rules for every facts.json: ids are unique and resolve, formulas
// use existing symbols, uncertain rows have reasons, the numbers of give-ups
// match, places are relative.
// Not here: whether the facts are true; recorded counts show that.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_FACTSCHECK_H
#define EVENKEEL_PROFILES_FORMAT_FACTSCHECK_H

#include "Facts.h"

namespace evenkeel {

/// One line for each violated rule, in the order of the file; empty: none. \p
/// Checks is set to the number of checks.
std::vector<std::string> checkFacts(const Facts &F, size_t &Checks);

} // namespace evenkeel

#endif
