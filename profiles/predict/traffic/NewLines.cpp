//===- NewLines.cpp - lines not fetched on the base input -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the units in which the base input's caches held lines of a walk.
// Makes: for lines that a task fetches on the target only, those of each unit.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Distributes \p New lines of an object to its units. In a walk, units whose
/// lines the caches held on the base input get lines first, except at the
/// walk's ends, which it may visit only partly; the rest is distributed like
/// \p Shape, times \p Scale. Units whose lines were all held get none, because
/// the task may not visit them.
static std::vector<double> newLinesOfWalk(const std::vector<UnitDemand> &Shape,
                                          double Scale, double New,
                                          bool Walked) {
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

/// The same if the task's address range is known: units with the fewest lines
/// get new lines first, until all units of the range are equal.
static std::vector<double> newLinesOfPart(const BaseDemand &Q,
                                          const std::vector<UnitDemand> &Shape,
                                          unsigned Parts, double Scale,
                                          double New) {
  struct Level {
    double Lines, Part;
    size_t K;
  };
  std::vector<Level> Levels; // of the range's units
  for (size_t K = 0; K < Shape.size(); ++K)
    if (const double Part = Q.inPart(Shape[K].Unit, Parts); Part > 0)
      Levels.push_back({Shape[K].ReadLines * Scale / Part, Part, K});
  std::sort(Levels.begin(), Levels.end(), [](const Level &X, const Level &Y) {
    return std::tie(X.Lines, X.K) < std::tie(Y.Lines, Y.K);
  });
  double Width = 0, Lines = New, Full = 0;
  for (const Level &X : Levels) {
    if (Width > 0 && X.Lines >= Full)
      break;
    Width += X.Part;
    Lines += X.Lines * X.Part;
    Full = Lines / Width;
  }
  std::vector<double> Out(Shape.size());
  for (const Level &X : Levels)
    Out[X.K] = std::max(0.0, Full - X.Lines) * X.Part;
  return Out;
}

std::vector<double>
evenkeel::prediction::newLines(const BaseDemand &Q,
                               const std::vector<UnitDemand> &Shape,
                               unsigned Parts, double Scale, double New) {
  return Q.To > 0 ? newLinesOfPart(Q, Shape, Parts, Scale, New)
                  : newLinesOfWalk(Shape, Scale, New, Q.Walked);
}
