//===- Loops.cpp - describe loops once per entry --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: values of scalar evolution expressions before loops; blocks outside
// loops, by the callers of their function.
//===----------------------------------------------------------------------===//
#include "record/samples/Loops.h"
#include "record/Runtime.h"
#include "record/bodies/SideBodies.h"
#include "record/samples/Cost.h"
#include "record/samples/RecordedAccess.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace evenkeel {
namespace {

/// Streams further apart do not share a test.
constexpr int64_t SideBySide = 1024;

class Describer {
  TargetLibraryInfoImpl Impl;
  TargetLibraryInfo TLI;
  AssumptionCache AC;
  DominatorTree DT;
  LoopInfo LI;
  ScalarEvolution SE;
  SCEVExpander Expander;
  Type *I64;

  struct Found {
    const SCEV *Start, *Step;
    size_t Access;
  };

  /// Whether every iteration runs all blocks of \p L, and only the latch leaves
  /// it.
  bool isCounted(Loop &L, const SCEV *&Trips) const;
  bool isStream(Loop &L, const RecordedAccess &A, Instruction &Before,
                Found &Out);

public:
  explicit Describer(Function &F)
      : Impl(Triple(F.getParent()->getTargetTriple())), TLI(Impl, &F), AC(F),
        DT(F), LI(DT), SE(F, TLI, AC, DT, LI),
        Expander(SE, F.getDataLayout(), "ek"),
        I64(Type::getInt64Ty(F.getContext())) {}
  std::vector<DescribedLoop>
  run(SmallVectorImpl<RecordedAccess> &Accesses,
      const SmallPtrSetImpl<const BasicBlock *> &Headers);
};

} // namespace

bool Describer::isCounted(Loop &L, const SCEV *&Trips) const {
  if (!L.isInnermost() || !L.isLoopSimplifyForm() ||
      L.getExitingBlock() != L.getLoopLatch())
    return false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (leavesCode(I) && !isMathCall(I)) // it might end the task
        return false;
  auto &Own = const_cast<ScalarEvolution &>(SE);
  const SCEV *Taken = Own.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) ||
      Own.getTypeSizeInBits(Taken->getType()) > 64)
    return false;
  Trips = Own.getAddExpr(Own.getNoopOrZeroExtend(Taken, I64), Own.getOne(I64));
  return true;
}

bool Describer::isStream(Loop &L, const RecordedAccess &A, Instruction &Before,
                         Found &Out) {
  if (A.Length || !DT.dominates(A.I->getParent(), L.getLoopLatch()))
    return false;
  const SCEV *Where = SE.getSCEV(A.Address);
  if (SE.isLoopInvariant(Where, &L)) {
    Out.Start = Where;
    Out.Step = SE.getZero(I64);
  } else {
    auto *Walk = dyn_cast<SCEVAddRecExpr>(Where);
    if (!Walk || Walk->getLoop() != &L || !Walk->isAffine())
      return false;
    Out.Start = Walk->getStart();
    Out.Step = Walk->getStepRecurrence(SE);
  }
  return Out.Start->getType()->isPointerTy() &&
         SE.getTypeSizeInBits(Out.Step->getType()) == 64 &&
         SE.isLoopInvariant(Out.Step, &L) &&
         Expander.isSafeToExpandAt(Out.Start, &Before) &&
         Expander.isSafeToExpandAt(Out.Step, &Before);
}

