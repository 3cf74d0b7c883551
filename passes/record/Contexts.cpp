//===- Contexts.cpp - report calls of wrappers while recording ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Contexts.h. Where an exception is caught, the wrapper calls that it has
// left are ended.
//===----------------------------------------------------------------------===//
#include "record/Contexts.h"
#include "objects/WrapperCalls.h"
#include "record/Runtime.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace evenkeel {

/// The wrapper calls that are open where \p CB runs, outermost first; \p CB
/// itself may be the last.
static SmallVector<uint64_t, 4> openAt(const CallBase &CB,
                                       const SourceMap &Source,
                                       const WrapperCalls &Wrappers) {
  SmallVector<uint64_t, 4> Open;
  const DILocation *L = CB.getDebugLoc();
  if (L && !allocationOf(CB))
    if (uint64_t Id = Wrappers.at(Source, L))
      Open.push_back(Id);
  for (; L && L->getInlinedAt(); L = L->getInlinedAt())
    if (uint64_t Id = Wrappers.at(Source, L->getInlinedAt()))
      Open.push_back(Id);
  std::reverse(Open.begin(), Open.end());
  return Open;
}

/// Whether an allocation that needs a context may run inside this call.
static bool mayAllocate(const CallBase &CB, const SourceMap &Source,
                        const WrapperCalls &Wrappers) {
  if (allocationOf(CB) || Wrappers.at(Source, CB.getDebugLoc()))
    return true;
  const Function *F = calleeOf(CB);
  return F ? !F->isDeclaration() : !CB.isInlineAsm();
}

namespace {
struct Entries {
  FunctionCallee Depth, Enter, Leave;

  explicit Entries(Module &M) {
    Depth = RecordRuntime::declare(M, RecordCall::rec_depth);
    Enter = RecordRuntime::declare(M, RecordCall::rec_enter);
    Leave = RecordRuntime::declare(M, RecordCall::rec_leave);
  }
};
} // namespace

static void surround(CallBase &CB, ArrayRef<uint64_t> Open, const Entries &To) {
  IRBuilder<> B(&CB);
  Value *Before = nullptr;
  for (uint64_t Call : Open) {
    Value *Depth = B.CreateCall(To.Enter, {B.getInt64(Call)});
    Before = Before ? Before : Depth;
  }
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    BasicBlock *Normal = II->getNormalDest();
    if (!Normal->getSinglePredecessor())
      Normal = SplitEdge(II->getParent(), Normal);
    B.SetInsertPoint(Normal, Normal->getFirstInsertionPt());
  } else {
    B.SetInsertPoint(CB.getParent(), std::next(CB.getIterator()));
  }
  B.CreateCall(To.Leave, {Before});
}

/// A caught exception has left the calls between throw and catch.
static void endCaught(Function &F, const Entries &To) {
  SmallVector<LandingPadInst *, 4> Catches;
  for (Instruction &I : instructions(F))
    if (auto *LP = dyn_cast<LandingPadInst>(&I); LP && LP->getNumClauses() > 0)
      Catches.push_back(LP);
  if (Catches.empty())
    return;
  IRBuilder<> B(&F.getEntryBlock(),
                F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Depth = B.CreateCall(To.Depth, {});
  for (LandingPadInst *LP : Catches) {
    B.SetInsertPoint(LP->getParent(), LP->getParent()->getFirstInsertionPt());
    B.CreateCall(To.Leave, {Depth});
  }
}

void reportContexts(Module &M, ArrayRef<Function *> Functions,
                    ArrayRef<CallBase *> Calls) {
  WrapperCalls Wrappers(M);
  if (Wrappers.empty())
    return;
  SourceMap Source(M);
  Entries To(M);
  for (Function *F : Functions)
    endCaught(*F, To);
  for (CallBase *CB : Calls) {
    auto *CI = dyn_cast<CallInst>(CB);
    if ((!CI && !isa<InvokeInst>(CB)) || (CI && CI->isMustTailCall()) ||
        !mayAllocate(*CB, Source, Wrappers))
      continue;
    SmallVector<uint64_t, 4> Open = openAt(*CB, Source, Wrappers);
    if (Open.empty())
      continue;
    if (CI)
      CI->setTailCall(false);
    surround(*CB, Open, To);
  }
}

} // namespace evenkeel
