//===- SameNumbers.cpp - symbols that equal a number of the input ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SameNumbers.h.
//===----------------------------------------------------------------------===//
#include "SameNumbers.h"
#include "format/inputs/InputNumbers.h"
#include "predict/base/Quantity.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace evenkeel;

/// Symbols with one value in the run.
static std::map<uint64_t, double> valuesIn(const Profile &B) {
  std::map<uint64_t, double> Out;
  std::set<uint64_t> Several;
  for (const ek_raw_symbol &S : B.Symbols) {
    const auto V = double(S.first);
    if (S.min != S.max || Out.try_emplace(S.symbol, V).first->second != V)
      Several.insert(S.symbol);
  }
  for (uint64_t Id : Several)
    Out.erase(Id);
  return Out;
}

namespace {
/// A number with its values in the base runs, and on the target.
struct Compared {
  InputNumber Its;
  std::vector<double> InBase;
};
} // namespace

static std::vector<Compared> compare(const std::vector<const Profile *> &Bases,
                                     const CommandLine &Target) {
  std::vector<std::map<std::string, double>> ByPlace;
  for (const Profile *B : Bases) {
    ByPlace.emplace_back();
    for (const InputNumber &N : numbersOf(B->Ran))
      ByPlace.back().emplace(N.Place, N.Value);
  }
  std::vector<Compared> Out;
  for (const InputNumber &N : numbersOf(Target)) {
    Compared X{N, {}};
    for (const auto &Its : ByPlace)
      if (auto V = Its.find(N.Place); V != Its.end())
        X.InBase.push_back(V->second);
    if (X.InBase.size() == Bases.size() && N.Value == std::floor(N.Value))
      Out.push_back(std::move(X));
  }
  return Out;
}

/// Whether the base runs show different values; one value may be that of
/// another number by chance.
static bool isTelling(const std::vector<double> &Values) {
  return std::any_of(Values.begin(), Values.end(),
                     [&](double V) { return V != Values[0]; });
}

std::vector<InputTie> evenkeel::tiesBySameNumbers(
    const Facts &F, const std::vector<const Profile *> &Bases,
    const CommandLine &Target, const std::vector<InputTie> &Known) {
  std::vector<InputTie> Out;
  const std::vector<Compared> Numbers = compare(Bases, Target);
  if (!rules().SameNumbers || Numbers.empty())
    return Out;
  std::set<uint64_t> Tied;
  for (const InputTie &T : Known)
    Tied.insert(T.Symbol->Id);
  std::vector<std::map<uint64_t, double>> Values;
  for (const Profile *B : Bases)
    Values.push_back(valuesIn(*B));
  for (const SymbolFact &S : F.Symbols) {
    // Measured ones are sums over executions.
    if (Tied.count(S.Id) || S.Kind == SymbolFact::Measured ||
        isThreadCount(S.Name))
      continue;
    std::vector<double> Its;
    for (const auto &V : Values)
      if (auto At = V.find(S.Id); At != V.end())
        Its.push_back(At->second);
    if (Its.size() != Bases.size() || !isTelling(Its))
      continue;
    const Compared *Same = nullptr;
    bool Agree = true; // all numbers with these values do on the target
    for (const Compared &N : Numbers)
      if (N.InBase == Its) {
        Agree &= !Same || Same->Its.Value == N.Its.Value;
        Same = Same ? Same : &N;
      }
    if (!Same || !Agree)
      continue;
    InputTie T;
    T.Symbol = &S;
    T.From = Same->Its.Name + ", as in the base runs";
    T.Base = Its[0];
    T.Target = Same->Its.Value;
    Out.push_back(std::move(T));
  }
  return Out;
}
