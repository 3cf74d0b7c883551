//===- Operations.cpp - operations that ScalarEvolution lacks -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: signed division and remainder, shifts by values, selects, and counters
// that a loop multiplies or divides by a constant in each iteration (geometric
// counters).
// Makes: counts for them in terms of their operands, and the trip counts of
// loops that end by a geometric counter.
// Not here: masks and products (ScalarEvolution can represent them).
//===----------------------------------------------------------------------===//
#include "access/formulas/Operations.h"
#include "access/formulas/Formulas.h"
#include "access/loops/ExitTests.h"
#include "unit/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace evenkeel {

/// The factor by which \p I multiplies or divides its first operand; 0:
/// neither.
static int64_t factorOf(const BinaryOperator &I) {
  auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
  if (!C || C->getValue().getSignificantBits() > 31 || C->isNegative())
    return 0;
  int64_t By = C->getSExtValue();
  switch (I.getOpcode()) {
  case Instruction::Mul: {
    // A multiplication that wraps around may end a loop, except by powers of
    // two, which end at 0.
    auto *Wraps = cast<OverflowingBinaryOperator>(&I);
    bool Power = (By & (By - 1)) == 0;
    return Power || Wraps->hasNoSignedWrap() || Wraps->hasNoUnsignedWrap() ? By
                                                                           : 0;
  }
  case Instruction::SDiv:
  case Instruction::UDiv:
    return By;
  case Instruction::Shl:
  case Instruction::AShr:
  case Instruction::LShr:
    return By < 31 ? int64_t(1) << By : 0;
  default:
    return 0;
  }
}

std::optional<Geometric> geometricOf(const Value *V, const LoopInfo &LI) {
  auto *P = dyn_cast<PHINode>(V);
  const Loop *L = P ? LI.getLoopFor(P->getParent()) : nullptr;
  if (!L || L->getHeader() != P->getParent() || !L->getLoopLatch() ||
      !L->getLoopPreheader() || !P->getType()->isIntegerTy())
    return std::nullopt;
  auto *Next =
      dyn_cast<BinaryOperator>(P->getIncomingValueForBlock(L->getLoopLatch()));
  if (!Next || Next->getOperand(0) != P)
    return std::nullopt;
  int64_t By = factorOf(*Next);
  if (By < 2)
    return std::nullopt;
  bool Rises = Next->getOpcode() == Instruction::Mul ||
               Next->getOpcode() == Instruction::Shl;
  return Geometric{P,  Next,
                   L,  P->getIncomingValueForBlock(L->getLoopPreheader()),
                   By, Rises};
}

bool hasFormOfOperands(const Value *V, const LoopInfo &LI) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return false;
  switch (I->getOpcode()) {
  case Instruction::SDiv:
  case Instruction::SRem:
  case Instruction::AShr:
  case Instruction::LShr:
  case Instruction::Shl:
  case Instruction::Freeze:
    return I->getType()->isIntegerTy() && !I->getType()->isIntegerTy(1);
  case Instruction::Select: { // new T[n] requests -1 bytes if n is too large
    auto IsAll = [](const Value *X) {
      auto *C = dyn_cast<ConstantInt>(X);
      return C && C->isMinusOne();
    };
    return I->getType()->isIntegerTy() && !I->getType()->isIntegerTy(1) &&
           none_of(drop_begin(I->operand_values()), IsAll);
  }
  default:
    return geometricOf(V, LI).has_value();
  }
}

/// \p A / \p B, rounded towards zero like machine division, for a positive
/// \p B.
static CountRef quotient(const CountRef &A, const CountRef &B, bool NotBelow0) {
  CountRef Floor = countOp("floordiv", {A, B});
  if (NotBelow0 || isNatural(A))
    return Floor;
  return countOp("max", {Floor, countOp("min", {countConst(0),
                                                countOp("ceildiv", {A, B})})});
}

/// Whether \p V is at least \p Least whenever \p Within, if given, runs.
static bool isAtLeast(Value *V, uint64_t Least, const Loop *Within,
                      ScalarEvolution &SE) {
  const SCEV *S = SE.getSCEV(V);
  const SCEV *Limit = SE.getConstant(S->getType(), Least);
  if (SE.isKnownPredicate(CmpInst::ICMP_SGE, S, Limit))
    return true;
  for (const Loop *L = Within; L; L = L->getParentLoop())
    if (SE.isLoopInvariant(S, L) &&
        SE.isLoopEntryGuardedByCond(L, CmpInst::ICMP_SGE, S, Limit))
      return true;
  return false;
}

