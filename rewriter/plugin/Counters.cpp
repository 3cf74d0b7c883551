//===- Counters.cpp - counters in optimised code --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Counters.h.
//===----------------------------------------------------------------------===//
#include "Counters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

bool isHandOver(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == "ek_total";
}

static void findHandOvers(Value *V, SmallPtrSetImpl<Value *> &Known,
                          SmallSetVector<CallBase *, 4> &Out) {
  if (!Known.insert(V).second)
    return;
  for (User *U : V->users()) {
    auto *Add = dyn_cast<BinaryOperator>(U);
    if (isHandOver(U))
      Out.insert(cast<CallBase>(U));
    else if (isa<PHINode>(U) || (Add && Add->getOpcode() == Instruction::Add))
      findHandOvers(U, Known, Out);
  }
}

SmallSetVector<CallBase *, 4> handOversOf(PHINode &P) {
  SmallSetVector<CallBase *, 4> Out;
  SmallPtrSet<Value *, 16> Known;
  if (P.getType()->isIntegerTy(64))
    findHandOvers(&P, Known, Out);
  return Out;
}

const SCEVAddRecExpr *lineOf(Value *V, const Loop &L, ScalarEvolution &SE) {
  if (!SE.isSCEVable(V->getType()))
    return nullptr;
  const auto *Line = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  return Line && Line->getLoop() == &L && Line->isAffine() ? Line : nullptr;
}

bool isNeededIn(const Loop &L, const PHINode &P) {
  const Value *Next = P.getIncomingValueForBlock(L.getLoopLatch());
  for (const Value *V : {static_cast<const Value *>(&P), Next})
    for (const User *U : V->users())
      if (U != &P && U != Next && L.contains(cast<Instruction>(U)))
        return true;
  return false;
}

bool isCounterOf(PHINode &P, const Loop &L, ScalarEvolution &SE) {
  if (!P.getType()->isIntegerTy(64))
    return false;
  const SCEVAddRecExpr *Line = lineOf(&P, L, SE);
  return Line && Line->getStepRecurrence(SE)->isOne() && !isNeededIn(L, P) &&
         !handOversOf(P).empty();
}

} // namespace evenkeel
