//===- Scouts.cpp - scout loops before gathering loops --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Scouts.h.
//===----------------------------------------------------------------------===//
#include "record/samples/Scouts.h"
#include "record/Runtime.h"
#include "record/samples/Cost.h"
#include "record/samples/RecordedAccess.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace evenkeel {
namespace {

/// Iterations of a strip; the lines that they gather fit in the first level.
constexpr uint64_t StripLines = 512;
/// With fewer iterations, the second version does not pay.
constexpr uint64_t ManyIterations = 256;
/// Instructions that compute addresses.
constexpr unsigned MostAhead = 48;
/// Accesses reported ahead.
constexpr unsigned MostAccesses = 8;

/// Instructions of a loop that compute some of its values, in dependence order.
/// PHIs of the header are included with the instructions that compute their
/// next value.
class Slice {
  const BasicBlock *Header, *Latch;
  function_ref<bool(const BasicBlock *)> Contains;

public:
  SmallSetVector<Instruction *, 16> All; // except the PHIs
  SmallSetVector<PHINode *, 4> Variables;

  Slice(const BasicBlock *Header, const BasicBlock *Latch,
        function_ref<bool(const BasicBlock *)> Contains)
      : Header(Header), Latch(Latch), Contains(Contains) {}

  /// Adds the computation of \p V. False: it cannot be computed ahead.
  bool add(Value *V);
  /// Adds the next values of all PHIs found so far. They may not depend on a
  /// load of the loop, or the scout would wait for each load, as in a pointer
  /// chase.
  bool addVariables();
};

bool canComputeAhead(const Instruction &I) {
  if (auto *L = dyn_cast<LoadInst>(&I))
    return L->isSimple();
  if (auto *II = dyn_cast<IntrinsicInst>(&I))
    return II->doesNotAccessMemory() && isSafeToSpeculativelyExecute(II);
  return !isa<PHINode>(I) && !isa<CallBase>(I) && !isa<AllocaInst>(I) &&
         !I.isTerminator() && !I.mayReadOrWriteMemory() && !I.isEHPad() &&
         !I.getType()->isTokenTy();
}

bool Slice::add(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !Contains(I->getParent()) || All.contains(I))
    return true;
  if (auto *P = dyn_cast<PHINode>(I); P && P->getParent() == Header) {
    Variables.insert(P);
    return true;
  }
  if (!canComputeAhead(*I) || All.size() >= MostAhead)
    return false;
  for (Value *Operand : I->operands())
    if (!add(Operand))
      return false;
  All.insert(I);
  return true;
}

bool Slice::addVariables() {
  for (size_t N = 0; N < Variables.size(); ++N) { // grows in the loop
    Slice Next(Header, Latch, Contains);
    Value *V = Variables[N]->getIncomingValueForBlock(Latch);
    if (!Next.add(V) ||
        any_of(Next.All, [](const Instruction *I) { return isa<LoadInst>(I); }))
      return false;
    if (!add(V))
      return false;
  }
  return true;
}

/// Finds such loops of a function and makes their versions.
class Versions {
  Function &F;
  TargetLibraryInfoImpl Impl;
  TargetLibraryInfo TLI;
  AssumptionCache AC;
  DominatorTree DT;
  LoopInfo LI;
  ScalarEvolution SE;
  SCEVExpander Expander;
  BasicAAResult Basic;
  TypeBasedAAResult Typed;
  ScopedNoAliasAAResult Scoped;
  AAResults AA;

  const SCEV *tripsOf(Loop &L);
  bool isAffine(Loop &L, Value *Address);
  bool changes(Loop &L, const Slice &S);
  BasicBlock *version(Loop &L, const SCEV *Trips, ValueToValueMapTy &Copies);

public:
  explicit Versions(Function &F)
      : F(F), Impl(Triple(F.getParent()->getTargetTriple())), TLI(Impl, &F),
        AC(F), DT(F), LI(DT), SE(F, TLI, AC, DT, LI),
        Expander(SE, F.getDataLayout(), "ek"),
        Basic(F.getDataLayout(), F, TLI, AC, &DT), AA(TLI) {
    AA.addAAResult(Basic);
    AA.addAAResult(Typed);
    AA.addAAResult(Scoped);
  }
  bool suits(Loop &L, ArrayRef<const RecordedAccess *> Accesses);
  LoopHeaders run(SmallVectorImpl<RecordedAccess> &Accesses,
                  function_ref<void(const ValueToValueMapTy &)> Copied);
};

} // namespace

