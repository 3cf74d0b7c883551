//===- HandedValues.cpp - values that programs hand over ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HandedValues.h.
//===----------------------------------------------------------------------===//
#include "HandedValues.h"
#include "format/Facts.h"
#include <map>
#include <set>

using namespace evenkeel;

static void addSymbols(const Expr &E, std::set<uint64_t> &Out) {
  if (E.K == Expr::Symbol)
    Out.insert(E.Sym);
  for (const ExprRef &A : E.Args)
    addSymbols(*A, Out);
}

/// Whether \p S is a value of the function of \p Region, and not of one that
/// the region calls.
static bool isOfItsFunction(const SymbolFact &S, const RegionFact &Region) {
  return S.Name.compare(0, S.Name.find(':'), Region.Function) == 0;
}

/// The parallel region before which the values that \p R finds are handed over:
/// itself; of explicit tasks, the only one in their function. Null: none.
static const RegionFact *handsOverFor(const RegionFact &R, const Facts &F) {
  if (R.Kind == "parallel")
    return &R;
  const RegionFact *Only = nullptr;
  for (const RegionFact &Other : F.Regions)
    if (R.Kind == "task" && Other.Kind == "parallel" &&
        Other.Function == R.Function &&
        std::get<0>(coordinateOf(Other.At)) ==
            std::get<0>(coordinateOf(R.At))) {
      if (Only)
        return nullptr;
      Only = &Other;
    }
  return Only;
}

std::vector<PlanValue> evenkeel::handedValues(const Facts &F) {
  std::map<uint64_t, const RegionFact *> Before; // by region
  for (const RegionFact &R : F.Regions)
    Before[R.Id] = handsOverFor(R, F);
  std::map<uint64_t, std::set<uint64_t>> SymbolsOf; // by parallel region
  for (const AccessFact &A : F.Accesses) {
    const auto At = Before.find(A.Region);
    if (At == Before.end() || !At->second)
      continue;
    const bool OfTask = At->second->Id != A.Region;
    for (const ExprRef &Count : {A.Reads, A.Writes}) {
      std::set<uint64_t> Its;
      if (Count)
        addSymbols(*Count, Its);
      for (uint64_t Id : Its) // a task's own value has another name for each
        if (const SymbolFact *S = F.symbol(Id);
            S && (!OfTask || S->Kind == SymbolFact::Given))
          SymbolsOf[At->second->Id].insert(Id);
    }
  }
  std::vector<PlanValue> Out;
  for (const auto &[Region, Symbols] : SymbolsOf) {
    std::map<uint64_t, std::vector<uint64_t>> Of; // by variable
    for (uint64_t Id : Symbols)
      if (const SymbolFact *S = F.symbol(Id);
          S && S->HandedAs && isOfItsFunction(*S, *F.region(Region)))
        Of[S->HandedAs].push_back(Id);
    for (const auto &[Variable, Ids] : Of)
      if (Ids.size() == 1)
        Out.push_back({Region, Variable, Ids[0], std::nullopt,
                       F.symbol(Ids[0])->Kind == SymbolFact::Measured});
  }
  return Out;
}
