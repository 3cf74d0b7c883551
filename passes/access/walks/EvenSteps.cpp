//===- EvenSteps.cpp - walks with mostly constant steps -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//===----------------------------------------------------------------------===//
#include "access/walks/EvenSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {
namespace {

class EvenVisitor : public SCEVRewriteVisitor<EvenVisitor> {
  const Loop &L;
  const unsigned Depth; // of values that are no expressions
  const ReadAgain Again;

  /// \p S if it advances by a constant step.
  const SCEVAddRecExpr *even(const SCEV *S) const {
    auto *A = dyn_cast<SCEVAddRecExpr>(S);
    return A && A->getLoop() == &L && A->isAffine() ? A : nullptr;
  }
  const SCEV *steps(const SCEV *Start, const SCEV *Step) {
    return SE.getAddRecExpr(Start, Step, &L, SCEV::FlagAnyWrap);
  }
  const SCEV *widen(const SCEV *Op, Type *T, bool Signed) {
    if (auto *A = even(Op))
      return steps(Signed ? SE.getSignExtendExpr(A->getStart(), T)
                          : SE.getZeroExtendExpr(A->getStart(), T),
                   SE.getSignExtendExpr(A->getStepRecurrence(SE), T));
    return Signed ? SE.getSignExtendExpr(Op, T) : SE.getZeroExtendExpr(Op, T);
  }
  /// One of several values that advance alike, or do not move.
  const SCEV *choose(ArrayRef<const SCEV *> Choices) {
    const SCEVAddRecExpr *One = nullptr;
    for (const SCEV *S : Choices) {
      const SCEVAddRecExpr *A = even(S);
      if (!A && !SE.isLoopInvariant(S, &L))
        return nullptr;
      if (A && One && A->getStepRecurrence(SE) != One->getStepRecurrence(SE))
        return nullptr;
      One = A ? A : One;
    }
    return One;
  }

