//===- Loosened.cpp - random lines of another input -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: if data decide which elements a task accesses, and different values
// take turns in deciding which part, another input's parts lie elsewhere, but
// near those of the base.
// Makes: lines that are spread over neighbouring chunks.
//===----------------------------------------------------------------------===//
#include "Cells.h"
#include "format/ek_raw.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Relative to the maximum of all chunks; smaller lines and latencies are
/// rounding errors.
static constexpr double Rounding = 1e-9;

/// Replaces each cell by the mean of \p Cells at a distance of at most
/// unsigned(figures().Elsewhere); beyond the ends, cells are mirrored.
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
  // Subtraction leaves rounding errors.
  double Most = 0;
  for (const Cell &X : Cells)
    Most = std::max({Most, X.Reads, X.Writes, X.Exposed});
  for (Cell &X : Out)
    X.dropBelow(Rounding * Most);
  Cells = std::move(Out);
}
