//===- Shapes.cpp - distribution of a task's lines in an object -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: profiles count a page's lines in the chunk where the page begins. So
// in a base instance of few pages only every n-th chunk has lines, and in one
// with a few hundred pages a chunk has, for example, the lines of three or four
// pages. On the target, lines are placed where the pages are.
//===----------------------------------------------------------------------===//
#include "Shapes.h"
#include "Cells.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Relative to a chunk; smaller parts are rounding errors.
static constexpr double Rounding = 1e-9;

namespace {
/// The positions of a base instance's chunks on the target, in its chunks.
class Places {
  const double PerPage, Stretch;

public:
  Places(double BaseBytes, double Stretch)
      : PerPage(double(EK_PAGE) * EK_CHUNKS / std::max(1.0, BaseBytes)),
        Stretch(Stretch) {}

  /// From .. to: the pages that begin in \p Chunk.
  std::pair<double, double> of(unsigned Chunk) const {
    double From = Chunk, To = Chunk + 1;
    const double Begin = std::ceil(From / PerPage - Rounding),
                 End = std::ceil(To / PerPage - Rounding);
    if (Begin < End) {
      From = Begin * PerPage;
      To = End * PerPage;
    }
    From = std::min(From * Stretch, EK_CHUNKS - 1.0);
    return std::pair(
        From, std::clamp(To * Stretch, From + Rounding, double(EK_CHUNKS)));
  }
};
} // namespace

/// Calls \p Add with each chunk of the target that contains lines of \p M, the
/// cell there, and its share of \p M's lines.
template <typename AddT>
static void eachChunk(const Places &Of, const ek_raw_miss &M, bool Walked,
                      AddT Add) {
  Cell Row{double(M.reads), double(M.writes), M.weight, {}};
  Row.When.add(Row.Reads, M.course);
  const auto [From, To] = Of.of(M.chunk);
  for (auto C = unsigned(From); C < To; ++C) {
    // In a walk, the first lines are fetched first.
    const double Begin = (std::max(double(C), From) - From) / (To - From),
                 End = (std::min(C + 1.0, To) - From) / (To - From),
                 Part = End - Begin;
    if (Part < Rounding)
      continue;
    Cell Its = Row;
    if (Walked && Part < 1) {
      Its.When = Row.When.between(Begin, End);
      for (double &X : Its.When.Lines)
        X /= Part;
    }
    Add(C, Its, Part);
  }
}

std::vector<UnitDemand> evenkeel::prediction::shapeOf(const BaseDemand &Q,
                                                      double BaseBytes,
                                                      const ShapeOf &As) {
  const Places Of(BaseBytes, As.Stretch);
  std::vector<Cell> Sum(As.Parts);
  for (const ek_raw_miss *M : Q.Rows)
    eachChunk(Of, *M, Q.Walked, [&](unsigned C, const Cell &Its, double Part) {
      Sum[C * As.Parts / EK_CHUNKS].add(Its, Part);
    });
  std::vector<UnitDemand> Out;
  for (unsigned K = 0; K < As.Parts; ++K) {
    const Cell &X = Sum[K];
    if (X.Reads <= 0 && X.Writes <= 0 && X.Exposed <= 0)
      continue;
    UnitDemand &Z = Out.emplace_back();
    Z.Unit = K;
    Z.ReadLines = X.Reads;
    Z.WriteLines = X.Writes;
    Z.Exposed = X.Exposed;
    Z.Course = X.When.packed();
  }
  return Out;
}

const std::vector<UnitDemand> &Shapes::at(uint32_t Task, size_t K,
                                          const ShapeOf &As) {
  Of[Task].resize(Demands.Of[Task].size());
  Made &X = Of[Task][K];
  if (!(X.As == As)) {
    const BaseDemand &Q = Demands.Of[Task][K];
    X.As = As;
    X.Units = shapeOf(Q, double(B.Instances[Q.Inst].bytes), As);
  }
  return X.Units;
}