/// Null: not known before the loop begins, or the loop has another exit.
const SCEV *Versions::tripsOf(Loop &L) {
  if (!L.isInnermost() || !L.isLoopSimplifyForm() ||
      L.getExitingBlock() != L.getLoopLatch())
    return nullptr;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (leavesCode(I) && !isMathCall(I))
        return nullptr;
  Type *I64 = Type::getInt64Ty(F.getContext());
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  const SCEV *Trips =
      SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, I64), SE.getOne(I64));
  return Expander.isSafeToExpandAt(Trips, L.getLoopPreheader()->getTerminator())
             ? Trips
             : nullptr;
}

bool Versions::isAffine(Loop &L, Value *Address) {
  const SCEV *Where = SE.getSCEV(Address);
  if (SE.isLoopInvariant(Where, &L))
    return true;
  auto *Walk = dyn_cast<SCEVAddRecExpr>(Where);
  return Walk && Walk->getLoop() == &L && Walk->isAffine();
}

/// Whether the loop may change, in any iteration, memory that the slice loads.
bool Versions::changes(Loop &L, const Slice &S) {
  BatchAAResults Batch(AA);
  Batch.enableCrossIterationMode();
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *II = dyn_cast<IntrinsicInst>(&I);
      if (!I.mayWriteToMemory() || (II && II->isAssumeLikeIntrinsic()) ||
          isMathCall(I))
        continue;
      if (I.isAtomic() && ordersOthers(I))
        return true; // calls may change it
      for (Instruction *From : S.All)
        if (auto *Load = dyn_cast<LoadInst>(From))
          if (isModSet(Batch.getModRefInfo(&I, MemoryLocation::get(Load))))
            return true;
    }
  return false;
}

bool Versions::suits(Loop &L, ArrayRef<const RecordedAccess *> Accesses) {
  auto Contains = [&L](const BasicBlock *BB) { return L.contains(BB); };
  Slice S(L.getHeader(), L.getLoopLatch(), Contains);
  unsigned Gathers = 0, Walks = 0;
  for (const RecordedAccess *A : Accesses) {
    if (A->Untracked)
      continue;
    if (A->Length || !DT.dominates(A->I->getParent(), L.getLoopLatch()))
      return false;
    if (isAffine(L, A->Address)) {
      ++Walks;
      continue;
    }
    ++Gathers;
    if (!S.add(A->Address))
      return false;
  }
  return Gathers && Gathers <= MostAccesses && Walks <= MaxStreams &&
         S.addVariables() && !changes(L, S);
}

