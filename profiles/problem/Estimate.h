//===- Estimate.h - ways to predict, and how far off they are ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ways in which a task's accesses of an object, the lines of them
// that leave the caches, and its core time are predicted, and how far off each
// way was where the truth is known.
// Makes: the error bound of an estimate.
// Leaves out: the prediction itself (predict/).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_ESTIMATE_H
#define EVENKEEL_PROFILES_PROBLEM_ESTIMATE_H

#include <cstdint>
#include <vector>

namespace evenkeel {

/// How many accesses: from most to least that is known.
enum class CountWay : uint8_t {
  Base,            // the target is the base input
  Formula,         // all of its symbols have values of the target
  FormulaKept,     // some symbol kept its value
  FormulaGiven,    // of measured symbols that were given
  FormulaSized,    // a symbol from the size of the array it fills
  FormulaNamesake, // a symbol from one that was the same on the base input
  FormulaLike,     // a measured symbol from one with the same values
  FormulaScaled,   // a measured symbol scaled
  PowerLaw,        // as the region's tasks or objects of other sizes teach
  SizeRatio,       // as the object's size
  WorkRatio,       // of the whole program
  BaseCount,       // nothing tells
};
constexpr unsigned CountWays = unsigned(CountWay::BaseCount) + 1;

/// How many lines of them come from memory.
enum class CacheWay : uint8_t {
  Same,    // the footprint does not change
  Fits,    // on both inputs
  Curve,   // the object's miss-ratio curve
  Beyond,  // the curve, beyond its end
  NoCurve, // the base input's share
  Fitted,  // on the base input, and not on the target's
  Sampled, // as it was sampled in phases before
  Counted, // by class and footprint: the base profile has counts alone
};
constexpr unsigned CacheWays = unsigned(CacheWay::Counted) + 1;

enum class CoreWay : uint8_t {
  Accesses, // as the task's accesses grow
  Formulas, // as the formulas of its region do
  Work,     // as the whole program's work does
  Kept,     // nothing tells
};
constexpr unsigned CoreWays = unsigned(CoreWay::Kept) + 1;

/// As people see it; Problem.Methods counts by it.
const char *text(CountWay W);
const char *text(CacheWay W);
const char *text(CoreWay W);

/// One object's part in a task.
struct Estimate {
  uint32_t Instance = 0;
  CountWay Count = CountWay::BaseCount;
  CacheWay Cache = CacheWay::Same;
  bool Gathered = false; // lines that come again and again
  double Accesses = 0, Lines = 0;
};

/// What |ln(predicted / true)| of the lines stays below in nine cases of ten.
double boundOf(const Estimate &E);
/// The same of the core time of a task whose parts are \p Parts.
double coreBoundOf(CoreWay W, const std::vector<Estimate> &Parts);

} // namespace evenkeel

#endif
