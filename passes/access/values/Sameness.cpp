//===- Sameness.cpp - values that do not change ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: whether a value is the same for the whole program, for each call of
// its function, for all tasks of a region, or on every input.
// Not here: writes to fields of one object, which are assumed not to change.
//===----------------------------------------------------------------------===//
#include "access/values/Sameness.h"
#include "unit/Calls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p V is a number of threads or a truth value, which do not depend on
/// the input.
bool isSameOnEveryInput(const Value *V) {
  while (auto *C = dyn_cast<CastInst>(V))
    V = C->getOperand(0);
  if (V->getType()->isIntegerTy(1))
    return true;
  auto *CB = dyn_cast<CallBase>(V);
  Function *F = CB ? calleeOf(*CB) : nullptr;
  return F && StringSwitch<bool>(F->getName())
                  .Cases("omp_get_num_threads", "omp_get_thread_num", true)
                  .Cases("omp_get_max_threads", "omp_get_num_procs", true)
                  .Default(false);
}

Sameness::Sameness(Module &M, FunctionAnalysisManager &FAM,
                   const Inventory &Inv, const Objects &Obj,
                   const CallGraph &Calls, const Writes &Written,
                   const HoistedLoads &Loads, const RegionBodies &Bodies)
    : FAM(FAM), Inv(Inv), Obj(Obj), Calls(Calls), Written(Written),
      Loads(Loads), Bodies(Bodies) {
  for (const Function &F : M)
    FunctionNumbers.try_emplace(&F, FunctionNumbers.size() + 1);
}

const LoopInfo &Sameness::loops(const Function &F) const {
  return FAM.getResult<LoopAnalysis>(const_cast<Function &>(F));
}

/// Whether \p F runs at most once, as far as the module shows.
bool Sameness::runsOnce(const Function *F, unsigned Depth) const {
  auto It = Calls.CallSites.find(F);
  if (It == Calls.CallSites.end())
    return true; // main, or called from outside
  if (Depth > 16 || It->second.size() > 1 || Calls.Recursive.count(F))
    return false;
  const CallBase *CB = It->second.front();
  Function *Caller = const_cast<Function *>(CB->getFunction());
  return !loops(*Caller).getLoopFor(CB->getParent()) &&
         runsOnce(Caller, Depth + 1);
}