/// The header of the version for many iterations, which is the original loop.
BasicBlock *Versions::version(Loop &L, const SCEV *Trips,
                              ValueToValueMapTy &Copies) {
  formLCSSA(L, DT, &LI, &SE);
  BasicBlock *Check = L.getLoopPreheader(), *Header = L.getHeader(),
             *Latch = L.getLoopLatch(), *Exit = L.getUniqueExitBlock();
  Type *I64 = Type::getInt64Ty(F.getContext());
  Value *N = Expander.expandCodeFor(Trips, I64, Check->getTerminator());
  BasicBlock *Before = SplitEdge(Check, Header, &DT, &LI);
  SmallVector<BasicBlock *, 8> Blocks;
  Loop *Copy = cloneLoopWithPreheader(Before, Check, &L, Copies, ".ek.short",
                                      &LI, &DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  auto copyOf = [&](Value *V) {
    auto It = Copies.find(V);
    return It == Copies.end() ? V : static_cast<Value *>(It->second);
  };
  for (PHINode &P : Exit->phis())
    P.addIncoming(copyOf(P.getIncomingValueForBlock(Latch)),
                  cast<BasicBlock>(copyOf(Latch)));
  IRBuilder<> B(Check->getTerminator());
  Value *Many = B.CreateICmpUGE(N, B.getInt64(ManyIterations));
  B.CreateCondBr(Many, Before, Copy->getLoopPreheader());
  Check->getTerminator()->eraseFromParent();
  for (BasicBlock *Own : {Latch, Copy->getLoopLatch()})
    SplitBlockPredecessors(Exit, {Own}, ".ek.left");
  return Header;
}

LoopHeaders
Versions::run(SmallVectorImpl<RecordedAccess> &Accesses,
              function_ref<void(const ValueToValueMapTy &)> Copied) {
  MapVector<Loop *, SmallVector<const RecordedAccess *, 8>> ByLoop;
  for (const RecordedAccess &A : Accesses)
    if (Loop *L = LI.getLoopFor(A.I->getParent()))
      ByLoop[L].push_back(&A);
  SmallVector<std::pair<Loop *, const SCEV *>, 4> Found;
  for (auto &[L, Mine] : ByLoop)
    if (const SCEV *Trips = tripsOf(*L); Trips && suits(*L, Mine))
      Found.push_back({L, Trips});
  LoopHeaders Headers;
  for (auto [L, Trips] : Found) {
    ValueToValueMapTy Copies;
    Headers.insert(version(*L, Trips, Copies));
    for (size_t N = 0, End = Accesses.size(); N < End; ++N) {
      auto It = Copies.find(Accesses[N].I);
      if (It == Copies.end())
        continue;
      RecordedAccess A = Accesses[N];
      A.I = cast<Instruction>(It->second);
      if (auto At = Copies.find(A.Address); At != Copies.end())
        A.Address = At->second;
      Accesses.push_back(A);
    }
    Copied(Copies);
  }
  return Headers;
}

LoopHeaders versionLoops(Function &F, SmallVectorImpl<RecordedAccess> &Accesses,
                         function_ref<void(const ValueToValueMapTy &)> Copied) {
  if (Accesses.empty())
    return {};
  return Versions(F).run(Accesses, Copied);
}

//===----------------------------------------------------------------------===//
// Strips
//===----------------------------------------------------------------------===//

static SmallPtrSet<const BasicBlock *, 8> blocksOf(const BasicBlock *Header,
                                                   const BasicBlock *Latch) {
  SmallPtrSet<const BasicBlock *, 8> All = {Header};
  SmallVector<const BasicBlock *, 8> Work = {Latch};
  while (!Work.empty())
    if (const BasicBlock *BB = Work.pop_back_val(); All.insert(BB).second)
      append_range(Work, predecessors(BB));
  return All;
}

/// Copies the slice to the end of \p Ahead, a single-block loop; its PHIs start
/// with their values from \p Begin.
static void copySlice(const Slice &S, BasicBlock *Ahead, BasicBlock *Begin,
                      const BasicBlock *Latch, ValueToValueMapTy &Here) {
  IRBuilder<> B(Ahead);
  for (PHINode *P : S.Variables) {
    PHINode *Mine = B.CreatePHI(P->getType(), 2, "ek.ahead");
    Mine->addIncoming(Here[P], Begin);
    Here[P] = Mine;
  }
  for (Instruction *I : S.All) {
    Instruction *Mine = I->clone();
    B.Insert(Mine);
    RemapInstruction(Mine, Here,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    Here[I] = Mine;
  }
  for (PHINode *P : S.Variables) {
    Value *Next = P->getIncomingValueForBlock(Latch);
    auto It = Here.find(Next);
    cast<PHINode>(Here[P])->addIncoming(
        It == Here.end() ? Next : static_cast<Value *>(It->second), Ahead);
  }
}

std::unique_ptr<Scout> makeStrips(DescribedLoop &D,
                                  ArrayRef<RecordedAccess> Rest) {
  BasicBlock *Latch = D.Latch, *Exit = D.Exit, *Before = D.Before->getParent();
  auto *Back = dyn_cast<BranchInst>(Latch->getTerminator());
  if (!Back || !Back->isConditional() || Rest.empty())
    return nullptr;
  BasicBlock *Header = Back->getSuccessor(Back->getSuccessor(0) == Exit);
  const auto Blocks = blocksOf(Header, Latch);
  auto Contains = [&](const BasicBlock *BB) { return Blocks.contains(BB); };
  Slice S(Header, Latch, Contains);
  for (const RecordedAccess &A : Rest)
    if (A.Length || !S.add(A.Address))
      return nullptr;
  if (!S.addVariables())
    return nullptr;

  LLVMContext &C = Header->getContext();
  Function *F = Header->getParent();
  Type *I64 = Type::getInt64Ty(C);
  BasicBlock *Begin = BasicBlock::Create(C, "ek.strip", F, Header),
             *Ahead = BasicBlock::Create(C, "ek.scout", F, Header),
             *Go = BasicBlock::Create(C, "ek.scouted", F, Header),
             *End =
                 BasicBlock::Create(C, "ek.strip.end", F, Latch->getNextNode());
  auto Out = std::make_unique<Scout>();
  IRBuilder<> B(Begin);
  PHINode *First = B.CreatePHI(I64, 2, "ek.first");
  First->addIncoming(B.getInt64(0), Before);
  SmallVector<std::pair<PHINode *, PHINode *>, 4> Variables;
  for (PHINode &P : Header->phis()) {
    PHINode *Mine = B.CreatePHI(P.getType(), 2, "ek.from");
    Mine->addIncoming(P.getIncomingValueForBlock(Before), Before);
    Variables.push_back({&P, Mine});
    Out->Here[&P] = Mine;
  }
  const uint64_t Strip = StripLines / PowerOf2Ceil(Rest.size());
  Value *Stop = B.CreateBinaryIntrinsic(
      Intrinsic::umin, B.CreateAdd(First, B.getInt64(Strip)), D.Trips);
  B.CreateBr(Ahead);

  B.SetInsertPoint(Ahead);
  Out->Iteration = B.CreatePHI(I64, 2, "ek.iteration");
  Out->Iteration->addIncoming(First, Begin);
  copySlice(S, Ahead, Begin, Latch, Out->Here);
  B.SetInsertPoint(Ahead);
  Value *Following = B.CreateAdd(Out->Iteration, B.getInt64(1));
  Out->Iteration->addIncoming(Following, Ahead);
  Out->End = B.CreateCondBr(B.CreateICmpEQ(Following, Stop), Go, Ahead);
  B.SetInsertPoint(Go);
  B.CreateBr(Header);

  // The strip: the same loop, but it ends at the strip's end.
  B.SetInsertPoint(Header, Header->begin());
  PHINode *Count = B.CreatePHI(I64, 2, "ek.count");
  B.SetInsertPoint(Back);
  Value *Counted = B.CreateAdd(Count, B.getInt64(1));
  BranchInst *Again =
      B.CreateCondBr(B.CreateICmpEQ(Counted, Stop), End, Header);
  Again->copyMetadata(*Back, {LLVMContext::MD_loop, LLVMContext::MD_dbg});
  Back->eraseFromParent();
  Count->addIncoming(First, Go);
  Count->addIncoming(Counted, Latch);
  B.SetInsertPoint(End);
  B.CreateCondBr(B.CreateICmpEQ(Stop, D.Trips), Exit, Begin);
  First->addIncoming(Stop, End);
  for (auto [P, Mine] : Variables) {
    Mine->addIncoming(P->getIncomingValueForBlock(Latch), End);
    const int From = P->getBasicBlockIndex(Before);
    P->setIncomingValue(From, Mine);
    P->setIncomingBlock(From, Go);
  }
  D.Before->replaceSuccessorWith(Header, Begin);
  Exit->replacePhiUsesWith(Latch, End);
  return Out;
}

} // namespace evenkeel
