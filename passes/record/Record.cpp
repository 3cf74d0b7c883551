//===- Record.cpp - instrumentation of a recorded program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where the recorder must be informed, at the point of the pipeline
// where the analysis ran, so that ids and symbols agree with facts.json.
// Makes: calls before accesses; costs at the head of straight-line code; hooks
// around regions, tasks and waits; allocation calls with their sites; and a
// deterministic schedule: thread 0 executes `single`, explicit tasks run when
// they are created, chunks of dynamic loops are assigned in turn. OpenMP allows
// each of these schedules, so the results are correct ones.
// Not here: small stack variables and small statics (they stay in the caches),
// constants, thread-locals, inline assembly; and units built without the pass,
// which the recorder never sees.
//===----------------------------------------------------------------------===//
#include "record/Record.h"
#include "access/Rows.h"
#include "format/WaitCalls.h"
#include "record/Contexts.h"
#include "record/Counting.h"
#include "record/Full.h"
#include "record/Instrumenter.h"
#include "record/Runtime.h"
#include "record/Symbols.h"
#include "record/Untracked.h"
#include "record/Variables.h"
#include "record/Walks.h"
#include "record/bodies/Continuations.h"
#include "record/bodies/SideBodies.h"
#include "record/samples/Cost.h"
#include "record/samples/Loops.h"
#include "record/samples/Sampling.h"
#include "record/samples/Scouts.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "unit/Simplify.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <cstring>
#include <deque>

using namespace llvm;

namespace evenkeel {

/// Whether the variable, static or constant \p V may be an object that the
/// recorder follows.
bool Instrumenter::isObject(const Value *V) const {
  if (auto *A = dyn_cast<AllocaInst>(V))
    return R.StackSites.count(const_cast<AllocaInst *>(A));
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    if (G->isConstant() || G->isThreadLocal())
      return false;
    // Defined here but not a site: it is small and stays in the caches.
    return G->isDeclaration() ||
           R.GlobalSites.count(const_cast<GlobalVariable *>(G));
  }
  return !isa<ConstantPointerNull, UndefValue>(V);
}

/// Whether \p Address may be in such an object.
bool Instrumenter::tracked(const Value *Address) const {
  return Address->getType()->getPointerAddressSpace() == 0 &&
         isObject(getUnderlyingObject(Address, /*MaxLookup=*/0));
}

/// A small static that threads share: not an object, but full recordings check
/// it for races.
bool Instrumenter::raced(const Value *Address) const {
  auto *G =
      dyn_cast<GlobalVariable>(getUnderlyingObject(Address, /*MaxLookup=*/0));
  return Mode == RecordMode::Full && G && !G->isConstant() &&
         !G->isThreadLocal() && !G->isDeclaration() && !tracked(Address) &&
         !G->getName().starts_with(".gomp_critical_user_") &&
         !G->getName().starts_with("ek.");
}

uint64_t Instrumenter::syncId(CallBase &CB) const {
  auto It = R.Syncs.find(&CB);
  return It == R.Syncs.end() ? 0 : It->second.Id;
}

//===----------------------------------------------------------------------===//
// Accesses and costs
//===----------------------------------------------------------------------===//

