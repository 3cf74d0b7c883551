//===- CheapCounts.cpp - counters that cost next to nothing ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CheapCounts.h. What cost is left is measured by utils/bench-totals.
//===----------------------------------------------------------------------===//
#include "CheapCounts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <set>

using namespace llvm;

namespace evenkeel {
namespace {

/// A loop with so many instructions in an iteration can bear one addition more.
constexpr unsigned LongEnough = 64;

bool isHandOver(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && F->getName() == "ek_total";
}

/// Adds the calls of ek_total that \p V is an argument of: through further
/// additions and outer loops.
void findHandOvers(Value *V, SmallPtrSetImpl<Value *> &Known,
                   SmallSetVector<CallBase *, 4> &Out) {
  if (!Known.insert(V).second)
    return;
  for (User *U : V->users()) {
    auto *Add = dyn_cast<BinaryOperator>(U);
    if (isHandOver(U))
      Out.insert(cast<CallBase>(U));
    else if (isa<PHINode>(U) || (Add && Add->getOpcode() == Instruction::Add))
      findHandOvers(U, Known, Out);
  }
}

SmallSetVector<CallBase *, 4> handOversOf(PHINode &P) {
  SmallSetVector<CallBase *, 4> Out;
  SmallPtrSet<Value *, 16> Known;
  if (P.getType()->isIntegerTy(64))
    findHandOvers(&P, Known, Out);
  return Out;
}

/// \p V as first + step * iteration of \p L; null: it is not.
const SCEVAddRecExpr *lineOf(Value *V, const Loop &L, ScalarEvolution &SE) {
  if (!SE.isSCEVable(V->getType()))
    return nullptr;
  const auto *Line = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(V));
  return Line && Line->getLoop() == &L && Line->isAffine() ? Line : nullptr;
}

/// Whether the loop uses \p P for more than its next value.
bool isNeededIn(const Loop &L, const PHINode &P) {
  const Value *Next = P.getIncomingValueForBlock(L.getLoopLatch());
  for (const Value *V : {static_cast<const Value *>(&P), Next})
    for (const User *U : V->users())
      if (U != &P && U != Next && L.contains(cast<Instruction>(U)))
        return true;
  return false;
}

/// Whether \p P only counts the iterations of \p L, to hand them over.
bool isCounterOf(PHINode &P, const Loop &L, ScalarEvolution &SE) {
  if (isNeededIn(L, P) || !P.getType()->isIntegerTy(64) ||
      handOversOf(P).empty())
    return false;
  const SCEVAddRecExpr *Line = lineOf(&P, L, SE);
  return Line && Line->getStepRecurrence(SE)->isOne();
}

/// Replaces a counter of one loop by what is known before the loop, or by
/// another variable that counts in it.
class CloseCounter {
  Loop &L;
  PHINode &Counter;
  LoopStandardAnalysisResults &AR;
  SCEVExpander &Rewriter;
  Value *First = nullptr; // before the loop

