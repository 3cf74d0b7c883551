//===- Conditions.cpp - conditions as formulas ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: comparisons of what formulas can name (sizes, fields, rounds of loops
// around), and what and, or and not make of them.
// Makes: 1 where such a condition holds, else 0, as a count; so that what lies
// behind it needs no measuring.
// Leaves out: data, floating point, remainders of rounds (summed up round by
// round they cost more than a measured number says), switches.
//===----------------------------------------------------------------------===//
#include "Names.h"
#include "access/Analyzer.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace evenkeel {

static CountRef minus(const CountRef &A, const CountRef &B) {
  return countOp("-", {A, B});
}

static CountRef opposite(const CountRef &Truth) {
  return minus(countConst(1), Truth);
}

/// Not below 0 whatever symbols are: flags and offsets may be.
static bool isNatural(const CountRef &C) {
  if (C->Kind == Count::Const)
    return C->Value >= 0;
  if (C->Kind == Count::Op && C->Name == "max")
    return any_of(C->Args, isNatural);
  if (C->Kind == Count::Op && (C->Name == "+" || C->Name == "*"))
    return all_of(C->Args, isNatural);
  return C->Kind == Count::Index;
}

/// 1 where \p C is above 0, else 0.
static CountRef positive(const CountRef &C) {
  return countOp(
      "min",
      {countConst(1), isNatural(C) ? C : countOp("max", {countConst(0), C})});
}

/// 1 where \p A is not \p B, else 0.
static CountRef different(const CountRef &A, const CountRef &B) {
  CountRef Up = minus(A, B), Down = minus(B, A);
  return countOp("min", {countConst(1), isNatural(Up) ? Up
                                        : isNatural(Down)
                                            ? Down
                                            : countOp("max", {Up, Down})});
}

/// What divides by a round of a loop cannot be summed up at once.
static bool dividesRounds(const CountRef &C) {
  if (C->Kind != Count::Op)
    return false;
  if ((C->Name == "floordiv" || C->Name == "ceildiv") && hasFreeIndex(C))
    return true;
  return any_of(C->Args, dividesRounds);
}

static void loopsOf(const CountRef &C, std::set<uint64_t> &Out) {
  if (C->Kind == Count::Index)
    Out.insert(C->Sym);
  for (const CountRef &A : C->Args)
    loopsOf(A, Out);
}

/// Whether what holds in rounds of one loop is another factor than what holds
/// in those of another: rounds of two loops at once are added up one by one.
static bool isQuicklySummed(const CountRef &C) {
  if (C->Kind == Count::Op && C->Name == "*")
    return all_of(C->Args, isQuicklySummed);
  std::set<uint64_t> Loops;
  loopsOf(C, Loops);
  return Loops.size() <= 1;
}

static bool hasFactor(const CountRef &C, const CountRef &Factor) {
  return sameCount(C, Factor) || (C->Kind == Count::Op && C->Name == "*" &&
                                  any_of(C->Args, [&](const CountRef &A) {
                                    return sameCount(A, Factor);
                                  }));
}

/// 1 where both are.
static CountRef both(const CountRef &A, const CountRef &B) {
  std::set<uint64_t> Of[2];
  loopsOf(A, Of[0]);
  loopsOf(B, Of[1]);
  bool Apart = none_of(Of[0], [&](uint64_t L) { return Of[1].count(L); });
  return Apart ? countMul(A, B) : countOp("min", {A, B});
}

/// 1 where \p L is as \p P says to \p R, else 0; null: cannot be told. One of a
/// relation and its opposite is 1 less the other, so that both add up to 1.
static CountRef holds(CmpInst::Predicate P, const CountRef &L,
                      const CountRef &R) {
  if (P == CmpInst::ICMP_EQ || CmpInst::isNonStrictPredicate(P)) {
    CountRef Not = holds(CmpInst::getInversePredicate(P), L, R);
    return Not ? opposite(Not) : nullptr;
  }
  if (P == CmpInst::ICMP_NE)
    return different(L, R);
  if (P == CmpInst::ICMP_SGT || P == CmpInst::ICMP_UGT)
    return holds(CmpInst::getSwappedPredicate(P), R, L);
  CountRef Less = positive(minus(R, L));
  if (P == CmpInst::ICMP_SLT)
    return Less;
  // Compilers write 0 <= i && i < n like that: what is below 0 wraps around.
  if (neverNegative(R))
    return neverNegative(L)
               ? Less
               : countOp("min",
                         {Less, opposite(positive(minus(countConst(0), L)))});
  return neverNegative(L)
             ? countOp("max", {Less, positive(minus(countConst(0), R))})
             : nullptr;
}

