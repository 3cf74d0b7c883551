//===- Calls.cpp - executions of functions in a region --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the call graph on one thread, recursion, teams within teams.
// Makes: how often a task of a region calls each function.
//===----------------------------------------------------------------------===//
#include "unit/Calls.h"
#include "access/regions/RegionTable.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <functional>

using namespace llvm;

namespace evenkeel {

/// Whether \p CB passes a function to the C library, which calls it on this
/// thread before it returns.
static bool callsBack(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && F->isDeclaration() &&
         StringSwitch<bool>(F->getName())
             .Cases("qsort", "qsort_r", "bsearch", "lfind", "lsearch", true)
             .Default(false);
}

/// How often one task of the region calls \p F. For recursive and indirect
/// calls, this is measured.
Times RegionTable::callsOf(Function &F, Function &Root,
                           const SetVector<Function *> &Reached,
                           DenseMap<Function *, Times> &Memo) {
  bool Counted = Graph.Recursive.count(&F);
  if (&F == &Root && !Counted)
    return Times();
  if (auto It = Memo.find(&F); It != Memo.end())
    return It->second;
  SmallVector<CallBase *, 8> Calls;
  if (auto It = Graph.CallsOf.find(&F); !Counted && It != Graph.CallsOf.end())
    for (CallBase *CB : It->second)
      if (Reached.contains(CB->getFunction())) {
        Calls.push_back(CB);
        Counted |= callsBack(*CB) || (calleeOf(*CB) != &F && !isForkCall(*CB) &&
                                      Obj.callees(*CB).size() > 1);
        // Accesses of a nested team, counted for the outer task (Nested.cpp).
        Function *G = CB->getFunction();
        Counted |= Graph.Nested.count(G) && G != &Root &&
                   !Graph.Nested.count(&F) &&
                   !Symbols.isProgramWide(
                       Forms.closed(Runs.timesOf(*CB, Functions.info(*G))));
      }
  Times Total;
  if (Counted) {
    Total.C = countSymbol(Symbols.blockSymbol(
        &F.getEntryBlock(), BlockCount::Calls, Functions.info(F), nullptr));
    return Memo[&F] = Total;
  }
  std::vector<CountRef> Sum;
  Total.Conditional = !Calls.empty();
  for (CallBase *CB : Calls) {
    Function *G = CB->getFunction();
    Times Here = Runs.timesOf(*CB, Functions.info(*G));
    Here.C = Forms.closed(Here);
    if (Graph.Nested.count(G) && G != &Root)
      Here.C = aloneInTeam(Here.C);
    Here.Levels.clear();
    Times Outer = callsOf(*G, Root, Reached, Memo);
    Sum.push_back(Here.Absolute ? Here.C : countMul(Here.C, Outer.C));
    Total.Conditional &= Here.Conditional || Outer.Conditional;
    for (const Times *T : {&Here, &Outer})
      if (!T->Exact)
        Total.doubt(T->Why);
    // External code calls back any number of times.
    if (Function *Callee = calleeOf(*CB);
        Callee && Callee != &F && !isForkCall(*CB))
      Total.doubt("callback");
  }
  Total.C = countOp("+", std::move(Sum));
  return Memo[&F] = Total;
}

} // namespace evenkeel
