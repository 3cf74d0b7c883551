//===- Definitions.cpp - symbols in terms of other symbols ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the origins of symbols' values (Provenance.h).
// Makes: each symbol's formula in symbols of the callers, if all callers agree.
//===----------------------------------------------------------------------===//
#include "access/formulas/Definitions.h"
#include "access/counts/CountKeys.h"
#include "objects/Provenance.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Defines symbols in terms of other symbols: of values that a caller passes,
/// or that were stored where they are loaded. So one given value determines all
/// that follow from it, in other functions, too.
SymbolRelations relateSymbols(const Provenance &From, const HoistedLoads &Loads,
                              Formulas &Forms, FunctionTable &Functions,
                              SymbolTable &Symbols) {
  SymbolRelations Out;
  // The possible formulas of each symbol; null: an origin without a formula.
  std::map<uint64_t, std::vector<CountRef>> Candidates;
  std::function<CountRef(Value *, unsigned)> CountOf = [&](Value *O,
                                                           unsigned Depth) {
    std::string Why;
    CountRef E;
    if (auto *C = dyn_cast<ConstantInt>(O))
      return C->getValue().getSignificantBits() <= 62
                 ? countConst(C->getSExtValue())
                 : nullptr;
    auto *D = dyn_cast<Instruction>(O);
    auto *A = dyn_cast<Argument>(O);
    if (!D && !A)
      return E;
    FunctionInfo &FI = Functions.info(D ? *D->getFunction() : *A->getParent());
    const Loop *Within = D ? FI.LI->getLoopFor(Loads.home(*D)) : nullptr;
    if (D && all_of(drop_begin(D->operands(), isa<SelectInst>(D)),
                    [&](const Use &U) {
                      return FI.SE->isSCEVable(U->getType()) &&
                             Forms.hasNames(FI.SE->getSCEV(U), FI);
                    }))
      E = Forms.operationCount(O, Within, FI, Why);
    if (!E)
      E = Forms.toCount(FI.SE->getSCEV(O), Within, FI, Why);
    if (E || Depth > 4)
      return E;
    // A load in each iteration of a loop still returns the one stored value.
    for (Value *Origin : From.originsOf(O)) {
      CountRef Each = CountOf(Origin, Depth + 1);
      if (!Each || (E && !sameCount(E, Each)))
        return CountRef();
      E = Each;
    }
    return E;
  };
  // Formulas may add symbols at the end of Symbols.leaves().
  for (size_t I = 0; I < Symbols.leaves().size(); ++I)
    if (Value *V = Symbols.leaves()[I].V;
        V && !isa<MemIntrinsic>(V) && !Symbols.leaves()[I].PerTask) {
      uint64_t Id = Symbols.leaves()[I].Id;
      SmallVector<Value *, 2> Origins = From.originsOf(V);
      if (Origins.empty() && isa<BinaryOperator, SelectInst>(V))
        Origins.push_back(V); // half = n / 2
      for (Value *O : Origins) {
        CountRef E = CountOf(O, 0);
        // Skip the variable itself, captured or passed on.
        if (!E || E->Kind != Count::Symbol || E->Sym != Id)
          Candidates[Id].push_back(E && mentions(E, Id) ? nullptr : E);
      }
    }
  // Several formulas count as one if they agree in terms of symbols without
  // formulas.
  std::map<uint64_t, CountRef> Expanded;
  std::set<uint64_t> Open;
  std::function<CountRef(const CountRef &)> Expand;
  auto ExpandSymbol = [&](uint64_t Id) -> CountRef {
    auto [At, New] = Expanded.try_emplace(Id, countSymbol(Id));
    if (!New || !Open.insert(Id).second)
      return At->second;
    CountRef Only;
    bool One = Candidates.count(Id) != 0;
    for (const CountRef &C : Candidates[Id]) {
      CountRef E = C ? Expand(C) : nullptr;
      One &= E && !mentions(E, Id) && (!Only || sameCount(Only, E));
      Only = E;
    }
    forgetLongKeys(Only);
    Open.erase(Id);
    if (One) {
      Out.Values[Id] = Candidates[Id].front();
      Expanded[Id] = Only;
    }
    return Expanded[Id];
  };
  Expand = [&](const CountRef &C) -> CountRef {
    if (C->Kind == Count::Symbol)
      return ExpandSymbol(C->Sym);
    if (C->Kind != Count::Op)
      return C;
    std::vector<CountRef> Args;
    for (const CountRef &A : C->Args)
      Args.push_back(Expand(A));
    CountRef Whole = countOp(C->Name, Args);
    for (const CountRef &A : Args)
      forgetLongKeys(A);
    forgetLongKeys(Whole);
    return Whole;
  };
  for (auto &[Id, Row] : Symbols.rows())
    ExpandSymbol(Id);
  Out.Growth = growthOfSymbols(From, Loads, Forms, Functions, Symbols);
  return Out;
}

} // namespace evenkeel
