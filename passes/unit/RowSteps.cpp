//===- RowSteps.cpp - rows that an index from data selects ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowSteps.h. An address is a sum; each term that changes with the loop is
// an index times factors that do not. All indices must have the same factor:
// that is the distance of two rows.
//===----------------------------------------------------------------------===//
#include "unit/RowSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include <optional>
#include <utility>

using namespace llvm;

namespace evenkeel {

namespace {

/// Splits an offset into indices with their factors.
class Indices {
  const Loop &X;
  ScalarEvolution &SE;

public:
  struct Index {
    const SCEV *Factor, *Of;
  };
  SmallVector<Index, 4> All;

  Indices(const Loop &X, ScalarEvolution &SE) : X(X), SE(SE) {}

  /// Adds the indices of \p Factor * \p S.
  void add(const SCEV *S, const SCEV *Factor) {
    if (SE.isLoopInvariant(S, &X))
      return;
    Factor = SE.getTruncateOrSignExtend(Factor, S->getType());
    if (auto *Mul = dyn_cast<SCEVMulExpr>(S)) {
      const SCEV *Moving = nullptr;
      SmallVector<const SCEV *, 4> Still{Factor};
      for (const SCEV *Op : Mul->operands()) {
        if (SE.isLoopInvariant(Op, &X))
          Still.push_back(Op);
        else if (std::exchange(Moving, Op))
          return All.push_back({Factor, S}); // a product of indices
      }
      return add(Moving, SE.getMulExpr(Still));
    }
    if (auto *Add = dyn_cast<SCEVAddExpr>(S)) {
      if (std::optional<Index> Rest = remainder(*Add))
        return All.push_back({SE.getMulExpr(Factor, Rest->Factor), Rest->Of});
      for (const SCEV *Op : Add->operands())
        add(Op, Factor);
      return;
    }
    if (isa<SCEVSignExtendExpr, SCEVZeroExtendExpr>(S)) {
      // Without overflow, a widened product is the product of what is widened.
      Indices Inner(X, SE);
      const SCEV *Narrow = cast<SCEVCastExpr>(S)->getOperand();
      Inner.add(Narrow, SE.getOne(Narrow->getType()));
      for (const Index &I : Inner.All)
        All.push_back({SE.getMulExpr(Factor, SE.getTruncateOrSignExtend(
                                                 I.Factor, S->getType())),
                       I.Of});
      return;
    }
    All.push_back({Factor, S});
  }

private:
  /// ScalarEvolution writes f * (a % n) as f * a - f * n * (a / n): the
  /// division and f, if \p S is such a sum.
  std::optional<Index> remainder(const SCEVAddExpr &S) {
    std::optional<Index> Found;
    SCEVExprContains(&S, [&](const SCEV *Part) {
      auto *D = dyn_cast<SCEVUDivExpr>(Part);
      if (!D || D->getType() != S.getType() ||
          !SE.isLoopInvariant(D->getRHS(), &X))
        return false;
      const SCEV *Rest = SE.getURemExpr(D->getLHS(), D->getRHS());
      Indices Terms(X, SE);
      for (const SCEV *Op : S.operands())
        Terms.add(Op, SE.getOne(Op->getType()));
      for (const Index &I : Terms.All)
        if (SE.isLoopInvariant(
                SE.getMinusSCEV(&S, SE.getMulExpr(I.Factor, Rest)), &X)) {
          Found = {I.Factor, D};
          break;
        }
      return Found.has_value();
    });
    return Found;
  }
};

} // namespace

/// Whether \p S is loaded from a variable of the function.
static bool isOwn(const SCEV *S) {
  auto *U = dyn_cast<SCEVUnknown>(S);
  auto *L = U ? dyn_cast<LoadInst>(U->getValue()) : nullptr;
  return L && isa<AllocaInst>(L->getPointerOperand()->stripPointerCasts());
}

RowStep rowStep(const SCEV *S, const Loop &X, ScalarEvolution &SE) {
  RowStep Out;
  const SCEV *Base = SE.getPointerBase(S);
  const SCEV *Offset = SE.getMinusSCEV(S, Base);
  Indices Of(X, SE);
  if (!isa<SCEVCouldNotCompute>(Offset))
    Of.add(Offset, SE.getOne(Offset->getType()));
  Out.IsOwn = !Of.All.empty() && all_of(Of.All, [](const Indices::Index &I) {
    return isOwn(I.Of);
  });
  if (Out.IsOwn)
    return Out;
  if (!SE.isLoopInvariant(Base, &X) || isa<SCEVCouldNotCompute>(Offset)) {
    Out.Why = "row-by-pointer";
    return Out;
  }
  if (Of.All.empty()) {
    Out.Why = "row-not-linear";
    return Out;
  }
  const SCEV *Factor = Of.All.front().Factor;
  if (any_of(Of.All,
             [&](const Indices::Index &I) { return I.Factor != Factor; })) {
    Out.Why = "row-of-several-indices";
    return Out;
  }
  Out.Bytes = SE.isKnownNegative(Factor) ? SE.getNegativeSCEV(Factor) : Factor;
  auto *U = dyn_cast<SCEVUnknown>(Of.All.front().Of);
  Out.Index = Of.All.size() == 1 && U ? U->getValue() : nullptr;
  Out.Loaded = isa_and_nonnull<LoadInst>(Out.Index);
  return Out;
}

} // namespace evenkeel