/// Whether all leaves of \p S have a name in the source or follow from named
/// values.
bool Formulas::hasNames(const SCEV *S, FunctionInfo &FI, unsigned Depth) {
  // The chunk of an iteration does not matter, because the iteration number is
  // known.
  if (auto *AR = dyn_cast<SCEVAddRecExpr>(S))
    if (FI.Chunks.count(AR->getLoop()))
      return hasNames(AR->getStart(), FI, Depth);
  if (!isa<SCEVUnknown>(S))
    return all_of(S->operands(),
                  [&](const SCEV *Op) { return hasNames(Op, FI, Depth); });
  Value *V = cast<SCEVUnknown>(S)->getValue();
  if (isa<Constant>(V) ||
      any_of(FI.Shared, [&](const auto &S) { return S.second.First.count(V); }))
    return true;
  if (std::optional<Geometric> G = geometricOf(V, *FI.LI))
    return Depth < 4 && hasNames(FI.SE->getSCEV(G->Start), FI, Depth + 1);
  if (!isa<PHINode>(V) && nameOfValue(V) &&
      (!isa<CallBase>(V) || isSameOnEveryInput(V)))
    return true;
  if (Depth >= 4 || !hasFormOfOperands(V, *FI.LI))
    return false;
  auto *I = cast<Instruction>(V); // truth() looks at conditions itself
  return all_of(
      drop_begin(I->operands(), isa<SelectInst>(I)),
      [&](const Use &U) { return hasNames(FI.SE->getSCEV(U), FI, Depth + 1); });
}

/// Whether \p X is a negative 32-bit number in the form in which counts see
/// \p Other: an unsigned value that has dropped below 0.
static bool isWrapped(const Value *X, Value *Other, ScalarEvolution &SE) {
  auto *C = dyn_cast<ConstantInt>(X);
  auto *Low = dyn_cast<SCEVZeroExtendExpr>(SE.getSCEV(Other));
  return C && C->getBitWidth() == 64 &&
         isInt<32>(C->getSExtValue() - (int64_t(1) << 32)) &&
         C->getSExtValue() > INT32_MAX && Low &&
         Low->getOperand()->getType()->isIntegerTy(32);
}

CountRef Formulas::operationCount(Value *V, const Loop *Within,
                                  FunctionInfo &FI, std::string &Why,
                                  const Times *Open) {
  constexpr unsigned Deepest = 4; // each operation may use its operands twice
  if (Operations >= Deepest || !hasFormOfOperands(V, *FI.LI))
    return nullptr;
  SaveAndRestore Deeper(Operations, Operations + 1);
  auto *I = cast<Instruction>(V);
  auto Of = [&](Value *X) {
    return toCount(FI.SE->getSCEV(X), Within, FI, Why, Open);
  };
  if (std::optional<Geometric> G = geometricOf(V, *FI.LI))
    return counterCount(*G, Within, FI, Why, Open);
  if (auto *Choice = dyn_cast<SelectInst>(I)) {
    CountRef Holds =
        truth(Choice->getCondition(), true, Within, FI, Open ? *Open : Times());
    auto Arm = [&](Value *X, Value *Other) {
      return isWrapped(X, Other, *FI.SE)
                 ? countConst(cast<ConstantInt>(X)->getSExtValue() -
                              (int64_t(1) << 32))
                 : Of(X);
    };
    Value *Then = Choice->getTrueValue(), *Else = Choice->getFalseValue();
    CountRef A = Holds ? Arm(Then, Else) : nullptr;
    CountRef B = A ? Arm(Else, Then) : nullptr;
    return B ? countAdd(B, countMul(Holds, countOp("-", {A, B}))) : nullptr;
  }
  if (isa<FreezeInst>(I))
    return Of(I->getOperand(0));
  auto Word = [&](Value *X, bool Signed) {
    return asWord(FI.SE->getSCEV(X), Signed, Within, FI, Why, Open);
  };
  Value *Left = I->getOperand(0);
  const bool Shifts = I->isShift();
  CountRef A = I->getOpcode() == Instruction::Shl
                   ? Of(Left)
                   : Word(Left, I->getOpcode() != Instruction::LShr);
  CountRef B = A ? Word(I->getOperand(1), !Shifts) : nullptr;
  if (!B)
    return nullptr;
  switch (I->getOpcode()) {
  case Instruction::Shl:
    return countMul(A, countOp("pow", {countConst(2), B}));
  case Instruction::AShr:
  case Instruction::LShr:
    return countOp("floordiv", {A, countOp("pow", {countConst(2), B})});
  case Instruction::SDiv:
    if (B->Kind == Count::Const && B->Value < 0)
      return countMul(countConst(-1),
                      quotient(A, countConst(-B->Value),
                               isAtLeast(Left, 0, Within, *FI.SE)));
    if (!isPositive(B)) {
      if (!isAtLeast(I->getOperand(1), 1, Within, *FI.SE))
        return nullptr;
      B = countOp("max", {countConst(1), B});
    }
    return quotient(A, B, isAtLeast(Left, 0, Within, *FI.SE));
  default: { // the sign of a remainder's divisor does not matter
    if (!isPositive(B))
      B = countOp("max", {countConst(1), B, countMul(countConst(-1), B)});
    CountRef Whole = quotient(A, B, isAtLeast(Left, 0, Within, *FI.SE));
    return countOp("-", {A, countMul(B, Whole)});
  }
  }
}