/// The address of a load, store or atomic operation.
static const Value *addressOf(const Instruction &I) {
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  if (auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return CX->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

void Instrumenter::measure(Function &F, std::vector<PlannedAccess> &Accesses,
                           std::vector<Segment> &Segments) {
  for (BasicBlock &BB : F) {
    BasicBlock::iterator Begin = &BB == &F.getEntryBlock()
                                     ? BB.getFirstNonPHIOrDbgOrAlloca()
                                     : BB.getFirstInsertionPt();
    if (Begin == BB.end())
      continue;
    Segment S{&*Begin, {}};
    size_t Mine = Accesses.size();
    auto Close = [&] {
      for (; Mine < Accesses.size(); ++Mine)
        Accesses[Mine].After = S.Cost.Instructions - Accesses[Mine].After;
      if (S.Cost.Slots || S.Cost.Instructions)
        Segments.push_back(S);
    };
    for (Instruction &I : make_range(Begin, BB.end())) {
      bool Touches = false;
      if (auto *MI = dyn_cast<MemIntrinsic>(&I)) {
        Touches = tracked(MI->getDest());
        if (auto *MT = dyn_cast<MemTransferInst>(MI))
          Touches |= tracked(MT->getSource());
      } else if (const Value *P = addressOf(I)) {
        Touches = tracked(P) || raced(P);
      }
      if (Touches) // for now: from the start of the segment
        Accesses.push_back({&I, S.Cost.Instructions});
      InstructionCost C = costOf(I);
      S.Cost.Slots += C.Slots;
      S.Cost.Instructions += C.Instructions;
      if (leavesCode(I) && !I.isTerminator()) {
        Close();
        S = {I.getNextNode(), {}};
      }
    }
    Close();
  }
}

void Instrumenter::describe(const PlannedAccess &P,
                            SmallVectorImpl<RecordedAccess> &Out) const {
  const DataLayout &DL = M.getDataLayout();
  uint64_t Info = std::min<uint64_t>(P.After, RecordAfterMax)
                  << RecordAfterShift;
  auto It = R.Accesses.find(P.I);
  AccessClass Class =
      It == R.Accesses.end() ? AccessClass::Unknown : It->second.Class;
  if (It != R.Accesses.end() && It->second.Dependent)
    Info |= RecordDependent;
  if (auto *MI = dyn_cast<MemIntrinsic>(P.I)) {
    Value *Length = MI->getLength();
    Info |= RecordInOrder;
    if (auto *MT = dyn_cast<MemTransferInst>(MI);
        MT && tracked(MT->getSource()))
      Out.push_back(
          {P.I, MT->getRawSource(), Info | RecordRead, 0, false, Length});
    if (tracked(MI->getDest()))
      Out.push_back(
          {P.I, MI->getRawDest(), Info | RecordWrite, 0, false, Length});
    return;
  }
  Value *Address;
  Type *T;
  if (auto *L = dyn_cast<LoadInst>(P.I)) {
    Address = L->getPointerOperand();
    T = L->getType();
    Info |= RecordRead;
  } else if (auto *S = dyn_cast<StoreInst>(P.I)) {
    Address = S->getPointerOperand();
    T = S->getValueOperand()->getType();
    Info |= RecordWrite;
  } else if (auto *RMW = dyn_cast<AtomicRMWInst>(P.I)) {
    Address = RMW->getPointerOperand();
    T = RMW->getType();
    Info |= RecordRead | RecordWrite;
  } else {
    auto *CX = cast<AtomicCmpXchgInst>(P.I);
    Address = CX->getPointerOperand();
    T = CX->getCompareOperand()->getType();
    Info |= RecordRead | RecordWrite;
  }
  if (P.I->isAtomic())
    Info |= RecordAtomic;
  if (ordersOthers(*P.I))
    Info |= RecordOrders;
  if (!tracked(Address))
    Info |= RecordUncounted;
  uint64_t Bytes = DL.getTypeStoreSize(T).getKnownMinValue() & 0xffffffff;
  bool Atomic = !isa<LoadInst>(P.I) && !isa<StoreInst>(P.I);
  bool WithinLine = isPowerOf2_64(Bytes) && Bytes <= LineBytes &&
                    (Atomic || getLoadStoreAlignment(P.I) >= Bytes);
  bool Walks = Class != AccessClass::Random && Class != AccessClass::Chase &&
               Class != AccessClass::Unknown;
  // A flag for sampled runs: prefetchers only follow neighbouring lines.
  if (Class == AccessClass::Stream || Class == AccessClass::Stencil)
    Info |= RecordInOrder;
  Out.push_back(
      {P.I, Address, Info | Bytes, Bytes, WithinLine, nullptr, Walks});
}

//===----------------------------------------------------------------------===//
// Further bodies
//===----------------------------------------------------------------------===//

/// Makes the program's own code, which runs after the record has ended. New
/// blocks then come from the C library, but blocks that recorded code has
/// allocated remain in the recorder's arenas, and a call that frees, moves or
/// maps memory may receive one.
void Instrumenter::makePlain(Function &Body) {
  forgetSymbols(Body);
  SmallVector<CallBase *, 32> Calls;
  for (Instruction &I : instructions(Body))
    if (auto *CB = dyn_cast<CallBase>(&I); CB && !isa<IntrinsicInst>(CB))
      Calls.push_back(CB);
  for (CallBase *CB : Calls) {
    std::optional<Allocation> Made = allocationOf(*CB);
    if (Made && Made->Old < 0 && Made->Kind != "mmap" &&
        Made->From != AllocatorOrigin::Chosen)
      continue;
    if (!redirectAllocation(*CB))
      redirectFree(*CB);
  }
}

void Instrumenter::makeSideBodies(ArrayRef<Function *> Functions) {
  ArrayRef<BodyKind> Kinds = bodyKinds(Mode);
  if (Kinds.empty())
    return;
  uint64_t Single = 0, Entered = 0;
  const std::vector<Function *> Of = withSideBodies(M, Functions, Single);
  std::vector<Function *> Serial, Teams; // may be on a stack between phases
  for (Function *F : Functions)
    if (auto It = Bodies.find(F); !canHaveCopies(*F))
      continue;
    else if (It == Bodies.end())
      Serial.push_back(F);
    else if (!It->second)
      Teams.push_back(F);
  std::vector<Function *> Plain;
  for (const BodyKind &Kind : Kinds) {
    std::vector<Function *> Rests;
    if (Kind.Stays) {
      AllContinuations.push_back(
          std::make_unique<Continuations>(M, Kind, Serial, Teams));
      Rests = AllContinuations.back()->code();
      Entered += AllContinuations.back()->refused();
    }
    Beside.push_back(std::make_unique<SideBodies>(Kind, Of));
    for (Function *Code : Rests)
      Beside.back()->callDirectly(*Code);
    if (Kind.Records)
      continue;
    for (auto &[F, Body] : Beside.back()->all())
      Plain.push_back(Body);
    append_range(Plain, Rests);
  }
  for (Function *Body : Plain)
    makePlain(*Body);
  simplifyFunctions(M, Plain);
  reportStaying(M, Single, Entered);
}

//===----------------------------------------------------------------------===//
// The whole module
//===----------------------------------------------------------------------===//

/// The symbol that tells the recorder, and a check before the run, how the
/// module was built.
static const char *unitsOf(RecordMode Mode) {
  switch (Mode) {
  case RecordMode::Full:
    return "__ek_rec_full_units";
  case RecordMode::Sampled:
    return "__ek_rec_sampled_units";
  case RecordMode::Counts:
    return "__ek_rec_counted_units";
  case RecordMode::Walks:
    return nullptr;
  }
  return nullptr;
}

/// What will be inserted into one function.
struct Instrumenter::Work {
  SmallVector<RecordedAccess, 32> Accesses;
  SmallVector<const Segment *, 32> Segments;
};

MapVector<Function *, Instrumenter::Work>
Instrumenter::byFunction(ArrayRef<PlannedAccess> Accesses,
                         ArrayRef<Segment> Segments) const {
  MapVector<Function *, Work> Out;
  for (const PlannedAccess &P : Accesses)
    describe(P, Out[P.I->getFunction()].Accesses);
  for (const Segment &S : Segments)
    Out[S.First->getFunction()].Segments.push_back(&S);
  return Out;
}

void Instrumenter::insertFull(ArrayRef<PlannedAccess> Accesses,
                              ArrayRef<Segment> Segments) {
  FullCode Code(M, RT);
  for (auto &[F, W] : byFunction(Accesses, Segments)) {
    Code.begin(*F, W.Accesses);
    for (const Segment *S : W.Segments)
      Code.addCost(*S->First, S->Cost.Slots, S->Cost.Instructions);
    Code.end();
  }
}

void Instrumenter::insertSampled(ArrayRef<PlannedAccess> Accesses,
                                 ArrayRef<Segment> Segments) {
  for (auto &[G, Info] : R.GlobalSites)
    if (!G->isDeclaration() && !G->isThreadLocal())
      OwnArrays.insert(G);
  Sampling.emplace(M, RT, OwnArrays);
  MapVector<Function *, Work> ByFunction = byFunction(Accesses, Segments);
  // Queried before other uses of the addresses are inserted.
  UntrackedPointers Small([this](const Value *V) { return !isObject(V); });
  for (auto &[F, W] : ByFunction)
    for (RecordedAccess &A : W.Accesses)
      A.Untracked =
          Small.isUntracked(getUnderlyingObject(A.Address, /*MaxLookup=*/0));
  const RarelyRun Rarely(M);
  for (auto &[F, W] : ByFunction) {
    const SmallPtrSet<const BasicBlock *, 32> Cold = Rarely.blocksOf(*F);
    for (RecordedAccess &A : W.Accesses)
      A.Rarely = Cold.count(A.I->getParent());
    std::deque<Segment> Copies;
    auto &Segments = W.Segments;
    const LoopHeaders Strips = versionLoops(
        *F, W.Accesses, [&Copies, &Segments](const ValueToValueMapTy &Copied) {
          for (size_t N = 0, End = Segments.size(); N < End; ++N)
            if (auto It = Copied.find(Segments[N]->First); It != Copied.end()) {
              Copies.push_back(
                  {cast<Instruction>(It->second), Segments[N]->Cost});
              Segments.push_back(&Copies.back());
            }
        });
    std::vector<DescribedLoop> Loops = describeLoops(*F, W.Accesses, Strips);
    erase_if(W.Accesses, [](const RecordedAccess &A) { return A.Untracked; });
    SmallPtrSet<const BasicBlock *, 16> Paid;
    for (const DescribedLoop &D : Loops)
      Paid.insert(D.EachTime.begin(), D.EachTime.end());
    Sampling->begin(*F);
    for (const Segment *S : W.Segments)
      if (!Paid.count(S->First->getParent()))
        Sampling->addCost(*S->First, S->Cost.Slots, S->Cost.Instructions);
    for (DescribedLoop &D : Loops) {
      if (D.Strips) {
        SmallVector<RecordedAccess, 8> Rest;
        for (const RecordedAccess &A : W.Accesses)
          if (is_contained(D.Rest, A.I))
            Rest.push_back(A);
        if (Sampling->insertStrips(D, Rest)) {
          erase_if(W.Accesses, [&](const RecordedAccess &A) {
            return is_contained(D.Rest, A.I);
          });
          continue;
        }
      }
      Sampling->insertLoop(D);
      if (D.Iteration)
        for (RecordedAccess &A : W.Accesses)
          if (is_contained(D.Rest, A.I))
            A.Iteration = D.Iteration;
    }
    Sampling->insertAccesses(W.Accesses);
    Sampling->end();
  }
}

void Instrumenter::insertCounts(ArrayRef<PlannedAccess> Accesses,
                                ArrayRef<Segment> Segments) {
  CountedCode Code(M, RT);
  UntrackedPointers Small([this](const Value *V) { return !isObject(V); });
  MapVector<Function *, Work> ByFunction = byFunction(Accesses, Segments);
  for (auto &[F, W] : ByFunction)
    erase_if(W.Accesses, [&](const RecordedAccess &A) {
      return Small.isUntracked(getUnderlyingObject(A.Address, /*MaxLookup=*/0));
    });
  for (auto &[F, W] : ByFunction) {
    SmallVector<CodeCost, 32> Costs;
    for (const Segment *S : W.Segments)
      Costs.push_back({S->First, S->Cost.Slots, S->Cost.Instructions});
    Code.insert(*F, W.Accesses, Costs);
  }
}

void Instrumenter::insertWalks(ArrayRef<PlannedAccess> Accesses) {
  SmallVector<RecordedAccess, 0> Described;
  for (const PlannedAccess &P : Accesses)
    describe(P, Described);
  recordWalks(M, R, Described);
}

void Instrumenter::run() {
  std::vector<CallBase *> Calls;
  std::vector<Instruction *> Fences;
  std::vector<PlannedAccess> Accesses;
  std::vector<Segment> Segments;
  std::vector<Function *> Functions;
  for (Function &F : M)
    if (isRecorded(F))
      Functions.push_back(&F);
  for (Function *F : Functions) {
    measure(*F, Accesses, Segments);
    for (Instruction &I : instructions(*F)) {
      if (isa<FenceInst>(I))
        Fences.push_back(&I);
      auto *CB = dyn_cast<CallBase>(&I);
      if (!CB)
        continue;
      if (!isa<IntrinsicInst>(CB))
        Calls.push_back(CB);
      if (Function *Body = outlinedCallee(*CB); Body && isRecorded(*Body))
        Bodies[Body] = isTaskAlloc(*CB);
    }
  }

  makeSideBodies(Functions);
  if (Mode != RecordMode::Walks && !reportsSymbols(M))
    reportSymbols(M, R);
  forgetPurity(M);
  switch (Mode) {
  case RecordMode::Full:
    insertFull(Accesses, Segments);
    break;
  case RecordMode::Sampled:
    insertSampled(Accesses, Segments);
    break;
  case RecordMode::Counts:
    insertCounts(Accesses, Segments);
    break;
  case RecordMode::Walks:
    insertWalks(Accesses);
    break;
  }
  for (const auto &C : AllContinuations)
    C->connect();
  if (const char *Name = unitsOf(Mode))
    RecordRuntime::markUnits(M, Name);
  // Regions begin before these entries and end after them.
  MapVector<Function *, SmallVector<std::pair<AllocaInst *, uint64_t>, 2>>
      Arrays;
  for (auto &[A, Info] : R.StackSites)
    if (Function *F = A->getFunction(); isRecorded(*F))
      Arrays[F].push_back({A, Info.Id});
  for (auto &[F, Mine] : Arrays)
    moveStackArrays(*F, Mine);
  for (auto &[F, Task] : Bodies) {
    auto It = R.Regions.find(F);
    insertRegion(*F, It == R.Regions.end() ? 0 : It->second.Id, Task);
  }
  for (Instruction *Fence : Fences)
    IRBuilder<>(Fence).CreateCall(RT.Orders, {});
  for (Function *F : Functions)
    if (F->getName().starts_with(".omp.reduction.reduction_func"))
      runsAlone(*F);
  reportContexts(M, Functions, Calls);
  for (CallBase *CB : Calls)
    visitCall(*CB);
  wrapChosenFrees();
  if (Function *Main = M.getFunction("main"); Main && isRecorded(*Main)) {
    auto It = R.Regions.find(Main);
    IRBuilder<> B(&Main->getEntryBlock(),
                  Main->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    B.CreateCall(RT.Serial,
                 {B.getInt64(It == R.Regions.end() ? 0 : It->second.Id)});
  }
  registerGlobals();
  inlineSymbols(M);
  chooseAtEntries(M, Beside);
  RecordRuntime::requireVersion(M);
}

bool instrumentForRecording(Module &M, const EkAccessResult &R,
                            RecordMode Mode) {
  Instrumenter(M, R, Mode).run();
  markVariables(M);
  return true;
}

} // namespace evenkeel
