//===- Distances.cpp - loops over pointer ranges --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the shape of such loops after rotation: a PHI of pointers, a constant
// step, and an exit that compares the next pointer with the end.
//===----------------------------------------------------------------------===//
#include "unit/Distances.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace evenkeel {

std::optional<Distance> distanceOf(const Value *V) {
  using namespace PatternMatch;
  const Value *From, *To, *Bytes;
  const APInt *By;
  int64_t Size = 1;
  if (match(V, m_Exact(m_AShr(m_Value(Bytes), m_APInt(By)))) && By->ult(32))
    Size = int64_t(1) << By->getZExtValue();
  else if (match(V, m_Exact(m_SDiv(m_Value(Bytes), m_APInt(By)))) &&
           By->isStrictlyPositive() && By->getActiveBits() < 32)
    Size = By->getSExtValue();
  else
    return std::nullopt;
  if (match(Bytes, m_Sub(m_PtrToInt(m_Value(To)), m_PtrToInt(m_Value(From)))))
    return Distance{From, To, Size};
  return std::nullopt;
}

/// The pointer at which \p L ends when it advances \p P by \p Step bytes; null:
/// not known.
static Value *endOf(const Loop &L, const PHINode &P, int64_t &Step) {
  const DataLayout &DL = P.getModule()->getDataLayout();
  const BasicBlock *Latch = L.getLoopLatch();
  auto *Next =
      Latch ? dyn_cast<GetElementPtrInst>(P.getIncomingValueForBlock(Latch))
            : nullptr;
  APInt By(64, 0);
  if (!Next || Next->getPointerOperand() != &P ||
      !Next->accumulateConstantOffset(DL, By) || By.isZero())
    return nullptr;
  Step = By.getSExtValue();
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (BasicBlock *B : Exiting) {
    auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    auto *Cmp = Br && Br->isConditional()
                    ? dyn_cast<ICmpInst>(Br->getCondition())
                    : nullptr;
    if (!Cmp)
      continue;
    for (unsigned K : {0u, 1u})
      if (Value *End = Cmp->getOperand(1 - K);
          (Cmp->getOperand(K) == Next || Cmp->getOperand(K) == &P) &&
          L.isLoopInvariant(End) && !isa<Constant>(End))
        return End;
  }
  return nullptr;
}

void countDistances(Function &F, const LoopInfo &LI) {
  for (Loop *L : LI.getLoopsInPreorder()) {
    BasicBlock *Before = L->getLoopPreheader();
    if (!Before)
      continue;
    for (PHINode &P : L->getHeader()->phis()) {
      int64_t Step = 0;
      Value *End = P.getType()->isPointerTy() &&
                           P.getType()->getPointerAddressSpace() == 0
                       ? endOf(*L, P, Step)
                       : nullptr;
      Value *Start = P.getIncomingValueForBlock(Before);
      if (!End || isa<Constant>(Start))
        continue;
      if (Step < 0)
        std::swap(Start, End);
      Instruction *Where = Before->getTerminator();
      Type *Int = Type::getInt64Ty(F.getContext());
      auto *To = new PtrToIntInst(End, Int, "", Where->getIterator());
      auto *From = new PtrToIntInst(Start, Int, "", Where->getIterator());
      auto *Bytes =
          BinaryOperator::CreateSub(To, From, "", Where->getIterator());
      auto *Elements = BinaryOperator::CreateExactSDiv(
          Bytes, ConstantInt::get(Int, std::abs(Step)), "",
          Where->getIterator());
      for (Instruction *I :
           std::initializer_list<Instruction *>{To, From, Bytes, Elements})
        I->setDebugLoc(L->getStartLoc());
      break;
    }
  }
}

} // namespace evenkeel
