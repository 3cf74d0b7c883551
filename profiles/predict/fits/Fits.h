//===- Fits.h - the growth of one quantity, by several inputs ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a quantity's values on several base inputs, and what a prediction from
// the nearest of them says for the others.
// Makes: the simplest fit among those with the smallest errors of leave-one-out
// cross-validation; and whether it is better than the prediction from one base.
// Two inputs suffice for one coefficient: the fit through either of them is
// judged by the other. Fits that explain the inputs about as well may disagree
// on the target; half of their disagreement counts as error.
// Not here: which values belong together (Observed.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_FITS_FITS_H
#define EVENKEEL_PROFILES_PREDICT_FITS_FITS_H

#include "Terms.h"
#include "format/plan/FittedValues.h"

namespace evenkeel {
namespace fits {

/// A number that differs between the base inputs and is known of the target.
/// Invariants: all values are positive; one for each base input.
struct Variable {
  std::string Name;
  std::vector<double> Base;
  double Target = 0;
};

/// The inputs to compare.
struct Inputs {
  std::vector<Variable> Variables;
  size_t Nearest = 0; ///< the base input to predict from

  size_t count() const {
    return Variables.empty() ? 0 : Variables[0].Base.size();
  }
  /// The largest |ln| of the ratios of a variable's values on the nearest base
  /// input and on base input \p I, or on the target.
  double distanceTo(size_t I) const;
  double distanceToTarget() const;
};

/// The values of one quantity of one task, or object. By base input; empty
/// where it has none.
struct Member {
  std::vector<std::optional<double>> Recorded;
  std::vector<std::optional<double>> Predicted; ///< from the nearest one alone
};

/// A quantity of tasks of one type.
struct Series {
  std::vector<Member> Members;
  double Least = 1; ///< smaller differences of values count as none
};

/// A fit of one variable. Its coefficients hold for the sum over members.
struct Fit {
  size_t Variable = 0;
  Term Of;
  double Constant = 0, Factor = 1; // Constant + Factor * Of

  std::optional<double> at(double X) const;
};

struct Choice {
  Fit Best;
  double Times = 1;   ///< growth from the nearest base input to the target
  double Judged = 0;  ///< mean |ln| of predicted over recorded, left-out inputs
  double Off = 0;     ///< error bound of ln(Times)
  double OneBase = 0; ///< as Judged, of the prediction from one base
  double OneOff = 0;  ///< as Off
  bool IsBetter = false; ///< than that prediction
};

/// None: no input but the nearest has values of the members, or the values on
/// the nearest one are too small to grow.
std::optional<Choice> chooseFit(const Series &S, const Inputs &In);

/// The growth that \p F gives from the nearest base input to base input \p I.
double growthTo(const Fit &F, const Inputs &In, size_t I);

} // namespace fits
} // namespace evenkeel

#endif
