//===- Trips.cpp - trip counts of loops -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ScalarEvolution's trip counts, and their form without a guard that
// ScalarEvolution does not see.
// Not here: formulas (formulas/TripCounts.cpp).
//===----------------------------------------------------------------------===//
#include "access/loops/EntryTests.h"
#include "access/loops/ExitTests.h"
#include "access/loops/LoopGuards.h"
#include "access/loops/Words.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

namespace {
/// Replaces a maximum by one of its operands.
struct WithoutMaximum : SCEVRewriteVisitor<WithoutMaximum> {
  const SCEV *Maximum;
  unsigned Operand;
  WithoutMaximum(ScalarEvolution &SE, const SCEV *Maximum, unsigned Operand)
      : SCEVRewriteVisitor(SE), Maximum(Maximum), Operand(Operand) {}
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *S) {
    return S == Maximum ? S->getOperand(Operand)
                        : SCEVRewriteVisitor::visitSMaxExpr(S);
  }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *S) {
    return S == Maximum ? S->getOperand(Operand)
                        : SCEVRewriteVisitor::visitUMaxExpr(S);
  }
};
} // namespace

namespace {
/// Replaces zero-extension of narrow words by sign-extension.
struct WithSigns : SCEVRewriteVisitor<WithSigns> {
  WithSigns(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *S) {
    return isNarrow(S->getOperand()->getType())
               ? SE.getSignExtendExpr(S->getOperand(), S->getType())
               : SCEVRewriteVisitor::visitZeroExtendExpr(S);
  }
};
} // namespace

/// \p Back plus one; if \p Back contains a maximum, also with each of its
/// operands instead.
static SmallVector<const SCEV *, 2> options(const SCEV *Back,
                                            ScalarEvolution &SE) {
  Type *Wide = Type::getInt64Ty(SE.getContext());
  auto OneMore = [&](const SCEV *S) {
    return SE.getAddExpr(S, SE.getOne(S->getType()));
  };
  SmallVector<const SCEV *, 2> Out;
  // ScalarEvolution computes n + 1 in 128 bits.
  if (isa<SCEVConstant>(Back) && SE.getTypeSizeInBits(Back->getType()) > 64)
    Back = SE.getTruncateExpr(Back, Wide);
  if (isNarrow(Back->getType()) || isa<SCEVConstant>(Back)) {
    // 256 iterations for a byte; 0 if a guard ensures that, signed or unsigned.
    Out.push_back(OneMore(SE.getNoopOrZeroExtend(Back, Wide)));
    Out.push_back(SE.getNoopOrZeroExtend(OneMore(Back), Wide));
    Out.push_back(SE.getNoopOrSignExtend(OneMore(Back), Wide));
  } else {
    Out.push_back(OneMore(Back));
  }
  // A value that a guard has found positive may be extended either way.
  if (const SCEV *Signed = WithSigns(SE).visit(Out.front());
      Signed != Out.front())
    Out.push_back(Signed);
  const SCEV *Maximum = nullptr;
  SCEVExprContains(Out.front(), [&](const SCEV *S) {
    if (isa<SCEVSMaxExpr, SCEVUMaxExpr>(S))
      Maximum = S;
    return Maximum != nullptr;
  });
  if (Maximum)
    for (const SCEV *Whole : SmallVector<const SCEV *, 2>(Out))
      for (unsigned K = 0; K < cast<SCEVNAryExpr>(Maximum)->getNumOperands();
           ++K) {
        WithoutMaximum Rewriter(SE, Maximum, K);
        Out.push_back(Rewriter.visit(Whole));
      }
  return Out;
}

/// The trip count of \p L per entry. ScalarEvolution returns a maximum that
/// includes the value under a guard it does not see; the operands are
/// candidates, too. First the candidate that agrees with all guards.
ArrayRef<const SCEV *> LoopGuards::tripsOf(const Loop &L, FunctionInfo &FI) {
  settle(FI);
  return countsOf(L, FI);
}

