//===- ClosedCounters.cpp - counts known without counting -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ClosedCounters.h.
//===----------------------------------------------------------------------===//
#include "ClosedCounters.h"
#include "Counters.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <optional>

using namespace llvm;

namespace evenkeel {
namespace {

/// Replaces a counter of one loop by what is known before the loop, or by
/// another variable that counts in it.
class CloseCounter {
  Loop &L;
  PHINode &Counter;
  LoopStandardAnalysisResults &AR;
  SCEVExpander &Rewriter;
  Value *First = nullptr; // before the loop

  std::optional<int64_t> ahead(Value *V, BasicBlock *Exiting) const;
  Value *computed(BasicBlock *Exiting, int64_t Ahead);
  PHINode *otherCounter() const;
  Value *fromOther(PHINode &Exit);

public:
  CloseCounter(Loop &L, PHINode &Counter, LoopStandardAnalysisResults &AR,
               SCEVExpander &Rewriter)
      : L(L), Counter(Counter), AR(AR), Rewriter(Rewriter),
        First(Counter.getIncomingValueForBlock(L.getLoopPreheader())) {}
  bool run();
};

/// How far \p V, a use of the counter's at the exit from \p Exiting, is ahead
/// of the counter. The optimiser may have computed it before the loop.
std::optional<int64_t> CloseCounter::ahead(Value *V,
                                           BasicBlock *Exiting) const {
  const SCEV *Value = AR.SE.getSCEV(V);
  if (const auto *D = dyn_cast<SCEVConstant>(
          AR.SE.getMinusSCEV(Value, AR.SE.getSCEV(&Counter))))
    return D->getAPInt().getSExtValue();
  const SCEV *Count = AR.SE.getExitCount(&L, Exiting);
  if (isa<SCEVCouldNotCompute>(Count) || !AR.SE.isLoopInvariant(Value, &L))
    return std::nullopt;
  Type *I64 = Counter.getType();
  const SCEV *Here = AR.SE.getAddExpr(
      AR.SE.getSCEV(First), AR.SE.getTruncateOrZeroExtend(Count, I64));
  if (Value == Here)
    return 0;
  return Value == AR.SE.getAddExpr(Here, AR.SE.getOne(I64))
             ? std::optional<int64_t>(1)
             : std::nullopt;
}

/// The counter's value at the exit from \p Exiting, computed before the loop,
/// where its operands are at hand; null: it is not known there.
Value *CloseCounter::computed(BasicBlock *Exiting, int64_t Ahead) {
  const SCEV *Count = AR.SE.getExitCount(&L, Exiting);
  if (isa<SCEVCouldNotCompute>(Count) || (Ahead != 0 && Ahead != 1))
    return nullptr;
  Type *I64 = Counter.getType();
  // In the counter's own type, which gives `end - begin`. (Only a loop that
  // uses up all values of its variable would have one iteration more.)
  if (Ahead)
    Count = AR.SE.getAddExpr(Count, AR.SE.getOne(Count->getType()));
  Count = AR.SE.getTruncateOrZeroExtend(Count, I64);
  Instruction *At = L.getLoopPreheader()->getTerminator();
  if (!AR.SE.isLoopInvariant(Count, &L) ||
      !Rewriter.isSafeToExpandAt(Count, At))
    return nullptr;
  IRBuilder<> B(At);
  return B.CreateAdd(First, Rewriter.expandCodeFor(Count, I64, At), "ek.total");
}

/// Another variable that counts the iterations, which the loop needs anyway.
PHINode *CloseCounter::otherCounter() const {
  for (PHINode &P : L.getHeader()->phis()) {
    if (&P == &Counter || !P.getType()->isIntegerTy() ||
        !handOversOf(P).empty())
      continue;
    const SCEVAddRecExpr *Line = lineOf(&P, L, AR.SE);
    if (!Line || !(Line->getStepRecurrence(AR.SE)->isOne() ||
                   Line->getStepRecurrence(AR.SE)->isAllOnesValue()))
      continue;
    if (P.getType()->getIntegerBitWidth() < 64 && !Line->hasNoSignedWrap() &&
        !Line->hasNoUnsignedWrap())
      continue;
    if (isNeededIn(L, P))
      return &P;
  }
  return nullptr;
}

/// The counter's value at \p Exit from the other counter's.
Value *CloseCounter::fromOther(PHINode &Exit) {
  PHINode *Other = otherCounter();
  if (!Other)
    return nullptr;
  auto *Next =
      dyn_cast<Instruction>(Other->getIncomingValueForBlock(L.getLoopLatch()));
  SmallVector<int64_t, 4> Ahead; // by edge to Exit
  bool AllBehind = true, NoneBehind = true;
  for (unsigned K = 0; K < Exit.getNumIncomingValues(); ++K) {
    BasicBlock *From = Exit.getIncomingBlock(K);
    const std::optional<int64_t> Its = ahead(Exit.getIncomingValue(K), From);
    if (!Its || (*Its != 0 && *Its != 1))
      return nullptr;
    Ahead.push_back(*Its);
    AllBehind &= *Its == 1;
    NoneBehind &=
        *Its == 0 || (Next && AR.DT.dominates(Next->getParent(), From));
  }
  if (!AllBehind && !NoneBehind)
    return nullptr;
  // By how much the other counter is behind on all edges.
  const int64_t Behind = !NoneBehind;
  PHINode *At = PHINode::Create(Other->getType(), Exit.getNumIncomingValues(),
                                "ek.at", Exit.getParent()->begin());
  for (unsigned K = 0; K < Exit.getNumIncomingValues(); ++K)
    At->addIncoming(Ahead[K] > Behind ? Next : Other, Exit.getIncomingBlock(K));
  // (Here - From) or (From - Here), of which the part known before is summed
  // there. Sums that the optimiser sees through it would keep in the loop.
  Value *From = Other->getIncomingValueForBlock(L.getLoopPreheader());
  const bool Up = lineOf(Other, L, AR.SE)->getStepRecurrence(AR.SE)->isOne();
  Type *I64 = Counter.getType();
  IRBuilder<> After(&*Exit.getParent()->getFirstInsertionPt());
  Type *Its = Other->getType();
  Value *Here = After.CreateCall(
      InlineAsm::get(FunctionType::get(Its, {Its}, /*isVarArg=*/false), "",
                     "=r,0", /*hasSideEffects=*/false),
      {At});
  if (Its == I64) {
    IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
    Value *Base =
        Up ? Before.CreateSub(First, From) : Before.CreateAdd(First, From);
    Base = Before.CreateAdd(Base, Before.getInt64(Behind));
    return Up ? After.CreateAdd(Base, Here) : After.CreateSub(Base, Here);
  }
  Value *Went = Up ? After.CreateSub(Here, From) : After.CreateSub(From, Here);
  Went = After.CreateZExtOrTrunc(Went, I64);
  return After.CreateAdd(After.CreateAdd(First, Went), After.getInt64(Behind));
}

bool CloseCounter::run() {
  SmallSetVector<PHINode *, 4> Exits; // one may have both, or one twice
  Value *Next = Counter.getIncomingValueForBlock(L.getLoopLatch());
  for (Value *V : {static_cast<Value *>(&Counter), Next})
    for (User *U : V->users())
      if (auto *P = dyn_cast<PHINode>(U); P && !L.contains(P))
        Exits.insert(P);
  bool Changed = false;
  for (PHINode *P : Exits) {
    Value *New = nullptr;
    if (P->getNumIncomingValues() == 1)
      if (const std::optional<int64_t> Ahead =
              ahead(P->getIncomingValue(0), P->getIncomingBlock(0)))
        New = computed(P->getIncomingBlock(0), *Ahead);
    if (!New)
      New = fromOther(*P);
    if (!New)
      continue;
    AR.SE.forgetValue(P);
    P->replaceAllUsesWith(New);
    P->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace

PreservedAnalyses CloseCounters::run(Loop &L, LoopAnalysisManager &,
                                     LoopStandardAnalysisResults &AR,
                                     LPMUpdater &) {
  if (!L.isLoopSimplifyForm() || !L.isLCSSAForm(AR.DT))
    return PreservedAnalyses::all();
  SmallVector<WeakTrackingVH, 2> Counters;
  for (PHINode &P : L.getHeader()->phis())
    if (isCounterOf(P, L, AR.SE))
      Counters.push_back(&P);
  bool Changed = false;
  SCEVExpander Rewriter(AR.SE, L.getHeader()->getDataLayout(), "ek.total");
  for (WeakTrackingVH &P : Counters)
    if (P)
      Changed |= CloseCounter(L, *cast<PHINode>(P), AR, Rewriter).run();
  if (!Changed)
    return PreservedAnalyses::all();
  Rewriter.clear();
  AR.SE.forgetLoop(&L);
  // An exit that leaves loops around, too, now uses values from within them.
  if (L.getParentLoop())
    formLCSSARecursively(*L.getOutermostLoop(), AR.DT, &AR.LI, &AR.SE);
  for (WeakTrackingVH &P : Counters)
    if (P)
      RecursivelyDeleteDeadPHINode(cast<PHINode>(P), &AR.TLI);
  return getLoopPassPreservedAnalyses();
}

} // namespace evenkeel
