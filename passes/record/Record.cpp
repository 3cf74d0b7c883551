//===- Record.cpp - instrumentation of a recorded program -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where the recorder must be told something, at the point of the
// pipeline where the analysis ran, so that ids and symbols agree with
// facts.json.
// Makes: calls before accesses, costs at the head of straight-line code, hooks
// around regions, tasks and waits, allocation calls with their site; and a
// deterministic schedule: `single` goes to thread 0, explicit
// tasks run when they are created, dynamic loops are dealt out in turn. Each of
// these is a schedule that OpenMP allows, so results stay those of the program.
// Leaves out: small memory on the stack and small statics (they live in the
// caches), constants, thread-locals; inline assembly; units built without the
// pass, which the recorder never sees.
//===----------------------------------------------------------------------===//
#include "record/Record.h"
#include "access/Rows.h"
#include "format/WaitCalls.h"
#include "record/Contexts.h"
#include "record/Counting.h"
#include "record/Full.h"
#include "record/Runtime.h"
#include "record/Symbols.h"
#include "record/Untracked.h"
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
namespace {

class Instrumenter {
  Module &M;
  const EkAccessResult &R;
  RecordRuntime RT;
  const RecordMode Mode;
  SmallPtrSet<GlobalVariable *, 8> OwnArrays; // registered here
  std::optional<SampledCode> Sampling;
  MapVector<Function *, bool> Bodies; // outlined -> task?
  std::vector<std::unique_ptr<SideBodies>> Beside;
  std::vector<std::unique_ptr<Continuations>> GoingOn;

  struct PlannedAccess {
    Instruction *I;
    unsigned Behind; // instructions from I to the end of its segment
  };
  struct Segment { // straight-line code between calls
    Instruction *First;
    InstructionCost Cost;
  };

  bool isObject(const Value *V) const;
  bool tracked(const Value *Address) const;
  bool raced(const Value *Address) const;
  uint64_t syncId(CallBase &CB) const;

  void measure(Function &F, std::vector<PlannedAccess> &Accesses,
               std::vector<Segment> &Segments);
  void describe(const PlannedAccess &P,
                SmallVectorImpl<RecordedAccess> &Out) const;
  struct Work;
  MapVector<Function *, Work> byFunction(ArrayRef<PlannedAccess> Accesses,
                                         ArrayRef<Segment> Segments) const;
  void insertSampled(ArrayRef<PlannedAccess> Accesses,
                     ArrayRef<Segment> Segments);
  void insertFull(ArrayRef<PlannedAccess> Accesses, ArrayRef<Segment> Segments);
  void insertCounts(ArrayRef<PlannedAccess> Accesses,
                    ArrayRef<Segment> Segments);
  void insertWalks(ArrayRef<PlannedAccess> Accesses);
  void insertRegion(Function &F, uint64_t Id, bool Task);
  void runsAlone(Function &F);
  void visitLock(CallBase &CB, StringRef Name);
  void visitMpi(CallBase &CB, StringRef Name);
  bool callsBody(const CallBase &CB, bool Down) const;
  void visitCall(CallBase &CB);
  void redirect(CallBase &CB, RecordCall Call, ArrayRef<Value *> Arguments);
  bool redirectAllocation(CallBase &CB);
  void replaceChosen(CallBase &CB, const Allocation &Made, uint64_t Site);
  void wrapChosenFrees();
  bool redirectFree(CallBase &CB);
  void makePlain(Function &Body);
  void makeSideBodies(ArrayRef<Function *> Functions);
  void registerGlobals();
  void moveStackArrays(Function &F,
                       ArrayRef<std::pair<AllocaInst *, uint64_t>> Arrays);

public:
  Instrumenter(Module &M, const EkAccessResult &R, RecordMode Mode)
      : M(M), R(R), RT(M), Mode(Mode) {}
  void run();
};

} // namespace

/// May the variable, static or constant \p V be an object that the recorder
/// follows?
bool Instrumenter::isObject(const Value *V) const {
  if (auto *A = dyn_cast<AllocaInst>(V))
    return R.StackSites.count(const_cast<AllocaInst *>(A));
  if (auto *G = dyn_cast<GlobalVariable>(V)) {
    if (G->isConstant() || G->isThreadLocal())
      return false;
    // Defined here and not a site: small, it stays in the caches.
    return G->isDeclaration() ||
           R.GlobalSites.count(const_cast<GlobalVariable *>(G));
  }
  return !isa<ConstantPointerNull, UndefValue>(V);
}

