//===- Values.cpp - values of symbols on the target -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: values for the whole program that hooks saw replace given ones. From
// both follow others, by definitions in the code (Definitions.h) and by the
// rule Namesakes.
// Makes: the values of symbols before any size is known.
// Not here: which of several values holds in a task (Evaluate.cpp).
//===----------------------------------------------------------------------===//
#include "SymbolValues.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Adds the values that follow from values of the whole program.
static void followDefinitions(const Definitions &Defined,
                              ValuesBySymbol &Known) {
  std::map<uint64_t, double> Program;
  for (const auto &[Id, V] : Known)
    if (V.Program)
      Program[Id] = *V.Program;
  for (const auto &[Id, V] : Defined.follow(Program)) {
    TargetValues &To = Known[Id];
    To.Program = V.V;
    To.Partly = V.Partly;
  }
}

SeenBySymbol
evenkeel::prediction::readSeen(const BaseTables &Base,
                               const ValuesBySymbol &FromPeople,
                               const std::vector<KnownSymbol> &Symbols) {
  SeenBySymbol Out;
  for (const KnownSymbol &S : Symbols) {
    // A symbol with several values in the base run cannot be compared. A value
    // that equals the base's says nothing: what scales with it (a trip count
    // with the number of strips) may differ for another reason.
    auto V = Base.Symbols.find(S.Symbol);
    if (S.Phase != EK_NO_TASK ||
        (V != Base.Symbols.end() && V->second.First && V->second.OneValue &&
         (V->second.First != S.Value || FromPeople.count(S.Symbol))))
      Out[{S.Symbol, S.Phase, S.Task}] = S.Value;
  }
  return Out;
}

const double *SeenValues::OfPhases::find(uint32_t Phase, uint32_t Task) const {
  auto It = Seen.find({Phase, Task});
  if (It == Seen.end())
    It = Seen.find({Phase, EK_NO_TASK});
  return It == Seen.end() ? nullptr : &It->second;
}

SeenValues evenkeel::prediction::makeSeenValues(const BaseTables &Base,
                                                SeenBySymbol All) {
  SeenValues Out;
  Out.All = std::move(All);
  for (const auto &[At, Value] : Out.All) {
    const uint32_t Phase = At.Phase;
    if (Phase == EK_NO_TASK)
      continue;
    SeenValues::OfPhases &Of = Out.ByPhase[At.Symbol];
    Of.Seen[{Phase, At.Task}] = Value;
    if (Phase < Base.Kinds.Of.size() && Base.Kinds.Of[Phase] != AnyKind)
      Of.OfKind[Base.Kinds.Of[Phase]] = Phase;
  }
  return Out;
}

SymbolValues evenkeel::prediction::givenValues(
    const BaseTables &Base, const Definitions &Defined,
    const ValuesBySymbol &FromPeople, std::shared_ptr<const SeenValues> Seen,
    const Rules &Use) {
  SymbolValues Out;
  Out.Of = FromPeople;
  Out.FromPeople = !FromPeople.empty();
  // Values seen by hooks take precedence over given ones.
  for (const auto &[At, Value] : Seen->All)
    if (At.Phase == EK_NO_TASK)
      Out.Of[At.Symbol].Program = Value;
  Out.Seen = std::move(Seen);
  followDefinitions(Defined, Out.Of);
  if (Use.Namesakes) {
    addNamesakes(Base, Out.Of);
    followDefinitions(Defined, Out.Of);
  }
  return Out;
}
