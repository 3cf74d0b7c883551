//===- RegionCalls.cpp - record regions, tasks and waits ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which calls inform the recorder of regions, tasks, locks and waits,
// and where they are inserted.
//===----------------------------------------------------------------------===//
#include "format/WaitCalls.h"
#include "record/Contexts.h"
#include "record/Instrumenter.h"
#include "record/samples/Loops.h"
#include "unit/Calls.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace evenkeel {

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

bool goAfter(IRBuilder<> &B, CallBase &CB) {
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

/// Replaces loop schedules that depend on timing by deterministic ones: dynamic
/// chunks are assigned in turn, all others in equal parts (kmp.h: sched_type).
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

/// The OpenMP runtime calls \p F to combine the reduction values of two threads
/// while both wait.
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

/// Records synchronisation besides barriers. A call that may fail to take a
/// lock (POSIX returns 0 on success, OpenMP on failure) is recorded only on
/// success.
void Instrumenter::visitLock(CallBase &CB, StringRef N) {
  IRBuilder<> B(&CB);
  auto After = [&](FunctionCallee Entry) {
    if (goAfter(B, CB))
      B.CreateCall(Entry, {});
  };
  auto When = [&](CmpInst::Predicate Taken) {
    if (!goAfter(B, CB))
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
    After(RT.Lock);
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
    if (goAfter(B, CB))
      B.CreateCall(RT.Reduce, {&CB});
  } else if (N == "__kmpc_end_reduce" || N == "__kmpc_end_reduce_nowait")
    B.CreateCall(RT.Reduce, {B.getInt32(0)});
  else if (N == "__kmpc_flush" || N.starts_with("__kmpc_doacross_"))
    B.CreateCall(RT.Orders, {});
}

/// Whether a region's body is called between the begin and the end of a team of
/// one. \p CB is one of these calls; the other follows it if \p Down is true,
/// and precedes it otherwise. A body that was inlined, or that no other team
/// runs, counts as code of the enclosing task.
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

/// A collective ends a phase if all ranks of the program take part, which is
/// known only at run time.
void Instrumenter::visitMpi(CallBase &CB, StringRef N) {
  IRBuilder<> B(&CB);
  if (N == "MPI_Abort" || N == "PMPI_Abort")
    B.CreateCall(RT.Ends, {});
  if (!allWait(waitOf(std::string_view(N))))
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
    if (goAfter(B, CB))
      B.CreateCall(RT.Join, {B.getInt64(syncId(CB))});
  } else if (N == "__kmpc_serialized_parallel") {
    if (callsBody(CB, /*Down=*/true))
      B.CreateCall(RT.Fork, {});
  } else if (N == "__kmpc_end_serialized_parallel") {
    if (callsBody(CB, /*Down=*/false) && goAfter(B, CB))
      B.CreateCall(RT.Join, {B.getInt64(syncId(CB))});
  } else if (N == "__kmpc_barrier" || N == "__kmpc_cancel_barrier" ||
             N == "__kmpc_copyprivate") {
    B.CreateCall(RT.Barrier, {B.getInt64(syncId(CB))});
  } else if (N == "__kmpc_taskgroup") {
    B.CreateCall(RT.Taskgroup, {});
  } else if (N == "__kmpc_end_taskgroup") {
    if (goAfter(B, CB))
      B.CreateCall(RT.TaskgroupEnd, {});
  } else if (N == "__kmpc_omp_taskwait" || N == "__kmpc_omp_taskwait_deps_51" ||
             N == "__kmpc_omp_wait_deps") {
    if (goAfter(B, CB))
      B.CreateCall(RT.Taskwait, {});
  } else if (N.starts_with("__kmpc_dispatch_init_")) {
    fixSchedule(CB);
  } else if (N.starts_with("__kmpc_taskloop")) {
    // As if(0): the encountering thread executes the chunks at once, in order.
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

} // namespace evenkeel
