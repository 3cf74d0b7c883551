//===- MinMax.h - sum of maxima under capacities, an LP ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the linear program behind the balanced planner,
//
//   minimise  sum over groups g of  max over rows r of g (A_r - B_r x)
//   subject to  W_c x <= 1 for every capacity c,  0 <= x <= 1,
//
// and a first-order method for it that also proves a bound on the distance from
// the optimum. A group is a phase, a row a task (or another bound on the
// phase's time), a variable a unit's fast share, a capacity one moment in time.
// Makes: a feasible x, its value, and a lower bound on the optimum.
// Not here: where the coefficients come from (Balanced.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_MINMAX_H
#define EVENKEEL_PROFILES_PLANNER_MINMAX_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace evenkeel {

struct MinMaxRow {
  double A = 0;
  std::vector<std::pair<uint32_t, double>> B; // (variable, coefficient)
};

struct MinMaxProblem {
  size_t Variables = 0;
  std::vector<std::vector<MinMaxRow>> Groups; // each with one row or more
  /// Weight of a variable as a share of the capacity; >= 0.
  std::vector<std::vector<std::pair<uint32_t, double>>> Capacities;
};

struct MinMaxSolution {
  std::vector<double> X;
  double Value = 0;
  double LowerBound = 0;
  unsigned Iterations = 0;
};

/// \p Gap: stop when Value - LowerBound <= Gap * |Value|. \p Work limits the
/// number of multiplications, so that the time is bounded and the result
/// deterministic. \p Start may be empty or a first guess.
MinMaxSolution solveMinMax(const MinMaxProblem &P, double Gap = 1e-4,
                           double Work = 4e8,
                           const std::vector<double> &Start = {});

/// The value of \p X (which need not be feasible).
double minMaxValue(const MinMaxProblem &P, const std::vector<double> &X);

} // namespace evenkeel

#endif
