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

std::vector<PlanValue> evenkeel::handedValues(const Facts &F) {
  std::map<uint64_t, std::set<uint64_t>> SymbolsOf; // by region
  for (const AccessFact &A : F.Accesses) {
    const RegionFact *Region = F.region(A.Region);
    if (!Region || Region->Kind != "parallel")
      continue;
    for (const ExprRef &Count : {A.Reads, A.Writes})
      if (Count)
        addSymbols(*Count, SymbolsOf[A.Region]);
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
        Out.push_back({Region, Variable, Ids[0]});
  }
  return Out;
}