/// May \p Address lie in such an object?
bool Instrumenter::tracked(const Value *Address) const {
  return Address->getType()->getPointerAddressSpace() == 0 &&
         isObject(getUnderlyingObject(Address, /*MaxLookup=*/0));
}

/// A small static that threads share: no object, but full recordings look for
/// races on it.
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

constexpr uint64_t LineBytes = 64;

/// Of a load, store or atomic operation.
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
        Accesses[Mine].Behind = S.Cost.Instructions - Accesses[Mine].Behind;
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
      if (Touches) // for now: from the segment's begin
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
  uint64_t Info = std::min<uint64_t>(P.Behind, RecordBehindMax)
                  << RecordBehindShift;
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
  // Bit for sampled runs: prefetchers follow neighbouring lines only.
  if (Class == AccessClass::Stream || Class == AccessClass::Stencil)
    Info |= RecordInOrder;
  Out.push_back(
      {P.I, Address, Info | Bytes, Bytes, WithinLine, nullptr, Walks});
}

//===----------------------------------------------------------------------===//
// Regions, tasks, waits
//===----------------------------------------------------------------------===//

void Instrumenter::insertRegion(Function &F, uint64_t Id, bool Task) {
  IRBuilder<> B(&F.getEntryBlock(),
                F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *Token = nullptr;
  if (Task)
    Token = B.CreateCall(RT.TaskBegin, {B.getInt64(Id)});
  else
    B.CreateCall(RT.RegionBegin, {B.getInt64(Id)});
  for (BasicBlock &BB : F) {
    if (!isa<ReturnInst>(BB.getTerminator()))
      continue;
    B.SetInsertPoint(BB.getTerminator());
    if (Task)
      B.CreateCall(RT.TaskEnd, {Token});
    else
      B.CreateCall(RT.RegionEnd, {});
  }
}

/// The builder stands where control goes on behind \p CB.
static bool goBehind(IRBuilder<> &B, CallBase &CB) {
  std::optional<BasicBlock::iterator> At;
  if (auto *II = dyn_cast<InvokeInst>(&CB)) {
    BasicBlock *Normal = II->getNormalDest();
    if (!Normal->getSinglePredecessor())
      return false;
    At = Normal->getFirstInsertionPt();
  } else if (!CB.isTerminator()) {
    At = std::next(CB.getIterator());
  }
  if (!At)
    return false;
  B.SetInsertPoint((*At)->getParent(), *At);
  B.SetCurrentDebugLocation(CB.getDebugLoc());
  return true;
}

/// Loop schedules whose outcome depends on timing, as ones that do not: dynamic
/// chunks are dealt out in turn, the rest in equal parts (kmp.h: sched_type).
static void fixSchedule(CallBase &CB) {
  auto *C = dyn_cast<ConstantInt>(CB.getArgOperand(2));
  if (!C)
    return;
  uint64_t Kind = C->getZExtValue() & ~(3ull << 29); // without modifiers
  bool Ordered = Kind >= 64 && Kind < 96;
  uint64_t Plain = Ordered ? Kind - 32 : Kind;
  if (Plain < 35 || Plain > 38) // dynamic, guided, runtime, auto
    return;
  uint64_t Fixed = Plain == 35 ? 33 : 34;
  CB.setArgOperand(
      2, ConstantInt::get(C->getType(), Ordered ? Fixed + 32 : Fixed));
}

/// The OpenMP runtime calls \p F to join what two threads have summed up, while
/// both wait.
void Instrumenter::runsAlone(Function &F) {
  IRBuilder<> B(&F.getEntryBlock(),
                F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  B.CreateCall(RT.Alone, {});
  for (BasicBlock &BB : F)
    if (isa<ReturnInst>(BB.getTerminator())) {
      B.SetInsertPoint(BB.getTerminator());
      B.CreateCall(RT.AloneEnd, {});
    }
}

/// What orders accesses besides barriers. Those that may fail to take a lock
/// (0 = taken by POSIX, 0 = not by OpenMP) are told when they took it.
void Instrumenter::visitLock(CallBase &CB, StringRef N) {
  IRBuilder<> B(&CB);
  auto Behind = [&](FunctionCallee Entry) {
    if (goBehind(B, CB))
      B.CreateCall(Entry, {});
  };
  auto When = [&](CmpInst::Predicate Taken) {
    if (!goBehind(B, CB))
      return;
    Value *Yes = B.CreateICmp(Taken, &CB, Constant::getNullValue(CB.getType()),
                              "ek.taken");
    B.SetInsertPoint(
        SplitBlockAndInsertIfThen(Yes, &*B.GetInsertPoint(), false));
    B.CreateCall(RT.Lock, {});
  };
  if (N == "__kmpc_critical" || N == "__kmpc_critical_with_hint" ||
      N == "__kmpc_ordered" || N == "omp_set_lock" ||
      N == "omp_set_nest_lock" || N == "pthread_mutex_lock" ||
      N == "pthread_spin_lock" || N == "pthread_rwlock_wrlock" ||
      N == "pthread_rwlock_rdlock")
    Behind(RT.Lock);
  else if (N == "__kmpc_end_critical" || N == "__kmpc_end_ordered" ||
           N == "omp_unset_lock" || N == "omp_unset_nest_lock" ||
           N == "pthread_mutex_unlock" || N == "pthread_spin_unlock" ||
           N == "pthread_rwlock_unlock")
    B.CreateCall(RT.Unlock, {});
  else if (N == "pthread_mutex_trylock" || N == "pthread_spin_trylock")
    When(CmpInst::ICMP_EQ);
  else if (N == "omp_test_lock" || N == "omp_test_nest_lock")
    When(CmpInst::ICMP_NE);
  else if (N == "__kmpc_reduce" || N == "__kmpc_reduce_nowait") {
    if (goBehind(B, CB))
      B.CreateCall(RT.Reduce, {&CB});
  } else if (N == "__kmpc_end_reduce" || N == "__kmpc_end_reduce_nowait")
    B.CreateCall(RT.Reduce, {B.getInt32(0)});
  else if (N == "__kmpc_flush" || N.starts_with("__kmpc_doacross_"))
    B.CreateCall(RT.Orders, {});
}

/// Whether a region's body is called between where a team of one begins and
/// where it ends; \p CB is the one, and the other lies \p Down from there, or
/// up. A body that was inlined, or that no other team runs, is code of the task
/// around it.
bool Instrumenter::callsBody(const CallBase &CB, bool Down) const {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const Instruction *, 8> Work;
  auto Next = [&](const Instruction &I) {
    const BasicBlock *B = I.getParent();
    if (const Instruction *Near = Down ? I.getNextNode() : I.getPrevNode()) {
      Work.push_back(Near);
      return;
    }
    auto Add = [&](const BasicBlock *To) {
      if (Seen.insert(To).second)
        Work.push_back(Down ? &To->front() : &To->back());
    };
    if (Down)
      for_each(successors(B), Add);
    else
      for_each(predecessors(B), Add);
  };
  for (Next(CB); !Work.empty();) {
    const Instruction *I = Work.pop_back_val();
    auto *Call = dyn_cast<CallBase>(I);
    Function *F = Call ? calleeOf(*Call) : nullptr;
    if (F && Bodies.count(F))
      return true;
    if (!F || !F->getName().ends_with("serialized_parallel"))
      Next(*I);
  }
  return false;
}

/// A collective ends a phase where all ranks of the program take part: which
/// ones do is known when it runs.
void Instrumenter::visitMpi(CallBase &CB, StringRef N) {
  IRBuilder<> B(&CB);
  if (N == "MPI_Abort" || N == "PMPI_Abort")
    B.CreateCall(RT.Ends, {});
  if (!allWait(waitFamily(std::string_view(N))))
    return;
  CollectiveRanks Who = collectiveRanks(std::string_view(N), CB.arg_size());
  Value *Handle = B.getInt64(0);
  if (Who.Of != EK_MPI_ALL && Who.Argument < CB.arg_size()) {
    Value *A = CB.getArgOperand(Who.Argument);
    if (A->getType()->isPointerTy())
      Handle = B.CreatePtrToInt(A, RT.I64);
    else if (A->getType()->isIntegerTy())
      Handle = B.CreateZExtOrTrunc(A, RT.I64);
  }
  B.CreateCall(RT.Collective,
               {B.getInt64(syncId(CB)), B.getInt64(Who.Of), Handle});
}

void Instrumenter::visitCall(CallBase &CB) {
  if (redirectAllocation(CB) || redirectFree(CB))
    return;
  Function *F = calleeOf(CB);
  if (!F)
    return;
  StringRef N = F->getName();
  visitLock(CB, N);
  if (F->isDeclaration())
    visitMpi(CB, N);
  if (!N.starts_with("__kmpc_"))
    return;
  IRBuilder<> B(&CB);
  if (isForkCall(CB)) {
    B.CreateCall(RT.Fork, {});
    if (goBehind(B, CB))
      B.CreateCall(RT.Join, {B.getInt64(syncId(CB))});
  } else if (N == "__kmpc_serialized_parallel") {
    if (callsBody(CB, /*Down=*/true))
      B.CreateCall(RT.Fork, {});
  } else if (N == "__kmpc_end_serialized_parallel") {
    if (callsBody(CB, /*Down=*/false) && goBehind(B, CB))
      B.CreateCall(RT.Join, {B.getInt64(syncId(CB))});
  } else if (N == "__kmpc_barrier" || N == "__kmpc_cancel_barrier" ||
             N == "__kmpc_copyprivate") {
    B.CreateCall(RT.Barrier, {B.getInt64(syncId(CB))});
  } else if (N == "__kmpc_taskgroup") {
    B.CreateCall(RT.Taskgroup, {});
  } else if (N == "__kmpc_end_taskgroup") {
    if (goBehind(B, CB))
      B.CreateCall(RT.TaskgroupEnd, {});
  } else if (N == "__kmpc_omp_taskwait" || N == "__kmpc_omp_taskwait_deps_51" ||
             N == "__kmpc_omp_wait_deps") {
    if (goBehind(B, CB))
      B.CreateCall(RT.Taskwait, {});
  } else if (N.starts_with("__kmpc_dispatch_init_")) {
    fixSchedule(CB);
  } else if (N.starts_with("__kmpc_taskloop")) {
    // if(0): the encountering thread executes the chunks at once, in order.
    CB.setArgOperand(3, ConstantInt::get(CB.getArgOperand(3)->getType(), 0));
  } else if (N == "__kmpc_omp_task" || N == "__kmpc_omp_task_with_deps" ||
             N == "__kmpc_single" || N == "__kmpc_end_single") {
    SmallVector<Value *, 8> Arguments(CB.args());
    redirect(CB,
             N == "__kmpc_omp_task" ? RecordCall::rec_omp_task
             : N == "__kmpc_omp_task_with_deps"
                 ? RecordCall::rec_omp_task_with_deps
             : N == "__kmpc_single" ? RecordCall::rec_single
                                    : RecordCall::rec_end_single,
             Arguments);
  }
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

void Instrumenter::redirect(CallBase &CB, RecordCall Call,
                            ArrayRef<Value *> Arguments) {
  SmallVector<Type *, 8> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  FunctionCallee C = RecordRuntime::declareAs(M, Call, CB.getType(), Types);
  if (!C.getCallee()) // by an own prototype; the C library serves it
    return;
  IRBuilder<> B(&CB);
  CallBase *New;
  if (auto *II = dyn_cast<InvokeInst>(&CB))
    New =
        B.CreateInvoke(C, II->getNormalDest(), II->getUnwindDest(), Arguments);
  else
    New = B.CreateCall(C, Arguments);
  // What is known of the result still holds; argument positions changed.
  AttributeList Old = CB.getAttributes();
  New->setAttributes(AttributeList::get(M.getContext(), AttributeSet(),
                                        Old.getRetAttrs(), {}));
  New->copyMetadata(CB);
  New->takeName(&CB);
  CB.replaceAllUsesWith(New);
  CB.eraseFromParent();
}

bool Instrumenter::redirectAllocation(CallBase &CB) {
  std::optional<Allocation> Made = allocationOf(CB);
  if (!Made)
    return false;
  const std::string &Kind = Made->Kind;
  StringRef N = calleeOf(CB)->getName();
  auto It = R.Sites.find(&CB);
  Value *Site =
      ConstantInt::get(RT.I64, It == R.Sites.end() ? 0 : It->second.Id);
  SmallVector<Value *, 4> A(CB.args());
  // Of what users or declarations name, nobody knows how it is released.
  if (Made->From == AllocatorOrigin::Chosen &&
      (!findAllocator(std::string_view(N)) || isNamedAllocator(*calleeOf(CB))))
    return false;
  if (Made->From == AllocatorOrigin::Chosen)
    replaceChosen(CB, *Made, It == R.Sites.end() ? 0 : It->second.Id);
  else if (Kind == "malloc" && A.size() == 1)
    redirect(CB, RecordCall::rec_malloc, {Site, A[0]});
  else if (Kind == "calloc" && A.size() == 2)
    redirect(CB, RecordCall::rec_calloc, {Site, A[0], A[1]});
  else if (Kind == "realloc" && A.size() == 2)
    redirect(CB, RecordCall::rec_realloc, {Site, A[0], A[1]});
  else if (Kind == "reallocarray" && A.size() == 3)
    redirect(CB, RecordCall::rec_reallocarray, {Site, A[0], A[1], A[2]});
  else if ((Kind == "aligned_alloc" || Kind == "memalign") && A.size() == 2)
    redirect(CB, RecordCall::rec_aligned_alloc, {Site, A[0], A[1]});
  else if (Kind == "_mm_malloc" && A.size() == 2)
    redirect(CB, RecordCall::rec_aligned_alloc, {Site, A[1], A[0]});
  else if ((Kind == "valloc" || Kind == "pvalloc") && A.size() == 1)
    redirect(CB, RecordCall::rec_aligned_alloc,
             {Site, ConstantInt::get(RT.I64, 4096), A[0]});
  else if (Kind == "posix_memalign" && A.size() == 3)
    redirect(CB, RecordCall::rec_posix_memalign, {Site, A[0], A[1], A[2]});
  else if (N == "_Znwm" || N == "_Znam")
    redirect(CB, RecordCall::rec_new, {Site, A[0]});
  else if (N == "_ZnwmRKSt9nothrow_t" || N == "_ZnamRKSt9nothrow_t")
    redirect(CB, RecordCall::rec_new_nothrow, {Site, A[0]});
  else if (N == "_ZnwmSt11align_val_t" || N == "_ZnamSt11align_val_t")
    redirect(CB, RecordCall::rec_new_aligned, {Site, A[0], A[1]});
  else if (N == "_ZnwmSt11align_val_tRKSt9nothrow_t" ||
           N == "_ZnamSt11align_val_tRKSt9nothrow_t")
    redirect(CB, RecordCall::rec_aligned_alloc, {Site, A[1], A[0]});
  else if (Kind == "mmap" && A.size() == 6)
    redirect(CB, RecordCall::rec_mmap,
             {Site, A[0], A[1], A[2], A[3], A[4], A[5]});
  else if (Kind == "MPI_Alloc_mem" && A.size() == 3)
    redirect(CB, RecordCall::rec_mpi_alloc_mem, {Site, A[0], A[1], A[2]});
  else
    return false;
  return true;
}

/// The allocator is asked as ever; the program works on a block in place of the
/// one it gets.
void Instrumenter::replaceChosen(CallBase &CB, const Allocation &Made,
                                 uint64_t Site) {
  if (auto *II = dyn_cast<InvokeInst>(&CB);
      II && !II->getNormalDest()->getSinglePredecessor())
    SplitEdge(II->getParent(), II->getNormalDest());
  IRBuilder<> B(&CB);
  Value *Old = ConstantPointerNull::get(cast<PointerType>(RT.Ptr));
  if (Made.Old >= 0) {
    Old = CB.getArgOperand(Made.Old);
    CB.setArgOperand(
        Made.Old,
        B.CreateCall(RecordRuntime::declare(M, RecordCall::rec_chosen_original),
                     {Old}));
  }
  Value *Bytes = B.CreateZExtOrTrunc(CB.getArgOperand(Made.Size), RT.I64);
  if (Made.Count >= 0)
    Bytes = B.CreateMul(
        Bytes, B.CreateZExtOrTrunc(CB.getArgOperand(Made.Count), RT.I64));
  if (!goBehind(B, CB))
    return;
  if (Made.Out >= 0) {
    FunctionCallee C = RecordRuntime::declare(M, RecordCall::rec_chosen_out);
    B.CreateCall(C, {B.getInt64(Site),
                     B.CreateIntCast(&CB, RT.I32, /*isSigned=*/true),
                     CB.getArgOperand(Made.Out), Bytes});
    return;
  }
  FunctionCallee C = RecordRuntime::declare(M, RecordCall::rec_chosen);
  CallInst *New = B.CreateCall(C, {B.getInt64(Site), Old, &CB, Bytes});
  CB.replaceUsesWithIf(New, [&](Use &U) { return U.getUser() != New; });
}

/// Whoever releases chosen memory hands over the address that its allocator
/// knows; also where the function is called through a pointer.
void Instrumenter::wrapChosenFrees() {
  SmallVector<std::pair<Function *, unsigned>, 4> Frees;
  for (Function &F : M)
    if (int N = releasedArgument(std::string_view(F.getName()));
        N >= 0 && F.isDeclaration() && unsigned(N) < F.arg_size() &&
        F.getArg(N)->getType()->isPointerTy() && !F.use_empty())
      Frees.push_back({&F, unsigned(N)});
  for (auto [F, N] : Frees) {
    Function *Wrapper = Function::createWithDefaultAttr(
        F->getFunctionType(), GlobalValue::InternalLinkage,
        F->getAddressSpace(), "ek.rec." + F->getName(), &M);
    F->replaceAllUsesWith(Wrapper);
    IRBuilder<> B(BasicBlock::Create(M.getContext(), "", Wrapper));
    SmallVector<Value *, 2> Arguments;
    for (Argument &A : Wrapper->args())
      Arguments.push_back(&A);
    Arguments[N] = B.CreateCall(
        RecordRuntime::declare(M, RecordCall::rec_chosen_free), {Arguments[N]});
    Value *Result = B.CreateCall(F, Arguments);
    F->getReturnType()->isVoidTy() ? B.CreateRetVoid() : B.CreateRet(Result);
  }
}

bool Instrumenter::redirectFree(CallBase &CB) {
  Function *F = calleeOf(CB);
  if (!F || !F->isDeclaration() || CB.arg_empty() ||
      !CB.getArgOperand(0)->getType()->isPointerTy())
    return false;
  StringRef N = F->getName();
  if (N == "free")
    redirect(CB, RecordCall::rec_free, {CB.getArgOperand(0)});
  else if (N.starts_with("_ZdlPv")) // sized and aligned forms as well
    redirect(CB, RecordCall::rec_delete, {CB.getArgOperand(0)});
  else if (N.starts_with("_ZdaPv"))
    redirect(CB, RecordCall::rec_delete_array, {CB.getArgOperand(0)});
  else if (N == "munmap" && CB.arg_size() == 2)
    redirect(CB, RecordCall::rec_munmap,
             {CB.getArgOperand(0), CB.getArgOperand(1)});
  else if (N == "mremap" && CB.arg_size() >= 4) {
    SmallVector<Value *, 6> A(CB.args());
    A.insert(A.begin(), ConstantInt::get(RT.I64, 0));
    if (A.size() == 5)
      A.push_back(ConstantPointerNull::get(cast<PointerType>(RT.Ptr)));
    redirect(CB, RecordCall::rec_mremap, A);
  } else if (N == "MPI_Free_mem" && CB.arg_size() == 1)
    redirect(CB, RecordCall::rec_mpi_free_mem, {CB.getArgOperand(0)});
  else
    return false;
  return true;
}

void Instrumenter::registerGlobals() {
  const Align Line(64);
  const DataLayout &DL = M.getDataLayout();
  Function *Ctor = nullptr;
  GlobalVariable *Last = nullptr;
  IRBuilder<> B(M.getContext());
  for (auto &[G, Info] : R.GlobalSites) {
    if (G->isDeclaration() || G->isThreadLocal())
      continue;
    // Formulas count the lines of arrays that begin with one, as on the heap.
    if (!G->hasSection() && G->getAlign().valueOrOne() < Line)
      G->setAlignment(Line);
    if (!Ctor) {
      Ctor = Function::createWithDefaultAttr(
          FunctionType::get(RT.Void, false), GlobalValue::InternalLinkage,
          DL.getProgramAddressSpace(), "ek.rec.globals", &M);
      BasicBlock *Entry = BasicBlock::Create(M.getContext(), "", Ctor);
      B.SetInsertPoint(ReturnInst::Create(M.getContext(), Entry));
      appendToGlobalCtors(M, Ctor, /*Priority=*/101);
    }
    B.CreateCall(RT.Global,
                 {B.getInt64(Info.Id), G,
                  B.getInt64(DL.getTypeAllocSize(G->getValueType()))});
    Last = G;
  }
  if (Sampling && Last)
    Sampling->setShift(B, Last);
}

/// Arrays on the stack have no canonical address: they go to the heap, for as
/// long as they would have been there. Exceptions leave that to the frames that
/// they end in.
void Instrumenter::moveStackArrays(
    Function &F, ArrayRef<std::pair<AllocaInst *, uint64_t>> Arrays) {
  FunctionCallee Mark = RecordRuntime::declare(M, RecordCall::rec_stack_mark);
  FunctionCallee Reset = RecordRuntime::declare(M, RecordCall::rec_stack_reset);
  FunctionCallee Make = RecordRuntime::declare(M, RecordCall::rec_stack);
  SmallVector<Instruction *, 4> Ends, Restores;
  for (Instruction &I : instructions(F)) {
    if (isa<ReturnInst, ResumeInst>(I))
      Ends.push_back(&I);
    if (auto *II = dyn_cast<IntrinsicInst>(&I);
        II && II->getIntrinsicID() == Intrinsic::stackrestore &&
        isa<IntrinsicInst>(II->getArgOperand(0)))
      Restores.push_back(II);
  }
  IRBuilder<> B(&F.getEntryBlock(), F.getEntryBlock().begin());
  Value *Begin = B.CreateCall(Mark, {});
  for (Instruction *I : Ends) {
    B.SetInsertPoint(I);
    B.CreateCall(Reset, {Begin});
  }
  DenseMap<Value *, Value *> Marks; // of stacksave
  for (Instruction *I : Restores) {
    auto *Save = cast<IntrinsicInst>(cast<IntrinsicInst>(I)->getArgOperand(0));
    Value *&At = Marks[Save];
    if (!At) {
      B.SetInsertPoint(Save);
      At = B.CreateCall(Mark, {});
    }
    B.SetInsertPoint(I);
    B.CreateCall(Reset, {At});
  }
  const DataLayout &DL = M.getDataLayout();
  for (auto &[A, Site] : Arrays) {
    for (User *U : make_early_inc_range(A->users()))
      if (auto *I = dyn_cast<Instruction>(U); I && I->isLifetimeStartOrEnd())
        I->eraseFromParent();
    B.SetInsertPoint(A);
    Value *Each = B.getInt64(DL.getTypeAllocSize(A->getAllocatedType()));
    Value *Bytes =
        B.CreateMul(B.CreateZExtOrTrunc(A->getArraySize(), RT.I64), Each);
    Value *P = B.CreateCall(
        Make, {B.getInt64(Site), Bytes, B.getInt64(A->getAlign().value())});
    P->takeName(A);
    A->replaceAllUsesWith(P);
    A->eraseFromParent();
  }
}

//===----------------------------------------------------------------------===//
// Further bodies
//===----------------------------------------------------------------------===//

/// The program's own code, for when the record has ended: new blocks are the C
/// library's, but those that recorded code has made live on in the recorder's
/// arenas, and what releases, moves or maps over a block may meet one.
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
  std::vector<Function *> Serial, Teams; // may be on a stack in between phases
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
      GoingOn.push_back(
          std::make_unique<Continuations>(M, Kind, Serial, Teams));
      Rests = GoingOn.back()->code();
      Entered += GoingOn.back()->refused();
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
  tellStaying(M, Single, Entered);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// What says how the module was built, to the recorder and in front of a run.
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

/// What is planned for one function.
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
  // Asked before anything is inserted that uses addresses as well.
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
  SmallVector<RecordedAccess, 0> Told;
  for (const PlannedAccess &P : Accesses)
    describe(P, Told);
  recordWalks(M, R, Told);
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
  if (Mode != RecordMode::Walks && !symbolsAreTold(M))
    tellSymbols(M, R);
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
  for (const auto &C : GoingOn)
    C->connect();
  if (const char *Name = unitsOf(Mode))
    RecordRuntime::markUnits(M, Name);
  // Regions begin before these and end behind them.
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
  tellContexts(M, Functions, Calls);
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
  return true;
}

} // namespace evenkeel
