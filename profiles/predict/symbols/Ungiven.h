//===- Ungiven.h - symbols without a value of the target --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which symbols of the formulas behind a prediction nobody gave a value
// for the target: what a user can still say with --for; and which of them not
// even the base run has told.
// Leaves out: the values they are taken to have; that is symbols/Evaluate.h's.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_UNGIVEN_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_UNGIVEN_H

#include "problem/Request.h"

namespace evenkeel {

/// A symbol as --for takes it; places that spell it alike are one.
struct UngivenSymbol {
  std::string Name; // function:name, in full
  std::string Kind; // given, derived, measured
  /// True: its base value is used, as without any --for. False: an estimate is
  /// (scaled with other symbols or with sizes) or formulas that need it are not
  /// used.
  bool Kept = false;
  double Low = 0, High = 0; // base values, over tasks and places
  bool PerTask = false;     // they differ: NAME@TASK=VALUE
  unsigned Formulas = 0;    // counts, sizes and scalings that need it
};

/// Symbols that the counts and sizes of objects and regions of \p Base need,
/// that have a value there, and for which \p For says nothing: neither they
/// themselves nor a symbol that shares quantity and base value. The most needed
/// ones first, then by name. Numbers of threads are left out: they are those of
/// the base run. \p For must have passed predictTarget. Thread-safe.
std::vector<UngivenSymbol> ungivenSymbols(const Facts &F, const Profile &Base,
                                          const std::vector<Given> &For);

/// Names of the symbols that the same formulas need and \p Base has no value
/// of, sorted: its program was not built as \p F saw it (unit by unit, or from
/// other sources). One that the run merely did not come by has a value, 0.
std::vector<std::string> unmeasuredSymbols(const Facts &F, const Profile &Base);

} // namespace evenkeel

#endif