/// \p G in the current iteration of its loop, which is in \p Open.
CountRef Formulas::counterCount(const Geometric &G, const Loop *Within,
                                FunctionInfo &FI, std::string &Why,
                                const Times *Open) {
  if (!Open ||
      none_of(Open->Levels, [&](const Level &V) { return V.L == G.L; })) {
    Why = "varies";
    return nullptr;
  }
  CountRef From = toCount(FI.SE->getSCEV(G.Start), Within, FI, Why, Open);
  if (!From)
    return nullptr;
  CountRef Power = countOp("pow", {countConst(G.By), countIndex(indexOf(G.L))});
  if (G.Rises)
    return countMul(From, Power);
  bool Floors = G.Next->getOpcode() != Instruction::SDiv;
  return quotient(From, Power, Floors || isAtLeast(G.Start, 0, G.L, *FI.SE));
}

namespace {
/// Scale * counter + Plus, or the same with the counter divided by Over.
struct Tested {
  int64_t Scale = 1, Over = 1;
  const SCEV *Plus = nullptr;
};
} // namespace

/// \p S as such an expression of \p G; nullopt: it has another form.
static std::optional<Tested> testedOf(const SCEV *S, const Geometric &G,
                                      ScalarEvolution &SE) {
  while (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(S))
    S = Cast->getOperand();
  Tested T;
  if (auto *U = dyn_cast<SCEVUnknown>(S)) {
    if (U->getValue() == G.Next)
      (G.Rises ? T.Scale : T.Over) = G.By;
    return U->getValue() == G.Phi || U->getValue() == G.Next ? std::optional(T)
                                                             : std::nullopt;
  }
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
    SmallVector<const SCEV *, 4> Fixed;
    std::optional<Tested> Moving;
    for (const SCEV *Op : Sum->operands())
      if (SE.isLoopInvariant(Op, G.L))
        Fixed.push_back(Op);
      else if (Moving)
        return std::nullopt;
      else if (!(Moving = testedOf(Op, G, SE)))
        return std::nullopt;
    if (!Moving || Moving->Plus || Fixed.empty())
      return std::nullopt;
    Moving->Plus = SE.getAddExpr(Fixed);
    return Moving;
  }
  const SCEV *Of = nullptr;
  const SCEVConstant *By = nullptr;
  bool Divides = isa<SCEVUDivExpr>(S);
  if (auto *Product = dyn_cast<SCEVMulExpr>(S);
      Product && Product->getNumOperands() == 2) {
    By = dyn_cast<SCEVConstant>(Product->getOperand(0));
    Of = Product->getOperand(1);
  } else if (auto *D = dyn_cast<SCEVUDivExpr>(S)) {
    By = dyn_cast<SCEVConstant>(D->getRHS());
    Of = D->getLHS();
  }
  if (!By || By->getAPInt().getSignificantBits() > 31 ||
      !By->getAPInt().isStrictlyPositive() || Divides == G.Rises)
    return std::nullopt;
  std::optional<Tested> Inner = testedOf(Of, G, SE);
  if (!Inner || Inner->Plus)
    return std::nullopt;
  (Divides ? Inner->Over : Inner->Scale) *= By->getAPInt().getSExtValue();
  return Inner;
}

