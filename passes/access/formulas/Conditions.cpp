//===- Conditions.cpp - conditions as formulas ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: comparisons of values that formulas can express (sizes, fields,
// iteration numbers of enclosing loops), and the results of and, or and not.
// Makes: a count that is 1 if such a condition holds, else 0, so that code
// under the condition needs no measurement.
// Not here: conditions on data or floating-point values; conditions for which
// nested sums would be added term by term (a measured number costs less);
// switches.
//===----------------------------------------------------------------------===//
#include "access/counts/CountTerms.h"
#include "access/formulas/Formulas.h"
#include "access/loops/Words.h"
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

/// \p X minus some multiple of \p M, with factors of at most half of \p M.
static CountRef leastTimes(const CountRef &X, int64_t M) {
  std::vector<Term> Parts;
  terms(X, 1, Parts);
  for (Term &T : Parts) {
    if (T.Atoms.empty())
      continue;
    T.Coefficient = (T.Coefficient % M + M) % M;
    if (2 * T.Coefficient > M)
      T.Coefficient -= M;
  }
  return fromTerms(Parts);
}

/// \p D is the remainder of a division minus the number it is compared with.
/// Returns 1 if they are equal, else 0; null: \p D has another form. For
/// integers, floor(x / m) exceeds floor((x - 1) / m) only if m divides x.
static CountRef divides(const CountRef &D) {
  if (D->Kind != Count::Op || D->Name != "+")
    return nullptr;
  for (const CountRef &Part : D->Args) {
    // -m * floordiv(x, m), or its negation
    CountRef Quotient, Factor = countConst(1);
    for (const CountRef &A : Part->Kind == Count::Op && Part->Name == "*"
                                 ? Part->Args
                                 : std::vector<CountRef>{Part})
      if (!Quotient && A->Kind == Count::Op && A->Name == "floordiv")
        Quotient = A;
      else
        Factor = countMul(Factor, A);
    if (!Quotient || !isPositive(Quotient->Args[1]))
      continue;
    CountRef X = Quotient->Args[0], M = Quotient->Args[1];
    bool Less = sameCount(Factor, countMul(countConst(-1), M));
    if (!Less && !sameCount(Factor, M))
      continue;
    CountRef Rest =
        minus(minus(D, Part), Less ? X : countMul(countConst(-1), X));
    CountRef With = Less ? countMul(countConst(-1), Rest) : Rest;
    if (With->Kind != Count::Const ||
        (M->Kind != Count::Const && With->Value != 0))
      continue;
    if (With->Value < 0 || (M->Kind == Count::Const && With->Value >= M->Value))
      return countConst(0);
    // Adding multiples of the divisor changes nothing: choose the shortest
    // form.
    if (M->Kind == Count::Const)
      X = leastTimes(X, M->Value);
    CountRef Over = minus(X, With);
    return minus(countOp("floordiv", {Over, M}),
                 countOp("floordiv", {minus(Over, countConst(1)), M}));
  }
  return nullptr;
}

/// 1 if \p A equals \p B, else 0.
static CountRef equal(const CountRef &A, const CountRef &B) {
  CountRef Up = minus(A, B), Down = minus(B, A);
  if (CountRef C = divides(Up))
    return C;
  if (!hasFreeIndex(Up))
    return nullptr;
  return countMul(countTruth(countAdd(Up, countConst(1))),
                  countTruth(countAdd(Down, countConst(1))));
}

/// 1 if \p A differs from \p B, else 0.
static CountRef different(const CountRef &A, const CountRef &B) {
  CountRef Up = minus(A, B), Down = minus(B, A);
  if (CountRef C = divides(Up))
    return opposite(C);
  if (hasFreeIndex(Up))
    return countAdd(countTruth(Up), countTruth(Down));
  return countOp("min", {countConst(1), isNatural(Up) ? Up
                                        : isNatural(Down)
                                            ? Down
                                            : countOp("max", {Up, Down})});
}

/// 1 if both are 1.
static CountRef both(const CountRef &A, const CountRef &B) {
  return sameCount(A, B) ? A : countMul(A, B);
}

/// 1 if at least one is 1. Uses products, because sums decompose products but
/// not maxima.
static CountRef either(const CountRef &A, const CountRef &B) {
  if (!hasFreeIndex(A) && !hasFreeIndex(B))
    return countOp("max", {A, B});
  return opposite(countMul(opposite(A), opposite(B)));
}

/// 1 if \p L compares with \p R as \p P says, else 0; null: not known. Opposite
/// relations give results that add up to 1. The expressions \p Known are not
/// negative.
CountRef Formulas::holds(CmpInst::Predicate P, const CountRef &L,
                         const CountRef &R, ArrayRef<CountRef> Known) {
  if (P == CmpInst::ICMP_EQ)
    if (CountRef C = equal(L, R))
      return C;
  if ((P == CmpInst::ICMP_SLE || P == CmpInst::ICMP_SGE) &&
      (hasFreeIndex(L) || hasFreeIndex(R)))
    return countTruth(countAdd(
        P == CmpInst::ICMP_SLE ? minus(R, L) : minus(L, R), countConst(1)));
  if (P == CmpInst::ICMP_EQ || CmpInst::isNonStrictPredicate(P)) {
    CountRef Not = holds(CmpInst::getInversePredicate(P), L, R, Known);
    return Not ? opposite(Not) : nullptr;
  }
  if (P == CmpInst::ICMP_NE)
    return different(L, R);
  if (P == CmpInst::ICMP_SGT || P == CmpInst::ICMP_UGT)
    return holds(CmpInst::getSwappedPredicate(P), R, L, Known);
  CountRef Less = countTruth(minus(R, L));
  if (P == CmpInst::ICMP_SLT)
    return Less;
  // Compilers write 0 <= i && i < n like this: negative numbers wrap around.
  if (neverNegative(R, Known))
    return neverNegative(L, Known)
               ? Less
               : both(Less, countTruth(countAdd(L, countConst(1))));
  return neverNegative(L, Known)
             ? either(Less, countTruth(minus(countConst(0), R)))
             : nullptr;
}

