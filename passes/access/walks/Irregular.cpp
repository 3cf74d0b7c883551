//===- Irregular.cpp - accesses without a constant step -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that depend on data: loaded from the previous element
// (chase), computed from other arrays' elements (gather), from numbers that
// jump, or from conditions.
//===----------------------------------------------------------------------===//
#include "access/walks/DataSteps.h"
#include "access/walks/EvenSteps.h"
#include "access/walks/Walks.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "unit/RowSteps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p From is computed from \p To within \p X.
static bool reaches(const Value *From, const PHINode *To, const Loop *X,
                    bool ThroughLoads, bool &SawLoad,
                    SmallPtrSetImpl<const Value *> &Seen) {
  if (From == To)
    return true;
  auto *I = dyn_cast<Instruction>(From);
  if (!I || !X->contains(I) || !Seen.insert(I).second)
    return false;
  auto *Call = dyn_cast<CallBase>(I);
  if (isa<LoadInst>(I) || (Call && followsNodes(*Call))) {
    if (!ThroughLoads)
      return false;
    SawLoad = true;
  } else if (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) {
    return false;
  }
  for (const Use &U : I->operands())
    if (reaches(U, To, X, ThroughLoads, SawLoad, Seen))
      return true;
  return false;
}

/// Whether \p P's next value, operand \p K, waits for a load whose address
/// depends on \p P (a binary search without branches), and is more than a
/// conditional step.
static bool waitsForOwnLoad(const PHINode &P, unsigned K, const Loop *X) {
  if (conditionalStep(&P, X))
    return false;
  SmallPtrSet<const Value *, 32> Slice;
  SmallVector<const Value *, 16> Work{P.getIncomingValue(K)};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || I == &P || !X->contains(I) || !Slice.insert(I).second ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
      continue;
    if (auto *L = dyn_cast<LoadInst>(I)) {
      SmallPtrSet<const Value *, 32> Seen;
      bool Load = false;
      if (reaches(L->getPointerOperand(), &P, X, true, Load, Seen))
        return true;
    }
    for (const Value *Op : I->operands())
      Work.push_back(Op);
  }
  return false;
}

/// Records the objects from whose elements \p From is computed within \p X.
void Walks::noteIndex(Walk &W, ArrayRef<const Instruction *> From, Loop *X) {
  SmallVector<const Value *, 8> Work(From.begin(), From.end());
  SmallPtrSet<const Value *, 32> Seen;
  std::set<uint64_t> Ids;
  while (!Work.empty() && Seen.size() < 64) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !X->contains(I) || !Seen.insert(I).second)
      continue;
    auto *L = dyn_cast<LoadInst>(I);
    if (!L) {
      Work.append(I->op_begin(), I->op_end());
      continue;
    }
    Access A;
    A.Where = Obj.pointsTo(L->getPointerOperand());
    Owners.resolve(A);
    Ids.insert(A.Sites.begin(), A.Sites.end());
  }
  W.IndexSites.assign(Ids.begin(), Ids.end());
}

/// Describes an address that advances by \p Step bytes in each iteration.
static void setStep(Walk &W, int64_t Step, uint64_t Bytes, StringRef Why) {
  W.Stride = Step;
  W.Class = static_cast<uint64_t>(std::abs(Step)) == Bytes
                ? AccessClass::Stream
                : AccessClass::Strided;
  W.Why = Why.str();
}

/// The step of an element, indexed by a counter, of a block, the PHI \p U, that
/// is replaced by larger blocks.
static std::optional<int64_t> stepInNewBlocks(const SCEV *S,
                                              const SCEVUnknown &U,
                                              const Loop *X,
                                              ScalarEvolution &SE) {
  auto *AR = dyn_cast<SCEVAddRecExpr>(SE.getMinusSCEV(S, &U));
  auto *By = AR && AR->getLoop() == X && AR->isAffine()
                 ? dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE))
                 : nullptr;
  SmallVector<const Value *, 8> Blocks{U.getValue()};
  SmallPtrSet<const Value *, 16> Seen;
  bool Moves = By != nullptr;
  while (Moves && !Blocks.empty()) {
    const Value *V = Blocks.pop_back_val();
    auto *I = dyn_cast<Instruction>(V);
    if (!Seen.insert(V).second || !I || !X->contains(I))
      continue;
    if (auto *P = dyn_cast<PHINode>(I))
      Blocks.append(P->op_begin(), P->op_end());
    else
      Moves = isInNewBlock(I, X);
  }
  return Moves ? std::optional(By->getAPInt().getSExtValue()) : std::nullopt;
}

