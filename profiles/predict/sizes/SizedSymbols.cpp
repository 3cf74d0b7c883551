//===- SizedSymbols.cpp - values of symbols from sizes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a known size on the target gives the number of times that its array
// was written, or read through (Fills.h).
// Makes: the values of symbols once sizes are predicted.
//===----------------------------------------------------------------------===//
#include "ObjectSizes.h"
#include "predict/symbols/Evaluate.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Over the tasks of a phase, \p Symbol adds up to the number of elements in
/// \p Bytes. It is distributed like the target's own values or, if one of them
/// is not known, like those of the base.
static void sizeSymbol(const BaseTables &Base, const Fill &Of, uint64_t Symbol,
                       double Bytes, SymbolValues &Known) {
  if (Known.Of.count(Symbol))
    return;
  const ExprRef E = makeSymbol(Symbol);
  auto Target = [&](uint32_t T) {
    Trace How;
    return evalTarget(Base, Known, *E, T, How);
  };
  const uint32_t Phase = Base.B.Tasks[Of.Tasks[0]].phase;
  const bool All =
      std::all_of(Of.Tasks.begin(), Of.Tasks.end(),
                  [&](uint32_t T) { return Target(T).has_value(); });
  double Sum = 0;
  std::map<uint32_t, double> Part; // by task index
  for (uint32_t T : Of.Tasks) {
    if (Base.B.Tasks[T].phase != Phase)
      continue;
    const std::optional<double> V = All ? Target(T) : evalBase(Base, *E, T);
    Sum += Part[Base.B.Tasks[T].index] = std::max(0.0, V.value_or(0));
  }
  if (Sum <= 0)
    return;
  const double Total = Bytes / double(Of.Access->ElementBytes);
  TargetValues V;
  V.Sized = true;
  for (auto [Index, X] : Part)
    V.PerIndex[Index] = Total * X / Sum;
  Known.Of[Symbol] = V;
}

/// \p Bytes minus the other accesses of \p Joint.
static double leftByOthers(const BaseTables &Base, const SymbolValues &Known,
                           const JointFill &Joint, double Bytes) {
  for (uint32_t T : Joint.Of.Tasks)
    for (const AccessFact *A : Joint.Rest) {
      Trace How;
      Bytes -=
          double(A->ElementBytes) *
          std::max(0.0,
                   evalTarget(Base, Known, *A->Writes, T, How).value_or(0));
    }
  return Bytes;
}

SymbolValues evenkeel::prediction::sizedValues(const BaseTables &Base,
                                               const SymbolValues &Given,
                                               const FillTable &Fills,
                                               const ObjectSizes &Sizes,
                                               const Rules &Use) {
  SymbolValues Known = Given;
  std::map<uint64_t, double> Sized; // bytes by site
  for (size_t I = 0; I < Sizes.Instances.size(); ++I)
    if (isSized(Given, Sizes.Way[I]))
      Sized[Sizes.Instances[I].Site] = Sizes.Instances[I].Bytes;
  for (const auto &[Site, Of] : Fills.Fills)
    if (auto N = Sized.find(Site);
        N != Sized.end() && Of.Access->Writes->K == Expr::Symbol)
      sizeSymbol(Base, Of, Of.Access->Writes->Sym, N->second, Known);
  for (const auto &[Site, Joint] : Fills.Joint)
    if (auto N = Sized.find(Site); N != Sized.end())
      if (const double Left = leftByOthers(Base, Known, Joint, N->second);
          Left > 0)
        sizeSymbol(Base, Joint.Of, Joint.Symbol, Left, Known);
  for (const auto &[Symbol, Of] : Fills.ReadThrough)
    if (auto N = Sized.find(Of.Access->Sites[0]); N != Sized.end())
      sizeSymbol(Base, Of, Symbol, N->second, Known);
  if (Use.LikeTotals)
    addLikeTotals(Base, Known.Of);
  if (Use.AlikeTotals)
    addAlikeTotals(Base, Known);
  return Known;
}
