//===- ExitTests.cpp - exit tests of loops --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ExitTests.h.
//===----------------------------------------------------------------------===//
#include "access/loops/ExitTests.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace evenkeel {

std::optional<ExitTest> exitTestOf(const Loop &L, const BasicBlock &Exiting,
                                   ScalarEvolution &SE) {
  auto *Br = dyn_cast<BranchInst>(Exiting.getTerminator());
  auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
  if (!Cmp || !Cmp->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  ExitTest T{SE.getSCEV(Cmp->getOperand(0)), SE.getSCEV(Cmp->getOperand(1)),
             L.contains(Br->getSuccessor(0)) ? Cmp->getPredicate()
                                             : Cmp->getInversePredicate()};
  if (SE.isLoopInvariant(T.Moving, &L)) {
    std::swap(T.Moving, T.Limit);
    T.Stay = CmpInst::getSwappedPredicate(T.Stay);
  }
  return SE.isLoopInvariant(T.Limit, &L) ? std::optional(T) : std::nullopt;
}

namespace {
/// The limits of a loop, for each exit and each test of && and ||.
struct Limits {
  const Loop &L;
  ScalarEvolution &SE;
  SmallVector<const SCEV *, 4> Of = {}; // 64-bit, as mathematical integers
  bool Misses = false;                  // a limit may lie before the start
  bool Known = true;

  void add(Value *Condition, bool LeavesIfTrue) {
    using namespace PatternMatch;
    Value *A, *B;
    if (LeavesIfTrue ? match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))
                     : match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))) {
      add(A, LeavesIfTrue);
      add(B, LeavesIfTrue);
      return;
    }
    const SCEV *Count =
        SE.computeExitLimitFromCond(&L, Condition, LeavesIfTrue, false)
            .ExactNotTaken;
    Known &= !isa<SCEVCouldNotCompute>(Count) &&
             SE.getTypeSizeInBits(Count->getType()) <= 64;
    if (!Known)
      return;
    auto *Cmp = dyn_cast<ICmpInst>(Condition);
    const bool Equality = Cmp && Cmp->isEquality();
    // For several tests in one, ScalarEvolution gives a minimum.
    if (auto *Least = dyn_cast<SCEVUMinExpr>(Count); Least && Equality)
      for (const SCEV *Part : Least->operands())
        add(Part, isDifference(Part));
    else
      add(Count, Equality && isDifference(Count));
  }

private:
  /// Whether \p S, the number of iterations from a loop's start to a test, is a
  /// difference that may be negative. n - 1 does not count: it gives n
  /// iterations, which is right for every n from 0 on.
  static bool isDifference(const SCEV *S) {
    if (auto *Sum = dyn_cast<SCEVAddExpr>(S)) {
      auto *By = dyn_cast<SCEVConstant>(Sum->getOperand(0));
      return (By && By->getAPInt().slt(-1)) ||
             any_of(Sum->operands(), isDifference);
    }
    auto *Product = dyn_cast<SCEVMulExpr>(S);
    auto *By =
        Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
    return By && By->getAPInt().isNegative();
  }

  void add(const SCEV *Count, bool MayMiss) {
    Type *Wide = Type::getInt64Ty(SE.getContext());
    if (!MayMiss || SE.isKnownNonNegative(SE.applyLoopGuards(Count, &L))) {
      Of.push_back(SE.getNoopOrZeroExtend(Count, Wide));
      return;
    }
    // A missed limit counts as 2^31 or more iterations, because another test
    // ends the loop before that.
    Misses = true;
    Count = SE.getNoopOrSignExtend(Count, Wide);
    const SCEV *Never = SE.getMulExpr(
        SE.getConstant(APInt(64, -(int64_t(1) << 31), true)), Count);
    Of.push_back(SE.getSMaxExpr(Count, Never));
  }
};
} // namespace

/// \p Count, or the limits of the tests of \p Exiting if one may be missed.
static const SCEV *inNumbers(const SCEV *Count, const Loop &L,
                             ArrayRef<BasicBlock *> Exiting,
                             ScalarEvolution &SE) {
  if (isa<SCEVCouldNotCompute>(Count))
    return Count;
  Limits All{L, SE};
  for (BasicBlock *B : Exiting) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    if (!Br || !Br->isConditional())
      return Count;
    All.add(Br->getCondition(), !L.contains(Br->getSuccessor(0)));
  }
  // The only test of a loop is not missed.
  return All.Known && All.Misses && (All.Of.size() > 1 || !L.getExitingBlock())
             ? SE.getUMinExpr(All.Of)
             : Count;
}

const SCEV *backedgeCountOf(const Loop &L, ScalarEvolution &SE) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return inNumbers(SE.getBackedgeTakenCount(&L), L, Exiting, SE);
}

const SCEV *exitCountOf(const Loop &L, BasicBlock &Exiting,
                        ScalarEvolution &SE) {
  return inNumbers(SE.getExitCount(&L, &Exiting), L, {&Exiting}, SE);
}

} // namespace evenkeel
