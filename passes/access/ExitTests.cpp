//===- ExitTests.cpp - tests that leave loops -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ExitTests.h.
//===----------------------------------------------------------------------===//
#include "access/ExitTests.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

std::optional<ExitTest> exitTestOf(const Loop &L, const BasicBlock &Exiting,
                                   ScalarEvolution &SE) {
  auto *Br = dyn_cast<BranchInst>(Exiting.getTerminator());
  auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
  if (!Cmp || !Cmp->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  ExitTest T{SE.getSCEV(Cmp->getOperand(0)), SE.getSCEV(Cmp->getOperand(1)),
             L.contains(Br->getSuccessor(0)) ? Cmp->getPredicate()
                                             : Cmp->getInversePredicate()};
  if (SE.isLoopInvariant(T.Moving, &L)) {
    std::swap(T.Moving, T.Limit);
    T.Stay = CmpInst::getSwappedPredicate(T.Stay);
  }
  return SE.isLoopInvariant(T.Limit, &L) ? std::optional(T) : std::nullopt;
}

} // namespace evenkeel
