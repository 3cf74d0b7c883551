//===- Terms.h - fits of one or two terms -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the performance model normal form (Calotoiu et al., SC 2013) with few
// terms: c * x^a * log(x)^b, or c0 + c1 * x^a * log(x)^b, with a and b from
// short lists.
// Makes: the values of terms, and the two coefficients by least squares.
// Not here: which of them describes a quantity (Fits.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_FITS_TERMS_H
#define EVENKEEL_PROFILES_PREDICT_FITS_TERMS_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel {
namespace fits {

/// x^Power * log2(x)^Logs.
struct Term {
  double Power = 0;
  unsigned Logs = 0;

  /// The term's value at \p X > 0; none: its logarithm is not positive.
  std::optional<double> at(double X) const;
  /// "x^1.5 log(x)", with \p X in place of x; "constant" for x^0.
  std::string text(const std::string &X) const;
};

/// The terms that \p Inputs inputs can tell apart, the simplest first: two tell
/// nothing about powers that lie close together.
std::vector<Term> termsFor(size_t Inputs);

/// c0 and c1 of c0 + c1 * t through \p Points (t, y) by least squares of
/// relative errors. None: fewer than two different t, y that are not positive,
/// or a negative coefficient.
std::optional<std::pair<double, double>>
lineThrough(const std::vector<std::pair<double, double>> &Points);

} // namespace fits
} // namespace evenkeel

#endif
