//===- DataSteps.cpp - steps that depend on data --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DataSteps.h.
//===----------------------------------------------------------------------===//
#include "access/walks/DataSteps.h"
#include "access/loops/Samples.h"
#include "access/walks/EvenSteps.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

bool isInNewBlock(const Value *V, const Loop *X) {
  SmallVector<const Value *, 8> Work{V};
  SmallPtrSet<const Value *, 16> Seen;
  bool Asks = false;
  while (!Work.empty()) {
    const Value *W = Work.pop_back_val()->stripInBoundsOffsets();
    while (auto *G = dyn_cast<GEPOperator>(W))
      W = G->getPointerOperand()->stripInBoundsOffsets();
    if (!Seen.insert(W).second || isa<ConstantPointerNull>(W))
      continue;
    auto *I = dyn_cast<Instruction>(W);
    if (!I || !X->contains(I))
      return false;
    if (auto *P = dyn_cast<PHINode>(I)) {
      if (P->getParent() == X->getHeader())
        return false; // from an earlier iteration
      Work.append(P->op_begin(), P->op_end());
    } else if (auto *CB = dyn_cast<CallBase>(I); CB && allocationOf(*CB)) {
      Asks = true;
    } else {
      return false;
    }
  }
  return Asks;
}

/// A factor with more bits is meant to mix bits (Knuth 1969, linear
/// congruences) rather than to make a number larger.
constexpr unsigned MostBits = 12;

/// The header PHI from which \p V follows by constants only; else null. Sets
/// \p Scales if it is multiplied or divided on the way.
static const PHINode *ofCounter(const Value *V, const Loop *X, bool &Scales) {
  for (unsigned Step = 0; Step < 8; ++Step) {
    if (auto *P = dyn_cast<PHINode>(V))
      return P->getParent() == X->getHeader() ? P : nullptr;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !X->contains(I))
      return nullptr;
    auto *B = dyn_cast<BinaryOperator>(I);
    if (B && X->isLoopInvariant(B->getOperand(1))) {
      auto *By = dyn_cast<ConstantInt>(B->getOperand(1));
      if (By && By->getValue().getSignificantBits() > MostBits)
        return nullptr;
      switch (B->getOpcode()) {
      case Instruction::Mul:
      case Instruction::Shl:
      case Instruction::UDiv:
      case Instruction::SDiv:
      case Instruction::LShr:
      case Instruction::AShr:
        Scales = true;
        break;
      case Instruction::Add:
      case Instruction::Sub:
      case Instruction::Or:
        break;
      default:
        return nullptr;
      }
    } else if (!isa<CastInst>(I)) {
      return nullptr;
    }
    V = I->getOperand(0);
  }
  return nullptr;
}

bool isGeometric(const Value *V, const Loop *X) {
  bool Scales = false;
  const PHINode *P = ofCounter(V, X, Scales);
  const BasicBlock *Latch = X->getLoopLatch();
  Scales = false;
  return P && Latch &&
         ofCounter(P->getIncomingValueForBlock(Latch), X, Scales) == P &&
         Scales;
}

/// Whether \p L runs only if \p P, one step further, has reached the end of a
/// block, so that \p L loads the start of the next one.
static bool isAfterEndOf(const LoadInst &L, const PHINode &P) {
  const BasicBlock *B = L.getParent(), *Above = B->getSinglePredecessor();
  auto *Br = Above ? dyn_cast<BranchInst>(Above->getTerminator()) : nullptr;
  auto *Cmp = Br && Br->isConditional() ? dyn_cast<ICmpInst>(Br->getCondition())
                                        : nullptr;
  if (!Cmp || !Cmp->isEquality() ||
      Br->getSuccessor(Cmp->getPredicate() == CmpInst::ICMP_EQ ? 0 : 1) != B)
    return false;
  return any_of(Cmp->operands(), [&](const Value *V) {
    auto *G = dyn_cast<GetElementPtrInst>(V);
    return G && G->hasAllConstantIndices() && G->getPointerOperand() == &P;
  });
}

