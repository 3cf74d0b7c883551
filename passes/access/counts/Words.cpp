//===- Words.cpp - numbers of fewer bits than counts ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what is computed in words of few bits wraps around on inputs
// that programs are run with: a counter of 16 bits, an index cast to 8.
// Makes: the number that such a word holds, as a formula; where it cannot leave
// its range, without a remainder.
// Leaves out: wider words; sizes are taken to fit.
//===----------------------------------------------------------------------===//
#include "access/counts/Words.h"
#include "access/Analyzer.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

bool isNarrow(const Type *T) {
  return T->isIntegerTy() && T->getIntegerBitWidth() < WideBits;
}

bool hasNarrow(const SCEV *S) {
  return SCEVExprContains(
      S, [](const SCEV *Part) { return isNarrow(Part->getType()); });
}

bool isToldSigned(const Value &V) {
  auto *A = dyn_cast<Argument>(&V);
  if (A && (A->hasZExtAttr() || A->hasSExtAttr()))
    return A->hasSExtAttr();
  // What is not below 0 where it is widened may be below 0 elsewhere.
  return none_of(V.users(),
                 [](const User *U) {
                   auto *Z = dyn_cast<ZExtInst>(U);
                   return Z && !Z->hasNonNeg();
                 }) ||
         any_of(V.users(), IsaPred<SExtInst>);
}

bool isWidenedWithoutSign(const SCEV *S, FunctionInfo &FI) {
  if (!FI.Widened) {
    FI.Widened.emplace();
    for (Instruction &I : instructions(*FI.F)) {
      auto *Z = dyn_cast<ZExtInst>(&I);
      auto *To = Z && FI.SE->isSCEVable(Z->getType())
                     ? dyn_cast<SCEVZeroExtendExpr>(FI.SE->getSCEV(Z))
                     : nullptr;
      // Of a word whose last bits are taken, those are what is widened.
      if (To)
        FI.Widened->try_emplace(To, true).first->second &=
            Z->hasNonNeg() && To->getOperand()->getType() == Z->getSrcTy();
    }
  }
  return FI.Widened->lookup(S);
}

const SCEV *withShortConstants(const SCEV *S, unsigned Bits,
                               ScalarEvolution &SE) {
  unsigned Width = SE.getTypeSizeInBits(S->getType());
  if (!S->getType()->isIntegerTy() || Width <= Bits || Width > 64)
    return S;
  auto Of = [&](const SCEV *Op) { return withShortConstants(Op, Bits, SE); };
  switch (S->getSCEVType()) {
  case scConstant:
    return SE.getConstant(
        cast<SCEVConstant>(S)->getAPInt().trunc(Bits).sext(Width));
  case scAddExpr:
  case scMulExpr: {
    SmallVector<const SCEV *, 4> Ops(map_range(S->operands(), Of));
    return isa<SCEVAddExpr>(S) ? SE.getAddExpr(Ops) : SE.getMulExpr(Ops);
  }
  case scUDivExpr: {
    auto *D = cast<SCEVUDivExpr>(S);
    auto *By = dyn_cast<SCEVConstant>(D->getRHS());
    if (!By || !By->getAPInt().isPowerOf2())
      return S;
    return SE.getUDivExpr(
        withShortConstants(D->getLHS(), Bits + By->getAPInt().logBase2(), SE),
        By);
  }
  default:
    return S;
  }
}

/// Whether toCount() of the narrow \p S is what it is with or without a sign.
static bool fits(const SCEV *S, bool Signed, ScalarEvolution &SE) {
  auto All = [&](ArrayRef<const SCEV *> Ops) {
    return all_of(Ops, [&](const SCEV *Op) { return fits(Op, Signed, SE); });
  };
  switch (S->getSCEVType()) {
  case scConstant:
    return Signed || cast<SCEVConstant>(S)->getAPInt().isNonNegative();
  case scUnknown:
    return isToldSigned(*cast<SCEVUnknown>(S)->getValue()) == Signed ||
           SE.isKnownNonNegative(S);
  case scZeroExtend:
    return true;
  case scSignExtend:
    return Signed;
  case scTruncate: {
    const SCEV *From = cast<SCEVCastExpr>(S)->getOperand();
    unsigned Bits = SE.getTypeSizeInBits(S->getType());
    return Signed ? SE.getSignedRange(From).getMinSignedBits() <= Bits
                  : SE.getUnsignedRange(From).getActiveBits() <= Bits &&
                        (!isNarrow(From->getType()) || fits(From, false, SE));
  }
  case scAddRecExpr:
  case scAddExpr:
  case scMulExpr: {
    auto *E = cast<SCEVNAryExpr>(S);
    return (Signed ? E->hasNoSignedWrap() : E->hasNoUnsignedWrap()) &&
           All(E->operands());
  }
  case scSMaxExpr:
  case scSMinExpr:
    return Signed;
  case scUMaxExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
  case scUDivExpr:
    return !Signed;
  default:
    return false;
  }
}

/// \p S as a count, with or without a sign: of narrow words what is left of
/// them.
CountRef Analyzer::asWord(const SCEV *S, bool Signed, const Loop *Within,
                          FunctionInfo &FI, std::string &Why,
                          const Times *Open) {
  CountRef C = toCount(S, Within, FI, Why, Open);
  if (!C || !isNarrow(S->getType()) || fits(S, Signed, *FI.SE))
    return C;
  unsigned Bits = FI.SE->getTypeSizeInBits(S->getType());
  CountRef Range = countConst(int64_t(1) << Bits);
  CountRef Lowest = countConst(Signed ? -(int64_t(1) << (Bits - 1)) : 0);
  C = countOp("-", {C, Lowest});
  return countAdd(countAdd(C, Lowest),
                  countMul(countMul(countConst(-1), Range),
                           countOp("floordiv", {C, Range})));
}

} // namespace evenkeel
