//===- ChainedRanges.cpp - ranges that follow each other ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ChainedRanges.h.
//===----------------------------------------------------------------------===//
#include "ChainedRanges.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace evenkeel {
namespace {

class ChainedRanges {
  Loop &L;
  PHINode &Sum;
  DominatorTree &DT;
  LoopInfo &LI;

  /// The begin of the range whose length \p Length is, if it is the end of the
  /// last iteration's range.
  PHINode *beginOf(Value *Length, Value *&End) const {
    if (auto *Wide = dyn_cast<CastInst>(Length);
        Wide && isa<ZExtInst, SExtInst>(Wide))
      Length = Wide->getOperand(0);
    auto *Minus = dyn_cast<BinaryOperator>(Length);
    if (!Minus || Minus->getOpcode() != Instruction::Sub)
      return nullptr;
    auto Narrow = [](Value *V) {
      auto *Wide = dyn_cast<CastInst>(V);
      return Wide && isa<ZExtInst, SExtInst>(Wide) ? Wide->getOperand(0) : V;
    };
    End = Narrow(Minus->getOperand(0));
    auto *Begin = dyn_cast<PHINode>(Narrow(Minus->getOperand(1)));
    return Begin && Begin->getParent() == L.getHeader() &&
                   Begin->getIncomingValueForBlock(L.getLoopLatch()) == End
               ? Begin
               : nullptr;
  }

public:
  ChainedRanges(Loop &L, PHINode &Sum, DominatorTree &DT, LoopInfo &LI)
      : L(L), Sum(Sum), DT(DT), LI(LI) {}
  bool run();
};

bool ChainedRanges::run() {
  BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPreheader();
  if (!Latch || !Before)
    return false;
  auto *Last = dyn_cast<PHINode>(Sum.getIncomingValueForBlock(Latch));
  if (!Last || Last->getNumIncomingValues() != 2 ||
      L.getExitingBlock() != Latch)
    return false;
  // The sum, or the sum plus the length of a range that is not empty.
  const unsigned Same = Last->getIncomingValue(0) == &Sum ? 0 : 1;
  auto *Longer = dyn_cast<BinaryOperator>(Last->getIncomingValue(1 - Same));
  if (Last->getIncomingValue(Same) != &Sum || !Longer ||
      Longer->getOpcode() != Instruction::Add)
    return false;
  Value *Length = Longer->getOperand(Longer->getOperand(0) == &Sum ? 1 : 0);
  Value *End = nullptr;
  PHINode *Begin = beginOf(Length, End);
  BasicBlock *Guard = Last->getIncomingBlock(Same);
  const auto *Br = dyn_cast<BranchInst>(Guard->getTerminator());
  const auto *Test = Br && Br->isConditional()
                         ? dyn_cast<ICmpInst>(Br->getCondition())
                         : nullptr;
  if ((Longer->getOperand(0) != &Sum && Longer->getOperand(1) != &Sum) ||
      !Begin || !Test || Longer->getParent()->getSinglePredecessor() != Guard)
    return false;
  const bool Straight = Test->getOperand(0) == Begin;
  if (Test->getOperand(Straight ? 0 : 1) != Begin ||
      Test->getOperand(Straight ? 1 : 0) != End || Test->isEquality())
    return false;
  // Nothing else may need the sum in the loop.
  for (const User *U : Sum.users())
    if (U != Last && U != Longer)
      return false;
  for (const User *U : Last->users())
    if (U != &Sum && L.contains(cast<Instruction>(U)))
      return false;
  formDedicatedExitBlocks(&L, &DT, &LI, nullptr, /*PreserveLCSSA=*/false);
  BasicBlock *Exit = L.getUniqueExitBlock();
  IRBuilder<> B(&*Exit->getFirstInsertionPt());
  Value *All = B.CreateSub(End, Begin->getIncomingValueForBlock(Before));
  All = B.CreateAdd(Sum.getIncomingValueForBlock(Before),
                    B.CreateZExtOrTrunc(All, Sum.getType()), "ek.total");
  const SmallSetVector<User *, 4> Users(Last->user_begin(), Last->user_end());
  for (User *U : Users) {
    auto *P = dyn_cast<PHINode>(U);
    if (P && P->getParent() == Exit) {
      P->replaceAllUsesWith(All);
      P->eraseFromParent();
    } else if (U != &Sum) {
      U->replaceUsesOfWith(Last, All);
    }
  }
  return true;
}

} // namespace

bool sumChainedRanges(Loop &L, PHINode &Sum, DominatorTree &DT, LoopInfo &LI) {
  return ChainedRanges(L, Sum, DT, LI).run();
}

} // namespace evenkeel
