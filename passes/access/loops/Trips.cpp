//===- Trips.cpp - trip counts of loops
//---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ScalarEvolution's trip counts, and what they are without a guard that
// it does not know.
// Leaves out: formulas (formulas/TripCounts.cpp).
//===----------------------------------------------------------------------===//
#include "access/formulas/Words.h"
#include "access/loops/EntryTests.h"
#include "access/loops/ExitTests.h"
#include "access/loops/LoopGuards.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

namespace {
/// Puts one operand of a maximum in its place.
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
/// Takes narrow words with a sign, not without.
struct WithSigns : SCEVRewriteVisitor<WithSigns> {
  WithSigns(ScalarEvolution &SE) : SCEVRewriteVisitor(SE) {}
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *S) {
    return isNarrow(S->getOperand()->getType())
               ? SE.getSignExtendExpr(S->getOperand(), S->getType())
               : SCEVRewriteVisitor::visitZeroExtendExpr(S);
  }
};
} // namespace

/// One more than \p Back; where a maximum is in it, also with each of what that
/// is of.
static SmallVector<const SCEV *, 2> options(const SCEV *Back,
                                            ScalarEvolution &SE) {
  Type *Wide = Type::getInt64Ty(SE.getContext());
  auto OneMore = [&](const SCEV *S) {
    return SE.getAddExpr(S, SE.getOne(S->getType()));
  };
  SmallVector<const SCEV *, 2> Out;
  // From n to n + 1, ScalarEvolution counts in 128 bits.
  if (isa<SCEVConstant>(Back) && SE.getTypeSizeInBits(Back->getType()) > 64)
    Back = SE.getTruncateExpr(Back, Wide);
  if (isNarrow(Back->getType()) || isa<SCEVConstant>(Back)) {
    // 256 rounds of a byte; none where a guard has seen to that, be it of a
    // number with or without a sign.
    Out.push_back(OneMore(SE.getNoopOrZeroExtend(Back, Wide)));
    Out.push_back(SE.getNoopOrZeroExtend(OneMore(Back), Wide));
    Out.push_back(SE.getNoopOrSignExtend(OneMore(Back), Wide));
  } else {
    Out.push_back(OneMore(Back));
  }
  // What a guard has found to be above 0 may be written either way.
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

/// Rounds of \p L each time it is entered. ScalarEvolution gives a maximum with
/// what holds behind a guard it does not know; which is it without one. First
/// what fits all guards found by now.
ArrayRef<const SCEV *> LoopGuards::tripsOf(const Loop &L, FunctionInfo &FI) {
  auto [It, New] = Trips.try_emplace(&L);
  SmallVector<const SCEV *, 2> &Out = It->second;
  if (!New)
    return Out;
  const SCEV *Back = backedgeCountOf(L, *FI.SE);
  // Where all other exits end the program.
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

/// Rounds of \p L, which has several ways out, up to where the test that ends
/// \p Exiting leaves it; as tripsOf.
SmallVector<const SCEV *, 2> &
LoopGuards::exitTripsOf(const Loop &L, BasicBlock &Exiting, FunctionInfo &FI) {
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
      unsigned First = isa<SelectInst>(I) ? 1 : 0; // not its condition
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
  // It must be over when L starts. A loop that may be skipped dominates
  // nothing, but what leads into the outermost one that does not hold L does.
  Loop *Top = Deepest;
  while (Top && Top->getParentLoop() && !Top->getParentLoop()->contains(&L))
    Top = Top->getParentLoop();
  if (!Top || Top->contains(&L) || L.contains(Top))
    return nullptr;
  const BasicBlock *Before = Top->getLoopPreheader();
  return Before && FI.DT->properlyDominates(Before, L.getHeader()) ? Deepest
                                                                   : nullptr;
}

/// Blocks from which a program that goes on leaves \p L.
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