std::optional<int64_t> conditionalStep(const PHINode *P, const Loop *X,
                                       bool *Moves) {
  std::optional<int64_t> Step;
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 16> Seen;
  for (unsigned K = 0; K < P->getNumIncomingValues(); ++K)
    if (X->contains(P->getIncomingBlock(K)))
      Work.push_back(P->getIncomingValue(K));
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (V == P || !Seen.insert(V).second)
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !X->contains(I))
      return std::nullopt;
    auto *L = dyn_cast<LoadInst>(I);
    if (Moves && I->getType()->isPointerTy() &&
        (isInNewBlock(I, X) || (L && isAfterEndOf(*L, *P)))) {
      *Moves = true;
      continue;
    }
    if (isa<PHINode, SelectInst>(I)) {
      for (const Use &U : I->operands())
        if (!(isa<SelectInst>(I) && U.getOperandNo() == 0))
          Work.push_back(U);
      continue;
    }
    std::optional<int64_t> By;
    if (I->getOpcode() == Instruction::Add)
      if (auto *C = dyn_cast<ConstantInt>(I->getOperand(1)))
        By = C->getSExtValue();
    if (auto *G = dyn_cast<GetElementPtrInst>(I)) {
      APInt O(64, 0);
      if (G->accumulateConstantOffset(I->getModule()->getDataLayout(), O))
        By = O.getSExtValue();
    }
    if (!By || (Step && *Step != *By))
      return std::nullopt;
    Step = By;
    Work.push_back(I->getOperand(0));
  }
  return Step;
}

std::optional<int64_t> stepInMemory(const LoadInst &L, const Loop *X,
                                    bool &Moves) {
  std::optional<int64_t> Step;
  const Value *Slot = L.getPointerOperand();
  if (!L.getType()->isPointerTy() || !X->isLoopInvariant(Slot))
    return std::nullopt;
  for (const BasicBlock *B : X->blocks())
    for (const Instruction &I : *B) {
      auto *S = dyn_cast<StoreInst>(&I);
      if (!S || S->getPointerOperand() != Slot)
        continue;
      const Value *V = S->getValueOperand();
      APInt By(64, 0);
      auto *From = dyn_cast<LoadInst>(
          V->stripAndAccumulateConstantOffsets(L.getDataLayout(), By, true));
      if (From && From->getPointerOperand() == Slot &&
          (!Step || *Step == By.getSExtValue()))
        Step = By.getSExtValue();
      else if (X->contains(S) && isInNewBlock(V, X))
        Moves = true;
      else
        return std::nullopt;
    }
  return Step;
}

bool growsEvenly(const SCEV *S, const Loop &X) {
  constexpr int64_t Iterations = 64;
  Sample Input(1);
  SmallVector<int64_t, Iterations> Where;
  for (int64_t K = 0; K < Iterations; ++K) {
    Input.Iterations[&X] = K;
    auto At = Input.of(S);
    if (!At)
      return false;
    Where.push_back(*At);
  }
  auto Growth = [&](unsigned K) {
    return Where[K] - 2 * Where[K - 1] + Where[K - 2];
  };
  for (unsigned K = 3; K < Where.size(); ++K)
    if (Growth(K) != Growth(2))
      return false;
  return Growth(2) != 0;
}

/// Whether \p X stores to the address of \p L.
static bool isStoredTo(const LoadInst &L, const Loop &X) {
  return any_of(X.blocks(), [&](const BasicBlock *B) {
    return any_of(*B, [&](const Instruction &I) {
      auto *S = dyn_cast<StoreInst>(&I);
      return S && S->getPointerOperand() == L.getPointerOperand();
    });
  });
}

