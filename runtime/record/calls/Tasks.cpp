//===- Tasks.cpp - explicit tasks, run at once ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to execute an OpenMP task the moment it is created, by the
// protocol that compilers use for `if(0)` tasks: creation order satisfies every
// dependence, so it is a legal schedule, and the same in every run. Each task
// counts for a virtual worker in turn.
// Makes: the edges of the task graph. A task that waits for others (taskwait,
// end of a taskgroup) goes on as a further part, which waits for the part
// before and for those tasks; a task that has computed something when it
// creates another goes on as a further part, too, and both wait for the part
// before. Besides, there are the edges that `depend` asks for among siblings.
// Parts of threads' own tasks count as explicit tasks from the first wait on.
// Not here: mutexinoutset and inoutset are taken as inout (in order); what a
// thread's own task computes before it creates tasks, until it waits once; less
// than 2000 cycles of a task before it creates another.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "record/abi/record_abi.h"
#include "record/tasks/Dependences.h"
#include "record/tasks/Frame.h"
#include "record/tasks/RunningTasks.h"

using namespace ekrec;

extern "C" {
__attribute__((weak)) void __kmpc_omp_task_begin_if0(void *, int32_t, void *);
__attribute__((weak)) void __kmpc_omp_task_complete_if0(void *, int32_t,
                                                        void *);
__attribute__((weak)) int omp_get_thread_num(void);
}

namespace {
// Head of kmp_task_t, the compiler's interface to libomp.
struct OmpTask {
  void *Shareds;
  int32_t (*Routine)(int32_t, void *);
};
} // namespace

static int32_t runNow(void *Loc, int32_t Gtid, void *Task) {
  ThreadState &T = State;
  auto *Body = static_cast<OmpTask *>(Task);
  if (T.Running == Task) // the next part of an untied task
    return Body->Routine(Gtid, Task);
  const void *Outer = T.Running;
  T.Running = Task;
  __kmpc_omp_task_begin_if0(Loc, Gtid, Task);
  Body->Routine(Gtid, Task);
  __kmpc_omp_task_complete_if0(Loc, Gtid, Task);
  T.Running = Outer;
  return 0;
}

extern "C" int32_t __ek_rec_omp_task(void *Loc, int32_t Gtid, void *Task) {
  return runNow(Loc, Gtid, Task);
}

extern "C" int32_t __ek_rec_omp_task_with_deps(void *Loc, int32_t Gtid,
                                               void *Task, int32_t N,
                                               void *Deps, int32_t, void *) {
  ThreadState &T = State;
  T.Deps = Deps;
  T.NumDeps = N;
  return runNow(Loc, Gtid, Task);
}

extern "C" int32_t __ek_rec_single(void *, int32_t) {
  return !omp_get_thread_num || omp_get_thread_num() == 0;
}

extern "C" void __ek_rec_end_single(void *, int32_t) {}

extern "C" uint64_t __ek_rec_task_begin(uint64_t Region) {
  ThreadState &T = State;
  // A further part of an untied task belongs to the task that runs.
  if (T.Running && T.Current && T.Current->Omp == T.Running)
    return 0;
  uint32_t N = beginExplicitTask(Region);
  if (N)
    T.Current->Omp = T.Running;
  return N;
}

extern "C" void __ek_rec_task_end(uint64_t Token) {
  if (!Token)
    return;
  State.Current->Omp = nullptr;
  endExplicitTask();
}

/// The running task has waited for its children; \p All: for theirs, too.
static void waited(Frame &F, bool All) {
  const Vec<uint32_t> &Last = waitedFor(F, All);
  if (!Last.empty())
    beginPart(Last);
}

extern "C" void __ek_rec_taskwait(void) {
  if (Frame *F = State.Current)
    waited(*F, /*All=*/false);
}

extern "C" void __ek_rec_taskgroup(void) { ++State.Groups; }

extern "C" void __ek_rec_taskgroup_end(void) {
  ThreadState &T = State;
  if (T.Groups)
    --T.Groups;
  if (T.Current)
    waited(*T.Current, /*All=*/true);
}
