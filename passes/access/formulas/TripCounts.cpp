//===- TripCounts.cpp - formulas for trip counts --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: loops with a trip count in ScalarEvolution, and loops that it rejects
// although start, step and bound are fixed.
//===----------------------------------------------------------------------===//
#include "access/formulas/Formulas.h"
#include "access/loops/ExitTests.h"
#include "access/loops/Words.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// For loops that ScalarEvolution rejects (symbolic step, calls inside): an
/// induction variable with loop-invariant start, step and bound.
CountRef Formulas::inductionTrips(Loop &L, FunctionInfo &FI,
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
  // A decreasing value that must stay below a bound does so until it wraps
  // around, and so does an increasing one that must stay above a bound.
  auto *Product = dyn_cast<SCEVMulExpr>(Step);
  const bool Falls =
      FI.SE->isKnownNonPositive(Step) ||
      (Product && FI.SE->isKnownNegative(Product->getOperand(0)));
  const bool Below = ICmpInst::isLT(Stay) || ICmpInst::isLE(Stay);
  if (Falls ? Below : ICmpInst::isGT(Stay) || ICmpInst::isGE(Stay))
    return nullptr;
  // A value that is never read unless the loop is entered may be undefined,
  // which counts as 0; a decreasing value would then count down to 0.
  SmallPtrSet<const Value *, 8> Ends;
  leavesOf(B, Ends);
  if (Falls && any_of(Ends, [&](const Value *V) {
        auto *I = dyn_cast<Instruction>(V);
        return I && L.contains(Loads.home(*I));
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
  // A loop that only tests at its end runs at least once.
  return L.getLoopLatch() == Exiting && !isTestedInFront(L, FI)
             ? countOp("max", {countConst(1), Trips})
             : Trips;
}

CountRef Formulas::tripCount(Loop &L, FunctionInfo &FI, const Times &Open,
                             std::string &Why, std::string &Assumes) {
  ArrayRef<const SCEV *> Trips = Guards.tripsOf(L, FI);
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

} // namespace evenkeel
