//===- Terms.cpp - fits of one or two terms -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Terms.h.
//===----------------------------------------------------------------------===//
#include "Terms.h"
#include <cmath>
#include <cstdio>

using namespace evenkeel;
using namespace evenkeel::fits;

std::optional<double> Term::at(double X) const {
  const double Log = std::log2(X);
  if (Logs && Log <= 0)
    return std::nullopt;
  return std::pow(X, Power) * (Logs ? std::pow(Log, Logs) : 1);
}

std::string Term::text(const std::string &X) const {
  std::string Out;
  if (Power == 1)
    Out = X;
  else if (Power != 0) {
    char Text[32];
    std::snprintf(Text, sizeof Text, "^%.3g", Power);
    Out = X + Text;
  }
  if (Logs)
    Out += (Out.empty() ? "log(" : " log(") + X + ")";
  return Out.empty() ? "constant" : Out;
}

std::vector<Term> evenkeel::fits::termsFor(size_t Inputs) {
  std::vector<Term> Out = {{0, 0},   {1, 0},   {2, 0}, {3, 0}, {1, 1},
                           {0.5, 0}, {1.5, 0}, {0, 1}, {2, 1}};
  if (Inputs > 2)
    Out.insert(Out.end(), {{1.0 / 3, 0},
                           {2.0 / 3, 0},
                           {4.0 / 3, 0},
                           {5.0 / 3, 0},
                           {2.5, 0},
                           {3, 1}});
  return Out;
}

std::optional<std::pair<double, double>> evenkeel::fits::lineThrough(
    const std::vector<std::pair<double, double>> &Points) {
  // Minimises the sum of (c0 / y + c1 * t / y - 1)^2.
  double AA = 0, AB = 0, BB = 0, A1 = 0, B1 = 0;
  for (auto [T, Y] : Points) {
    if (!(Y > 0))
      return std::nullopt;
    const double A = 1 / Y, B = T / Y;
    AA += A * A;
    AB += A * B;
    BB += B * B;
    A1 += A;
    B1 += B;
  }
  const double Det = AA * BB - AB * AB;
  if (!(Det > 1e-12 * AA * BB))
    return std::nullopt;
  const double C0 = (A1 * BB - B1 * AB) / Det, C1 = (AA * B1 - AB * A1) / Det;
  if (C0 < 0 || C1 < 0)
    return std::nullopt;
  return std::pair(C0, C1);
}
