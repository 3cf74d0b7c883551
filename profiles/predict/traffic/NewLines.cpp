//===- NewLines.cpp - lines not fetched on the base input -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the units in which the base input's caches held lines of a walk.
// Makes: for lines that a task fetches on the target only, those of each unit.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Distributes \p New lines of an object to its units. In a walk, units whose
/// lines the caches held on the base input get lines first, except at the
/// walk's ends, which it may visit only partly; the rest is distributed like
/// \p Shape, times \p Scale. Units whose lines were all held get none, because
/// the task may not visit them.
std::vector<double>
evenkeel::prediction::newLines(const std::vector<UnitDemand> &Shape,
                               double Scale, double New, bool Walked) {
  std::vector<double> Out(Shape.size());
  double Held = 0, All = 0;
  for (size_t K = 0; K < Shape.size(); ++K)
    All += Out[K] = Shape[K].ReadLines * Scale;
  // A few units may be read twice.
  const size_t Above = Shape.size() / size_t(figures().FewUnits);
  double Whole = 0;
  if (Walked && Shape.size() > 2) {
    std::nth_element(Out.begin(), Out.end() - 1 - Above, Out.end());
    Whole = *(Out.end() - 1 - Above);
  }
  std::fill(Out.begin(), Out.end(), 0);
  for (size_t K = 1; Whole > 0 && K + 1 < Shape.size(); ++K)
    Held += Out[K] = std::max(0.0, Whole - Shape[K].ReadLines * Scale);
  const double Part = Held > 0 ? std::min(1.0, New / Held) : 0,
               Left = New - Part * Held, Full = All + Part * Held;
  for (size_t K = 0; K < Out.size(); ++K) {
    Out[K] *= Part;
    Out[K] +=
        Full > 0 ? Left * (Shape[K].ReadLines * Scale + Out[K]) / Full : 0;
  }
  return Out;
}