/// Whether \p S, in which the values \p Moving change while \p X runs, advances
/// by a constant step nevertheless, or cycles through a few addresses. If so,
/// \p W describes it.
static bool advancesEvenly(Walk &W, const SCEV *S, Loop *X, uint64_t Bytes,
                           ArrayRef<const Instruction *> Moving,
                           const FunctionInfo &FI) {
  auto *U = dyn_cast<SCEVUnknown>(FI.SE->getPointerBase(S));
  if (auto *L = U ? dyn_cast<LoadInst>(U->getValue()) : nullptr;
      L && isa<SCEVConstant>(FI.SE->getMinusSCEV(S, U))) {
    bool Moves = false;
    if (auto Step = stepInMemory(*L, X, Moves)) {
      setStep(W, *Step, Bytes, Moves ? "new-blocks" : "conditional-step");
      return true;
    }
  }
  // An index that the loop keeps and advances in memory.
  if (Moving.size() == 1)
    if (auto Step = stepOfStored(S, *Moving.front(), X, *FI.SE)) {
      setStep(W, *Step, Bytes, "conditional-step");
      return true;
    }
  if (U && isa<PHINode>(U->getValue()))
    if (auto Step = stepInNewBlocks(S, *U, X, *FI.SE)) {
      setStep(W, *Step, Bytes, "new-blocks");
      return true;
    }
  // One element of buffers that are swapped.
  if (U && isTakenInTurn(*U, *X) &&
      FI.SE->isLoopInvariant(FI.SE->getMinusSCEV(S, U), X)) {
    W.Class = AccessClass::Invariant;
    W.Why = "chosen-object";
    return true;
  }
  // The same element of one of several arrays.
  if (auto Step = U ? stepOfChosen(S, *U, *X, FI) : std::nullopt) {
    setStep(W, *Step, Bytes, "chosen-object");
    return true;
  }
  return false;
}

/// Whether \p I is, or is loaded through, a header PHI of \p X whose next value
/// is loaded through the PHI itself.
static bool isChase(const Instruction *I, const Loop *X) {
  for (PHINode &P : X->getHeader()->phis()) {
    SmallPtrSet<const Value *, 32> Seen;
    bool Load = false;
    if (!reaches(I, &P, X, true, Load, Seen))
      continue;
    for (unsigned K = 0; K < P.getNumIncomingValues(); ++K) {
      if (!X->contains(P.getIncomingBlock(K)))
        continue;
      Seen.clear();
      Load = false;
      SmallPtrSet<const Value *, 32> Direct;
      bool None = false;
      // Also through itself: a search that continues from its current position.
      if (reaches(P.getIncomingValue(K), &P, X, true, Load, Seen) && Load &&
          (!reaches(P.getIncomingValue(K), &P, X, false, None, Direct) ||
           waitsForOwnLoad(P, K, X)))
        return true;
    }
  }
  return false;
}

/// The bytes by which \p S moves when the counter \p P is incremented: its
/// factor.
static int64_t scaleOf(const PHINode &P, const SCEV *S) {
  if (P.getType()->isPointerTy())
    return 1;
  struct Finder {
    const Value *V;
    int64_t Scale = 0;
    bool follow(const SCEV *S) {
      if (auto *Mul = dyn_cast<SCEVMulExpr>(S);
          Mul && Mul->getNumOperands() == 2) {
        const SCEV *B = Mul->getOperand(1);
        while (auto *C = dyn_cast<SCEVCastExpr>(B))
          B = C->getOperand();
        auto *C = dyn_cast<SCEVConstant>(Mul->getOperand(0));
        auto *U = dyn_cast<SCEVUnknown>(B);
        if (C && U && U->getValue() == V)
          Scale = C->getAPInt().getSExtValue();
      }
      return true;
    }
    bool isDone() const { return Scale != 0; }
  } Find{&P};
  visitAll(S, Find);
  return Find.Scale ? Find.Scale : 1; // byte arrays
}