/// 1 where \p Cond, found in \p Within, is \p Sense, else 0; null: it is no
/// matter of what formulas name.
CountRef Analyzer::truth(const Value *Cond, bool Sense, const Loop *Within,
                         FunctionInfo &FI, const Times &Open, unsigned Depth) {
  using namespace PatternMatch;
  const Value *A, *B;
  if (Depth > 4)
    return nullptr;
  if (match(Cond, m_Not(m_Value(A))))
    return truth(A, !Sense, Within, FI, Open, Depth + 1);
  bool And = match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (And || match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))) {
    CountRef X = truth(A, Sense, Within, FI, Open, Depth + 1);
    CountRef Y = X ? truth(B, Sense, Within, FI, Open, Depth + 1) : nullptr;
    return !Y ? nullptr : And == Sense ? both(X, Y) : countOp("max", {X, Y});
  }
  auto *Cmp = dyn_cast<ICmpInst>(Cond);
  if (!Cmp || !Cmp->getOperand(0)->getType()->isIntegerTy() ||
      Cmp->getOperand(0)->getType()->isIntegerTy(1))
    return nullptr;
  CountRef Sides[2];
  for (unsigned K : {0u, 1u}) {
    const SCEV *S = FI.SE->getSCEV(Cmp->getOperand(K));
    SmallPtrSet<const Value *, 8> Leaves;
    leavesOf(S, Leaves);
    if (any_of(Leaves, [&](const Value *V) {
          if (any_of(FI.Shared,
                     [&](const auto &S) { return S.second.First.count(V); }))
            return false;
          return isa<PHINode>(V) || !nameOfValue(const_cast<Value *>(V)) ||
                 (isa<CallBase>(V) && !isSameOnEveryInput(V));
        }))
      return nullptr;
    std::string Why;
    Sides[K] = toCount(S, Within, FI, Why, &Open);
    if (!Sides[K])
      return nullptr;
  }
  return holds(Sense ? Cmp->getPredicate() : Cmp->getInversePredicate(),
               Sides[0], Sides[1]);
}

/// How often \p B runs, where the branch above it that decides on that asks for
/// what formulas can name.
std::optional<Times> Analyzer::behindCondition(const BasicBlock *B, Below Under,
                                               FunctionInfo &FI) {
  auto *Node = FI.DT->getNode(B);
  const BasicBlock *D =
      Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  auto *Br = D ? dyn_cast<BranchInst>(D->getTerminator()) : nullptr;
  const Loop *L = FI.LI->getLoopFor(B);
  if (!Br || !Br->isConditional() || FI.LI->getLoopFor(D) != L)
    return std::nullopt;
  for (unsigned K : {0u, 1u}) {
    const BasicBlock *S = Br->getSuccessor(K);
    if (!FI.DT->dominates(BasicBlockEdge(D, S), B) || !FI.PDT->dominates(B, S))
      continue;
    Times T = executions(D, Under, FI);
    CountRef Holds = truth(Br->getCondition(), K == 0, L, FI, T);
    if (!Holds || dividesRounds(Holds) || !isQuicklySummed(Holds))
      return std::nullopt;
    std::set<uint64_t> Loops;
    loopsOf(Holds, Loops);
    if (T.Absolute && !Loops.empty())
      return std::nullopt;
    if (Loops.empty())
      T.C = hasFactor(T.C, Holds) ? T.C : countMul(T.C, Holds);
    else
      T.Levels.push_back({nullptr, Holds});
    T.Conditional |= !belongsToCondition(B, FI);
    return T;
  }
  return std::nullopt;
}

} // namespace evenkeel
