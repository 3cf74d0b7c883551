//===- Estimate.cpp - methods of prediction and their errors --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Estimate.h. Bounds are measured on the workloads' 2x and 4x inputs: for
// each method, `utils/bench-prediction` prints the bound of |ln(predicted /
// true)| for nine in ten of the lines (for core times: of the seconds), with
// each workload counting once, and the fraction of each workload within the
// bound of all other workloads. Methods with similar errors share a bound here.
//===----------------------------------------------------------------------===//
#include "Estimate.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;

namespace {

constexpr const char *CountTexts[CountWays] = {
    "count: that of the base input",
    "count: closed form",
    "count: closed form, a symbol kept its base value",
    "count: closed form, measured symbol given",
    "count: closed form, symbol as one that it agreed with",
    "count: closed form, measured symbol scaled",
    "count: fit over several base inputs",
    "count: size ratio",
    "count: ratio of the program's work",
    "count: base count kept",
};

constexpr const char *CacheTexts[CacheWays] = {
    "cache: footprint unchanged",
    "cache: fits on both inputs",
    "cache: miss-ratio curve",
    "cache: miss-ratio curve, beyond its end",
    "cache: no miss-ratio curve, share kept",
    "cache: fitted on the base input, miss-ratio curve",
    "cache: fit over several base inputs",
    "cache: counts without misses, class and footprint",
};

constexpr const char *CoreTexts[CoreWays] = {
    "core time: ratio of the task's accesses",
    "core time: fit over several base inputs",
    "core time: ratio of the region's formulas",
    "core time: ratio of the program's work",
    "core time: base time kept",
};

/// Groups of methods with similar errors.
enum Trust { Known, Kept, Given, Scaled, Sizes, Guess, Trusts };

constexpr Trust trustOf(CountWay W) {
  switch (W) {
  case CountWay::Base:
  case CountWay::Formula:
    return Known;
  case CountWay::FormulaKept:
    return Kept;
  case CountWay::FormulaGiven:
    return Given;
  case CountWay::FormulaNamesake:
  case CountWay::FormulaScaled:
    return Scaled;
  case CountWay::SizeRatio:
    return Sizes;
  case CountWay::Bases: // the fit has its own error
  case CountWay::WorkRatio:
  case CountWay::BaseCount:
    break;
  }
  return Guess;
}

enum Reach { Walked, Gathers, Newly, Unchanged, Lost, ByClass, Reaches };

constexpr Reach reachOf(CacheWay W, bool Gathered) {
  switch (W) {
  case CacheWay::Curve:
  case CacheWay::Beyond:
    return Gathered ? Gathers : Walked;
  case CacheWay::Fitted:
    return Newly;
  case CacheWay::Same:
    return Unchanged;
  case CacheWay::Counted:
    return ByClass;
  case CacheWay::Bases: // the fit has its own error
  case CacheWay::Fits:
  case CacheWay::NoCurve:
    break;
  }
  return Lost;
}

#define EK_BOUNDS(Trust)                                                       \
  {&Figures::Bound##Trust##Walked, &Figures::Bound##Trust##Gathered,           \
   &Figures::Bound##Trust##Newly,  &Figures::Bound##Trust##Unchanged,          \
   &Figures::Bound##Trust##Lost,   &Figures::Bound##Trust##ByClass}

/// The bound for lines.
double lineBound(Trust T, Reach R) {
  static constexpr double Figures::*Bounds[Trusts][Reaches] = {
      EK_BOUNDS(Known),  EK_BOUNDS(Kept),  EK_BOUNDS(Given),
      EK_BOUNDS(Scaled), EK_BOUNDS(Sizes), EK_BOUNDS(Guess)};
  return figures().*Bounds[T][R];
}
#undef EK_BOUNDS

/// The bound for core times that follow from the accesses.
double coreBound(Trust T) {
  static constexpr double Figures::*Bounds[Trusts] = {
      &Figures::CoreKnown,  &Figures::CoreKept,  &Figures::CoreGiven,
      &Figures::CoreScaled, &Figures::CoreSizes, &Figures::CoreGuess};
  return figures().*Bounds[T];
}

} // namespace

const char *evenkeel::text(CountWay W) { return CountTexts[unsigned(W)]; }
const char *evenkeel::text(CacheWay W) { return CacheTexts[unsigned(W)]; }
const char *evenkeel::text(CoreWay W) { return CoreTexts[unsigned(W)]; }

double evenkeel::boundOf(const Estimate &E) {
  // The target is the base input itself.
  if (E.Count == CountWay::Base && E.Cache == CacheWay::Same)
    return 0;
  if (E.Cache == CacheWay::Bases)
    return E.FitOff;
  if (E.Count == CountWay::Bases)
    return E.FitOff + lineBound(Known, reachOf(E.Cache, E.Gathered));
  return lineBound(trustOf(E.Count), reachOf(E.Cache, E.Gathered));
}

/// The bound of the number of accesses, for core times that follow from it.
static double coreBoundOf(const Estimate &E) {
  if (E.Count == CountWay::Base)
    return 0;
  return E.Count == CountWay::Bases ? E.FitOff : coreBound(trustOf(E.Count));
}

double evenkeel::coreBoundOf(CoreWay W, const std::vector<Estimate> &Parts,
                             double FitOff) {
  if (W == CoreWay::Bases)
    return FitOff;
  if (W != CoreWay::Accesses)
    return coreBound(Guess);
  double Sum = 0, All = 0;
  for (const Estimate &E : Parts) {
    Sum += ::coreBoundOf(E) * E.Accesses;
    All += E.Accesses;
  }
  return All > 0 ? Sum / All : coreBound(Guess);
}
