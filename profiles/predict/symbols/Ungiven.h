//===- Ungiven.h - symbols without a value on the target --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which symbols in the formulas of a prediction have no given value:
// values that a user can still state with --for; and which of them have no
// value in the base run either.
// Not here: the values assumed for them (symbols/Evaluate.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_UNGIVEN_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_UNGIVEN_H

#include "problem/Request.h"

namespace evenkeel {

/// A symbol as in --for; places with the same spelling are one symbol.
struct UngivenSymbol {
  std::string Name; // function:name, in full
  SymbolFact::KindType Kind = SymbolFact::Given;
  /// True: its base value is used, as without any --for. False: an estimate is
  /// used (scaled with other symbols or with sizes), or formulas that need it
  /// are not used.
  bool Kept = false;
  double Low = 0, High = 0; // base values, over tasks and places
  bool PerTask = false;     // they differ: NAME@TASK=VALUE
  unsigned Formulas = 0;    // number of counts, sizes and scalings that need it
};

/// The symbols that the counts and sizes of objects and regions of \p Base
/// need, that have a base value, and that \p For does not determine, neither
/// directly nor through a symbol with the same quantity and base value. Sorted
/// by how many formulas need them, then by name. Numbers of threads are
/// omitted, because they are those of the base run. \p For must be valid
/// (readGiven). Thread-safe.
std::vector<UngivenSymbol> ungivenSymbols(const Facts &F, const Profile &Base,
                                          const std::vector<Given> &For);

/// Names, sorted, of the symbols that the same formulas need and for which
/// \p Base has no value: its program was built differently from the one that
/// \p F describes (unit by unit, or from other sources). A symbol that the run
/// did not reach has the value 0.
std::vector<std::string> unmeasuredSymbols(const Facts &F, const Profile &Base);

} // namespace evenkeel

#endif