/// Whether \p V is the same each time its function runs. Fields are assumed not
/// to change.
bool Sameness::isSame(const Value *V, unsigned Depth) const {
  if (isa<Constant>(V))
    return true;
  if (Depth > 16)
    return false;
  if (auto *A = dyn_cast<Argument>(V)) {
    const Function *F = A->getParent();
    auto It = Calls.CallSites.find(F);
    if (It == Calls.CallSites.end())
      return true;
    if (Calls.Recursive.count(F))
      return false;
    const Value *Only = nullptr;
    for (const CallBase *CB : It->second) {
      const Value *Op = handedOver(*CB, *A);
      if (!Op)
        return false;
      if ((Only && Op != Only) || !isSame(Op, Depth + 1))
        return false;
      Only = Op;
    }
    return true;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  Function *F = const_cast<Function *>(I->getFunction());
  bool Once = runsOnce(F) && !loops(*F).getLoopFor(Loads.home(*I));
  if (isa<PHINode>(I))
    return Once;
  if (auto *Slot = dyn_cast<AllocaInst>(I)) { // captured: the value stored
                                              // there
    const Value *Held = nullptr;
    for (const User *U : Slot->users())
      if (auto *S = dyn_cast<StoreInst>(U)) {
        if (Held && Held != S->getValueOperand())
          return false;
        Held = S->getValueOperand();
      }
    return !Held || isSame(Held, Depth + 1);
  }
  if (isa<CallBase>(I))
    return isSameOnEveryInput(I) || Once;
  if (auto *Load = dyn_cast<LoadInst>(I);
      Load && !Once && (variesBetweenCalls(*Load) || differ(*Load, *Load)))
    return false;
  return all_of(I->operands(),
                [&](const Use &U) { return isSame(U, Depth + 1); });
}

/// Whether \p Op, which \p CB passes, changes in the iterations of a loop
/// around the call.
bool Sameness::changesAround(const Value *Op, const CallBase &CB) const {
  Function &Caller = *const_cast<Function *>(CB.getFunction());
  const Loop *L = loops(Caller).getLoopFor(CB.getParent());
  return L && (!L->isLoopInvariant(Op) ||
               (!L->getOutermostLoop()->isLoopInvariant(Op) && !isSame(Op)));
}

/// Whether the captured variable \p A of a parallel body changes in the
/// iterations of a loop around the fork.
bool Sameness::changesBetweenForks(const Argument &A) const {
  auto It = Calls.CallSites.find(A.getParent());
  if (It == Calls.CallSites.end())
    return false;
  return any_of(It->second, [&](const CallBase *CB) {
    const Value *V = handedOver(*CB, A);
    Function &F = *const_cast<Function *>(CB->getFunction());
    const LoopInfo &LI = loops(F);
    Loop *L = LI.getLoopFor(CB->getParent());
    if (!isForkCall(*CB) || !V || !L)
      return false;
    if (auto *Slot = dyn_cast<AllocaInst>(V))
      return any_of(Slot->users(), [&](const User *U) {
        auto *S = dyn_cast<StoreInst>(U);
        return S && L->getOutermostLoop()->contains(S) &&
               changesAround(S->getValueOperand(), *CB);
      });
    return !V->getType()->isPointerTy() && changesAround(V, *CB);
  });
}

/// Whether the known callers of the functions around \p V pass different
/// numbers or objects from which \p V is computed.
bool Sameness::differsByCall(const Value *V, unsigned Depth) const {
  if (Depth > 8)
    return false;
  if (auto *Slot = dyn_cast<AllocaInst>(V)) // captured: the value stored there
    return any_of(Slot->users(), [&](const User *U) {
      auto *S = dyn_cast<StoreInst>(U);
      return S && S->getPointerOperand() == Slot &&
             differsByCall(S->getValueOperand(), Depth + 1);
    });
  if (isa<CastInst, BinaryOperator, CmpInst, SelectInst, PHINode,
          GetElementPtrInst, MinMaxIntrinsic>(V))
    return any_of(cast<Instruction>(V)->operands(),
                  [&](const Use &U) { return differsByCall(U, Depth + 1); });
  // A variable captured by reference; fields of one object are assumed not to
  // change.
  if (auto *Load = dyn_cast<LoadInst>(V))
    return (all_of(Obj.pointsTo(Load->getPointerOperand()),
                   [&](const Location &P) {
                     auto *Slot =
                         dyn_cast_or_null<AllocaInst>(Obj.objects()[P.first].V);
                     return Slot && Slot->getAllocatedType()->isIntOrPtrTy();
                   }) &&
            variesBetweenCalls(*Load)) ||
           (!isa<AllocaInst>(Load->getPointerOperand()) &&
            differsByCall(Load->getPointerOperand(), Depth + 1));
  auto *A = dyn_cast<Argument>(V);
  auto Sites = A ? Calls.CallSites.find(A->getParent()) : Calls.CallSites.end();
  if (Sites == Calls.CallSites.end())
    return false;
  const Value *Only = nullptr;
  for (const CallBase *CB : Sites->second) {
    const Value *Op = handedOver(*CB, *A);
    if (!Op)
      return false;
    if (A->getType()->isIntOrPtrTy() &&
        ((Only && Op != Only) || changesAround(Op, *CB)))
      return true;
    if (differsByCall(Op, Depth + 1))
      return true;
    Only = Op;
  }
  return false;
}

/// Whether the object captured by reference at \p Where differs between tasks.
bool Sameness::differsByTask(const LocationSet &Where) const {
  return any_of(Where, [&](const Location &P) {
    const MemoryObject &O = Obj.objects()[P.first];
    if (O.Kind != MemoryObject::Shareds)
      return false;
    auto *Made = cast<CallBase>(O.V);
    return any_of(instructions(*Made->getFunction()),
                  [&](const Instruction &I) {
                    auto *S = dyn_cast<StoreInst>(&I);
                    if (!S || !overlaps({P}, Obj.written(I)))
                      return false;
                    const Value *V = S->getValueOperand();
                    // The value of a variable is examined where it is read.
                    return !isa<AllocaInst>(V) &&
                           (changesAround(V, *Made) || differsByCall(V));
                  });
  });
}

/// Whether all nested teams are passed the same value of \p A, where it is
/// known.
bool Sameness::isProgramWideAtForks(const Argument &A, unsigned Depth) const {
  auto Sites = Calls.CallSites.find(A.getParent());
  return Sites == Calls.CallSites.end() ||
         all_of(Sites->second, [&](const CallBase *CB) {
           const Value *V = handedOver(*CB, A);
           return !V || V->getType()->isPointerTy() ||
                  isProgramWide(V, *CB->getFunction(), Depth + 1);
         });
}

/// Whether \p V has the same value in every task of the region.
bool Sameness::isProgramWide(const Value *V, const Function &F,
                             unsigned Depth) const {
  if (isa<Constant>(V) || !Calls.OnTeam.count(&F))
    return true;
  if (Depth > 16)
    return false;
  if (auto *A = dyn_cast<Argument>(V)) {
    auto It = Inv.Regions.find(const_cast<Function *>(&F));
    if (It == Inv.Regions.end() || Bodies.isCopied(F))
      return false;
    return It->second.Kind == RegionKind::Parallel && A->getArgNo() >= 2 &&
           !changesBetweenForks(*A) && !differsByCall(A) &&
           isProgramWideAtForks(*A, Depth);
  }
  if (auto *L = dyn_cast<LoadInst>(V)) {
    if (variesBetweenCalls(*L))
      return false;
    // In a task only the shareds, reached through the object's first word, are
    // common; privates belong to the task.
    const Value *P = L->getPointerOperand();
    const LocationSet &S = Obj.pointsTo(P);
    bool Task = false, Shareds = false;
    for (const Location &Loc : S) {
      auto K = Obj.objects()[Loc.first].Kind;
      Task |= K == MemoryObject::Task && Loc.second != 0;
      Shareds |= K == MemoryObject::Shareds ||
                 (K == MemoryObject::Task && Loc.second == 0);
      if (K == MemoryObject::Stack &&
          cast<Instruction>(Obj.objects()[Loc.first].V)->getFunction() == &F)
        return false;
    }
    if (Task)
      return false;
    if (Shareds)
      return !differsByTask(S);
    return isProgramWide(P, F, Depth + 1);
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || isa<PHINode, CallBase, AllocaInst>(I))
    return false;
  return all_of(I->operands(),
                [&](const Use &U) { return isProgramWide(U, F, Depth + 1); });
}

} // namespace evenkeel
