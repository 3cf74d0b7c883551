//===- SameNumbers.cpp - sizes that are numbers in a file of the input ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SameNumbers.h.
//===----------------------------------------------------------------------===//
#include "SameNumbers.h"
#include "CommandLineTexts.h"
#include "format/inputs/InputNumbers.h"
#include "predict/base/Quantity.h"
#include "tuning/Tuning.h"
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

static const InputFact *inputOf(const Facts &F, const ExprRef &E) {
  if (E && E->K == Expr::Symbol)
    for (const InputFact &I : F.Inputs)
      if (I.Id == E->Sym)
        return &I;
  return nullptr;
}

/// " in argument 2" if the code reads \p S from the file that argument 2 names.
static std::optional<std::string> fileOf(const Facts &F, const SymbolFact &S,
                                         const CommandLine &C) {
  const InputFact *File = inputOf(F, S.Input);
  if (File && File->Kind == "first" && !File->Of.empty())
    File = inputOf(F, File->Of[0]); // "else" what n was before
  if (!File || File->Kind != "file" || File->Of.empty())
    return std::nullopt;
  const InputFact *Named = inputOf(F, File->Of[0]);
  const std::optional<std::string> Path =
      Named ? textOnCommandLine(*Named, C) : std::nullopt;
  for (size_t K = 1; Path && K < C.Arguments.size(); ++K)
    if (C.Arguments[K] == *Path && C.Files.count(*Path))
      return " in argument " + std::to_string(K);
  return std::nullopt;
}

static bool endsWith(const std::string &Text, const std::string &End) {
  return Text.size() >= End.size() &&
         Text.compare(Text.size() - End.size(), End.size(), End) == 0;
}

/// Whether just one number of the file that the code reads \p S from had the
/// value \p Its in the run of \p B.
static bool isOnlyOne(const Facts &F, const SymbolFact &S, const Profile &B,
                      double Its) {
  const std::optional<std::string> In = fileOf(F, S, B.Ran);
  size_t Count = 0;
  for (const InputNumber &N : numbersOf(B.Ran))
    Count += In && N.Value == Its && endsWith(N.Name, *In) &&
             N.Name.rfind("number ", 0) == 0;
  return Count == 1;
}

/// The number of the file \p In that had the values \p Its in the base runs.
/// None if several had them and disagree on the target.
static const Compared *numberWith(const std::vector<Compared> &Numbers,
                                  const std::vector<double> &Its,
                                  const std::string &In) {
  const Compared *Same = nullptr;
  for (const Compared &N : Numbers) {
    if (N.InBase != Its || !endsWith(N.Its.Name, In))
      continue;
    if (Same && Same->Its.Value != N.Its.Value)
      return nullptr;
    Same = Same ? Same : &N;
  }
  return Same;
}

std::vector<InputTie> evenkeel::tiesBySameNumbers(
    const Facts &F, const std::vector<const Profile *> &Bases,
    const CommandLine &Target, const std::vector<InputTie> &Known) {
  std::vector<InputTie> Out;
  const std::vector<Compared> Numbers = compare(Bases, Target);
  if (!rules().SameNumbers || Numbers.empty())
    return Out;
  // A number in a file is one of those that were kept of the file.
  std::set<uint64_t> Tied;
  for (const InputTie &T : Known)
    if (T.Target || T.Why != "input-not-readable")
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
    if (Its.size() != Bases.size())
      continue;
    std::optional<std::string> In = fileOf(F, S, Target);
    for (size_t K = 0; In && K < Bases.size(); ++K)
      if (!isOnlyOne(F, S, *Bases[K], Its[K]))
        In.reset();
    const Compared *Same = In ? numberWith(Numbers, Its, *In) : nullptr;
    if (!Same)
      continue;
    InputTie T;
    T.Symbol = &S;
    T.From =
        Same->Its.Name + ", as in the base run" + (Bases.size() > 1 ? "s" : "");
    T.Base = Its[0];
    T.Target = Same->Its.Value;
    Out.push_back(std::move(T));
  }
  return Out;
}
