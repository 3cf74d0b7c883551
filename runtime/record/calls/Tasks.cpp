//===- Tasks.cpp - explicit tasks, executed immediately -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to execute an OpenMP task when it is created, by the protocol that
// compilers use for `if(0)` tasks. The order of creation satisfies every
// dependence, so this is a legal schedule, and the same in every run. Tasks are
// assigned to virtual workers in turn.
// Makes: the edges of the task graph. A task that waits for others (taskwait,
// end of a taskgroup) continues as a further part, which waits for the previous
// part and for those tasks. A task that has done some work when it creates
// another one continues as a further part, too, and both wait for the previous
// part. In addition, there are the edges between siblings that `depend`
// requires. Parts of threads' own tasks count as explicit tasks from the first
// wait on.
// Not here: mutexinoutset and inoutset are treated as inout (in order). A
// thread's own task is not split before its first wait. A task that creates
// another one is not split if its part has taken less than EK_PART_CYCLES so
// far and waits for EK_PART_TASKS tasks at most.
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
  // A further part of an untied task belongs to the running task.
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

/// The running task has waited for its children; \p All: for all descendants.
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
