//===- Variables.cpp - what tells base inputs apart -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Variables.h.
//===----------------------------------------------------------------------===//
#include "Variables.h"
#include "format/inputs/InputNumbers.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::fits;
using namespace evenkeel::prediction;

/// The one value of a symbol in the run of \p Base, if it had one.
static std::optional<double> valueIn(const BaseTables &Base, uint64_t Symbol) {
  auto It = Base.Symbols.find(Symbol);
  if (It == Base.Symbols.end() || !It->second.OneValue)
    return std::nullopt;
  return It->second.First;
}

static void add(std::vector<Variable> &To, Variable V) {
  auto Bad = [](double X) { return !(X > 0) || !std::isfinite(X); };
  if (Bad(V.Target) || std::any_of(V.Base.begin(), V.Base.end(), Bad))
    return;
  for (const Variable &X : To)
    if (X.Base == V.Base && X.Target == V.Target)
      return; // the same number under another name
  To.push_back(std::move(V));
}

static void addSymbols(const std::vector<BaseTables> &Bases,
                       const ValuesBySymbol &OfTarget,
                       std::vector<Variable> &To) {
  std::map<uint64_t, double> InOrder;
  for (const auto &[Id, V] : OfTarget)
    if (V.Program)
      InOrder[Id] = *V.Program;
  for (const auto &[Id, Value] : InOrder) {
    const SymbolFact *Fact = Bases[0].F.symbol(Id);
    Variable X{Fact ? Fact->Name : std::string(), {}, Value};
    for (const BaseTables &B : Bases)
      if (const std::optional<double> V = valueIn(B, Id))
        X.Base.push_back(*V);
    if (Fact && X.Base.size() == Bases.size())
      add(To, std::move(X));
  }
}

/// Numbers at the same places of all command lines.
static void addArguments(const std::vector<BaseTables> &Bases,
                         const CommandLine &Target, std::vector<Variable> &To) {
  std::vector<std::map<std::string, double>> ByPlace;
  for (const BaseTables &B : Bases) {
    ByPlace.emplace_back();
    for (const InputNumber &N : numbersOf(B.B.Ran))
      ByPlace.back().emplace(N.Place, N.Value);
  }
  for (const InputNumber &N : numbersOf(Target)) {
    Variable X{N.Name, {}, N.Value};
    for (const auto &Its : ByPlace)
      if (auto V = Its.find(N.Place); V != Its.end())
        X.Base.push_back(V->second);
    if (X.Base.size() == Bases.size())
      add(To, std::move(X));
  }
}

Inputs evenkeel::fits::inputsOf(const std::vector<BaseTables> &Bases,
                                const ValuesBySymbol &OfTarget,
                                const CommandLine &Target) {
  Inputs Out;
  addSymbols(Bases, OfTarget, Out.Variables);
  addArguments(Bases, Target, Out.Variables);
  double Least = HUGE_VAL;
  for (size_t I = 0; I < Out.count(); ++I) {
    double Sum = 0;
    for (const Variable &V : Out.Variables)
      Sum += std::fabs(std::log(V.Target / V.Base[I]));
    if (Sum < Least - 1e-9) {
      Least = Sum;
      Out.Nearest = I;
    }
  }
  return Out;
}

Inputs evenkeel::fits::withDifferent(const Inputs &In) {
  Inputs Out;
  Out.Nearest = In.Nearest;
  for (const Variable &V : In.Variables)
    if (std::any_of(V.Base.begin(), V.Base.end(),
                    [&](double X) { return X != V.Base[0]; }))
      Out.Variables.push_back(V);
  return Out;
}

std::vector<Given> evenkeel::fits::givenLike(const BaseTables &Base,
                                             const ValuesBySymbol &OfTarget) {
  std::map<std::pair<std::string, std::optional<uint32_t>>, double> Values;
  std::map<uint64_t, const TargetValues *> InOrder;
  for (const auto &[Id, V] : OfTarget)
    InOrder[Id] = &V;
  for (const auto &[Id, V] : InOrder) {
    auto Its = Base.Symbols.find(Id);
    if (Its == Base.Symbols.end() || !Its->second.Fact)
      continue;
    const std::string &Name = Its->second.Fact->Name;
    if (V->Program)
      if (const std::optional<double> One = valueIn(Base, Id))
        Values.try_emplace({Name, std::nullopt}, *One);
    const std::map<uint32_t, double> ByTask(Its->second.PerTask.begin(),
                                            Its->second.PerTask.end());
    for (const auto &[Task, Value] : ByTask)
      if (const uint32_t Index = Base.B.Tasks[Task].index;
          V->PerIndex.count(Index))
        Values.try_emplace({Name, Index}, Value);
  }
  std::vector<Given> Out;
  for (const auto &[Name, Value] : Values)
    Out.push_back({Name.first, Name.second, Value});
  return Out;
}