  std::optional<int64_t> ahead(Value *V, BasicBlock *Exiting) const;
  Value *computed(BasicBlock *Exiting, int64_t Ahead);
  PHINode *otherCounter() const;
  Value *fromOther(PHINode &Exit);

public:
  CloseCounter(Loop &L, PHINode &Counter, LoopStandardAnalysisResults &AR,
               SCEVExpander &Rewriter)
      : L(L), Counter(Counter), AR(AR), Rewriter(Rewriter),
        First(Counter.getIncomingValueForBlock(L.getLoopPreheader())) {}
  bool run();
};

/// How far \p V, a use of the counter's at the exit from \p Exiting, is ahead
/// of the counter. The optimiser may have computed it before the loop.
std::optional<int64_t> CloseCounter::ahead(Value *V,
                                           BasicBlock *Exiting) const {
  const SCEV *Value = AR.SE.getSCEV(V);
  if (const auto *D = dyn_cast<SCEVConstant>(
          AR.SE.getMinusSCEV(Value, AR.SE.getSCEV(&Counter))))
    return D->getAPInt().getSExtValue();
  const SCEV *Count = AR.SE.getExitCount(&L, Exiting);
  if (isa<SCEVCouldNotCompute>(Count) || !AR.SE.isLoopInvariant(Value, &L))
    return std::nullopt;
  Type *I64 = Counter.getType();
  const SCEV *Here = AR.SE.getAddExpr(
      AR.SE.getSCEV(First), AR.SE.getTruncateOrZeroExtend(Count, I64));
  if (Value == Here)
    return 0;
  return Value == AR.SE.getAddExpr(Here, AR.SE.getOne(I64))
             ? std::optional<int64_t>(1)
             : std::nullopt;
}

/// The counter's value at the exit from \p Exiting, computed before the loop,
/// where its operands are at hand; null: it is not known there.
Value *CloseCounter::computed(BasicBlock *Exiting, int64_t Ahead) {
  const SCEV *Count = AR.SE.getExitCount(&L, Exiting);
  if (isa<SCEVCouldNotCompute>(Count) || (Ahead != 0 && Ahead != 1))
    return nullptr;
  Type *I64 = Counter.getType();
  // In the counter's own type, which gives `end - begin`. (Only a loop that
  // uses up all values of its variable would have one iteration more.)
  if (Ahead)
    Count = AR.SE.getAddExpr(Count, AR.SE.getOne(Count->getType()));
  Count = AR.SE.getTruncateOrZeroExtend(Count, I64);
  Instruction *At = L.getLoopPreheader()->getTerminator();
  if (!AR.SE.isLoopInvariant(Count, &L) ||
      !Rewriter.isSafeToExpandAt(Count, At))
    return nullptr;
  IRBuilder<> B(At);
  return B.CreateAdd(First, Rewriter.expandCodeFor(Count, I64, At), "ek.total");
}

/// Another variable that counts the iterations, which the loop needs anyway.
PHINode *CloseCounter::otherCounter() const {
  for (PHINode &P : L.getHeader()->phis()) {
    if (&P == &Counter || !P.getType()->isIntegerTy() ||
        !handOversOf(P).empty())
      continue;
    const SCEVAddRecExpr *Line = lineOf(&P, L, AR.SE);
    if (!Line || !(Line->getStepRecurrence(AR.SE)->isOne() ||
                   Line->getStepRecurrence(AR.SE)->isAllOnesValue()))
      continue;
    if (P.getType()->getIntegerBitWidth() < 64 && !Line->hasNoSignedWrap() &&
        !Line->hasNoUnsignedWrap())
      continue;
    if (isNeededIn(L, P))
      return &P;
  }
  return nullptr;
}

/// The counter's value at \p Exit from the other counter's.
Value *CloseCounter::fromOther(PHINode &Exit) {
  PHINode *Other = otherCounter();
  if (!Other)
    return nullptr;
  std::optional<int64_t> Ahead; // of Exit
  for (unsigned K = 0; K < Exit.getNumIncomingValues(); ++K) {
    const std::optional<int64_t> Its =
        ahead(Exit.getIncomingValue(K), Exit.getIncomingBlock(K));
    if (!Its || (Ahead && *Ahead != *Its))
      return nullptr;
    Ahead = Its;
  }
  auto *Next =
      dyn_cast<Instruction>(Other->getIncomingValueForBlock(L.getLoopLatch()));
  const bool UsesNext =
      Ahead == 1 && Next && all_of(Exit.blocks(), [&](BasicBlock *From) {
        return AR.DT.dominates(Next->getParent(), From);
      });
  const int64_t Behind = *Ahead - UsesNext;
  PHINode *At = PHINode::Create(Other->getType(), Exit.getNumIncomingValues(),
                                "ek.at", Exit.getParent()->begin());
  for (BasicBlock *From : Exit.blocks())
    At->addIncoming(UsesNext ? Next : Other, From);
  // (Here - From) or (From - Here), of which the part known before is summed
  // there. Sums that the optimiser sees through it would keep in the loop.
  Value *From = Other->getIncomingValueForBlock(L.getLoopPreheader());
  const bool Up = lineOf(Other, L, AR.SE)->getStepRecurrence(AR.SE)->isOne();
  Type *I64 = Counter.getType();
  IRBuilder<> After(&*Exit.getParent()->getFirstInsertionPt());
  Type *Its = Other->getType();
  Value *Here = After.CreateCall(
      InlineAsm::get(FunctionType::get(Its, {Its}, /*isVarArg=*/false), "",
                     "=r,0", /*hasSideEffects=*/false),
      {At});
  if (Its == I64) {
    IRBuilder<> Before(L.getLoopPreheader()->getTerminator());
    Value *Base =
        Up ? Before.CreateSub(First, From) : Before.CreateAdd(First, From);
    Base = Before.CreateAdd(Base, Before.getInt64(Behind));
    return Up ? After.CreateAdd(Base, Here) : After.CreateSub(Base, Here);
  }
  Value *Went = Up ? After.CreateSub(Here, From) : After.CreateSub(From, Here);
  Went = After.CreateZExtOrTrunc(Went, I64);
  return After.CreateAdd(After.CreateAdd(First, Went), After.getInt64(Behind));
}

bool CloseCounter::run() {
  SmallVector<PHINode *, 4> Exits;
  Value *Next = Counter.getIncomingValueForBlock(L.getLoopLatch());
  for (Value *V : {static_cast<Value *>(&Counter), Next})
    for (User *U : V->users())
      if (auto *P = dyn_cast<PHINode>(U); P && !L.contains(P))
        Exits.push_back(P);
  bool Changed = false;
  for (PHINode *P : Exits) {
    Value *New = nullptr;
    if (P->getNumIncomingValues() == 1)
      if (const std::optional<int64_t> Ahead =
              ahead(P->getIncomingValue(0), P->getIncomingBlock(0)))
        New = computed(P->getIncomingBlock(0), *Ahead);
    if (!New)
      New = fromOther(*P);
    if (!New)
      continue;
    AR.SE.forgetValue(P);
    P->replaceAllUsesWith(New);
    P->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

struct CloseCounts : PassInfoMixin<CloseCounts> {
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &,
                        LoopStandardAnalysisResults &AR, LPMUpdater &) {
    if (!L.isLoopSimplifyForm() || !L.isLCSSAForm(AR.DT))
      return PreservedAnalyses::all();
    SmallVector<PHINode *, 2> Counters;
    for (PHINode &P : L.getHeader()->phis())
      if (isCounterOf(P, L, AR.SE))
        Counters.push_back(&P);
    bool Changed = false;
    SCEVExpander Rewriter(AR.SE, L.getHeader()->getDataLayout(), "ek.total");
    for (PHINode *P : Counters)
      Changed |= CloseCounter(L, *P, AR, Rewriter).run();
    if (!Changed)
      return PreservedAnalyses::all();
    Rewriter.clear();
    AR.SE.forgetLoop(&L);
    for (PHINode *P : Counters)
      RecursivelyDeleteDeadPHINode(P, &AR.TLI);
    return getLoopPassPreservedAnalyses();
  }
};

/// An outer loop's additions for an inner loop that walks a range of each
/// iteration: `for (k = first[i]; k < first[i + 1]; k++)`. Each range begins
/// where the one before ended, so all together have the length from the first
/// begin to the last end. (A range that ends before it begins is an empty one,
/// but counts as negative.)
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
  for (User *U : make_early_inc_range(Last->users())) {
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

/// Whether what an iteration begins with comes from a load whose address
/// depends on what the last one began with, as in a list: the processor waits
/// for it, and an addition goes in between. It does not wait for conditions.
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
        } else if (ChainedRanges(*L, P, DT, LI).run()) {
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
        LPM.addPass(CloseCounts());
      });
  PB.registerVectorizerStartEPCallback(
      [](FunctionPassManager &FPM, OptimizationLevel) {
        FPM.addPass(CheapCounts());
      });
}

} // namespace evenkeel
