//===- IndexTable.cpp - gathers through regular indices -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: every store to an array of indices. If each store walks the array with
// a constant step and the stored value grows by a constant, too (the corners of
// a structured mesh's cells), elements at a constant distance differ by the
// same number.
// Makes: the stride of a gather that reads such an array with a constant step.
// It remains a gather, but has a step that holds most of the time.
// Not here: arrays that any other code may write, and arrays that are only
// cleared; orders that depend on the input (elements sorted by a key).
//===----------------------------------------------------------------------===//
#include "access/walks/IndexTable.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;

namespace evenkeel {

/// Functions that write an array; with more, no order is preserved.
constexpr size_t MostWriters = 16;
/// Arrays of indices into arrays of indices.
constexpr unsigned Deepest = 3;
/// Narrower numbers wrap around too early.
constexpr unsigned LeastBits = 32;

/// The amount by which \p S grows in most iterations of \p X; loads in \p X
/// have the steps of their arrays. nullopt: not constant.
std::optional<int64_t> IndexTable::stepIn(const SCEV *S, const Loop &X,
                                          FunctionInfo &FI, unsigned Depth) {
  if (FI.SE->isLoopInvariant(S, &X))
    return 0;
  if (auto *Cast = dyn_cast<SCEVCastExpr>(S)) {
    if (isa<SCEVTruncateExpr>(Cast) &&
        FI.SE->getTypeSizeInBits(Cast->getType()) < LeastBits)
      return std::nullopt;
    return stepIn(Cast->getOperand(), X, FI, Depth);
  }
  if (auto *Add = dyn_cast<SCEVAddExpr>(S)) {
    int64_t Sum = 0;
    for (const SCEV *Op : Add->operands()) {
      std::optional<int64_t> By = stepIn(Op, X, FI, Depth);
      if (!By || AddOverflow(Sum, *By, Sum))
        return std::nullopt;
    }
    return Sum;
  }
  if (auto *Mul = dyn_cast<SCEVMulExpr>(S)) {
    auto *Factor = dyn_cast<SCEVConstant>(Mul->getOperand(0));
    if (!Factor || Mul->getNumOperands() != 2 ||
        Factor->getAPInt().getSignificantBits() > LeastBits)
      return std::nullopt;
    std::optional<int64_t> By = stepIn(Mul->getOperand(1), X, FI, Depth);
    int64_t Product = 0;
    if (!By || MulOverflow(*By, Factor->getAPInt().getSExtValue(), Product))
      return std::nullopt;
    return Product;
  }
  if (auto *AR = dyn_cast<SCEVAddRecExpr>(S)) {
    auto *By = dyn_cast<SCEVConstant>(AR->getStepRecurrence(*FI.SE));
    if (!AR->isAffine() || !By || By->getAPInt().getSignificantBits() > 64 ||
        FI.SE->getTypeSizeInBits(AR->getType()) < LeastBits)
      return std::nullopt;
    if (AR->getLoop() == &X)
      return By->getAPInt().getSExtValue();
    // From one iteration of X to the next, in the same iteration of the inner
    // loop.
    return X.contains(AR->getLoop()) ? stepIn(AR->getStart(), X, FI, Depth)
                                     : std::nullopt;
  }
  auto *U = dyn_cast<SCEVUnknown>(S);
  auto *L = U ? dyn_cast<LoadInst>(U->getValue()) : nullptr;
  if (!L || !Depth || !L->getType()->isIntegerTy())
    return std::nullopt;
  const LocationSet &Where = Obj.pointsTo(L->getPointerOperand());
  std::optional<EvenIndices> All;
  for (const Location &Place : Where) {
    std::optional<EvenIndices> One = evenIndices(
        Place.first, M.getDataLayout().getTypeStoreSize(L->getType()), Depth);
    if (!One || (All && (All->Bytes != One->Bytes || All->By != One->By)))
      return std::nullopt;
    All = One;
  }
  if (!All)
    return std::nullopt;
  std::optional<int64_t> Bytes =
      stepIn(FI.SE->getSCEV(L->getPointerOperand()), X, FI, Depth - 1);
  int64_t Step = 0;
  if (!Bytes || *Bytes % All->Bytes ||
      MulOverflow(*Bytes / All->Bytes, All->By, Step))
    return std::nullopt;
  return Step;
}

/// How \p S, which writes indices of \p Bytes, walks and what it stores;
/// nullopt if either has no constant step. \p X: the loop that moves it.
std::optional<IndexTable::EvenIndices>
IndexTable::evenStore(const StoreInst &S, uint64_t Bytes, unsigned Depth,
                      FunctionInfo &FI, const Loop *&X) {
  Type *T = S.getValueOperand()->getType();
  if (!T->isIntegerTy() || M.getDataLayout().getTypeStoreSize(T) != Bytes ||
      !S.isUnordered())
    return std::nullopt;
  const SCEV *To = FI.SE->getSCEV(const_cast<Value *>(S.getPointerOperand()));
  const SCEV *What = FI.SE->getSCEV(const_cast<Value *>(S.getValueOperand()));
  X = FI.LI->getLoopFor(Loads.home(S));
  while (X && FI.SE->isLoopInvariant(To, X)) {
    if (!FI.SE->isLoopInvariant(What, X))
      return std::nullopt;
    X = X->getParentLoop();
  }
  if (!X)
    return std::nullopt;
  std::optional<int64_t> Walks = stepIn(To, *X, FI, Depth - 1);
  std::optional<int64_t> Grows = stepIn(What, *X, FI, Depth - 1);
  auto IsSmall = [](std::optional<int64_t> By) {
    return By && *By && std::abs(*By) < INT64_C(1) << 31;
  };
  if (!IsSmall(Walks) || !IsSmall(Grows))
    return std::nullopt;
  return EvenIndices{std::abs(*Walks), *Walks < 0 ? -*Grows : *Grows};
}

/// Whether \p I preserves the order of object \p O: frees it, clears it before
/// it is filled, or moves its contents within it.
bool IndexTable::keepsIndices(const Instruction &I, unsigned O) {
  auto Is0 = [](const Value *V) {
    auto *C = dyn_cast<Constant>(V);
    return C && C->isNullValue();
  };
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Is0(S->getValueOperand());
  if (auto *Set = dyn_cast<MemSetInst>(&I))
    return Is0(Set->getValue());
  if (auto *Copy = dyn_cast<MemTransferInst>(&I))
    return all_of(Obj.pointsTo(Copy->getSource()),
                  [&](const Location &From) { return From.first == O; });
  auto *CB = dyn_cast<CallBase>(&I);
  return CB &&
         getFreedOperand(CB, &FAM.getResult<TargetLibraryAnalysis>(
                                 const_cast<Function &>(*I.getFunction())));
}

/// How successive elements, of \p Bytes each, of object \p O differ.
std::optional<IndexTable::EvenIndices>
IndexTable::evenIndices(unsigned O, uint64_t Bytes, unsigned Depth) {
  auto [It, New] = Known.try_emplace({O, Bytes});
  if (!New) // or a recursive query
    return It->second;
  const MemoryObject &Object = Obj.objects()[O];
  auto *Maker = dyn_cast_or_null<CallBase>(Object.V);
  if ((Object.Kind != MemoryObject::Heap &&
       Object.Kind != MemoryObject::Global &&
       Object.Kind != MemoryObject::Stack) ||
      Written.Writers.count(AnythingObject) || !Written.Writers.count(O) ||
      Written.Writers.at(O).size() > MostWriters)
    return std::nullopt;
  if (auto *G = dyn_cast<GlobalVariable>(Object.V);
      G && !(G->hasInitializer() && G->getInitializer()->isNullValue()))
    return std::nullopt;
  // Elements that realloc copies were not stored here.
  if (Maker && any_of(Maker->args(), [](const Value *A) {
        return A->getType()->isPointerTy();
      }))
    return std::nullopt;
  struct Other {
    const Loop *X;
    const SCEV *To;
    int64_t Bytes;
  };
  SmallVector<Other, 8> Others;
  std::optional<EvenIndices> All;
  for (Function *F : Written.Writers.at(O))
    for (Instruction &I : instructions(*F)) {
      LocationSet W = Obj.written(I);
      auto At = W.lower_bound({O, INT64_MIN});
      if ((At == W.end() || At->first != O) || keepsIndices(I, O))
        continue;
      auto *S = dyn_cast<StoreInst>(&I);
      FunctionInfo &FI = Functions.info(*F);
      const Loop *X = nullptr;
      std::optional<EvenIndices> One =
          S ? evenStore(*S, Bytes, Depth, FI, X) : std::nullopt;
      if (!One)
        return std::nullopt;
      // Stores of one iteration must not alternate at the same places.
      const SCEV *To = FI.SE->getSCEV(S->getPointerOperand());
      for (const Other &B : Others)
        if (B.X == X) {
          auto *Apart = dyn_cast<SCEVConstant>(FI.SE->getMinusSCEV(To, B.To));
          if (!Apart || B.Bytes != One->Bytes ||
              Apart->getAPInt().srem(One->Bytes) == 0)
            return std::nullopt;
        }
      Others.push_back({X, To, One->Bytes});
      if (!All) {
        All = One;
        continue;
      }
      // The same ratio for both; known at the larger of the two distances.
      if (All->By * One->Bytes != One->By * All->Bytes ||
          std::max(All->Bytes, One->Bytes) % std::min(All->Bytes, One->Bytes))
        return std::nullopt;
      if (One->Bytes > All->Bytes)
        All = One;
    }
  Known[{O, Bytes}] = All;
  return All;
}

/// The step that the gather \p S takes in most iterations of \p X; if short
/// inner loops read all that belongs together, the step in the loop around
/// them.
std::optional<int64_t> IndexTable::gatherStep(const SCEV *S, const Loop *X,
                                              FunctionInfo &FI) {
  constexpr unsigned Short = 64;
  for (; X; X = X->getParentLoop()) {
    if (std::optional<int64_t> Step = stepIn(S, *X, FI, Deepest))
      return *Step ? Step : std::nullopt;
    unsigned Iterations = FI.SE->getSmallConstantTripCount(X);
    if (!Iterations || Iterations > Short)
      break;
  }
  return std::nullopt;
}

} // namespace evenkeel
