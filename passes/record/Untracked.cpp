//===- Untracked.cpp - pointers to unrecorded variables -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Untracked.h.
//===----------------------------------------------------------------------===//
#include "record/Untracked.h"
#include "unit/Calls.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace evenkeel {

/// The limit for chains of functions, loads and selects.
constexpr unsigned MaxDepth = 12;

/// The first two arguments of the body belong to the OpenMP runtime; the
/// captured variables start at the call's fourth operand.
constexpr unsigned OwnArguments = 2, FirstForked = 3;

static bool forks(const CallBase &CB) {
  const Function *F = calleeOf(CB);
  return F && F->getName() == "__kmpc_fork_call";
}

/// Calls \p Each with the value that every call passes for \p A. False: some
/// call is not known, or \p Each returned false.
static bool forActuals(const Argument &A,
                       function_ref<bool(const Value &)> Each) {
  const Function &F = *A.getParent();
  if (!F.hasLocalLinkage() || F.isVarArg())
    return false;
  for (const Use &U : F.uses()) {
    auto *CB = dyn_cast<CallBase>(U.getUser());
    if (!CB)
      return false;
    unsigned N = A.getArgNo();
    if (!CB->isCallee(&U)) {
      if (!forks(*CB) || CB->getArgOperandNo(&U) != FirstForked - 1)
        return false;
      if (N < OwnArguments)
        continue;
      N = N - OwnArguments + FirstForked;
    }
    if (N >= CB->arg_size() || !Each(*CB->getArgOperand(N)))
      return false;
  }
  return !F.use_empty();
}

/// The one variable whose address is \p Pointer, in this function or a caller;
/// null: there is none.
static const AllocaInst *variableOf(const Value &Pointer, unsigned Depth) {
  if (Depth > MaxDepth)
    return nullptr;
  if (auto *V = dyn_cast<AllocaInst>(&Pointer))
    return V;
  auto *A = dyn_cast<Argument>(&Pointer);
  const AllocaInst *One = nullptr;
  if (!A || !forActuals(*A, [&](const Value &Actual) {
        const AllocaInst *V = variableOf(Actual, Depth + 1);
        bool Same = V && (!One || One == V);
        One = V;
        return Same;
      }))
    return nullptr;
  return One;
}

/// Calls a function for each value stored to the variable at \p Address; false:
/// the address escapes.
static bool forStores(const Value &Address, unsigned Depth,
                      function_ref<bool(const Value &)> Each) {
  if (Depth > MaxDepth)
    return false;
  for (const Use &U : Address.uses()) {
    const User *I = U.getUser();
    if (auto *L = dyn_cast<LoadInst>(I); L && !L->isVolatile())
      continue;
    if (auto *II = dyn_cast<Instruction>(I); II && II->isLifetimeStartOrEnd())
      continue;
    if (auto *S = dyn_cast<StoreInst>(I)) {
      if (U.getOperandNo() != StoreInst::getPointerOperandIndex() ||
          !Each(*S->getValueOperand()))
        return false;
      continue;
    }
    auto *CB = dyn_cast<CallBase>(I);
    if (!CB || !CB->isArgOperand(&U))
      return false;
    unsigned N = CB->getArgOperandNo(&U);
    const Function *Body = CB->getCalledFunction();
    if (forks(*CB)) {
      if (N < FirstForked)
        return false;
      Body = outlinedCallee(*CB);
      N = N - FirstForked + OwnArguments;
    }
    if (!Body || Body->isDeclaration() || Body->isInterposable() ||
        N >= Body->arg_size() || !forStores(*Body->getArg(N), Depth + 1, Each))
      return false;
  }
  return true;
}

bool UntrackedPointers::ofArgument(const Argument &A, unsigned Depth) {
  return forActuals(A, [&](const Value &Actual) {
    return follow(getUnderlyingObject(&Actual, /*MaxLookup=*/0), Depth + 1);
  });
}

bool UntrackedPointers::ofVariable(const AllocaInst &A, unsigned Depth) {
  if (!A.getAllocatedType()->isPointerTy() || A.isArrayAllocation())
    return false;
  return forStores(A, Depth, [&](const Value &V) {
    return follow(getUnderlyingObject(&V, /*MaxLookup=*/0), Depth + 1);
  });
}

bool UntrackedPointers::follow(const Value *V, unsigned Depth) {
  if (Depth > MaxDepth || !V->getType()->isPointerTy())
    return false;
  if (isa<AllocaInst, GlobalVariable, ConstantPointerNull, UndefValue>(V))
    return IsSmall(V);
  auto [It, New] = Known.try_emplace(V, false);
  if (!New) // or in progress: cycles are not followed
    return It->second;
  bool Is = false;
  if (auto *A = dyn_cast<Argument>(V)) {
    Is = ofArgument(*A, Depth);
  } else if (auto *L = dyn_cast<LoadInst>(V)) {
    if (const AllocaInst *From = variableOf(*L->getPointerOperand(), 0))
      Is = ofVariable(*From, Depth);
  }
  return Known[V] = Is;
}

} // namespace evenkeel
