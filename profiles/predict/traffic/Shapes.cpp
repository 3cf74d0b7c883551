//===- Shapes.cpp - where a task's lines lie in an object -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: profiles count a page's lines where it begins. So a base instance of
// few pages has lines in every so many chunks only, and of one of some hundred
// each chunk has those of three pages, say, or four; on the target they lie
// where the pages do.
//===----------------------------------------------------------------------===//
#include "Shapes.h"
#include "Cells.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Of a chunk, what is no part of it.
static constexpr double Rounding = 1e-9;

namespace {
/// Where the chunks of a base instance lie on the target, in its chunks.
class Places {
  const double PerPage, Stretch;

public:
  Places(double BaseBytes, double Stretch)
      : PerPage(double(EK_PAGE) * EK_CHUNKS / std::max(1.0, BaseBytes)),
        Stretch(Stretch) {}

  /// From .. to: on the pages that begin in \p Chunk.
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

/// Calls \p Add with each chunk of the target that the lines of \p M lie in,
/// what lies there, and which share of \p M's lines that is.
template <typename AddT>
static void eachChunk(const Places &Of, const ek_raw_miss &M, bool Walked,
                      AddT Add) {
  Cell Row{double(M.reads), double(M.writes), M.weight, {}};
  Row.When.add(Row.Reads, M.course);
  const auto [From, To] = Of.of(M.chunk);
  for (auto C = unsigned(From); C < To; ++C) {
    // Of what is walked through, the first lines lie first.
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

std::vector<UnitDemand>
evenkeel::prediction::shapeOf(const BaseDemand &Q, double BaseBytes,
                              std::pair<unsigned, unsigned> UsedChunks,
                              const ShapeOf &As) {
  const Places Of(BaseBytes, As.Stretch);
  const auto UsedFrom = unsigned(Of.of(UsedChunks.first).first);
  std::vector<Cell> Sum(As.Parts), Used;
  if (As.Loose)
    Used.resize(unsigned(std::ceil(Of.of(UsedChunks.second).second)) -
                UsedFrom);
  for (const ek_raw_miss *M : Q.Rows)
    eachChunk(Of, *M, Q.Walked, [&](unsigned C, const Cell &Its, double Part) {
      (As.Loose ? Used[C - UsedFrom] : Sum[C * As.Parts / EK_CHUNKS])
          .add(Its, Part);
    });
  loosen(Used);
  for (size_t C = 0; C < Used.size(); ++C)
    Sum[(UsedFrom + C) * As.Parts / EK_CHUNKS].add(Used[C], 1);
  std::vector<UnitDemand> Out;
  for (unsigned K = 0; K < As.Parts; ++K) {
    const Cell &X = Sum[K];
    if (X.Reads <= 0 && X.Writes <= 0 && X.Exposed <= 0 &&
        Q.inPart(K, As.Parts) <= 0)
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
    X.Units = shapeOf(Q, double(B.Instances[Q.Inst].bytes),
                      Demands.UsedChunks[Q.Inst], As);
  }
  return X.Units;
}
