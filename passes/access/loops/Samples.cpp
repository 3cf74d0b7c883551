//===- Samples.cpp - evaluate expressions on random inputs ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to evaluate ScalarEvolution's expressions.
// Makes: values of them for pseudo-random inputs, the same in each run.
//===----------------------------------------------------------------------===//
#include "access/loops/Samples.h"
#include "access/loops/Words.h"
#include "unit/Distances.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace evenkeel {

int64_t Sample::at(const Value *V) {
  auto [It, New] = Values.try_emplace(V);
  if (!New)
    return It->second;
  // Elements are no larger than the distance between pointers.
  It->second = V->getType()->isPointerTy() ? 4096 * draw(0, 6) : draw(-2, 9);
  if (V->getType()->isIntegerTy() && !Near.empty() && draw(0, 3) == 0)
    It->second += Near[draw(0, int64_t(Near.size()) - 1)];
  if (Wraps && V->getType()->isIntegerTy()) {
    int64_t Often = draw(0, 7);
    if (Often < 3)
      It->second += int64_t(1) << (Often ? 8 * Often : 7);
    else if (Often == 3) // for remainders of very negative numbers
      It->second -= draw(0, 40);
  }
  return It->second;
}

std::optional<int64_t> Sample::asWord(const SCEV *S, bool Signed) {
  std::optional<int64_t> V = of(S);
  if (!V || !isNarrow(S->getType()))
    return V;
  unsigned Bits = S->getType()->getIntegerBitWidth();
  APInt Word = APInt(64, uint64_t(*V)).trunc(Bits);
  return Signed ? Word.getSExtValue() : int64_t(Word.getZExtValue());
}

std::optional<int64_t> Sample::of(const SCEV *S) {
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &V = cast<SCEVConstant>(S)->getAPInt();
    if (V.getSignificantBits() > 62)
      return std::nullopt;
    return V.getSExtValue();
  }
  case scUnknown: {
    const Value *V = cast<SCEVUnknown>(S)->getValue();
    if (std::optional<Distance> D = distanceOf(V)) {
      int64_t Elements = (at(D->To) - at(D->From)) / D->Size;
      Undefined |= Elements < 0;
      return Elements;
    }
    return at(V);
  }
  case scTruncate:
  case scPtrToInt:
    return of(cast<SCEVCastExpr>(S)->getOperand());
  case scZeroExtend:
  case scSignExtend:
    return asWord(cast<SCEVCastExpr>(S)->getOperand(),
                  isa<SCEVSignExtendExpr>(S));
  case scUDivExpr: {
    auto *D = cast<SCEVUDivExpr>(S);
    auto A = asWord(D->getLHS(), false), B = asWord(D->getRHS(), false);
    if (!A || !B)
      return std::nullopt;
    if (*B <= 0) {
      Undefined = true;
      return 0;
    }
    return *A < 0 ? (*A - *B + 1) / *B : *A / *B;
  }
  case scAddRecExpr: {
    auto *AR = cast<SCEVAddRecExpr>(S);
    auto [It, New] = Iterations.try_emplace(AR->getLoop());
    if (New)
      It->second = draw(0, 6);
    int64_t Iteration = It->second, Choose = 1, Sum = 0;
    for (unsigned K = 0; K < AR->getNumOperands(); ++K) {
      auto Part = of(AR->getOperand(K));
      if (!Part)
        return std::nullopt;
      int64_t Product; // with the iteration number over K
      if (MulOverflow(*Part, Choose, Product) ||
          AddOverflow(Sum, Product, Sum) ||
          MulOverflow(Choose, Iteration - int64_t(K), Choose))
        return std::nullopt;
      Choose /= int64_t(K + 1);
    }
    return Sum;
  }
  case scAddExpr:
  case scMulExpr:
  case scSMaxExpr:
  case scUMaxExpr:
  case scSMinExpr:
  case scUMinExpr:
  case scSequentialUMinExpr: {
    std::optional<int64_t> Out;
    for (const SCEV *Op : cast<SCEVNAryExpr>(S)->operands()) {
      auto V = isa<SCEVAddExpr, SCEVMulExpr>(S)
                   ? of(Op)
                   : asWord(Op, isa<SCEVSMaxExpr, SCEVSMinExpr>(S));
      if (!V)
        return std::nullopt;
      switch (S->getSCEVType()) {
      case scAddExpr:
        if (AddOverflow(Out.value_or(0), *V, *V))
          return std::nullopt;
        Out = V;
        break;
      case scMulExpr:
        if (MulOverflow(Out.value_or(1), *V, *V))
          return std::nullopt;
        Out = V;
        break;
      case scSMaxExpr:
      case scUMaxExpr:
        Out = Out ? std::max(*Out, *V) : *V;
        break;
      default:
        Out = Out ? std::min(*Out, *V) : *V;
      }
    }
    return Out;
  }
  default:
    return std::nullopt;
  }
}

