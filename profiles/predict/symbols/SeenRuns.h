//===- SeenRuns.h - what earlier runs say about the target ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: runs of the target's own input, and runs of other inputs, as their
// hooks saw them. A value that changed during a run, or between two runs of one
// input, is no evidence. Runs of other inputs say something of a value only if
// they and the base input show that no argument in which the target differs
// matters to it, or that it follows exactly from one of these arguments.
// Makes: values of symbols and sizes of objects of the target, each with the
// text that says where it comes from; and notes about what is not used.
// Not here: which runs are of the target's input (utils/cli/workspace).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_SEENRUNS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_SEENRUNS_H

#include "format/inputs/SeenRun.h"
#include "problem/Request.h"
#include <set>

namespace evenkeel {

/// The runs of one other input.
struct SeenInput {
  std::vector<std::string> Command; // the program's base name, its arguments
  /// Whether the files that it names are those that the target names in the
  /// same places; arguments that name no file are not compared.
  bool NamesSameFiles = true;
  std::vector<SeenRun> Runs;
};

struct SeenSymbol {
  const SymbolFact *Symbol = nullptr;
  std::optional<uint32_t> Task; // none: all tasks
  std::optional<double> Base;   // recorded; none: several values, or none
  double Value = 0;
  std::string From; // "seen in 2 runs of this input"
};

struct SeenTarget {
  std::vector<SeenSymbol> Symbols;      // by id, then task
  std::vector<PredictedInstance> Sizes; // by name
  std::vector<std::string> Notes;
};

/// What the runs \p Own of the target's input say.
SeenTarget seenOfTarget(const Facts &F, const Profile &Base,
                        const std::vector<SeenRun> &Own);

/// What runs of other inputs say about symbols that are not in \p Known.
/// \p Target: the words of the target's command line, from the program's base
/// name on.
SeenTarget seenOfOthers(const Facts &F, const Profile &Base,
                        const std::vector<std::string> &Target,
                        const std::vector<SeenInput> &Others,
                        const std::set<uint64_t> &Known);

/// Adds the values of \p Seen to those given in \p For, except for symbols that
/// have one there. Values of symbols whose names mean several are added to
/// \p Exact. Returns the ones that were added to either.
std::vector<SeenSymbol> giveSeen(const Facts &F,
                                 const std::vector<SeenSymbol> &Seen,
                                 std::vector<Given> &For,
                                 std::vector<KnownSymbol> &Exact);

} // namespace evenkeel

#endif
