//===- Rings.cpp - indices that wrap around -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//===----------------------------------------------------------------------===//
#include "access/walks/Rings.h"
#include "access/loops/Words.h"
#include "access/walks/EvenSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {
namespace {

/// Replaces the part that wraps around by 0.
class Unroller : public SCEVRewriteVisitor<Unroller> {
  const Loop &X;

  bool moves(const SCEV *S) { return evenSteps(S, X, SE) != nullptr; }

  /// Notes \p N elements of type \p T.
  const SCEV *note(const SCEV *N, Type *T) {
    auto Large = [](const SCEV *S) {
      auto *C = dyn_cast<SCEVConstant>(S);
      return C ? C->getAPInt().getLimitedValue() : UINT64_MAX;
    };
    if (!Elements || Large(N) > Large(Elements))
      Elements = N;
    return SE.getZero(T);
  }
  const SCEV *noteBits(unsigned Bits, Type *T) {
    return note(SE.getConstant(APInt::getOneBitSet(64, Bits)), T);
  }

public:
  const SCEV *Elements = nullptr;

  Unroller(ScalarEvolution &SE, const Loop &X) : SCEVRewriteVisitor(SE), X(X) {}

  const SCEV *visitExtended(const SCEVCastExpr *E) {
    const SCEV *Op = E->getOperand();
    unsigned Bits = SE.getTypeSizeInBits(Op->getType());
    if (auto *Low = dyn_cast<SCEVTruncateExpr>(Op);
        Low && Bits < 32 && moves(Low->getOperand()))
      return noteBits(Bits, E->getType());
    auto *AR = dyn_cast<SCEVAddRecExpr>(Op);
    if (AR && isNarrow(AR->getType()) && AR->getLoop() == &X &&
        !AR->hasNoUnsignedWrap() && !AR->hasNoSignedWrap())
      return noteBits(Bits, E->getType());
    return nullptr;
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    const SCEV *S = visitExtended(E);
    return S ? S : SCEVRewriteVisitor<Unroller>::visitZeroExtendExpr(E);
  }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    const SCEV *S = visitExtended(E);
    return S ? S : SCEVRewriteVisitor<Unroller>::visitSignExtendExpr(E);
  }
  const SCEV *visitAddExpr(const SCEVAddExpr *E) {
    // c * (x - n * (x / n)), expanded.
    const SCEVUDivExpr *Quotient = nullptr;
    SCEVExprContains(E, [&](const SCEV *Part) {
      auto *D = dyn_cast<SCEVUDivExpr>(Part);
      if (D && D->getType() == E->getType() &&
          SE.isLoopInvariant(D->getRHS(), &X) && moves(D->getLHS()))
        Quotient = D;
      return Quotient != nullptr;
    });
    if (const SCEVAddRecExpr *All = Quotient ? evenSteps(E, X, SE) : nullptr) {
      const SCEV *Of = Quotient->getLHS(), *N = Quotient->getRHS();
      auto *By = dyn_cast<SCEVConstant>(All->getStepRecurrence(SE));
      auto *Each =
          dyn_cast<SCEVConstant>(evenSteps(Of, X, SE)->getStepRecurrence(SE));
      if (By && Each && !Each->isZero() &&
          By->getAPInt().srem(Each->getAPInt()) == 0) {
        const SCEV *WholeTurns =
            SE.getMulExpr(SE.getConstant(By->getAPInt().sdiv(Each->getAPInt())),
                          SE.getMinusSCEV(Of, SE.getMulExpr(N, Quotient)));
        const SCEV *Rest = SE.getMinusSCEV(E, WholeTurns);
        if (SE.isLoopInvariant(Rest, &X)) {
          note(N, E->getType());
          return Rest;
        }
      }
    }
    return SCEVRewriteVisitor<Unroller>::visitAddExpr(E);
  }
  const SCEV *visitUnknown(const SCEVUnknown *U) {
    auto *I = dyn_cast<BinaryOperator>(U->getValue());
    if (!I || !X.contains(I) || !moves(SE.getSCEV(I->getOperand(0))))
      return U;
    const SCEV *N = SE.getSCEV(I->getOperand(1));
    if (!SE.isLoopInvariant(N, &X))
      return U;
    if (I->getOpcode() == Instruction::SRem ||
        I->getOpcode() == Instruction::URem)
      return note(N, U->getType());
    if (I->getOpcode() == Instruction::And)
      return note(SE.getAddExpr(N, SE.getOne(N->getType())), U->getType());
    return U;
  }
};

} // namespace

std::optional<Ring> ringOf(const SCEV *S, const Loop &X, ScalarEvolution &SE) {
  Unroller Of(SE, X);
  const SCEV *Rest = Of.visit(S);
  if (!Of.Elements || isa<SCEVCouldNotCompute>(Rest) ||
      !SE.isLoopInvariant(Rest, &X))
    return std::nullopt;
  return Ring{Of.Elements, Rest};
}

} // namespace evenkeel
