//===- AlikeTotals.cpp - loop totals correlated with others ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a loop total without other evidence is assumed to grow in each task
// like the known total that it correlates with across tasks, in logarithms. For
// example, zones of a grid exchange some of their faces and later walk through
// all of them: the walk correlates with the exchange across tasks, unlike walks
// along other faces.
// Makes: values of such totals. Not here: totals that are the same in all
// tasks, that differ from phase to phase, or that only few tasks have.
//===----------------------------------------------------------------------===//
#include "Evaluate.h"
#include "SymbolValues.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Relative to that variance; smaller residuals of two totals are equal but for
/// rounding.
static constexpr double Rounding = 1e-3;

/// The base values of a loop total by task index, if they are the same in all
/// phases that have any; else empty.
static std::map<uint32_t, double> byIndex(const BaseValues &V,
                                          const Profile &B) {
  std::map<uint32_t, double> Out;
  for (auto [Row, Value] : V.PerTask)
    if (Out.emplace(B.Tasks[Row].index, Value).first->second != Value)
      return {};
  return Out;
}

namespace {
/// The variance of the added numbers.
struct Spread {
  double N = 0, Sum = 0, Squares = 0;

  void add(double X) {
    ++N;
    Sum += X;
    Squares += X * X;
  }
  double variance() const {
    return N > 0 ? std::max(0.0, Squares / N - Sum / N * Sum / N) : 0;
  }
};
} // namespace

namespace {
/// A loop total with values on the target, by task index.
struct Total {
  uint64_t Id;
  std::map<uint32_t, double> Base, Growth;
};
} // namespace

/// Totals whose growth is known in enough tasks.
static std::vector<Total> knownTotals(const BaseTables &Base,
                                      const SymbolValues &Known) {
  std::vector<Total> Out;
  for (const SymbolFact &Y : Base.F.Symbols) {
    auto It = Known.Of.find(Y.Id);
    if (Y.Kind != SymbolFact::Measured || It == Known.Of.end() ||
        It->second.PerIndex.size() < size_t(figures().AlikeTasks) ||
        It->second.Inherited)
      continue;
    Total K{Y.Id, byIndex(Base.Symbols.at(Y.Id), Base.B), {}};
    for (auto [Index, Old] : K.Base)
      if (auto New = It->second.PerIndex.find(
              It->second.Sized ? Index : Known.ownerNow(Index));
          New != It->second.PerIndex.end() && Old > 0 && New->second > 0)
        K.Growth[Index] = New->second / Old;
    if (K.Growth.size() >= size_t(figures().AlikeTasks))
      Out.push_back(std::move(K));
  }
  return Out;
}

/// The variance of the logarithms of \p Its; null: they are too alike, too few,
/// or not positive.
static std::optional<double> varianceOf(const std::map<uint32_t, double> &Its) {
  Spread Own;
  for (auto [Index, Value] : Its) {
    if (!(Value > 0))
      return std::nullopt;
    Own.add(std::log(Value));
  }
  if (Its.size() < size_t(figures().AlikeTasks) ||
      Own.variance() < figures().AlikeSpread * figures().AlikeSpread)
    return std::nullopt;
  return Own.variance();
}

/// The total among \p Known with which \p Its, of variance \p Own, correlates;
/// null: none, or several that grow differently.
static const Total *bestOf(const std::vector<Total> &Known,
                           const std::map<uint32_t, double> &Its, double Own) {
  // The unexplained variance for each, smallest first.
  std::vector<std::pair<double, const Total *>> Left;
  for (const Total &Y : Known) {
    Spread Apart;
    for (auto [Index, Value] : Its)
      if (auto Of = Y.Growth.find(Index); Of != Y.Growth.end())
        Apart.add(std::log(Value / Y.Base.at(Index)));
    if (Apart.N == double(Its.size()))
      Left.emplace_back(Apart.variance(), &Y);
  }
  std::sort(Left.begin(), Left.end()); // equal ones in the order of Known
  if (Left.empty() || Left[0].first > figures().AlikeLeft * Own)
    return nullptr;
  const Total &Best = *Left[0].second;
  auto Agrees = [&](const Total &Y) {
    return std::all_of(Its.begin(), Its.end(), [&](auto &Of) {
      const double G = Y.Growth.at(Of.first), H = Best.Growth.at(Of.first);
      return std::fabs(G - H) <= figures().AlikeGrowth * H;
    });
  };
  const double Alike =
      std::max(figures().AlikeApart * Left[0].first, Rounding * Own);
  if (std::any_of(Left.begin() + 1, Left.end(), [&](auto &Of) {
        return Of.first < Alike && !Agrees(*Of.second);
      }))
    return nullptr;
  return &Best;
}

void evenkeel::prediction::addAlikeTotals(const BaseTables &Base,
                                          SymbolValues &Known) {
  const std::vector<Total> Totals = knownTotals(Base, Known);
  if (Totals.empty())
    return;
  ValuesBySymbol Found;
  for (const SymbolFact &X : Base.F.Symbols) {
    if (X.Kind != SymbolFact::Measured || Known.Of.count(X.Id))
      continue;
    const BaseValues &V = Base.Symbols.at(X.Id);
    const std::map<uint32_t, double> Its = byIndex(V, Base.B);
    const std::optional<double> Own = varianceOf(Its);
    if (!Own)
      continue;
    const Expr Sum = *makeSymbol(X.Id);
    if (std::any_of(V.PerTask.begin(), V.PerTask.end(), [&](auto &Of) {
          Trace How;
          return evalTarget(Base, Known, Sum, Of.first, How).has_value();
        }))
      continue; // another rule determines it
    const Total *Best = bestOf(Totals, Its, *Own);
    if (!Best)
      continue;
    TargetValues &To = Found[X.Id];
    To.Scaled = true;
    for (auto [Index, Value] : Its)
      To.PerIndex[Known.ownerNow(Index)] = Value * Best->Growth.at(Index);
  }
  Known.Of.merge(Found);
}