std::vector<DescribedLoop>
Describer::run(SmallVectorImpl<RecordedAccess> &Accesses,
               const SmallPtrSetImpl<const BasicBlock *> &Headers) {
  MapVector<Loop *, SmallVector<size_t, 8>> ByLoop;
  for (size_t I = 0; I < Accesses.size(); ++I)
    if (Loop *L = LI.getLoopFor(Accesses[I].I->getParent()))
      ByLoop[L].push_back(I);
  std::vector<DescribedLoop> Out;
  SmallPtrSet<Instruction *, 32> Done;
  for (auto &[L, Mine] : ByLoop) {
    const SCEV *Trips = nullptr;
    if (!isCounted(*L, Trips))
      continue;
    Instruction *Before = L->getLoopPreheader()->getTerminator();
    if (!Expander.isSafeToExpandAt(Trips, Before))
      continue;
    SmallVector<Found, 8> Streams;
    for (size_t I : Mine) {
      Found S = {nullptr, nullptr, I};
      if (Streams.size() < MaxStreams && isStream(*L, Accesses[I], *Before, S))
        Streams.push_back(S);
    }
    const bool Strips = Headers.contains(L->getHeader());
    if (Streams.empty() && !Strips)
      continue;
    DescribedLoop D;
    D.Strips = Strips;
    D.Before = Before;
    D.Latch = L->getLoopLatch();
    D.Whole = Streams.size() == Mine.size();
    D.Trips = Expander.expandCodeFor(Trips, I64, Before);
    D.Exit = L->getUniqueExitBlock(); // the latch is the only exiting block
    SmallVector<const Found *, 8> Groups, Reported;
    for (const Found &S : Streams) {
      const RecordedAccess &A = Accesses[S.Access];
      Done.insert(A.I);
      if (A.Untracked)
        continue;
      // A load and a store to the same place become one stream that does both.
      auto Load = find_if(Reported, [&](const Found *T) {
        const RecordedAccess &L = Accesses[T->Access];
        return T->Start == S.Start && T->Step == S.Step && L.Bytes == A.Bytes &&
               isa<LoadInst>(L.I) && isa<StoreInst>(A.I) &&
               !((L.Info | A.Info) & RecordAtomic);
      });
      if (Load != Reported.end()) {
        D.Streams[Load - Reported.begin()].Info |= RecordWrite;
        continue;
      }
      Reported.push_back(&S);
      unsigned G = 0;
      int64_t Offset = 0;
      for (; G < Groups.size(); ++G) {
        auto *Apart = dyn_cast<SCEVConstant>(
            Groups[G]->Step == S.Step
                ? SE.getMinusSCEV(S.Start, Groups[G]->Start)
                : SE.getCouldNotCompute());
        if (!Apart)
          continue;
        Offset = Apart->getAPInt().getSExtValue();
        if (std::abs(Offset) <= SideBySide)
          break;
      }
      if (G == Groups.size()) {
        Groups.push_back(&S);
        Offset = 0;
      }
      D.Streams.push_back(
          {Expander.expandCodeFor(S.Start, A.Address->getType(), Before),
           Expander.expandCodeFor(S.Step, I64, Before), A.Info, A.Bytes, G,
           Offset});
    }
    for (size_t I : Mine)
      if (!Done.count(Accesses[I].I))
        D.Rest.push_back(Accesses[I].I);
    for (BasicBlock *BB : L->blocks()) {
      if (!DT.dominates(BB, D.Latch))
        continue;
      D.EachTime.push_back(BB);
      for (Instruction &I : *BB) {
        InstructionCost C = costOf(I);
        D.Slots += C.Slots;
        D.Instructions += C.Instructions;
      }
    }
    Out.push_back(std::move(D));
  }
  erase_if(Accesses, [&](const RecordedAccess &A) { return Done.count(A.I); });
  return Out;
}

std::vector<DescribedLoop>
describeLoops(Function &F, SmallVectorImpl<RecordedAccess> &Accesses,
              const SmallPtrSetImpl<const BasicBlock *> &Headers) {
  if (Accesses.empty())
    return {};
  return Describer(F).run(Accesses, Headers);
}

RarelyRun::RarelyRun(Module &M) {
  SmallPtrSet<const BasicBlock *, 32> OutsideLoops; // in functions found so far
  SmallVector<Function *, 16> Work;
  const SmallPtrSet<const Function *, 16> First = runOnce(M);
  for (Function &F : M)
    if (First.count(&F) && !F.isDeclaration())
      Work.push_back(&F);
  auto IsCalledRarely = [&](const Function &F) {
    return F.hasLocalLinkage() && all_of(F.uses(), [&](const Use &U) {
             auto *CB = dyn_cast<CallBase>(U.getUser());
             return CB && CB->isCallee(&U) &&
                    OutsideLoops.count(CB->getParent());
           });
  };
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    if (!Functions.insert(F).second)
      continue;
    const DominatorTree DT(*F);
    const LoopInfo LI(DT);
    for (const BasicBlock &BB : *F)
      if (!LI.getLoopFor(&BB))
        OutsideLoops.insert(&BB);
    for (Instruction &I : instructions(*F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      Function *Callee = CB ? CB->getCalledFunction() : nullptr;
      if (Callee && !Callee->isDeclaration() && IsCalledRarely(*Callee))
        Work.push_back(Callee);
    }
  }
}

SmallPtrSet<const BasicBlock *, 32> RarelyRun::blocksOf(Function &F) const {
  SmallPtrSet<const BasicBlock *, 32> Out;
  const DominatorTree DT(F);
  const LoopInfo LI(DT);
  SmallVector<std::pair<const DomTreeNode *, bool>, 32> Work = {
      {DT.getRootNode(), Functions.count(&F)}};
  while (!Work.empty()) {
    auto [Node, Rarely] = Work.pop_back_val();
    const BasicBlock *BB = Node->getBlock();
    Rarely |= BB->isLandingPad();
    if (Rarely && !LI.getLoopFor(BB))
      Out.insert(BB);
    for (const DomTreeNode *Below : Node->children())
      Work.push_back({Below, Rarely});
  }
  return Out;
}

} // namespace evenkeel
