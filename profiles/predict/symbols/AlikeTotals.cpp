//===- AlikeTotals.cpp - loop totals that go with others ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a loop total that has the same values in every task as one whose
// values on the target are known is the same quantity, counted again in another
// loop (rows walked twice). One that nothing else tells grows in each task as
// the one does that it goes with over the tasks: zones exchange some of their
// faces, those of inner zones on both sides, and walk through all of them later
// on; that goes up and down with the exchange from task to task, as no walk
// along other faces does.
// Makes: values of such totals. Leaves out: totals that are alike in all tasks,
// that differ from phase to phase, or that few tasks have.
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

/// Tasks with a value, at least; standard deviation of the logarithms over
/// tasks, at least: tasks that are alike tell nothing.
static constexpr size_t LeastTasks = 6;
static constexpr double LeastSpread = 0.2;
/// Of the variance of a total's logarithm over tasks, what another leaves
/// unexplained, at most; and what the next best one leaves, over that, at
/// least, if it grows otherwise.
static constexpr double MostLeft = 0.5, LeastApart = 2;
/// Of that variance: what two leave is both rounding below it.
static constexpr double Rounding = 1e-3;
/// Growths that differ by less are the same.
static constexpr double SameGrowth = 0.05;

/// Base values of a loop total by the task's index, if they are the same in all
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
/// Variance of what is added.
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

/// Measured symbols with the same value in every task as a given one are the
/// same quantity, counted again in another loop (rows walked twice).
void Extrapolator::inheritMeasured() {
  auto ByIndex = [&](const BaseValues &V) {
    std::map<std::pair<uint32_t, uint32_t>, double> Out; // (rank, index)
    std::map<uint32_t, uint32_t> Phases;
    for (auto [Row, Value] : V.PerTask)
      Phases[B.Tasks[Row].phase] = 0;
    uint32_t Rank = 0;
    for (auto &Entry : Phases)
      Entry.second = Rank++;
    for (auto [Row, Value] : V.PerTask)
      Out[{Phases[B.Tasks[Row].phase], B.Tasks[Row].index}] = Value;
    return Out;
  };
  std::vector<std::pair<uint64_t, uint64_t>> Same;
  for (const SymbolFact &X : F.Symbols) {
    const BaseValues &V = Base[X.Id];
    // Two tasks or more with different counts: a coincidence is unlikely.
    if (X.Kind != "measured" || Target.count(X.Id) || V.PerTask.size() < 2 ||
        V.OneValue)
      continue;
    for (const SymbolFact &Y : F.Symbols) {
      auto It = Target.find(Y.Id);
      if (It == Target.end() || It->second.Inherited || Y.Kind != "measured" ||
          Base[Y.Id].PerTask.size() != V.PerTask.size() ||
          ByIndex(Base[Y.Id]) != ByIndex(V))
        continue;
      Same.emplace_back(X.Id, Y.Id);
      break;
    }
  }
  for (auto [To, From] : Same) {
    Target[To] = Target[From];
    Target[To].Inherited = true;
  }
}

void Extrapolator::followAlike() {
  struct Total {
    uint64_t Id;
    std::map<uint32_t, double> Base, Growth; // by index
  };
  std::vector<Total> Known;
  for (const SymbolFact &Y : F.Symbols) {
    auto It = Target.find(Y.Id);
    if (Y.Kind != "measured" || It == Target.end() ||
        It->second.PerIndex.size() < LeastTasks || It->second.Inherited)
      continue;
    Total K{Y.Id, byIndex(Base[Y.Id], B), {}};
    for (auto [Index, Old] : K.Base)
      if (auto New = It->second.PerIndex.find(
              It->second.Sized ? Index : ownerNow(Index));
          New != It->second.PerIndex.end() && Old > 0 && New->second > 0)
        K.Growth[Index] = New->second / Old;
    if (K.Growth.size() >= LeastTasks)
      Known.push_back(std::move(K));
  }
  Values Found;
  for (const SymbolFact &X : F.Symbols) {
    if (Known.empty() || X.Kind != "measured" || Target.count(X.Id))
      continue;
    const std::map<uint32_t, double> Its = byIndex(Base[X.Id], B);
    Spread Own;
    bool Positive = true;
    for (auto [Index, Value] : Its) {
      Positive &= Value > 0;
      Own.add(Positive ? std::log(Value) : 0);
    }
    if (!Positive || Its.size() < LeastTasks ||
        Own.variance() < LeastSpread * LeastSpread)
      continue;
    const Expr Sum = *makeSymbol(X.Id);
    const bool Told = std::any_of(
        Base[X.Id].PerTask.begin(), Base[X.Id].PerTask.end(), [&](auto &Of) {
          Trace How;
          return evalTarget(Sum, Of.first, How).has_value();
        });
    if (Told)
      continue;
    // What each leaves unexplained, least first.
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
    if (Left.empty() || Left[0].first > MostLeft * Own.variance())
      continue;
    const Total &Best = *Left[0].second;
    auto Agrees = [&](const Total &Y) {
      return std::all_of(Its.begin(), Its.end(), [&](auto &Of) {
        const double G = Y.Growth.at(Of.first), H = Best.Growth.at(Of.first);
        return std::fabs(G - H) <= SameGrowth * H;
      });
    };
    const double Alike =
        std::max(LeastApart * Left[0].first, Rounding * Own.variance());
    if (std::any_of(Left.begin() + 1, Left.end(), [&](auto &Of) {
          return Of.first < Alike && !Agrees(*Of.second);
        }))
      continue;
    TargetValues &V = Found[X.Id];
    V.Scaled = true;
    for (auto [Index, Value] : Its)
      V.PerIndex[ownerNow(Index)] = Value * Best.Growth.at(Index);
  }
  Target.merge(Found);
}

} // namespace extrapolation
} // namespace evenkeel
