//===- Definitions.cpp - symbols that follow from other symbols -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Definitions.h.
//===----------------------------------------------------------------------===//
#include "Definitions.h"
#include <algorithm>
#include <cmath>
#include <functional>

namespace evenkeel {

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
      Out[Id] = {*X.V, X.Kept};
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

std::map<uint64_t, Definitions::Value>
Definitions::follow(const std::map<uint64_t, double> &Given) const {
  std::map<uint64_t, double> Known = Given;
  for (;;) {
    std::map<uint64_t, Value> Out = forward(Known);
    const std::map<uint64_t, double> More = backward(Known, Out);
    if (More.empty()) {
      for (auto [Id, V] : Known)
        if (!Given.count(Id))
          Out[Id] = {V, false};
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
