//===- Reshape.cpp - rewrite code for ScalarEvolution ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: pointer arithmetic from integer arithmetic, one value from several
// PHIs.
// Not here: masks (alignment by hand), whose effect is not known.
//===----------------------------------------------------------------------===//
#include "unit/Reshape.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace evenkeel {
namespace {

/// Finds the integers of one function that hold pointers.
class Pointers {
  Function &F;
  const DataLayout &DL;
  MapVector<PHINode *, PHINode *> Phis; // integer PHI -> pointer PHI; null: not
                                        // a pointer

  bool isPointer(Value *V, unsigned Depth);
  bool isPointerPhi(PHINode &P, unsigned Depth);
  SmallPtrSet<PHINode *, 8> Open;

public:
  explicit Pointers(Function &F) : F(F), DL(F.getParent()->getDataLayout()) {}
  bool isPointer(Value *V) { return isPointer(V, 0); }
  /// The pointer that \p V holds, computed before \p At.
  Value *make(Value *V, Instruction *At);
};

} // namespace

/// Whether one input of \p P is a pointer and all others are computed from it.
bool Pointers::isPointerPhi(PHINode &P, unsigned Depth) {
  if (auto It = Phis.find(&P); It != Phis.end())
    return It->second;
  if (!Open.insert(&P).second)
    return true; // if the rest of the cycle is
  bool Good = all_of(P.incoming_values(),
                     [&](Value *V) { return isPointer(V, Depth + 1); });
  // A cycle without an input from outside is unreachable.
  bool Starts = any_of(P.incoming_values(), [&](Value *V) {
    return isa<PtrToIntInst>(V) || (isa<PHINode>(V) && V != &P) ||
           isa<BinaryOperator>(V);
  });
  Open.erase(&P);
  return Good && Starts;
}

bool Pointers::isPointer(Value *V, unsigned Depth) {
  if (Depth > 16)
    return false;
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return V->getType() == DL.getIntPtrType(Cast->getPointerOperandType());
  if (auto *P = dyn_cast<PHINode>(V))
    return isPointerPhi(*P, Depth);
  auto *B = dyn_cast<BinaryOperator>(V);
  if (!B)
    return false;
  if (B->getOpcode() == Instruction::Sub)
    return isPointer(B->getOperand(0), Depth + 1) &&
           !isPointer(B->getOperand(1), Depth + 1);
  return B->getOpcode() == Instruction::Add &&
         isPointer(B->getOperand(0), Depth + 1) !=
             isPointer(B->getOperand(1), Depth + 1);
}

Value *Pointers::make(Value *V, Instruction *At) {
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return Cast->getPointerOperand();
  if (auto *P = dyn_cast<PHINode>(V)) {
    if (auto It = Phis.find(P); It != Phis.end())
      return It->second;
    IRBuilder<> B(P);
    PHINode *New = B.CreatePHI(PointerType::getUnqual(F.getContext()),
                               P->getNumIncomingValues());
    Phis[P] = New;
    for (unsigned K = 0; K < P->getNumIncomingValues(); ++K)
      New->addIncoming(
          make(P->getIncomingValue(K), P->getIncomingBlock(K)->getTerminator()),
          P->getIncomingBlock(K));
    return New;
  }
  auto *Op = cast<BinaryOperator>(V);
  IRBuilder<> B(Op);
  bool Left = isPointer(Op->getOperand(0));
  Value *Base = make(Op->getOperand(Left ? 0 : 1), Op);
  Value *Offset = Op->getOperand(Left ? 1 : 0);
  if (Op->getOpcode() == Instruction::Sub)
    Offset = B.CreateNeg(Offset);
  return B.CreatePtrAdd(Base, Offset);
}