  /// \p X / \p N. A step below one becomes a step every few iterations.
  const SCEV *quotient(const SCEV *X, const SCEV *N, const SCEV *Else) {
    auto *A = even(X);
    if (!A || !SE.isLoopInvariant(N, &L))
      return Else;
    const SCEV *Step = A->getStepRecurrence(SE);
    return steps(
        SE.getUDivExpr(A->getStart(), N),
        SE.getUMaxExpr(SE.getOne(Step->getType()), SE.getUDivExpr(Step, N)));
  }
  /// The divisor, if \p V is a linear expression divided by it.
  const SCEV *divisor(const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return nullptr;
    switch (I->getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv:
      break;
    case Instruction::AShr:
    case Instruction::LShr:
      if (auto *C = dyn_cast<ConstantInt>(I->getOperand(1));
          C && C->getValue().ult(C->getBitWidth() - 1))
        return SE.getConstant(
            APInt::getOneBitSet(C->getBitWidth(), C->getZExtValue()));
      return nullptr;
    default:
      return nullptr;
    }
    const SCEV *N = SE.getSCEV(I->getOperand(1));
    return SE.isLoopInvariant(N, &L) ? N : nullptr;
  }
  /// Whether a factor of \p S is a quotient: mostly it does not move.
  bool isSlow(const SCEV *S) {
    if (auto *C = dyn_cast<SCEVCastExpr>(S))
      return isSlow(C->getOperand());
    if (auto *M = dyn_cast<SCEVMulExpr>(S))
      return any_of(M->operands(), [&](const SCEV *F) { return isSlow(F); });
    if (auto *A = dyn_cast<SCEVAddExpr>(S)) { // D + 1, D * n + E
      auto Slow = [&](const SCEV *T) { return isSlow(T); };
      return any_of(A->operands(), Slow) &&
             all_of(A->operands(), [&](const SCEV *T) {
               return SE.isLoopInvariant(T, &L) || Slow(T);
             });
    }
    // The numerator must be linear: i * (i + 1) / 2 is not slow.
    auto Even = [&](const SCEV *X) {
      return SE.isLoopInvariant(X, &L) || even(X);
    };
    if (auto *D = dyn_cast<SCEVUDivExpr>(S))
      return SE.isLoopInvariant(D->getRHS(), &L) && Even(visit(D->getLHS()));
    auto *U = dyn_cast<SCEVUnknown>(S);
    if (!U || Depth > 3 || !divisor(U->getValue()))
      return false;
    Value *X = cast<Instruction>(U->getValue())->getOperand(0);
    return Even(EvenVisitor(SE, L, Depth + 1, Again).visit(SE.getSCEV(X)));
  }
  /// Whether \p S is a choice between a few constant values: i == 0 ? 0 : -1.
  bool isChoice(const SCEV *S) const {
    auto Stays = [&](const SCEV *T) { return SE.isLoopInvariant(T, &L); };
    auto Choice = [&](const SCEV *T) { return isChoice(T); };
    if (isa<SCEVAddExpr, SCEVMulExpr>(S))
      return any_of(S->operands(), Choice) &&
             all_of(S->operands(),
                    [&](const SCEV *T) { return Stays(T) || isChoice(T); });
    if (isa<SCEVCastExpr>(S))
      return isChoice(S->operands()[0]);
    auto *U = dyn_cast<SCEVUnknown>(S);
    auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    if (!I || !L.contains(I) || !I->getType()->isIntegerTy())
      return false;
    if (I->getType()->isIntegerTy(1))
      return true;
    if (!isa<SelectInst>(I) &&
        !(isa<PHINode>(I) && I->getParent() != L.getHeader()))
      return false;
    return all_of(drop_begin(I->operands(), isa<SelectInst>(I)),
                  [&](const Use &V) { return Stays(SE.getSCEV(V)); });
  }

public:
  EvenVisitor(ScalarEvolution &SE, const Loop &L, unsigned Depth,
              ReadAgain Again)
      : SCEVRewriteVisitor(SE), L(L), Depth(Depth), Again(Again) {}

  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    // A mask: the low bits, extended to the same width.
    if (auto *Low = dyn_cast<SCEVTruncateExpr>(E->getOperand()))
      if (Low->getOperand()->getType() == E->getType())
        if (const SCEV *Op = visit(Low->getOperand()); even(Op))
          return Op;
    return widen(visit(E->getOperand()), E->getType(), /*Signed=*/false);
  }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *E) {
    return widen(visit(E->getOperand()), E->getType(), /*Signed=*/true);
  }
  const SCEV *visitAddExpr(const SCEVAddExpr *E) {
    // Quotients step rarely, and all other terms step in between; so a
    // remainder, X - X / N * N, moves like X. Choices rarely change:
    // neighbours, except at the border.
    SmallVector<const SCEV *, 4> Ops;
    for (const SCEV *Op : E->operands())
      if (!isSlow(Op) && !isChoice(Op))
        Ops.push_back(visit(Op));
    if (Ops.empty())
      return SCEVRewriteVisitor<EvenVisitor>::visitAddExpr(E);
    const SCEV *Rest = SE.getAddExpr(Ops);
    return Ops.size() == E->getNumOperands() || even(Rest)
               ? Rest
               : SCEVRewriteVisitor<EvenVisitor>::visitAddExpr(E);
  }
  const SCEV *visitUDivExpr(const SCEVUDivExpr *E) {
    const SCEV *Op = visit(E->getLHS());
    return quotient(Op, E->getRHS(), E);
  }
  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E) { return clamped(E); }
  const SCEV *visitSMinExpr(const SCEVSMinExpr *E) { return clamped(E); }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) { return clamped(E); }
  const SCEV *visitUMinExpr(const SCEVUMinExpr *E) { return clamped(E); }
  const SCEV *clamped(const SCEVMinMaxExpr *E) {
    SmallVector<const SCEV *, 4> Ops;
    for (const SCEV *Op : E->operands())
      Ops.push_back(visit(Op));
    const SCEV *One = choose(Ops);
    return One ? One : E;
  }
  const SCEV *visitUnknown(const SCEVUnknown *E) {
    auto *I = dyn_cast<Instruction>(E->getValue());
    if (!I || !L.contains(I) || Depth > 3)
      return E;
    // Cycles of PHIs lead back here; another visitor, with limited depth,
    // handles them.
    auto Inner = [&](Value *V) {
      return EvenVisitor(SE, L, Depth + 1, Again).visit(SE.getSCEV(V));
    };
    if (auto *Load = dyn_cast<LoadInst>(I); Load && Again && Again(*Load))
      return SE.getZero(I->getType());
    const SCEV *Result = E;
    SmallVector<const SCEV *, 4> Choices;
    unsigned Op = I->getOpcode();
    if (const SCEV *N = divisor(I)) {
      Result = quotient(Inner(I->getOperand(0)), N, E);
    } else if ((Op == Instruction::SRem || Op == Instruction::URem ||
                Op == Instruction::And || Op == Instruction::Or) &&
               SE.isLoopInvariant(SE.getSCEV(I->getOperand(1)), &L)) {
      if (const SCEV *X = Inner(I->getOperand(0)); even(X))
        Result = X;
    } else if (auto *Choice = dyn_cast<SelectInst>(I)) {
      Choices = {Inner(Choice->getTrueValue()), Inner(Choice->getFalseValue())};
    } else if (auto *P = dyn_cast<PHINode>(I);
               P && P->getParent() != L.getHeader()) {
      for (Value *V : P->incoming_values())
        Choices.push_back(Inner(V));
    }
    if (!Choices.empty())
      if (const SCEV *One = choose(Choices))
        Result = One;
    return Result;
  }

  const SCEVAddRecExpr *result(const SCEV *S) { return even(visit(S)); }
};

} // namespace

