//===- AccessStencils.cpp - reads of neighbours ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: reads of one object that move in step, a fixed distance apart.
// Makes: stencils of them, with points and dimensions.
//===----------------------------------------------------------------------===//
#include "AccessAnalyzer.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// In how many dimensions points lie, by the distances between them: what is
/// more than this many times as far is another row, as is another symbol.
static unsigned dimensionsOf(const SmallPtrSetImpl<const SCEV *> &Offsets) {
  constexpr uint64_t Farther = 8;
  std::set<uint64_t> Constants;
  SmallPtrSet<const SCEV *, 4> Symbolic;
  for (const SCEV *D : Offsets) {
    SmallVector<const SCEV *, 4> Parts{D};
    if (auto *Sum = dyn_cast<SCEVAddExpr>(D))
      Parts.assign(Sum->operands().begin(), Sum->operands().end());
    for (const SCEV *P : Parts) {
      if (auto *C = dyn_cast<SCEVConstant>(P)) {
        if (!C->isZero())
          Constants.insert(C->getAPInt().abs().getLimitedValue());
        continue;
      }
      // Apart from its factor.
      if (auto *Mul = dyn_cast<SCEVMulExpr>(P);
          Mul && isa<SCEVConstant>(Mul->getOperand(0)) &&
          Mul->getNumOperands() == 2)
        P = Mul->getOperand(1);
      Symbolic.insert(P);
    }
  }
  unsigned Out = Symbolic.size();
  uint64_t Last = 0;
  for (uint64_t C : Constants) {
    Out += !Last || C > Farther * Last;
    Last = C;
  }
  return std::max(Out, 1u);
}

/// Several reads of one object that move in step, a whole number of steps (or
/// rows) apart. A value that loop-carried reuse keeps in a PHI is a point too.
void Analyzer::findStencils(FunctionInfo &FI) {
  for (Access &First : FI.Accesses) {
    if (!First.W.Step || !First.Reads || First.Writes || First.Sites.empty() ||
        First.W.Class == AccessClass::Stencil)
      continue;
    SmallVector<Access *, 8> Group;
    SmallPtrSet<const SCEV *, 8> Offsets;
    for (Access &A : FI.Accesses) {
      if (A.W.Moving != First.W.Moving || A.W.Step != First.W.Step ||
          !A.Reads || A.Writes || A.Bytes != First.Bytes ||
          A.Sites != First.Sites || A.Contexts != First.Contexts)
        continue;
      const SCEV *D = FI.SE->getMinusSCEV(A.W.Pointer, First.W.Pointer);
      if (isa<SCEVCouldNotCompute>(D))
        continue;
      bool Fixed = true;
      for (Loop *X = First.W.Moving; X; X = X->getParentLoop())
        Fixed &= FI.SE->isLoopInvariant(D, X);
      if (!Fixed)
        continue;
      if (auto *C = dyn_cast<SCEVConstant>(D); C && First.W.Stride)
        if (C->getAPInt().getSExtValue() % *First.W.Stride)
          continue;
      Group.push_back(&A);
      Offsets.insert(D);
    }
    unsigned Points = Offsets.size();
    for (Access *A : Group) {
      const Value *Carried = A->I;
      for (unsigned Step = 0; Step < 16; ++Step) {
        const PHINode *Next = nullptr;
        for (PHINode &P : A->W.Moving->getHeader()->phis())
          for (unsigned K = 0; K < P.getNumIncomingValues(); ++K)
            if (P.getIncomingValue(K) == Carried &&
                A->W.Moving->contains(P.getIncomingBlock(K)))
              Next = &P;
        if (!Next)
          break;
        ++Points;
        Carried = Next;
      }
    }
    if (Points < 3)
      continue;
    for (Access *A : Group) {
      A->W.Class = AccessClass::Stencil;
      A->W.Points = Points;
      // No more than loops move it, where they are not flattened.
      SmallPtrSet<const Loop *, 4> Loops;
      SCEVExprContains(A->W.Pointer, [&](const SCEV *S) {
        if (auto *AR = dyn_cast<SCEVAddRecExpr>(S))
          Loops.insert(AR->getLoop());
        return false;
      });
      A->W.Dimensions = dimensionsOf(Offsets);
      if (Loops.size() > 1)
        A->W.Dimensions = std::min<unsigned>(A->W.Dimensions, Loops.size());
    }
  }
}

} // namespace evenkeel
