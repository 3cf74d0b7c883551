//===- Words.cpp - numbers narrower than counts ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Words.h. Computations in narrow words wrap around on realistic inputs: a
// 16-bit counter, an index cast to 8 bits.
//===----------------------------------------------------------------------===//
#include "access/loops/Words.h"
#include "access/loops/FunctionInfo.h"
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

bool isRecordedSigned(const Value &V) {
  auto *A = dyn_cast<Argument>(&V);
  if (A && (A->hasZExtAttr() || A->hasSExtAttr()))
    return A->hasSExtAttr();
  // A value that is not negative where it is widened may be negative elsewhere.
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
      // If a word is truncated, the truncated bits are the ones widened.
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

} // namespace evenkeel
