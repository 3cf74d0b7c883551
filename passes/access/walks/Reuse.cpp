//===- Reuse.cpp - repeated and consecutive accesses ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: loops that do not move an access, and loops in which it visits
// consecutive elements.
// Makes: how often an element is accessed again, and how many consecutive
// elements are accessed.
//===----------------------------------------------------------------------===//
#include "access/walks/Walks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p S changes in the iterations of \p L.
static bool isMovedBy(const SCEV *S, const Loop &L,
                      const ForeignValues &Foreign) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    if (auto *AR = dyn_cast<SCEVAddRecExpr>(Part))
      return AR->getLoop() == &L;
    auto *U = dyn_cast<SCEVUnknown>(Part);
    if (const SCEV *From = U ? Foreign.addressOf(U->getValue()) : nullptr)
      return isMovedBy(From, L, Foreign);
    auto *I = U ? dyn_cast<Instruction>(U->getValue()) : nullptr;
    return I && L.contains(I);
  });
}

/// The iterations of the loops around an access that do not move it; null:
/// none, or not a single number.
CountRef Walks::reuse(const Walk &W, const Times &T) {
  if (!W.Moving || !W.Pointer)
    return nullptr;
  CountRef C = countConst(1);
  for (const Level &V : T.Levels) {
    if (!V.L)
      continue;
    // Loads in an accessor function (a leading dimension) are only in Address.
    if (isMovedBy(W.Pointer, *V.L, Foreign) ||
        (W.Address && isMovedBy(W.Address, *V.L, Foreign)))
      continue;
    if (hasFreeIndex(V.N) || any_of(T.Levels, [&](const Level &Other) {
          return mentionsIndex(Other.N, Forms.indexOf(V.L));
        }))
      return nullptr;
    Times Own;
    Own.Levels.push_back(V);
    C = countMul(C, Forms.closed(Own));
  }
  return isConst(C, 1) ? nullptr : C;
}

/// The number of consecutive iterations in which the access advances by its
/// stride; null: it always does, or the number varies.
CountRef Walks::run(const Walk &W, const Times &T, FunctionInfo &FI) {
  if (!W.Moving || !W.Pointer || !W.Stride)
    return nullptr;
  CountRef C;
  const SCEV *At = W.Pointer;
  // Whether a loop that moves At continues where C elements have ended.
  auto Continues = [&](const Loop &L) {
    auto *AR = dyn_cast<SCEVAddRecExpr>(At);
    std::string Why;
    CountRef By = AR && AR->getLoop() == &L && AR->isAffine()
                      ? Forms.toCount(AR->getStepRecurrence(*FI.SE),
                                      L.getParentLoop(), FI, Why)
                      : nullptr;
    return By && sameCount(By, countMul(countConst(*W.Stride), C));
  };
  const Loop *Last = nullptr;
  for (const Level &V : reverse(T.Levels)) {
    if (!V.L || (!C && V.L != W.Moving))
      continue; // a condition; or an inner loop that does not move it
    if (V.Mode == Level::Dynamic || hasFreeIndex(V.N))
      return nullptr;
    auto *AR = dyn_cast<SCEVAddRecExpr>(At);
    if (C && !Continues(*V.L))
      return C;
    if (!AR || AR->getLoop() != V.L || !AR->isAffine())
      return nullptr;
    Times Own;
    Own.Levels.push_back(V);
    C = C ? countMul(C, Forms.closed(Own)) : Forms.closed(Own);
    At = AR->getStart();
    Last = V.L;
  }
  // Short runs in a loop with a measured trip count.
  const Loop *Above = C && T.Absolute ? Last->getParentLoop() : nullptr;
  return Above && C->Kind == Count::Const && !Continues(*Above) ? C : nullptr;
}

} // namespace evenkeel