/// The same with the guards found so far.
SmallVector<const SCEV *, 2> &LoopGuards::countsOf(const Loop &L,
                                                   FunctionInfo &FI) {
  auto [It, New] = Trips.try_emplace(&L);
  SmallVector<const SCEV *, 2> &Out = It->second;
  if (!New)
    return Out;
  const SCEV *Back = backedgeCountOf(L, *FI.SE);
  // If all other exits end the program.
  if (SmallVector<BasicBlock *, 4> Exiting = aliveExits(L);
      Exiting.size() == 1 && Exiting.front() != L.getExitingBlock())
    if (const SCEV *Only = exitCountOf(L, *Exiting.front(), *FI.SE);
        !isa<SCEVCouldNotCompute>(Only))
      Back = Only;
  if (isa<SCEVCouldNotCompute>(Back))
    return Out;
  Out = options(Back, *FI.SE);
  return Out;
}

/// The trip count of \p L, which has several exits, up to where the test at the
/// end of \p Exiting leaves it; see tripsOf.
ArrayRef<const SCEV *>
LoopGuards::exitTripsOf(const Loop &L, BasicBlock &Exiting, FunctionInfo &FI) {
  settle(FI);
  return exitCountsOf(L, Exiting, FI);
}

/// The same with the guards found so far.
SmallVector<const SCEV *, 2> &
LoopGuards::exitCountsOf(const Loop &L, BasicBlock &Exiting, FunctionInfo &FI) {
  auto [It, New] = ExitTrips.try_emplace({&L, &Exiting});
  if (New)
    if (const SCEV *Back = exitCountOf(L, Exiting, *FI.SE);
        !isa<SCEVCouldNotCompute>(Back))
      It->second = options(Back, *FI.SE);
  return It->second;
}

/// The loop that counted up the bound of \p L (`if (..) used[found++] = ..;`
/// before `for (f = 0; f < found; f++)`), or null. Such a bound grows with the
/// iterations of that loop, not with those around \p L.
Loop *LoopGuards::countedBy(Loop &L, FunctionInfo &FI) {
  const SCEV *Bound = FI.SE->getBackedgeTakenCount(&L);
  SmallVector<const Value *, 16> Work;
  SmallPtrSet<const Value *, 32> Seen;
  if (!isa<SCEVCouldNotCompute>(Bound))
    SCEVExprContains(Bound, [&](const SCEV *S) {
      if (auto *U = dyn_cast<SCEVUnknown>(S))
        Work.push_back(U->getValue());
      return false;
    });
  Loop *Deepest = nullptr;
  while (!Work.empty() && Seen.size() < 64) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (isa<PHINode, SelectInst, CastInst>(V)) {
      auto *I = cast<Instruction>(V);
      unsigned First = isa<SelectInst>(I) ? 1 : 0; // except its condition
      Work.append(I->op_begin() + First, I->op_end());
    } else if (auto *I = dyn_cast<BinaryOperator>(V);
               I && I->getOpcode() == Instruction::Add &&
               isa<ConstantInt>(I->getOperand(1))) {
      Work.push_back(I->getOperand(0));
      Loop *In = FI.LI->getLoopFor(I->getParent());
      if (In && (!Deepest || In->getLoopDepth() > Deepest->getLoopDepth()))
        Deepest = In;
    }
  }
  // The counting loop must have ended before L starts. A loop that may be
  // skipped does not dominate L, but the block before its outermost loop
  // outside L does.
  Loop *Top = Deepest;
  while (Top && Top->getParentLoop() && !Top->getParentLoop()->contains(&L))
    Top = Top->getParentLoop();
  if (!Top || Top->contains(&L) || L.contains(Top))
    return nullptr;
  const BasicBlock *Before = Top->getLoopPreheader();
  return Before && FI.DT->properlyDominates(Before, L.getHeader()) ? Deepest
                                                                   : nullptr;
}

/// Exiting blocks of \p L, except exits that end the program.
SmallVector<BasicBlock *, 4> LoopGuards::aliveExits(const Loop &L) const {
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> Exits;
  L.getExitEdges(Exits);
  SmallVector<BasicBlock *, 4> From;
  for (auto &[Inside, Outside] : Exits)
    if (!is_contained(From, Inside) && !Ways.fails(Inside, Outside))
      From.push_back(Inside);
  return From;
}

} // namespace evenkeel
