//===- Inputs.h - symbols whose values the input tells ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: facts say how symbols come from arguments, options, variables and
// files; the base run has a command line and the values that came of it. A tie
// counts only if the base run's command line gives the value that was recorded.
// Makes: the symbols' values for the command line of the target.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_INPUTS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_INPUTS_H

#include "format/Facts.h"
#include "format/profile/Profile.h"
#include "problem/Request.h"

namespace evenkeel {

/// A symbol that comes from the input, according to the code.
struct InputTie {
  const SymbolFact *Symbol = nullptr;
  std::string From;           // "argument 1, cg.c:121"
  std::optional<double> Base; // recorded; none: several values
  std::optional<double> Target;
  /// Why the command line gives no value (a name of Reasons.def); empty: it
  /// does, or the user gave one.
  std::string Why;
};

/// The ties of the symbols for which \p Base has values, in the order of facts.
/// \p For: values that users gave; they win, and symbols that come from the
/// same input as theirs get values from them. \p Target may be unknown.
std::vector<InputTie> tiesToInput(const Facts &F, const Profile &Base,
                                  const CommandLine &Target,
                                  const std::vector<Given> &For);

/// The values in \p Ties, by the symbols' full names, without symbols that
/// \p For gives.
std::vector<Given> givenByInput(const Facts &F,
                                const std::vector<InputTie> &Ties,
                                const std::vector<Given> &For);

/// Names of the environment variables that symbols come from, sorted.
std::vector<std::string> variablesOf(const Facts &F);

} // namespace evenkeel

#endif