/// Handles x % 8 == 5, which compilers turn into one test of the last bits and
/// the sign; null: another form.
CountRef Formulas::truthOfBits(const ICmpInst &Cmp, bool Sense,
                               const Loop *Within, FunctionInfo &FI,
                               const Times &Open) {
  using namespace PatternMatch;
  Value *X;
  const APInt *Mask, *Bits;
  if (!Cmp.isEquality() ||
      !match(Cmp.getOperand(0), m_And(m_Value(X), m_APInt(Mask))) ||
      !match(Cmp.getOperand(1), m_APInt(Bits)) || !Mask->isNegative())
    return nullptr;
  APInt Last = *Mask, Rest = *Bits;
  Last.clearSignBit();
  Rest.clearSignBit();
  const SCEV *S = FI.SE->getSCEV(X);
  std::string Why;
  if (!Last.isMask() || Rest.isZero() || !hasNames(S, FI))
    return nullptr;
  CountRef C = toCount(S, Within, FI, Why, &Open);
  if (!C)
    return nullptr;
  CountRef By = countConst(int64_t(1) << Last.popcount());
  CountRef Left = minus(C, countMul(By, countOp("floordiv", {C, By})));
  CountRef Same = equal(Left, countConst(Rest.getSExtValue()));
  if (!Same)
    return nullptr;
  if (Bits->isNegative())
    Same = both(Same, countTruth(countMul(countConst(-1), C)));
  else if (!isNatural(C))
    Same = both(Same, countTruth(countAdd(C, countConst(1))));
  return (Cmp.getPredicate() == CmpInst::ICMP_EQ) == Sense ? Same
                                                           : opposite(Same);
}

/// Brings the two sides of a test for equality, the second a constant, into the
/// form in which counts represent words: in n << 24 only the last bits of n
/// matter, and a 32-bit word above 2^31 is negative.
static void matchWords(const SCEV *(&Sides)[2], ScalarEvolution &SE) {
  auto *C = dyn_cast<SCEVConstant>(Sides[1]);
  unsigned Width = SE.getTypeSizeInBits(Sides[0]->getType());
  if (!C)
    return;
  const APInt &V = C->getAPInt();
  if (auto *Cast = dyn_cast<SCEVZeroExtendExpr>(Sides[0])) {
    Type *From = Cast->getOperand()->getType();
    unsigned Bits = SE.getTypeSizeInBits(From);
    if (!isNarrow(From) && V.getActiveBits() <= Bits)
      Sides[1] = SE.getConstant(V.trunc(Bits).sext(Width));
    return;
  }
  auto *Product = dyn_cast<SCEVMulExpr>(Sides[0]);
  auto *By = Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  if (!By || !By->getAPInt().isPowerOf2() || Product->hasNoSignedWrap() ||
      Product->hasNoUnsignedWrap())
    return;
  unsigned Lost = By->getAPInt().logBase2();
  if (Width - Lost >= WideBits || V.countr_zero() < Lost)
    return;
  SmallVector<const SCEV *, 4> Rest(drop_begin(Product->operands()));
  Type *Left = IntegerType::get(SE.getContext(), Width - Lost);
  Sides[0] = SE.getTruncateExpr(SE.getMulExpr(Rest), Left);
  Sides[1] = SE.getConstant(V.lshr(Lost).trunc(Width - Lost));
}

/// 1 if \p Cond, used in \p Within, is \p Sense, else 0; null: formulas cannot
/// express it.
CountRef Formulas::truth(const Value *Cond, bool Sense, const Loop *Within,
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
    if (!Y || And == Sense)
      return Y ? both(X, Y) : nullptr;
    if (!hasFreeIndex(X) && !hasFreeIndex(Y))
      return countOp("max", {X, Y});
    // The opposite condition is shorter than 1 minus this one.
    CountRef NotX = truth(A, !Sense, Within, FI, Open, Depth + 1);
    CountRef NotY = NotX ? truth(B, !Sense, Within, FI, Open, Depth + 1) : NotX;
    return NotY ? opposite(countMul(NotX, NotY)) : nullptr;
  }
  auto *Cmp = dyn_cast<ICmpInst>(Cond);
  if (!Cmp || !Cmp->getOperand(0)->getType()->isIntegerTy() ||
      Cmp->getOperand(0)->getType()->isIntegerTy(1))
    return nullptr;
  if (CountRef C = truthOfBits(*Cmp, Sense, Within, FI, Open))
    return C;
  CountRef Sides[2];
  const SCEV *Words[2] = {FI.SE->getSCEV(Cmp->getOperand(0)),
                          FI.SE->getSCEV(Cmp->getOperand(1))};
  if (Cmp->isEquality())
    matchWords(Words, *FI.SE);
  for (unsigned K : {0u, 1u}) {
    if (!hasNames(Words[K], FI))
      return nullptr;
    std::string Why;
    Sides[K] = asWord(Words[K], Cmp->isSigned(), Within, FI, Why, &Open);
    if (!Sides[K])
      return nullptr;
  }
  return holds(Sense ? Cmp->getPredicate() : Cmp->getInversePredicate(),
               Sides[0], Sides[1], knownIn(Open.Levels));
}

} // namespace evenkeel