/// Whether \p I is computed from values that \p X loads in the same iteration.
static bool isMadeOfLoads(const Instruction *I, const Loop *X) {
  SmallPtrSet<const Value *, 32> Seen;
  SmallVector<const Value *, 8> Work{I};
  bool Loads = false;
  while (!Work.empty() && Seen.size() < 64) {
    auto *V = dyn_cast<Instruction>(Work.pop_back_val());
    if (!V || !X->contains(V) || !Seen.insert(V).second)
      continue;
    if (isa<LoadInst>(V))
      Loads = true;
    else
      Work.append(V->op_begin(), V->op_end());
  }
  return Loads;
}

/// Describes the rows among which \p S jumps, at random, with \p X.
void Walks::noteTable(Walk &W, const SCEV *S, Loop *X, FunctionInfo &FI) {
  const RowStep Step = rowStep(S, *X, *FI.SE);
  if (Step.IsOwn)
    return;
  RowTable &T = W.Table.emplace();
  std::string Why = Step.Why.str();
  if (Step.Bytes)
    T.RowBytes = Forms.toCount(Step.Bytes, X->getParentLoop(), FI, Why);
  if (!T.RowBytes)
    T.Why = Step.Bytes ? "row-without-formula" : Why;
  T.Loaded = Step.Loaded;
  T.IndexSites = W.IndexSites;
}

void Walks::irregular(Walk &W, const SCEV *S, Loop *X, uint64_t Bytes,
                      FunctionInfo &FI) {
  SmallPtrSet<const Value *, 8> Set;
  leavesOf(S, Set);
  SmallVector<const Instruction *, 8> Moving;
  for (const Value *V : Set)
    if (auto *I = dyn_cast<Instruction>(V); I && X->contains(I))
      Moving.push_back(I);
  W.Class = AccessClass::Unknown;
  W.Why = "non-affine";
  if (Moving.empty()) {
    // Depends on iteration numbers only: packed triangles, hashed numbers.
    bool Grows = growsEvenly(S, *X);
    W.Class = Grows ? AccessClass::Strided : AccessClass::Random;
    W.Why = Grows ? "growing-step" : "computed-index";
    return;
  }
  if (advancesEvenly(W, S, X, Bytes, Moving, FI))
    return;
  auto Computed = [&](const Value *V) {
    W.Class = AccessClass::Random;
    W.Why = isGeometric(V, X) ? "geometric-step" : "computed-index";
  };
  bool Gather = false;
  for (const Instruction *I : Moving) {
    if (isChase(I, X)) {
      W.Class = AccessClass::Chase;
      W.Dependent = true;
      W.Why.clear();
      return;
    }
    auto *Call = dyn_cast<CallBase>(I);
    if (isa<LoadInst>(I) || (Call && followsNodes(*Call))) {
      Gather = true;
      continue;
    }
    if (auto *P = dyn_cast<PHINode>(I);
        P && P->getParent() == X->getHeader() && Moving.size() == 1) {
      bool Moves = false;
      if (auto Step = conditionalStep(P, X, &Moves)) {
        setStep(W, *Step * scaleOf(*P, S), Bytes,
                Moves ? "new-blocks" : "conditional-step");
        return;
      }
      Computed(P);
      continue;
    }
    if (!Call || isa<IntrinsicInst>(I)) {
      // Selected, masked or hashed: no order that a prefetcher could follow.
      Gather |= isMadeOfLoads(I, X);
      Computed(I);
      continue;
    }
    if (returnsData(*Call)) {
      W.Class = AccessClass::Random;
      W.Why = "computed-index";
      continue;
    }
    if (W.Class == AccessClass::Unknown)
      W.Why = "opaque-index";
    // A new object in each iteration; allocators mostly continue after the last
    // one.
    const Function *Maker = calleeOf(*Call);
    if (Moving.size() == 1 &&
        (allocationOf(*Call) || (Maker && makesBlocks(*Maker)))) {
      W.Class = AccessClass::Strided;
      W.Why = "fresh-object";
      return;
    }
  }
  if (Gather) {
    W.Class = AccessClass::Random;
    W.Why.clear();
    noteIndex(W, Moving, X);
    W.Stride = Indices.gatherStep(S, X, FI);
  }
  if (W.Class == AccessClass::Random)
    noteTable(W, S, X, FI);
}

} // namespace evenkeel
