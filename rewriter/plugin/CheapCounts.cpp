//===- CheapCounts.cpp - counters that cost next to nothing ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CheapCounts.h. utils/bench-totals measures what they cost.
//===----------------------------------------------------------------------===//
#include "CheapCounts.h"
#include "ChainedRanges.h"
#include "ClosedCounters.h"
#include "Counters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Passes/PassBuilder.h"
#include <set>

using namespace llvm;

namespace evenkeel {
namespace {

/// In an iteration of so many instructions, one addition more hardly costs
/// time.
constexpr unsigned LongEnough = 64;

/// Whether each iteration begins with a value that was loaded from an address
/// which depends on the value before, as in a list. The processor waits for
/// such a load, and can do an addition meanwhile. It does not wait for
/// conditions.
bool waitsForLoads(const Loop &L) {
  for (PHINode &Head : L.getHeader()->phis()) {
    SmallVector<std::pair<Value *, bool>, 16> Work{
        {Head.getIncomingValueForBlock(L.getLoopLatch()), false}};
    std::set<std::pair<Value *, bool>> Known;
    while (!Work.empty()) {
      auto [V, Loaded] = Work.pop_back_val();
      auto *I = dyn_cast<Instruction>(V);
      if (!I || !L.contains(I) || !Known.insert({V, Loaded}).second)
        continue;
      if (I == &Head && Loaded)
        return true;
      if (auto *Load = dyn_cast<LoadInst>(I))
        Work.push_back({Load->getPointerOperand(), true});
      else if (isa<GetElementPtrInst, CastInst, PHINode, BinaryOperator,
                   SelectInst>(I))
        for (unsigned K = isa<SelectInst>(I); K < I->getNumOperands(); ++K)
          Work.push_back({I->getOperand(K), Loaded});
    }
  }
  return false;
}

/// Whether an iteration takes much longer than an addition.
bool takesLong(const Loop &L) {
  unsigned Count = 0;
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B) {
      if (I.isDebugOrPseudoInst() || isa<PHINode>(I))
        continue;
      if ((isa<CallBase>(I) && !isa<IntrinsicInst>(I)) ||
          I.getOpcode() == Instruction::FDiv ||
          (I.isIntDivRem() && !isa<Constant>(I.getOperand(1))) ||
          ++Count >= LongEnough)
        return true;
    }
  return waitsForLoads(L);
}

/// Removes \p What, and what nothing else needs.
void remove(ArrayRef<Instruction *> What) {
  SmallSetVector<Instruction *, 16> Needs(What.begin(), What.end());
  for (size_t K = 0; K < Needs.size(); ++K)
    for (Value *Op : Needs[K]->operands())
      if (auto *I = dyn_cast<Instruction>(Op);
          I && isa<PHINode, BinaryOperator, CastInst>(I))
        Needs.insert(I);
  for (bool Changed = true; Changed;) {
    const auto Others = [&](Instruction *I) {
      return any_of(I->users(), [&](User *U) {
        return !Needs.contains(cast<Instruction>(U));
      });
    };
    Changed = Needs.remove_if(Others);
  }
  for (Instruction *I : Needs)
    if (!I->getType()->isVoidTy())
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Needs)
    I->eraseFromParent();
}

struct CheapCounts : PassInfoMixin<CheapCounts> {
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &FAM) {
    if (none_of(instructions(F), [](Instruction &I) { return isHandOver(&I); }))
      return PreservedAnalyses::all();
    LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
    DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &Remarks = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
    SmallVector<Instruction *, 8> Dead;
    SmallSetVector<CallBase *, 4> Dropped;
    for (Loop *L : LI.getLoopsInPreorder()) {
      if (!L->getLoopLatch() || !L->getLoopPreheader())
        continue;
      for (PHINode &P : L->getHeader()->phis()) {
        const auto Calls = handOversOf(P);
        if (Calls.empty())
          continue;
        if (isCounterOf(P, *L, SE)) {
          if (takesLong(*L))
            continue;
          Remarks.emit([&] {
            return OptimizationRemarkMissed("ek-totals", "loop-too-short",
                                            L->getStartLoc(), L->getHeader())
                   << "loop-too-short: its iterations are not counted";
          });
          Dropped.insert(Calls.begin(), Calls.end());
        } else if (sumChainedRanges(*L, P, DT, LI)) {
          SE.forgetLoop(L);
          Dead.push_back(&P);
        }
      }
    }
    // A loop has several calls where there are barriers.
    SmallDenseSet<Value *> Ids;
    for (CallBase *Call : Dropped)
      Ids.insert(Call->getArgOperand(1));
    for (Instruction &I : instructions(F))
      if (isHandOver(&I) && Ids.contains(cast<CallBase>(I).getArgOperand(1)))
        Dropped.insert(cast<CallBase>(&I));
    Dead.append(Dropped.begin(), Dropped.end());
    remove(Dead);
    return PreservedAnalyses::none();
  }
};

} // namespace

void makeCountsCheap(PassBuilder &PB) {
  PB.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &LPM, OptimizationLevel) {
        LPM.addPass(CloseCounters());
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(CheapCounts());
      });
}

} // namespace evenkeel
