//===- Definitions.cpp - symbols that follow from others ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see Definitions.h.
//===----------------------------------------------------------------------===//
#include "Definitions.h"
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
    // Counts are integers; 1e-9 forgives their way through floating point.
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
Definitions::follow(const std::map<uint64_t, double> &Given) const {
  /// A symbol's value, and whether anything behind it was given.
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
  if (Out.empty()) // a cycle: nothing but itself
    Out.insert(Symbol);
  return Out;
}

} // namespace evenkeel
