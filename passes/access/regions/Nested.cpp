//===- Nested.cpp - nested teams ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a region that another region's task forks has rows of its own, per
// task of its team. By OpenMP's default of one active level, the team is only
// the forking task, whose rows include all accesses of the inner region.
// Makes: the executions of the inner region in a task of the outer one. A
// captured variable, such as the iteration number of a loop around the fork, is
// not one value of the outer task: it is replaced by the value that the task
// passes, summed over its iterations; otherwise executions are measured.
//===----------------------------------------------------------------------===//
#include "access/regions/RegionTable.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// \p C for a team of one thread.
CountRef RegionTable::aloneInTeam(const CountRef &C) {
  if (C->Kind != Count::Op)
    return C;
  std::vector<CountRef> Args;
  for (const CountRef &A : C->Args)
    Args.push_back(aloneInTeam(A));
  if (C->Name == "evenly")
    return Args[0];
  if (C->Name == "first")
    return countConst(0);
  if (C->Name == "share")
    return Forms.notBelow0(Args[0]);
  if (C->Name == "sharesum")
    return countOp("sum", {Args[0], Args[1]});
  return countOp(C->Name, std::move(Args));
}

/// \p C with its symbols replaced by \p Of; null if \p Of has none for a
/// symbol.
static CountRef replaced(const CountRef &C,
                         function_ref<CountRef(uint64_t)> Of) {
  if (C->Kind == Count::Symbol)
    return Of(C->Sym);
  std::vector<CountRef> Args;
  for (const CountRef &A : C->Args) {
    Args.push_back(replaced(A, Of));
    if (!Args.back())
      return nullptr;
  }
  return C->Kind == Count::Op ? countOp(C->Name, std::move(Args)) : C;
}

/// The value that \p CB, which forks the body, passes for \p V, a captured
/// variable of the body; null: not known.
static const Value *handedBy(const CallBase &CB, const Value &V,
                             const DominatorTree &DT) {
  auto *Load = dyn_cast<LoadInst>(&V);
  auto *A = dyn_cast<Argument>(Load ? Load->getPointerOperand() : &V);
  const Value *From = A ? handedOver(CB, *A) : nullptr;
  if (!Load || !From)
    return From;
  // Captured by reference: the value stored there for this fork.
  const StoreInst *Only = nullptr;
  if (isa<AllocaInst>(From))
    for (const User *U : From->users())
      if (auto *S = dyn_cast<StoreInst>(U)) {
        if (Only || S->getPointerOperand() != From || !DT.dominates(S, &CB))
          return nullptr;
        Only = S;
      }
  return Only ? Only->getValueOperand() : nullptr;
}

/// \p T, the executions of \p I in a task of the region with body \p F,
/// converted to a task that forks \p F by \p CB: multiplied by the forks, with
/// captured values replaced by those passed. Null: no formula.
CountRef RegionTable::forkedBy(const CallBase &CB, const Times &Forks,
                               const Times &T, Function &F) {
  FunctionInfo &FI = Functions.info(*const_cast<Function *>(CB.getFunction()));
  if (Forks.Absolute)
    return nullptr;
  CountRef Each = replaced(aloneInTeam(T.C), [&](uint64_t Id) -> CountRef {
    if (!Symbols.row(Id).PerTask)
      return countSymbol(Id);
    std::string Why;
    const Value *V = nullptr;
    bool Signed = true; // as the body reads it
    for (const SymbolLeaf &L : Symbols.leaves())
      if (L.Id == Id && L.F == &F && L.V) {
        V = handedBy(CB, *L.V, *FI.DT);
        Signed = L.Signed;
      }
    CountRef C =
        V && V->getType()->isIntegerTy()
            ? Forms.asWord(FI.SE->getSCEV(const_cast<Value *>(V)), Signed,
                           FI.LI->getLoopFor(CB.getParent()), FI, Why, &Forks)
            : nullptr;
    // Not for values for which the body's formula does not hold.
    return C && Forms.assumes(Id) &&
                   !Forms.neverNegative(C, Forms.knownIn(Forks.Levels))
               ? nullptr
               : C;
  });
  return Each ? Forms.closed(Forks, Each) : nullptr;
}

/// The executions of \p A, in the body \p F, in a task of another region, where
/// \p Calls is how often that task runs \p F.
Times RegionTable::asPart(const Access &A, Function &F, const Times &Calls,
                          const SetVector<Function *> &Reached) {
  Times T = A.T;
  if (T.IsScheduled) {
    T.Exact = true;
    T.IsScheduled = false;
    T.Why.clear();
  }
  if (T.Absolute || Symbols.isProgramWide(T.C)) {
    T.C = aloneInTeam(T.C);
    return T;
  }
  SmallVector<const CallBase *, 2> Forks;
  for (const CallBase *CB : Graph.CallsOf.find(&F)->second)
    if (Reached.contains(const_cast<Function *>(CB->getFunction())))
      Forks.push_back(CB);
  bool Direct =
      Forks.size() == 1 &&
      Inv.Regions.count(const_cast<Function *>(Forks.front()->getFunction())) &&
      !Graph.Nested.count(Forks.front()->getFunction());
  CountRef C;
  if (Direct) {
    const CallBase &CB = *Forks.front();
    Times Outer = Runs.timesOf(
        CB, Functions.info(*const_cast<Function *>(CB.getFunction())));
    C = forkedBy(CB, Outer, T, F);
    if (C && !Outer.Exact) // which task forks how often is unknown
      T.doubt(Outer.Why);
  }
  if (!C) {
    auto *B = const_cast<BasicBlock *>(Loads.home(*A.I));
    C = countSymbol(Symbols.blockSymbol(B, BlockCount::Taken, Functions.info(F),
                                        Forms.closed(Calls)));
  }
  T.C = C;
  T.Absolute = true;
  return T;
}

} // namespace evenkeel
