//===- Rereads.cpp - loads with one value in all iterations ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rereads.h.
//===----------------------------------------------------------------------===//
#include "access/values/Rereads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p A and \p B are the same computation.
static bool areTwins(const Value *A, const Value *B, unsigned Depth = 0) {
  if (A == B)
    return true;
  auto *I = dyn_cast<Instruction>(A);
  auto *J = dyn_cast<Instruction>(B);
  if (!I || !J || Depth > 4 || I->getNumOperands() != J->getNumOperands() ||
      !I->isSameOperationAs(J) ||
      !isa<LoadInst, GetElementPtrInst, CastInst, BinaryOperator>(I))
    return false;
  for (unsigned K = 0; K < I->getNumOperands(); ++K)
    if (!areTwins(I->getOperand(K), J->getOperand(K), Depth + 1))
      return false;
  return true;
}

/// Whether \p V is the same in each iteration of \p X, although its loads are
/// repeated in case a store has changed them: no store and no call does.
bool Rereads::isReadAgain(const Value &V, const Loop &X, unsigned Depth) const {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !X.contains(I))
    return true;
  auto *Load = dyn_cast<LoadInst>(I);
  if (Depth > 4 ||
      !isa<LoadInst, GetElementPtrInst, CastInst, BinaryOperator>(I) ||
      (Load && (Load->isVolatile() || !Load->isUnordered())) ||
      !all_of(I->operands(),
              [&](const Use &U) { return isReadAgain(*U, X, Depth + 1); }))
    return false;
  if (!Load)
    return true;
  auto [It, IsNew] = Changes.try_emplace(&X);
  LoopChanges &C = It->second;
  if (IsNew)
    for (const BasicBlock *B : X.blocks())
      for (const Instruction &In : *B) {
        if (auto *S = dyn_cast<StoreInst>(&In))
          C.Stored.push_back(S->getPointerOperand());
        else if (auto *RMW = dyn_cast<AtomicRMWInst>(&In))
          C.Stored.push_back(RMW->getPointerOperand());
        else if (auto *CB = dyn_cast<CallBase>(&In)) {
          LocationSet W = Obj.written(In);
          C.Written.insert(W.begin(), W.end());
          for (Function *F : Obj.callees(*CB))
            Calls.reachFrom(*F, C.Called);
        }
      }
  const Value *From = Load->getPointerOperand();
  const LocationSet &Where = Obj.pointsTo(From);
  return none_of(C.Stored,
                 [&](const Value *To) { return areTwins(From, To); }) &&
         !overlaps(Where, C.Written) && !Written.mayWrite(C.Called, Where);
}

} // namespace evenkeel
