//===- FailingEdges.cpp - edges that end the program ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: control-flow edges after which a program aborts, or main returns a
// constant other than 0.
//===----------------------------------------------------------------------===//
#include "access/loops/LeavingCalls.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

bool catchesThrows(const Module &M) {
  const Function *Begin = M.getFunction("__cxa_begin_catch");
  if (!Begin)
    return false;
  for (const User *U : Begin->users()) {
    auto *CB = dyn_cast<CallBase>(U);
    SmallVector<const BasicBlock *, 8> Work;
    SmallPtrSet<const BasicBlock *, 16> Seen;
    if (CB)
      Work.push_back(CB->getParent());
    while (!Work.empty() && Seen.size() < 64) {
      const BasicBlock *B = Work.pop_back_val();
      if (!Seen.insert(B).second)
        continue;
      for (const Instruction &I : *B)
        if (auto *End = dyn_cast<CallBase>(&I))
          if (Function *F = calleeOf(*End);
              F && F->getName() == "__cxa_end_catch")
            return true;
      // Not if the handler itself throws.
      if (auto *II = dyn_cast<InvokeInst>(B->getTerminator()))
        Work.push_back(II->getNormalDest());
      else
        Work.append(succ_begin(B), succ_end(B));
    }
  }
  return false;
}

/// Whether \p R, reached from \p From, returns from main with a constant other
/// than 0.
static bool failsMain(const ReturnInst &R, const BasicBlock *From) {
  const Value *V = R.getReturnValue();
  if (auto *P = dyn_cast_or_null<PHINode>(V);
      P && P->getParent() == R.getParent())
    V = P->getIncomingValueForBlock(From);
  auto *C = dyn_cast_or_null<ConstantInt>(V);
  return C && !C->isZero() && R.getFunction()->getName() == "main";
}

bool leavesByUnwinding(const InvokeInst &Call) {
  using Edge = std::pair<const BasicBlock *, const BasicBlock *>;
  SmallVector<Edge, 8> Work{{Call.getParent(), Call.getUnwindDest()}};
  SmallSet<Edge, 32> Seen;
  while (!Work.empty()) {
    auto [From, B] = Work.pop_back_val();
    if (!Seen.insert({From, B}).second)
      continue;
    if (B == Call.getParent() || Seen.size() > 64)
      return false;
    if (auto *R = dyn_cast<ReturnInst>(B->getTerminator());
        R && !failsMain(*R, From))
      return false;
    for (const BasicBlock *S : successors(B))
      Work.push_back({B, S});
  }
  return true;
}

// Programs end when memory is exhausted, even if a handler exists somewhere.
bool endsPrograms(StringRef Name) {
  return Name.starts_with("_ZSt") &&
         (Name.contains("bad_alloc") || Name.contains("bad_array_new_length") ||
          Name.contains("length_error"));
}

/// Whether control that passes from \p From to \p B has failed: the program
/// aborts, or main returns a constant other than 0.
bool LeavingCalls::endsInFailure(const BasicBlock *From,
                                 const BasicBlock *B) const {
  if (auto *II = dyn_cast<InvokeInst>(From->getTerminator());
      II && B == II->getUnwindDest())
    return allocationOf(*II) || leavesByUnwinding(*II);
  for (unsigned Step = 0; B && Step < 4; ++Step) {
    // This also holds if a landing pad catches the call's exception.
    auto *Throws = dyn_cast<InvokeInst>(B->getTerminator());
    if (Throws &&
        !isa<UnreachableInst>(Throws->getNormalDest()->getFirstNonPHIOrDbg()))
      Throws = nullptr;
    if (isa<UnreachableInst>(B->getTerminator()) || Throws) {
      auto *Last = Throws
                       ? Throws
                       : dyn_cast_or_null<CallBase>(
                             B->getTerminator()->getPrevNonDebugInstruction());
      Function *By = Last ? calleeOf(*Last) : nullptr;
      if (By && Jumping.count(By))
        return false;
      return !Catches || !Last || Last->doesNotThrow() ||
             (By && endsPrograms(By->getName()));
    }
    if (auto *R = dyn_cast<ReturnInst>(B->getTerminator()))
      return failsMain(*R, From);
    From = B;
    B = B->getSingleSuccessor();
  }
  return false;
}

bool LeavingCalls::fails(const BasicBlock *From, const BasicBlock *B) const {
  auto [It, IsNew] = Failing.try_emplace({From, B});
  if (IsNew)
    It->second = endsInFailure(From, B);
  return It->second;
}

} // namespace evenkeel