const SCEVAddRecExpr *evenSteps(const SCEV *S, const Loop &L,
                                ScalarEvolution &SE, ReadAgain Again) {
  return EvenVisitor(SE, L, 0, Again).result(S);
}

bool standsStill(const SCEV *S, const Loop &L, ScalarEvolution &SE,
                 ReadAgain Again) {
  return SE.isLoopInvariant(EvenVisitor(SE, L, 0, Again).visit(S), &L);
}

/// The constant factor of \p Leaf in \p S; 0: none.
static int64_t factorOf(const Value &Leaf, const SCEV *S) {
  int64_t Factor = 0;
  SCEVExprContains(S, [&](const SCEV *Part) {
    auto *Mul = dyn_cast<SCEVMulExpr>(Part);
    auto *C = Mul && Mul->getNumOperands() == 2
                  ? dyn_cast<SCEVConstant>(Mul->getOperand(0))
                  : nullptr;
    const SCEV *Of = C ? Mul->getOperand(1) : nullptr;
    while (auto *Cast = dyn_cast_or_null<SCEVCastExpr>(Of))
      Of = Cast->getOperand();
    auto *U = dyn_cast_or_null<SCEVUnknown>(Of);
    if (U && U->getValue() == &Leaf)
      Factor = C->getAPInt().getSExtValue();
    return Factor != 0;
  });
  return Factor;
}

/// Whether \p Address refers to the same variable in all iterations of \p X,
/// assuming that stored pointers do not change: not an element selected by the
/// iteration.
static bool isOneVariable(const Value *Address, const Loop *X) {
  for (unsigned Step = 0; Step < 8; ++Step) {
    auto *I = dyn_cast<Instruction>(Address);
    if (!I || !X || !X->contains(I))
      return true;
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      if (any_of(G->indices(),
                 [&](const Use &U) { return !X->isLoopInvariant(U); }))
        return false;
    } else if (!isa<LoadInst>(I)) {
      return false;
    }
    Address = I->getOperand(0);
  }
  return false;
}

std::optional<int64_t> stepOfStored(const SCEV *S, const Instruction &Leaf,
                                    const Loop *X, ScalarEvolution &SE) {
  if (!Leaf.getType()->isIntegerTy())
    return std::nullopt;
  SmallVector<const Value *, 8> Work{&Leaf};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty() && Seen.size() < 8) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (isa<CastInst>(I) || I->getOpcode() == Instruction::And ||
        I->getOpcode() == Instruction::URem) {
      Work.append(I->op_begin(), I->op_end());
      continue;
    }
    auto *L = dyn_cast<LoadInst>(I);
    if (!L || !L->getType()->isIntegerTy() ||
        !isOneVariable(L->getPointerOperand(), X))
      continue;
    for (const User *U : L->users()) {
      auto *Add = dyn_cast<BinaryOperator>(U);
      auto *By = Add && Add->getOpcode() == Instruction::Add
                     ? dyn_cast<ConstantInt>(Add->getOperand(1))
                     : nullptr;
      bool Stored =
          By && any_of(Add->users(), [&](const User *V) {
            auto *Store = dyn_cast<StoreInst>(V);
            return Store && Store->getValueOperand() == Add &&
                   SE.getSCEV(
                       const_cast<Value *>(Store->getPointerOperand())) ==
                       SE.getSCEV(const_cast<Value *>(L->getPointerOperand()));
          });
      int64_t Factor = Stored ? factorOf(Leaf, S) : 0;
      if (Factor)
        return Factor * By->getSExtValue();
    }
  }
  return std::nullopt;
}

} // namespace evenkeel