std::optional<int64_t> stepOfChosen(const SCEV *S, const SCEVUnknown &Base,
                                    const Loop &X, const FunctionInfo &FI) {
  ScalarEvolution &SE = *FI.SE;
  const SCEV *Rest = SE.getMinusSCEV(S, &Base);
  SmallVector<Value *, 8> Work{Base.getValue()};
  SmallPtrSet<const Value *, 16> Seen;
  std::optional<int64_t> Step;
  bool Reads = false;
  if (isa<SCEVCouldNotCompute>(Rest))
    return std::nullopt;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    auto *I = dyn_cast<Instruction>(V);
    if (I && isa<PHINode, SelectInst>(I) && X.contains(I)) {
      if (I->getParent() == X.getHeader() && isa<PHINode>(I))
        return std::nullopt; // from an earlier iteration
      if (FI.LI->getLoopFor(I->getParent()) != &X)
        return std::nullopt;
      Work.append(I->op_begin() + (isa<SelectInst>(I) ? 1 : 0), I->op_end());
      continue;
    }
    // A load repeated in each iteration in case a store has changed it; no
    // visible store does.
    const SCEV *At = SE.getSCEV(V);
    if (auto *L = dyn_cast<LoadInst>(V); L && X.contains(L)) {
      if (!X.isLoopInvariant(L->getPointerOperand()) || isStoredTo(*L, X))
        return std::nullopt;
      At = SE.getZero(Rest->getType());
      Reads = true;
    }
    auto *AR = dyn_cast<SCEVAddRecExpr>(SE.getAddExpr(At, Rest));
    auto *By = AR && AR->getLoop() == &X && AR->isAffine()
                   ? dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE))
                   : nullptr;
    if (!By || (Step && *Step != By->getAPInt().getSExtValue()))
      return std::nullopt;
    Step = By->getAPInt().getSExtValue();
  }
  return Reads || Seen.size() > 1 ? Step : std::nullopt;
}

bool isTakenInTurn(const SCEVUnknown &U, const Loop &X) {
  constexpr size_t Most = 32;
  SmallVector<const Value *, 8> Work{U.getValue()};
  SmallPtrSet<const Value *, 16> Seen;
  bool Turns = false;
  while (!Work.empty() && Seen.size() < Most) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || X.isLoopInvariant(V))
      continue;
    if (!isa<PHINode, SelectInst>(V))
      return false;
    auto *I = cast<Instruction>(V);
    Turns |= I->getParent() == X.getHeader() && isa<PHINode>(I);
    Work.append(I->op_begin() + (isa<SelectInst>(I) ? 1 : 0), I->op_end());
  }
  return Turns && Work.empty();
}

bool returnsData(const CallBase &Call) {
  const Function *F = calleeOf(Call);
  if (!F)
    return false;
  if (F->isDeclaration())
    return is_contained({"rand", "rand_r", "random", "lrand48", "nrand48",
                         "mrand48", "jrand48", "arc4random"},
                        F->getName());
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 32> Seen;
  for (const BasicBlock &B : *F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator());
        R && R->getReturnValue())
      Work.push_back(R->getReturnValue());
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    auto *L = dyn_cast<LoadInst>(I);
    if (L && !isa<AllocaInst>(L->getPointerOperand()->stripInBoundsOffsets()))
      return true;
    Work.append(I->op_begin(), I->op_end());
  }
  return false;
}

bool makesBlocks(const Function &F, unsigned Depth) {
  if (F.isDeclaration() || Depth > 4)
    return false;
  SmallVector<const Value *, 8> Work;
  SmallPtrSet<const Value *, 8> Seen;
  for (const BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator());
        R && R->getReturnValue())
      Work.push_back(R->getReturnValue());
  bool Makes = false;
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val()->stripPointerCasts();
    if (!Seen.insert(V).second || isa<ConstantPointerNull>(V))
      continue;
    if (isa<PHINode, SelectInst>(V)) {
      Work.append(cast<User>(V)->op_begin() + isa<SelectInst>(V),
                  cast<User>(V)->op_end());
      continue;
    }
    auto *CB = dyn_cast<CallBase>(V);
    const Function *Callee = CB ? calleeOf(*CB) : nullptr;
    if (!CB || !(allocationOf(*CB) ||
                 (Callee && Callee != &F && makesBlocks(*Callee, Depth + 1))))
      return false;
    Makes = true;
  }
  return Makes;
}

} // namespace evenkeel