/// If one of the two is an input that has no value yet, sets it to the value of
/// the other.
void Sample::equate(const SCEV *A, const SCEV *B) {
  for (auto [One, Other] : {std::pair(A, B), std::pair(B, A)}) {
    auto *Free = dyn_cast<SCEVUnknown>(One);
    if (!Free || distanceOf(Free->getValue()) ||
        SCEVExprContains(Other, [&](const SCEV *Part) { return Part == Free; }))
      continue;
    if (std::optional<int64_t> V = of(Other)) {
      Values.try_emplace(Free->getValue(), *V);
      return;
    }
  }
}

std::optional<std::pair<int64_t, int64_t>>
Sample::sidesOf(const ICmpInst &Cmp, const SCEV *L, const SCEV *R) {
  if (Equates && Cmp.isEquality())
    equate(L, R);
  auto X = asWord(L, Cmp.isSigned()), Y = asWord(R, Cmp.isSigned());
  if (!X || !Y)
    return std::nullopt;
  return std::pair(*X, *Y);
}

bool Sample::isNone(const SCEV *S) {
  while (auto *Cast = dyn_cast<SCEVCastExpr>(S)) {
    if (isNarrow(Cast->getOperand()->getType()))
      break;
    S = Cast->getOperand();
  }
  auto *Product = dyn_cast<SCEVMulExpr>(S);
  auto *Sign =
      Product ? dyn_cast<SCEVConstant>(Product->getOperand(0)) : nullptr;
  // It is not known which factor is negative.
  if (Product && !(Sign && Sign->getAPInt().isNegative()))
    return any_of(Product->operands(),
                  [&](const SCEV *Factor) { return isNone(Factor); });
  std::optional<int64_t> V = of(S);
  return V && *V <= 0;
}

SmallVector<int64_t, 8> constantsOf(ArrayRef<const SCEV *> Of) {
  constexpr unsigned MostBits = 24; // products of several inputs still fit in a
                                    // word
  SmallVector<int64_t, 8> Out;
  for (const SCEV *S : Of)
    SCEVExprContains(S, [&](const SCEV *Part) {
      auto *C = dyn_cast<SCEVConstant>(Part);
      if (C && C->getAPInt().getSignificantBits() <= MostBits) {
        int64_t V = C->getAPInt().getSExtValue();
        for (int64_t Sign : {V, -V})
          if (!is_contained(Out, Sign))
            Out.push_back(Sign);
      }
      return false;
    });
  return Out;
}

/// Whether \p A and \p B are equal whenever \p L compares with \p R.
bool agree(const SCEV *A, const SCEV *B, const SCEV *L, const SCEV *R,
           const ICmpInst &Cmp, bool Sense) {
  const SmallVector<int64_t, 8> Near = constantsOf({A, B, L, R});
  for (uint64_t Seed = 1; Seed <= 256; ++Seed) {
    Sample S(Seed);
    S.Near = Near;
    S.Wraps = hasNarrow(A) || hasNarrow(B) || hasNarrow(L) || hasNarrow(R);
    auto Sides = S.sidesOf(Cmp, L, R);
    auto T = S.of(A), U = S.of(B);
    if (!Sides || !T || !U)
      return false;
    if (!S.Undefined &&
        ICmpInst::compare(APInt(64, Sides->first, true),
                          APInt(64, Sides->second, true),
                          Cmp.getPredicate()) == Sense &&
        *T != *U)
      return false;
  }
  return true;
}

} // namespace evenkeel
