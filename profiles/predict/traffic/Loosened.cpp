//===- Loosened.cpp - random lines of another input -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where data say what a task accesses, and other values in turn which
// part of them, another input's parts lie elsewhere, near those of the base.
// Makes: lines that are spread over the chunks around their own.
//===----------------------------------------------------------------------===//
#include "Cells.h"
#include "format/ek_raw.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Of the most that a chunk has, lines and latencies that are none.
static constexpr double Rounding = 1e-9;

/// Each of \p Cells gets the mean of those at most
/// unsigned(figures().Elsewhere) away; what would come from beyond the ends
/// comes from as far on this side of them.
void evenkeel::prediction::loosen(std::vector<Cell> &Cells) {
  const auto N = int(Cells.size());
  if (N < 2)
    return;
  auto Mirrored = [&](int C) {
    C = ((C % (2 * N)) + 2 * N) % (2 * N);
    return C < N ? C : 2 * N - 1 - C;
  };
  const auto Away = int(figures().Elsewhere);
  const double Each = 1.0 / (2 * Away + 1);
  std::vector<Cell> Out(Cells.size());
  Cell Sum;
  for (int C = -Away; C <= Away; ++C)
    Sum.add(Cells[Mirrored(C)], Each);
  for (int C = 0; C < N; ++C) {
    Out[C] = Sum;
    Sum.add(Cells[Mirrored(C + Away + 1)], Each);
    Sum.add(Cells[Mirrored(C - Away)], -Each);
  }
  // What is taken away again leaves a rest.
  double Most = 0;
  for (const Cell &X : Cells)
    Most = std::max({Most, X.Reads, X.Writes, X.Exposed});
  for (Cell &X : Out)
    X.dropBelow(Rounding * Most);
  Cells = std::move(Out);
}