/// The trip count of \p L, whose only exit tests at the end of an iteration
/// whether a geometric counter is still below, or above, a bound.
CountRef Formulas::geometricTrips(Loop &L, FunctionInfo &FI,
                                  const Times &Open) {
  BasicBlock *Latch = L.getLoopLatch();
  SmallVector<BasicBlock *, 4> Exiting = Guards.aliveExits(L);
  if (!Latch || Exiting.size() != 1 || Exiting.front() != Latch)
    return nullptr;
  std::optional<ExitTest> Test = exitTestOf(L, *Latch, *FI.SE);
  if (!Test)
    return nullptr;
  const SCEV *A = Test->Moving, *B = Test->Limit;
  CmpInst::Predicate Stay = Test->Stay;
  for (PHINode &P : L.getHeader()->phis()) {
    std::optional<Geometric> G = geometricOf(&P, *FI.LI);
    std::optional<Tested> T =
        G ? testedOf(A, *G, *FI.SE) : std::optional<Tested>();
    if (!T)
      continue;
    // See inductionTrips.
    SmallPtrSet<const Value *, 8> Ends;
    leavesOf(B, Ends);
    if (!G->Rises && any_of(Ends, [&](const Value *V) {
          auto *I = dyn_cast<Instruction>(V);
          return I && L.contains(Loads.home(*I));
        }))
      return nullptr;
    std::string Why;
    CountRef From = toCount(FI.SE->getSCEV(G->Start), &L, FI, Why, &Open);
    CountRef To = From ? toCount(B, &L, FI, Why, &Open) : nullptr;
    CountRef Plus = !To || !T->Plus ? To : toCount(T->Plus, &L, FI, Why, &Open);
    if (!Plus)
      return nullptr;
    // Compilers test both signs at once: s + 1 >= 3, unsigned.
    if (CmpInst::isUnsigned(Stay) &&
        G->Next->getOpcode() == Instruction::SDiv && !isNatural(From) &&
        !isAtLeast(G->Start, 0, &L, *FI.SE)) {
      CountRef Least = countOp("-", {To, Plus});
      if (!T->Plus || CmpInst::isStrictPredicate(Stay) ||
          !sameCount(Least, countAdd(Plus, countConst(1))))
        return nullptr;
      From = countOp("max", {From, countMul(countConst(-1), From)});
    }
    if (T->Plus)
      To = countOp("-", {To, Plus});
    return tripsOfCounter(*G, T->Scale, T->Over, Stay, From, To, FI);
  }
  return nullptr;
}

/// Iterations of the loop of \p G, which starts at \p From and continues while
/// \p Scale * G / \p Over compares with \p To as \p Stay says.
CountRef Formulas::tripsOfCounter(const Geometric &G, int64_t Scale,
                                  int64_t Over, CmpInst::Predicate Stay,
                                  CountRef From, CountRef To,
                                  FunctionInfo &FI) {
  CountRef One = countConst(1), Base = countConst(G.By);
  if (Stay == CmpInst::ICMP_NE) { // != 0 for a decreasing counter
    if (G.Rises || !isConst(To, 0))
      return nullptr;
    if (G.Next->getOpcode() == Instruction::SDiv && !isNatural(From))
      From = countOp("max", {From, countMul(countConst(-1), From)});
    Stay = CmpInst::ICMP_SGT;
  }
  if (Stay == CmpInst::ICMP_SLE || Stay == CmpInst::ICMP_ULE ||
      Stay == CmpInst::ICMP_SGT || Stay == CmpInst::ICMP_UGT)
    To = countAdd(To, One);
  if ((ICmpInst::isLT(Stay) || ICmpInst::isLE(Stay)) != G.Rises)
    return nullptr;
  // The test is for the next iteration's counter, and before the loop for the
  // first one's; so it succeeds once per iteration.
  CountRef Trips;
  bool InFront = isTestedInFront(*const_cast<Loop *>(G.L), FI);
  bool OfNext = (G.Rises ? Scale : Over) % G.By == 0;
  if (G.Rises) {
    // From * By^k * Scale < To. If the loop ends, it starts above 0, or at its
    // end.
    CountRef Least = isPositive(From) ? From : countOp("max", {One, From});
    int64_t By = OfNext ? Scale / G.By : Scale;
    CountRef Times = countOp("ceildiv", {To, countMul(countConst(By), Least)});
    Trips = countOp("ceillog", {Times, Base});
  } else {
    // From / By^k / Over >= To, which is positive.
    if (!isPositive(To))
      To = countOp("max", {One, To});
    CountRef Limit = countMul(To, countConst(OfNext ? Over / G.By : Over));
    if (!OfNext && Limit->Kind == Count::Const && Limit->Value % G.By == 0) {
      Limit = countConst(Limit->Value / G.By);
      OfNext = true;
    }
    CountRef Times = countAdd(countOp("floordiv", {From, Limit}), One);
    Trips = countOp("ceillog", {Times, Base});
  }
  if (!OfNext)
    return InFront ? nullptr : countAdd(Trips, One);
  return InFront ? Trips : countOp("max", {One, Trips});
}

/// Whether a guard prevents \p L from running an iteration whose test fails.
bool Formulas::isTestedInFront(Loop &L, FunctionInfo &FI) {
  const BasicBlock *B = L.getLoopPreheader();
  while (B) {
    auto *Node = FI.DT->getNode(B);
    const BasicBlock *D =
        Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
    if (!D || (L.getParentLoop() && !L.getParentLoop()->contains(D)))
      return false;
    // A preceding loop, entered on the same condition, may be in between.
    if (FI.LI->getLoopFor(D) == L.getParentLoop() &&
        Guards.isGuard(D, B, {&L, nullptr}, FI))
      return true;
    B = D;
  }
  return false;
}

} // namespace evenkeel
