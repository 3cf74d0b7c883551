//===- Trips.cpp - rounds of loops ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ScalarEvolution's trip counts, and loops it refuses though start, step
// and bound are fixed.
// Makes: the rounds of each loop of a nest; a measured symbol where nothing
// tells.
//===----------------------------------------------------------------------===//
#include "access/Analyzer.h"
#include "access/counts/Words.h"
#include "access/loops/EntryTests.h"
#include "access/loops/ExitTests.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// For loops ScalarEvolution refuses (symbolic step, calls inside): an
/// induction variable with loop-invariant start, step and bound.
CountRef Analyzer::inductionTrips(Loop &L, FunctionInfo &FI,
                                  const Times &Open) {
  BasicBlock *Exiting = L.getExitingBlock();
  if (!Exiting)
    return nullptr;
  std::optional<ExitTest> Test = exitTestOf(L, *Exiting, *FI.SE);
  auto *AR = Test ? dyn_cast<SCEVAddRecExpr>(Test->Moving) : nullptr;
  if (!AR || AR->getLoop() != &L || !AR->isAffine() || isNarrow(AR->getType()))
    return nullptr;
  const SCEV *B = Test->Limit;
  CmpInst::Predicate Stay = Test->Stay;
  // The compared value may be the next one; count from the variable itself.
  const SCEV *Start = AR->getStart();
  const SCEV *Step = AR->getStepRecurrence(*FI.SE);
  if (L.getLoopLatch() == Exiting)
    Start = FI.SE->getMinusSCEV(Start, Step);
  // What goes down and stays below a bound does so until it wraps around, as
  // what goes up and stays above one does.
  auto *Product = dyn_cast<SCEVMulExpr>(Step);
  const bool Falls =
      FI.SE->isKnownNonPositive(Step) ||
      (Product && FI.SE->isKnownNegative(Product->getOperand(0)));
  const bool Below = ICmpInst::isLT(Stay) || ICmpInst::isLE(Stay);
  if (Falls ? Below : ICmpInst::isGT(Stay) || ICmpInst::isGE(Stay))
    return nullptr;
  // What nobody reads where the loop is not entered has no value there, and
  // that counts as 0: what comes down would come down to 0.
  SmallPtrSet<const Value *, 8> Ends;
  leavesOf(B, Ends);
  if (Falls && any_of(Ends, [&](const Value *V) {
        auto *I = dyn_cast<Instruction>(V);
        return I && L.contains(home(*I));
      }))
    return nullptr;
  std::string Why;
  CountRef From = toCount(Start, &L, FI, Why, &Open);
  CountRef By = From ? toCount(Step, &L, FI, Why, &Open) : nullptr;
  CountRef To = By ? toCount(B, &L, FI, Why, &Open) : nullptr;
  if (!To)
    return nullptr;
  if (Falls) {
    std::swap(From, To);
    By = countMul(countConst(-1), By);
    Stay = CmpInst::getSwappedPredicate(Stay);
  }
  CountRef Trips;
  switch (Stay) {
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_NE:
    Trips = countOp("ceildiv", {countOp("-", {To, From}), By});
    break;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    Trips = countAdd(countOp("floordiv", {countOp("-", {To, From}), By}),
                     countConst(1));
    break;
  default:
    return nullptr;
  }
  // What is asked at the end only is done once.
  return L.getLoopLatch() == Exiting && !isTestedInFront(L, FI)
             ? countOp("max", {countConst(1), Trips})
             : Trips;
}

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
ArrayRef<const SCEV *> Analyzer::tripsOf(const Loop &L, FunctionInfo &FI) {
  auto [It, New] = FI.Trips.try_emplace(&L);
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
Analyzer::exitTripsOf(const Loop &L, BasicBlock &Exiting, FunctionInfo &FI) {
  auto [It, New] = FI.ExitTrips.try_emplace({&L, &Exiting});
  if (New)
    if (const SCEV *Back = exitCountOf(L, Exiting, *FI.SE);
        !isa<SCEVCouldNotCompute>(Back))
      It->second = options(Back, *FI.SE);
  return It->second;
}

CountRef Analyzer::tripCount(Loop &L, FunctionInfo &FI, const Times &Open,
                             std::string &Why, std::string &Assumes) {
  ArrayRef<const SCEV *> Trips = tripsOf(L, FI);
  CountRef C;
  if (Trips.empty()) {
    Why = "unknown-trip-count";
    C = geometricTrips(L, FI, Open);
    if (!C && (C = inductionTrips(L, FI, Open)))
      Assumes = "assumes-positive-step";
  } else {
    C = toCount(Trips.front(), &L, FI, Why, &Open);
  }
  return C ? clamped(C, Open) : nullptr;
}

/// The loop that counted up the bound of \p L (`if (..) used[found++] = ..;`
/// before `for (f = 0; f < found; f++)`), or null. Such a bound grows with the
/// iterations of that loop, not with those around \p L.
Loop *Analyzer::countedBy(Loop &L, FunctionInfo &FI) {
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
SmallVector<BasicBlock *, 4> Analyzer::aliveExits(const Loop &L) const {
  SmallVector<std::pair<BasicBlock *, BasicBlock *>, 4> Exits;
  L.getExitEdges(Exits);
  SmallVector<BasicBlock *, 4> From;
  for (auto &[Inside, Outside] : Exits)
    if (!is_contained(From, Inside) && !fails(Inside, Outside))
      From.push_back(Inside);
  return From;
}

/// What a number of rounds or executions, which is measured, grows with: \p Of
/// one call of the function, by what that call is given, times the calls; null
/// where that is no news.
CountRef Analyzer::growthInCalls(FunctionInfo &FI,
                                 function_ref<CountRef()> Of) {
  if (PerCall || Inv.Regions.count(FI.F))
    return nullptr;
  PerCall = true;
  CountRef C = countMul(Of(), callsOfTask(*FI.F));
  PerCall = false;
  return C;
}

/// Whether \p L, in \p Chunks, is part of a loop that is dealt out.
static bool isDealtOut(const Loop *L, const Loop &Chunks,
                       const FunctionInfo &FI) {
  for (; L && L != &Chunks; L = L->getParentLoop())
    if (FI.Shared.count(L))
      return true;
  return false;
}

/// Rounds of the loop: executions of its header.
const Times &Analyzer::nest(Loop *L, Below Under, FunctionInfo &FI) {
  std::pair<const Loop *, const Loop *> Key(L, Under.Bottom);
  auto &Nest = FI.Nest[PerCall];
  if (auto It = Nest.find(Key); It != Nest.end() && !Under.Length)
    return It->second;
  auto Measured = [&](Loop *Within) {
    Times T;
    CountRef Outer =
        growthInCalls(FI, [&] { return closed(nest(L, {L}, FI)); });
    if (!Outer && Within)
      Outer = closed(nest(Within, {Within}, FI));
    T.C = countSymbol(blockSymbol(L->getHeader(), "trip", FI, Outer));
    T.Absolute = true;
    return T;
  };
  Times T = entries(*L, Under, FI);
  bool Conditional = T.Conditional;
  std::string Why, Assumes;
  if (runsAgain(*L->getHeader(), L->getParentLoop())) {
    T = Measured(L->getParentLoop());
  } else if (FI.Chunks.count(L)) {
    // The loop that is dealt out counts all iterations. What the compiler took
    // out of it runs once for each chunk; a team of one gets all in one chunk.
    if (!isDealtOut(Under.Bottom, *L, FI))
      T = Measured(L->getParentLoop());
  } else if (auto It = FI.Shared.find(L); It != FI.Shared.end()) {
    const SharedLoop &S = It->second;
    // Its bounds may move with the loops around it.
    CountRef N = S.N || !S.Rounds ? S.N : toCount(S.Rounds, L, FI, Why, &T);
    if (!N) {
      T = Measured(L->getParentLoop());
    } else {
      T.Levels.push_back({L, N, S.Mode, S.Chunk});
      if (aliveExits(*L).size() > 1) // a cancelled loop
        T.doubt("early-exit");
      if (S.Mode == Level::Dynamic) {
        T.Levels.back().N = clamped(N, Times());
        T.doubt("dynamic-schedule");
      }
    }
  } else if (CountRef C = tripCount(*L, FI, T, Why, Assumes)) {
    T.Levels.push_back({L, C});
    if (T.Why.empty())
      T.Why = Assumes;
  } else {
    Loop *By = countedBy(*L, FI);
    T = Measured(By ? By : L->getParentLoop());
  }
  T.Conditional |= Conditional;
  return FI.Nest[PerCall][Key] = T;
}

/// How often control comes to \p L from outside.
Times Analyzer::entries(Loop &L, Below Under, FunctionInfo &FI) {
  const BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    Before = FI.DT->getNode(L.getHeader())->getIDom()->getBlock();
  return executions(Before, Under, FI);
}

/// Executions of \p B in a loop with several exits, per entry: what lies
/// behind an exit test runs as often as the test fails to leave.
CountRef Analyzer::tripsOfBlock(const BasicBlock *B, Loop &L, FunctionInfo &FI,
                                const Times &Open) {
  std::vector<CountRef> Limits;
  for (BasicBlock *E : aliveExits(L)) {
    ArrayRef<const SCEV *> Trips = exitTripsOf(L, *E, FI);
    std::string Why;
    CountRef C =
        Trips.empty() ? nullptr : toCount(Trips.front(), &L, FI, Why, &Open);
    if (!C)
      return nullptr;
    bool Behind = E != B && FI.DT->dominates(E, B);
    Limits.push_back(Behind ? countAdd(C, countConst(-1)) : C);
  }
  return Limits.empty() ? nullptr : clamped(countOp("min", Limits), Open);
}

} // namespace evenkeel
