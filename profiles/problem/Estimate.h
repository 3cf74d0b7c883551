//===- Estimate.h - methods of prediction and their errors ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the methods by which a task's accesses to an object, the lines of them
// that miss the caches, and its core time are predicted, and how large the
// error of each was where the truth is known.
// Makes: the error bound of an estimate.
// Not here: the prediction itself (predict/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_ESTIMATE_H
#define EVENKEEL_PROFILES_PROBLEM_ESTIMATE_H

#include <cstdint>
#include <vector>

namespace evenkeel {

/// The number of accesses, from most to least certain.
enum class CountWay : uint8_t {
  Base,            // the target is the base input
  Formula,         // all of its symbols have values of the target
  FormulaKept,     // some symbol kept its base value
  FormulaGiven,    // with measured symbols that were given
  FormulaNamesake, // with a symbol equal to another on the base input
  FormulaScaled,   // with a measured symbol that was scaled
  Bases,           // by a fit over several base inputs
  SizeRatio,       // by the object's size
  WorkRatio,       // by the work of the whole program
  BaseCount,       // unknown: the base count
};
constexpr unsigned CountWays = unsigned(CountWay::BaseCount) + 1;

/// The number of lines of them that come from memory.
enum class CacheWay : uint8_t {
  Same,    // the footprint does not change
  Fits,    // it fits in the caches on both inputs
  Curve,   // the object's miss-ratio curve
  Beyond,  // the curve, beyond its end
  NoCurve, // the base input's share
  Fitted,  // it fits on the base input, but not on the target
  Bases,   // by a fit over several base inputs
  Counted, // by class and footprint: the base profile has only counts
};
constexpr unsigned CacheWays = unsigned(CacheWay::Counted) + 1;

enum class CoreWay : uint8_t {
  Accesses, // by the growth of the task's accesses
  Bases,    // by a fit over several base inputs
  Formulas, // by the growth of its region's formulas
  Work,     // by the growth of the whole program's work
  Kept,     // unknown: the base value
};
constexpr unsigned CoreWays = unsigned(CoreWay::Kept) + 1;

/// The text for users; also the key in Problem.Methods.
const char *text(CountWay W);
const char *text(CacheWay W);
const char *text(CoreWay W);

/// The estimate for one object in a task.
struct Estimate {
  uint32_t Instance = 0;
  CountWay Count = CountWay::BaseCount;
  CacheWay Cache = CacheWay::Same;
  bool Gathered = false; // lines that are fetched repeatedly
  double Accesses = 0, Lines = 0;
  /// Of the fits over several base inputs: error bound of the logarithm.
  double FitOff = 0;
};

/// The bound of |ln(predicted / true)| for the lines, in nine cases of ten.
double boundOf(const Estimate &E);
/// The same for the core time of a task with the estimates \p Parts. \p FitOff:
/// of its fit over several base inputs.
double coreBoundOf(CoreWay W, const std::vector<Estimate> &Parts,
                   double FitOff);

} // namespace evenkeel

#endif
