//===- Reuse.cpp - how often an element is used ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: loops that do not move an access, and those in which it goes on in a
// row.
// Makes: how often it comes back to an element, and how many elements lie in a
// row.
//===----------------------------------------------------------------------===//
#include "access/walks/Walks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p S changes from round to round of \p L.
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

/// Rounds of loops around an access that do not move it; null: none, or none
/// that is one number.
CountRef Walks::reuse(const Walk &W, const Times &T) {
  if (!W.Moving || !W.Pointer)
    return nullptr;
  CountRef C = countConst(1);
  for (const Level &V : T.Levels) {
    if (!V.L)
      continue;
    // An accessor's own loads (a leading dimension) are in Address alone.
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

/// Rounds in a row in which the access goes on by its stride; null: it goes on
/// all the time, or that is not one number.
CountRef Walks::run(const Walk &W, const Times &T, FunctionInfo &FI) {
  if (!W.Moving || !W.Pointer || !W.Stride)
    return nullptr;
  CountRef C;
  const SCEV *At = W.Pointer;
  // Whether a loop that moves At goes on where C elements have ended.
  auto GoesOn = [&](const Loop &L) {
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
      continue; // a condition; or a loop inside that does not move it
    if (V.Mode == Level::Dynamic || hasFreeIndex(V.N))
      return nullptr;
    auto *AR = dyn_cast<SCEVAddRecExpr>(At);
    if (C && !GoesOn(*V.L))
      return C;
    if (!AR || AR->getLoop() != V.L || !AR->isAffine())
      return nullptr;
    Times Own;
    Own.Levels.push_back(V);
    C = C ? countMul(C, Forms.closed(Own)) : Forms.closed(Own);
    At = AR->getStart();
    Last = V.L;
  }
  // Short ones in a loop whose rounds are measured.
  const Loop *Above = C && T.Absolute ? Last->getParentLoop() : nullptr;
  return Above && C->Kind == Count::Const && !GoesOn(*Above) ? C : nullptr;
}

} // namespace evenkeel
