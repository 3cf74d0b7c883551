//===- Carried.cpp - elements kept for the next iteration -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//===----------------------------------------------------------------------===//
#include "access/walks/Carried.h"
#include "access/loops/FunctionInfo.h"
#include "access/walks/Walk.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p First, before the loop that moves \p Next, reads where \p Next
/// begins, or one step before.
static bool isFirstOf(const Access &First, const Access &Next,
                      const FunctionInfo &FI) {
  auto *AR =
      Next.W.Pointer ? dyn_cast<SCEVAddRecExpr>(Next.W.Pointer) : nullptr;
  if (!Next.W.Stride || !AR || AR->getLoop() != Next.W.Moving ||
      Next.Bytes != First.Bytes || Next.Sites != First.Sites ||
      Next.Contexts != First.Contexts || !First.W.Address ||
      !FI.DT->properlyDominates(First.I->getParent(),
                                AR->getLoop()->getHeader()))
    return false;
  auto *Apart = dyn_cast<SCEVConstant>(
      FI.SE->getMinusSCEV(AR->getStart(), First.W.Address));
  if (!Apart || Apart->getAPInt().getSignificantBits() > 32)
    return false;
  int64_t By = Apart->getAPInt().getSExtValue();
  return By == 0 || By == *Next.W.Stride;
}

void joinFirsts(const FunctionInfo &FI, std::vector<Access> &Accesses) {
  auto Walks = [](const Walk &W) {
    return W.Class == AccessClass::Stream || W.Class == AccessClass::Strided ||
           W.Class == AccessClass::Stencil;
  };
  for (Access &First : Accesses) {
    if (Walks(First.W) || !First.Reads || First.Writes || First.Sites.empty() ||
        !isa<LoadInst>(First.I))
      continue;
    for (const Access &Next : Accesses) {
      if (&Next == &First || !Walks(Next.W) ||
          !isa<LoadInst, StoreInst>(Next.I) || !isFirstOf(First, Next, FI))
        continue;
      const SCEV *Address = First.W.Address;
      First.W = Next.W;
      First.W.Address = Address;
      First.W.Pointer = Address;
      First.W.Step = nullptr;
      First.W.Moving = nullptr;
      First.StrideBy = Next.StrideBy;
      First.Reuse = Next.Reuse;
      First.Run = Next.Run;
      First.Blocks = Next.Blocks;
      First.BlockBytes = Next.BlockBytes;
      First.BlockStride = Next.BlockStride;
      break;
    }
  }
}

} // namespace evenkeel
