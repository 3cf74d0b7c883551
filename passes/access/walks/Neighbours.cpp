//===- Neighbours.cpp - distances between addresses -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//===----------------------------------------------------------------------===//
#include "access/walks/Neighbours.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

static const Value *valueOf(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  return U ? U->getValue() : nullptr;
}

/// The row of a loaded pointer whose address moves in the loops, or of a
/// pointer kept from the previous iteration.
const Neighbours::Row &Neighbours::rowOf(const Value *V) {
  auto [It, New] = Rows.try_emplace(V); // cycles in lists lead back here: no
                                        // row so far
  if (!New || !V->getType()->isPointerTy())
    return It->second;
  const Loop &Outermost = *Moving.getOutermostLoop();
  Row R;
  if (auto *L = dyn_cast<LoadInst>(V))
    R.From = SE.getSCEV(const_cast<Value *>(L->getPointerOperand()));
  else if (const SCEV *Address = Foreign.addressOf(V))
    R.From = Address;
  if (R.From && SE.isLoopInvariant(R.From, &Outermost))
    R.From = nullptr;
  if (auto *P = dyn_cast<PHINode>(V))
    for (const Loop *X = &Moving; X; X = X->getParentLoop())
      if (BasicBlock *Latch = X->getLoopLatch();
          Latch && P->getParent() == X->getHeader()) {
        R.From = SE.getSCEV(P->getIncomingValueForBlock(Latch));
        R.Lag = X;
      }
  // Rows at all levels, up to a fixed pointer.
  if (R.From) {
    const Value *Base = valueOf(SE.getPointerBase(R.From));
    bool Fixed =
        Base && SE.isLoopInvariant(SE.getUnknown(const_cast<Value *>(Base)),
                                   &Outermost);
    if (!Base || (!rowOf(Base).From && (!Fixed || R.Lag)))
      return It->second;
  }
  It->second = R;
  return It->second;
}

const SCEV *Neighbours::root(const SCEV *S) {
  const SCEV *Base = SE.getPointerBase(S);
  while (const Value *V = valueOf(Base)) {
    const Row &R = rowOf(V);
    if (!R.From)
      break;
    Base = SE.getPointerBase(R.From);
  }
  return Base;
}

bool Neighbours::sameBase(const SCEV *A, const SCEV *B) {
  if (!A->getType()->isPointerTy() || !B->getType()->isPointerTy())
    return A->getType() == B->getType();
  return root(A) == root(B);
}

void Neighbours::gather(const SCEV *S, SmallSetVector<const Value *, 8> &Values,
                        SmallSetVector<const Loop *, 8> &Loops) {
  SCEVExprContains(S, [&](const SCEV *Part) {
    if (auto *AR = dyn_cast<SCEVAddRecExpr>(Part))
      Loops.insert(AR->getLoop());
    else if (const Value *V = valueOf(Part); V && Values.insert(V))
      if (const Row &R = rowOf(V); R.From) {
        if (R.Lag)
          Loops.insert(R.Lag);
        gather(R.From, Values, Loops);
      }
    return false;
  });
}

Neighbours::Neighbours(ArrayRef<const SCEV *> All, const Loop &Moving,
                       ScalarEvolution &SE, const ForeignValues &Foreign)
    : Moving(Moving), SE(SE), Foreign(Foreign) {
  SmallSetVector<const Value *, 8> Values;
  SmallSetVector<const Loop *, 8> Loops;
  for (const SCEV *E : All)
    gather(E, Values, Loops);
  // Sizes are much larger than a few elements.
  constexpr int64_t Small = 500, Large = 5000;
  for (unsigned Input = 0; Input < Inputs; ++Input) {
    RowBytes.push_back(Sample(100 + Input).draw(Small, Large) * 64);
    for (unsigned Iteration = 0; Iteration < Iterations; ++Iteration) {
      Sample Sizes(Input + 1),
          Places(Inputs + Input * Iterations + Iteration + 1);
      Sample &S = Samples.emplace_back(Input + 1);
      for (const Loop *X : Loops)
        S.Iterations[X] = Places.draw(0, 100000);
      for (const Value *V : Values) {
        bool Fixed = true;
        for (const Loop *X = &Moving; X; X = X->getParentLoop())
          Fixed &= SE.isLoopInvariant(SE.getUnknown(const_cast<Value *>(V)), X);
        S.Values[V] = (Fixed ? Sizes : Places).draw(Small, Large);
      }
    }
  }
}

std::optional<int64_t> Neighbours::value(unsigned K, const SCEV *E) {
  Sample &S = Samples[K];
  SmallSetVector<const Value *, 8> Values;
  SCEVExprContains(E, [&](const SCEV *Part) {
    if (const Value *V = valueOf(Part); V && rowOf(V).From)
      Values.insert(V);
    return false;
  });
  SmallVector<std::pair<const Value *, int64_t>, 4> Where;
  for (const Value *V : Values) {
    const Row &R = rowOf(V);
    if (R.Lag)
      --S.Iterations[R.Lag];
    auto At = value(K, R.From);
    if (R.Lag)
      ++S.Iterations[R.Lag];
    if (!At)
      return std::nullopt;
    constexpr int64_t Pointer = 8;
    Where.push_back(
        {V, R.Lag ? *At : *At / Pointer * RowBytes[K / Iterations]});
  }
  for (auto &[V, At] : Where)
    S.Values[V] = At;
  return S.of(E);
}

std::optional<Neighbours::Distances> Neighbours::between(const SCEV *From,
                                                         const SCEV *To) {
  Distances Out{};
  for (unsigned K = 0; K < Samples.size(); ++K) {
    auto A = value(K, From), B = value(K, To);
    if (!A || !B || Samples[K].Undefined)
      return std::nullopt;
    int64_t &D = Out[K / Iterations];
    if (K % Iterations && D != *B - *A)
      return std::nullopt;
    D = *B - *A;
  }
  return Out;
}

} // namespace evenkeel
