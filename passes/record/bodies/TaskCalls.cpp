//===- TaskCalls.cpp - calls that may end a task --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TaskCalls.h.
//===----------------------------------------------------------------------===//
#include "record/bodies/TaskCalls.h"
#include "record/Runtime.h"
#include "record/samples/Cost.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace evenkeel {

/// Whether the entry of the OpenMP runtime begins and ends no task.
static bool staysInTask(StringRef Entry) {
  return Entry.starts_with("global_thread_num") ||
         Entry.starts_with("for_static_") || Entry.starts_with("dispatch_") ||
         Entry.starts_with("critical") || Entry.starts_with("end_critical") ||
         Entry.starts_with("master") || Entry.starts_with("end_master") ||
         Entry.starts_with("masked") || Entry.starts_with("end_masked") ||
         Entry.starts_with("ordered") || Entry.starts_with("end_ordered") ||
         Entry.starts_with("reduce") || Entry.starts_with("end_reduce") ||
         Entry.starts_with("doacross_") || Entry.starts_with("push_") ||
         Entry == "flush" || Entry == "omp_task_alloc";
}

/// Whether the C library's function frees a block, runs code of the program, or
/// does not return.
static bool releasesOrLeaves(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases("free", "realloc", "reallocf", "reallocarray", true)
      .Cases("munmap", "mremap", true)
      .Cases("exit", "_exit", "_Exit", "quick_exit", "pthread_exit", true)
      .Cases("longjmp", "_longjmp", "siglongjmp", true)
      .Cases("qsort", "bsearch", "execl", "execv", "execvp", true)
      .StartsWith("_ZdlPv", true)
      .StartsWith("_ZdaPv", true)
      .Default(false);
}

/// The same for functions that are not defined in the module.
static bool endsOutside(const Function &F) {
  const StringRef Name = F.getName();
  if (StringRef Entry = Name; Entry.consume_front("__kmpc_"))
    return !staysInTask(Entry);
  if (releasesOrLeaves(Name))
    return true;
  static const TargetLibraryInfoImpl Known(
      Triple(F.getParent()->getTargetTriple()));
  LibFunc Any;
  return !Known.getLibFunc(F, Any) && !Name.starts_with("omp_") &&
         !Name.starts_with("__ek_rec_") &&
         !StringSwitch<bool>(Name)
              .Cases("abort", "__assert_fail", "__clang_call_terminate", true)
              .Cases("__cxa_begin_catch", "__cxa_allocate_exception", true)
              .Cases("__cxa_guard_acquire", "__cxa_guard_release", true)
              .Cases("clock_gettime", "gettimeofday", "__errno_location", true)
              .Default(false);
}

bool TaskCalls::endsByItself(const Instruction &I) const {
  if (auto *II = dyn_cast<IntrinsicInst>(&I))
    return II->getIntrinsicID() == Intrinsic::stackrestore;
  if (!leavesCode(I) || isMathCall(I))
    return false;
  const auto &CB = cast<CallBase>(I);
  if (std::optional<Allocation> Made = allocationOf(CB);
      Made && Made->Old < 0 && Made->From != AllocatorOrigin::Chosen)
    return false;
  const Function *F = calleeOf(CB);
  return !F || (F->isDeclaration() && endsOutside(*F));
}

TaskCalls::TaskCalls(const Module &M) {
  DenseMap<const Function *, SmallVector<const Function *, 4>> Callers;
  SmallVector<const Function *, 32> Work;
  auto Add = [&](const Function *F) {
    if (Ending.insert(F).second)
      Work.push_back(F);
  };
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (endsByItself(I))
        Add(&F);
      auto *CB = dyn_cast<CallBase>(&I);
      if (const Function *Callee = CB ? calleeOf(*CB) : nullptr;
          Callee && !Callee->isDeclaration())
        Callers[Callee].push_back(&F);
    }
  while (!Work.empty())
    for (const Function *Caller : Callers.lookup(Work.pop_back_val()))
      Add(Caller);
}

bool TaskCalls::mayEnd(const Instruction &I) const {
  if (endsByItself(I))
    return true;
  auto *CB = dyn_cast<CallBase>(&I);
  const Function *F = CB ? calleeOf(*CB) : nullptr;
  return F && Ending.contains(F);
}

} // namespace evenkeel
