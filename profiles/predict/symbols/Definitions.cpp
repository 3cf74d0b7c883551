//===- Definitions.cpp - symbols that follow from other symbols -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Definitions.h.
//===----------------------------------------------------------------------===//
#include "Definitions.h"
#include "predict/base/Quantity.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

namespace evenkeel {

/// Whether \p X without its factors 2 and 5 is large. Numbers that people
/// choose (powers of two, round numbers) agree by chance, and so do small ones.
/// Among a thousand numbers, two such agree by chance now and then.
static bool isTelling(double X) {
  if (!(X >= figures().LeastTelling && X < 9e15) || X != std::floor(X))
    return false;
  for (double Factor : {2.0, 5.0})
    while (std::fmod(X, Factor) == 0)
      X /= Factor;
  return X >= figures().LeastTelling;
}

Definitions::Definitions(const Facts &Facts, const Profile &B) : F(Facts) {
  std::set<uint64_t> Several;
  for (const ek_raw_symbol &S : B.Symbols) {
    double V = static_cast<double>(S.first);
    auto [At, New] = Base.try_emplace(S.symbol, V);
    if (S.min != S.max || At->second != V)
      Several.insert(S.symbol);
  }
  for (uint64_t Id : Several)
    Base.erase(Id);
  EvalContext C;
  C.Lookup = [&](uint64_t Id) -> std::optional<double> {
    auto It = Base.find(Id);
    return It == Base.end() ? std::nullopt : std::optional<double>(It->second);
  };
  for (const SymbolFact &S : F.Symbols) {
    auto Own = Base.find(S.Id);
    if (!S.Value || Own == Base.end())
      continue;
    Expected<double> V = evaluate(*S.Value, C);
    if (!V)
      continue;
    // Counts are integers; 1e-9 allows for rounding in floating point.
    if (std::fabs(*V - Own->second) <= 1e-9 * std::fabs(Own->second))
      Held[S.Id] = S.Value;
    else
      ++Broken;
  }
  for (const SymbolFact &S : F.Symbols)
    if (auto It = Base.find(S.Id); S.Kind != SymbolFact::Measured &&
                                   !isConverted(S) && It != Base.end() &&
                                   isTelling(It->second))
      Telling.push_back(S.Id);
  Workers = double(B.Ranks.size());
  if (B.Ranks.empty())
    for (const ek_raw_phase &H : B.Phases)
      Workers = std::max(Workers, double(H.width));
}

ExprRef Definitions::of(uint64_t Symbol) const {
  auto It = Held.find(Symbol);
  return It == Held.end() ? nullptr : It->second;
}

std::map<uint64_t, Definitions::Value>
Definitions::forward(const std::map<uint64_t, double> &Given) const {
  /// A symbol's value, and whether it depends on a given value.
  struct Found {
    std::optional<double> V;
    bool Changed = false, Kept = false;
  };
  std::map<uint64_t, Found> Known;
  std::set<uint64_t> Open;
  std::function<Found(uint64_t)> Find = [&](uint64_t Id) -> Found {
    if (auto It = Given.find(Id); It != Given.end())
      return {It->second, true, false};
    if (auto It = Known.find(Id); It != Known.end())
      return It->second;
    Found Out;
    auto Own = Base.find(Id);
    if (Own != Base.end())
      Out.V = Own->second;
    Out.Kept = true;
    auto Def = Held.find(Id);
    if (Def != Held.end() && Open.insert(Id).second) {
      Found Sum;
      EvalContext C;
      C.Lookup = [&](uint64_t S) {
        Found X = Find(S);
        Sum.Changed |= X.Changed;
        Sum.Kept |= X.Kept;
        return X.V;
      };
      Expected<double> V = evaluate(*Def->second, C);
      Open.erase(Id);
      if (V && std::isfinite(*V) && Sum.Changed)
        Out = {*V, true, Sum.Kept};
      if (Open.empty())
        Known[Id] = Out; // inside a cycle it may still change
    }
    return Out;
  };
  std::map<uint64_t, Value> Out;
  for (auto &[Id, E] : Held) {
    if (Given.count(Id))
      continue;
    Found X = Find(Id);
    if (X.Changed)
      Out[Id] = {*X.V, X.Kept, false};
  }
  return Out;
}

/// The integer for which \p E gives \p Value, if \p E is linear from \p From to
/// there and no neighbouring integer gives the same.
static std::optional<double>
solve(const std::function<std::optional<double>(double)> &E, double From,
      double Value) {
  const std::optional<double> At = E(From), Next = E(From + 1);
  if (!At || !Next || *At == *Next)
    return std::nullopt;
  const double X = std::round(From + (Value - *At) / (*Next - *At));
  auto Is = [&](double Y) {
    const std::optional<double> V = E(Y);
    return V && std::fabs(*V - Value) <= 1e-9 * std::fabs(Value);
  };
  if (!std::isfinite(X) || !Is(X) || Is(X - 1) || Is(X + 1))
    return std::nullopt;
  return X;
}

/// Values of symbols that are the only unknown in the definition of a known
/// symbol.
std::map<uint64_t, double>
Definitions::backward(const std::map<uint64_t, double> &Given,
                      const std::map<uint64_t, Value> &Followed) const {
  auto Known = [&](uint64_t Id) -> std::optional<double> {
    if (auto It = Given.find(Id); It != Given.end())
      return It->second;
    auto It = Followed.find(Id);
    return It == Followed.end() || It->second.Partly
               ? std::nullopt
               : std::optional<double>(It->second.V);
  };
  std::map<uint64_t, std::set<double>> Found;
  for (const auto &[Id, E] : Held) {
    auto Own = Given.find(Id);
    if (Own == Given.end())
      continue;
    std::vector<uint64_t> Unknown;
    for (uint64_t S : symbolsOf(*E))
      if (!Known(S))
        Unknown.push_back(S);
    if (Unknown.size() != 1)
      continue;
    const uint64_t Open = Unknown[0];
    auto With = [&, &E = E](double X) {
      EvalContext C;
      C.Lookup = [&](uint64_t S) { return S == Open ? X : Known(S); };
      return valueOf(*E, C);
    };
    if (std::optional<double> X = solve(With, Base.at(Open), Own->second))
      Found[Open].insert(*X);
  }
  std::map<uint64_t, double> Out;
  for (const auto &[Id, Values] : Found)
    if (Values.size() == 1)
      Out[Id] = *Values.begin();
  return Out;
}

/// Values of symbols whose definition is not in the code, but which in the base
/// run had a relation to known ones, in one way or in ways that agree: equal,
/// or equal to a product or quotient with another known one, with the number of
/// workers, or with both.
std::map<uint64_t, double>
Definitions::alike(const std::map<uint64_t, double> &Given,
                   const std::map<uint64_t, Value> &Followed) const {
  std::unordered_map<double, std::vector<uint64_t>> Open; // by base value
  for (uint64_t Id : Telling)
    if (!Given.count(Id) && !Followed.count(Id) && !Held.count(Id))
      Open[Base.at(Id)].push_back(Id);
  if (Open.empty())
    return {};
  std::set<std::pair<double, double>> Known = {{1, 1}}, Large; // base value,
                                                               // target value
  auto Add = [&](uint64_t Id, double Is) {
    auto It = Base.find(Id);
    if (It == Base.end() || It->second < 1)
      return;
    Known.insert({It->second, Is});
    if (isTelling(It->second))
      Large.insert({It->second, Is});
  };
  for (auto [Id, V] : Given)
    Add(Id, V);
  for (const auto &[Id, V] : Followed)
    if (!V.Partly)
      Add(Id, V.V);
  std::map<double, std::set<double>> Found; // by base value
  auto Try = [&](double Was, double WasOver, double Is, double IsOver) {
    const double Own = std::floor(Was / WasOver);
    if (Own * WasOver == Was && Is >= 0 && IsOver > 0 && Open.count(Own))
      Found[Own].insert(std::floor(Is / IsOver));
  };
  for (auto [ZWas, ZIs] : Large)
    for (auto [YWas, YIs] : Known)
      for (double N : {1.0, Workers}) {
        Try(ZWas * YWas * N, 1, ZIs * YIs * N, 1);
        Try(ZWas * N, YWas, ZIs * N, YIs);
        Try(ZWas * YWas, N, ZIs * YIs, N);
        Try(ZWas, YWas * N, ZIs, YIs * N);
      }
  std::map<uint64_t, double> Out;
  for (const auto &[Own, Values] : Found)
    if (Values.size() == 1)
      for (uint64_t Id : Open[Own])
        Out[Id] = *Values.begin();
  return Out;
}

std::map<uint64_t, Definitions::Value>
Definitions::follow(const std::map<uint64_t, double> &Given) const {
  std::map<uint64_t, double> Known = Given;
  std::optional<std::set<uint64_t>> Sure; // by the code alone
  for (;;) {
    std::map<uint64_t, Value> Out = forward(Known);
    std::map<uint64_t, double> More = backward(Known, Out);
    if (More.empty()) {
      if (!Sure) {
        Sure.emplace();
        for (const auto &[Id, V] : Known)
          Sure->insert(Id);
        for (const auto &[Id, V] : Out)
          Sure->insert(Id);
      }
      if (rules().AgreeingNumbers)
        More = alike(Known, Out);
    }
    if (More.empty()) {
      for (auto [Id, V] : Known)
        if (!Given.count(Id))
          Out[Id] = {V, false, false};
      for (auto &[Id, V] : Out)
        V.Agreed = !Sure->count(Id);
      return Out;
    }
    Known.insert(More.begin(), More.end());
  }
}

std::set<uint64_t> Definitions::rootsOf(uint64_t Symbol,
                                        const std::set<uint64_t> &Known) const {
  std::set<uint64_t> Out, Seen;
  std::vector<uint64_t> Work = {Symbol};
  while (!Work.empty()) {
    uint64_t Id = Work.back();
    Work.pop_back();
    if (!Seen.insert(Id).second)
      continue;
    auto Def = Held.find(Id);
    if (Def == Held.end() || Known.count(Id)) {
      Out.insert(Id);
      continue;
    }
    for (uint64_t S : symbolsOf(*Def->second))
      Work.push_back(S);
  }
  if (Out.empty()) // a cycle: only itself
    Out.insert(Symbol);
  return Out;
}

} // namespace evenkeel
