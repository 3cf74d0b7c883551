//===- LeavingCalls.cpp - calls that may not return -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: longjmp and exceptions that are caught: control that leaves a function
// at a call, and code to which setjmp returns.
// Makes: the code after such a call (it may run less often than its loops
// indicate) and after a setjmp (more often).
// Not here: which setjmp a longjmp targets; every function that calls setjmp is
// assumed to be a target of jumps below it. Signal handlers; coroutines.
//===----------------------------------------------------------------------===//
#include "access/loops/LeavingCalls.h"
#include "unit/Calls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

static bool isJump(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases("longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", true)
      .Default(false);
}

static bool isThrow(StringRef Name) {
  return Name == "__cxa_throw" || Name == "__cxa_rethrow" ||
         (Name.starts_with("_ZSt") && Name.contains("__throw_") &&
          !endsPrograms(Name));
}

static bool callsTwiceReturning(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    return CB && CB->hasFnAttr(Attribute::ReturnsTwice);
  });
}

/// Whether an exception from \p CB leaves the function that contains \p CB.
static bool throwsOut(const CallBase &CB) {
  auto *II = dyn_cast<InvokeInst>(&CB);
  return !CB.doesNotThrow() && (!II || leavesByUnwinding(*II));
}

/// Whether control may leave the function at \p CB and continue in a caller;
/// otherwise the program ends.
bool LeavingCalls::leaves(const CallBase &CB) const {
  const Function *In = CB.getFunction();
  auto Leaves = [&](const Function *F) {
    return (Jumping.count(F) &&
            BelowSetjmp.count(const_cast<Function *>(In))) ||
           (Throwing.count(F) &&
            BelowHandler.count(const_cast<Function *>(In)) && throwsOut(CB));
  };
  const Function *Direct = calleeOf(CB);
  return Direct ? Leaves(Direct) : any_of(Obj.callees(CB), Leaves);
}

LeavingCalls::LeavingCalls(Module &M, const Objects &Obj,
                           const CallGraph &Graph, const HoistedLoads &Loads)
    : Obj(Obj), Loads(Loads), Catches(catchesThrows(M)) {
  SmallVector<const Function *, 16> Work;
  for (Function &F : M) {
    if (isJump(F.getName()))
      Jumping.insert(&F);
    else if (Catches && isThrow(F.getName()))
      Throwing.insert(&F);
    else
      continue;
    Work.push_back(&F);
  }
  if (Work.empty())
    return;
  while (!Work.empty()) {
    const Function *F = Work.pop_back_val();
    SmallVector<const CallBase *, 8> Calls;
    if (auto It = Graph.CallsOf.find(F); It != Graph.CallsOf.end())
      Calls.append(It->second.begin(), It->second.end());
    else // a library's
      for (const User *U : F->users())
        if (auto *CB = dyn_cast<CallBase>(U); CB && calleeOf(*CB) == F)
          Calls.push_back(CB);
    for (const CallBase *CB : Calls) {
      const Function *G = CB->getFunction();
      bool Jumps =
          Jumping.count(F) && !Jumping.count(G) && !callsTwiceReturning(*G);
      bool Throws = Throwing.count(F) && !Throwing.count(G) && throwsOut(*CB);
      if (Jumps)
        Jumping.insert(G);
      if (Throws)
        Throwing.insert(G);
      if (Jumps || Throws)
        Work.push_back(G);
    }
  }
  auto AddBelow = [&](const CallBase &CB, SetVector<Function *> &Out) {
    for (Function *F : Obj.callees(CB))
      Graph.reachFrom(*F, Out);
  };
  for (Function &F : M) {
    bool Sets = !Jumping.empty() && callsTwiceReturning(F);
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      if (CB && Sets)
        AddBelow(*CB, BelowSetjmp);
      auto *II = dyn_cast<InvokeInst>(&I);
      if (II && !Throwing.empty() && !leavesByUnwinding(*II))
        AddBelow(*II, BelowHandler);
    }
  }
  auto MarkAfter = [](const Instruction &I,
                      SmallPtrSetImpl<const BasicBlock *> &Out) {
    SmallVector<const BasicBlock *, 16> Next(successors(I.getParent()));
    while (!Next.empty()) {
      const BasicBlock *B = Next.pop_back_val();
      if (Out.insert(B).second)
        Next.append(succ_begin(B), succ_end(B));
    }
  };
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      if (!CB)
        continue;
      if (!Jumping.empty() && CB->hasFnAttr(Attribute::ReturnsTwice)) {
        Twice.insert(I.getParent());
        MarkAfter(I, Again);
      }
      // A call that never returns is an exit that the code shows.
      if (!CB->doesNotReturn() && leaves(*CB)) {
        Leaving.insert(CB);
        MarkAfter(I, After);
      }
    }
}

/// Whether control may leave the function before it reaches \p I; \p InBlock:
/// after the block of \p I has begun.
bool LeavingCalls::isAfterLeaving(const Instruction &I, bool InBlock) const {
  if (Leaving.empty())
    return false;
  if (!InBlock && After.count(Loads.home(I)))
    return true;
  for (const Instruction *P = I.getPrevNode(); P; P = P->getPrevNode())
    if (auto *CB = dyn_cast<CallBase>(P); CB && Leaving.count(CB))
      return true;
  return false;
}

/// Whether \p B, in \p L (may be null), may run more often than the header of
/// \p L, or the function's entry, because of a jump.
bool LeavingCalls::runsAgain(const BasicBlock &B, const Loop *L) const {
  return Again.count(&B) &&
         (!L || any_of(L->blocks(),
                       [&](const BasicBlock *In) { return Twice.count(In); }));
}

/// Whether a call may end the iterations of \p L.
bool LeavingCalls::isLeftByCalls(const Loop &L) const {
  return !Leaving.empty() && any_of(L.blocks(), [&](const BasicBlock *B) {
    return any_of(*B, [&](const Instruction &I) {
      auto *CB = dyn_cast<CallBase>(&I);
      return CB && Leaving.count(CB);
    });
  });
}

} // namespace evenkeel