void pointersOfIntegers(Function &F) {
  Pointers P(F);
  SmallVector<IntToPtrInst *, 8> Casts;
  for (Instruction &I : instructions(F))
    if (auto *Cast = dyn_cast<IntToPtrInst>(&I);
        Cast && Cast->getType()->isPointerTy() &&
        P.isPointer(Cast->getOperand(0)))
      Casts.push_back(Cast);
  for (IntToPtrInst *Cast : Casts) {
    Cast->replaceAllUsesWith(P.make(Cast->getOperand(0), Cast));
    Cast->eraseFromParent();
  }
}

void collapsePhis(Function &F, const DominatorTree &DT,
                  function_ref<Value *(Value *)> Same) {
  // Optimistic: a PHI has no value until one of its operands has one; if
  // operands have two values, the PHI is a value of its own.
  MapVector<PHINode *, Value *> Values;
  DenseMap<Value *, SmallVector<Value *, 4>> Equal; // incoming values of PHIs
  for (BasicBlock &B : F)
    for (PHINode &P : B.phis()) {
      Values[&P] = nullptr;
      for (Value *V : P.incoming_values())
        if (!isa<PHINode>(V))
          Equal[Same(V)].push_back(V);
    }
  for (bool Again = true; Again;) {
    Again = false;
    for (auto &[P, Value_] : Values) {
      if (Value_ == P)
        continue;
      Value *New = nullptr;
      for (Value *V : P->incoming_values()) {
        auto *Q = dyn_cast<PHINode>(V);
        Value *In = Q ? Values.lookup(Q) : Same(V);
        if (In && New && In != New) {
          New = P;
          break;
        }
        New = In ? In : New;
      }
      Again |= New != Value_;
      Value_ = New;
    }
  }
  for (auto &[P, Value_] : Values) {
    if (!Value_ || Value_ == P)
      continue;
    Value *One = nullptr;
    if (isa<PHINode>(Value_)) {
      if (DT.dominates(cast<Instruction>(Value_), P))
        One = Value_;
    } else {
      for (Value *V : Equal[Value_])
        if (auto *I = dyn_cast<Instruction>(V); !I || DT.dominates(I, P))
          One = V;
    }
    if (One)
      P->replaceAllUsesWith(One);
  }
}

/// The value of \p Cond that branches dominating \p B imply.
static std::optional<bool> answerAbove(const BasicBlock *B, const Value *Cond,
                                       const DominatorTree &DT) {
  constexpr unsigned Highest = 32;
  const DomTreeNode *Node = DT.getNode(B);
  for (unsigned Step = 0; Step < Highest && Node && Node->getIDom(); ++Step) {
    const BasicBlock *D = Node->getIDom()->getBlock();
    auto *Br = dyn_cast<BranchInst>(D->getTerminator());
    if (Br && Br->isConditional() && Br->getSuccessor(0) != Br->getSuccessor(1))
      for (bool Sense : {true, false})
        if (DT.dominates(BasicBlockEdge(D, Br->getSuccessor(Sense ? 0 : 1)), B))
          if (auto Known = isImpliedCondition(Br->getCondition(), Cond,
                                              B->getDataLayout(), Sense))
            return Known;
    Node = Node->getIDom();
  }
  return std::nullopt;
}

void dropKnownBranches(Function &F) {
  DominatorTree DT(F);
  SmallVector<std::pair<BranchInst *, bool>, 8> Known;
  for (BasicBlock &B : F)
    if (auto *Br = dyn_cast<BranchInst>(B.getTerminator());
        Br && Br->isConditional() && DT.isReachableFromEntry(&B))
      if (auto Answer = answerAbove(&B, Br->getCondition(), DT))
        Known.push_back({Br, *Answer});
  for (auto &[Br, Answer] : Known)
    Br->setCondition(ConstantInt::getBool(F.getContext(), Answer));
  for (auto &[Br, Answer] : Known)
    ConstantFoldTerminator(Br->getParent());
  if (!Known.empty())
    removeUnreachableBlocks(F);
}

} // namespace evenkeel
