//===- Tasks.cpp - explicit tasks, run at once ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to execute an OpenMP task the moment it is created, by the
// protocol that compilers use for `if(0)` tasks: creation order satisfies every
// dependence, so it is a legal schedule, and the same in every run. Each task
// counts for a virtual worker in turn.
// Makes: the edges of the task graph: those that `depend` asks for among
// siblings, and from what a taskwait waited for to what was created after it.
// Leaves out: mutexinoutset and inoutset are taken as inout (in order); the
// edge from a task to the children it creates.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Recorder.h"
#include "record_abi.h"

using namespace ekrec;

extern "C" {
__attribute__((weak)) void __kmpc_omp_task_begin_if0(void *, int32_t, void *);
__attribute__((weak)) void __kmpc_omp_task_complete_if0(void *, int32_t,
                                                        void *);
__attribute__((weak)) int omp_get_thread_num(void);
}

namespace {
// Heads of kmp_task_t and kmp_depend_info, the compiler's interface to libomp.
struct OmpTask {
  void *Shareds;
  int32_t (*Routine)(int32_t, void *);
};
struct OmpDepend {
  intptr_t Address;
  size_t Length;
  uint8_t Flags; // 1 in, 2 out
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

//===----------------------------------------------------------------------===//
// Dependences
//===----------------------------------------------------------------------===//

static Siblings::Address *find(Siblings &S, uint64_t Where) {
  if (S.Used * 2 >= S.Table.size()) {
    Vec<Siblings::Address> Old = S.Table;
    S.Table = Vec<Siblings::Address>();
    if (!S.Table.resize(Old.size() ? Old.size() * 2 : 128)) {
      S.Table = Old;
      return nullptr;
    }
    for (const Siblings::Address &A : Old) {
      if (!A.Where)
        continue;
      size_t I = A.Where * 0x9E3779B97F4A7C15ull >> 20 & (S.Table.size() - 1);
      while (S.Table[I].Where)
        I = (I + 1) & (S.Table.size() - 1);
      S.Table[I] = A;
    }
    Old.release();
  }
  size_t I = Where * 0x9E3779B97F4A7C15ull >> 20 & (S.Table.size() - 1);
  while (S.Table[I].Where && S.Table[I].Where != Where)
    I = (I + 1) & (S.Table.size() - 1);
  if (!S.Table[I].Where) {
    S.Table[I].Where = Where;
    ++S.Used;
  }
  return &S.Table[I];
}

void ekrec::linkSibling(Frame &Parent, uint32_t Number, const void *Deps,
                        int32_t NumDeps, Log &Out) {
  Siblings &S = Parent.Children;
  size_t FirstEdge = Out.Deps.size();
  Out.lock();
  auto Edge = [&](uint32_t Pred) {
    if (!Pred || Pred == Number)
      return;
    for (size_t I = FirstEdge; I < Out.Deps.size(); ++I)
      if (Out.Deps[I].pred == Pred)
        return;
    Out.Deps.push({Number, Pred});
  };
  auto *D = static_cast<const OmpDepend *>(Deps);
  for (int32_t I = 0; I < NumDeps; ++I) {
    Siblings::Address *A =
        D[I].Address ? find(S, static_cast<uint64_t>(D[I].Address)) : nullptr;
    if (!A)
      continue;
    if (D[I].Flags == 1) {
      Edge(A->LastOut);
      S.Readers_.push({Number, A->Readers});
      A->Readers = static_cast<uint32_t>(S.Readers_.size());
      continue;
    }
    bool Read = false;
    for (uint32_t R = A->Readers; R; R = S.Readers_[R - 1].Next)
      if (S.Readers_[R - 1].Task != Number) {
        Read = true;
        Edge(S.Readers_[R - 1].Task);
      }
    if (!Read)
      Edge(A->LastOut);
    A->LastOut = Number;
    A->Readers = 0;
  }
  // Task numbers of one thread grow: those before the wave's first task were
  // waited for, and so were all their predecessors.
  bool InWave = false;
  uint32_t WaveFirst = S.Wave.empty() ? Number : S.Wave[0];
  for (size_t I = FirstEdge; I < Out.Deps.size(); ++I) {
    uint32_t Pred = Out.Deps[I].pred;
    if (Pred < WaveFirst)
      continue;
    InWave = true;
    size_t Low = 0, High = S.Wave.size();
    while (High - Low > 1) {
      size_t Mid = (Low + High) / 2;
      (S.Wave[Mid] <= Pred ? Low : High) = Mid;
    }
    S.HasNext[Low] = 1;
  }
  if (!S.Sinks.empty()) {
    size_t Keep = FirstEdge;
    for (size_t I = FirstEdge; I < Out.Deps.size(); ++I)
      if (Out.Deps[I].pred >= WaveFirst)
        Out.Deps[Keep++] = Out.Deps[I];
    while (Out.Deps.size() > Keep)
      Out.Deps.pop();
    if (!InWave)
      for (uint32_t Pred : S.Sinks)
        Out.Deps.push({Number, Pred});
  }
  S.Wave.push(Number);
  S.HasNext.push(0);
  Out.unlock();
}

extern "C" void __ek_rec_taskwait(void) {
  Frame *F = State.Current;
  if (!F || F->Children.Wave.empty())
    return;
  Siblings &S = F->Children;
  S.Sinks.clear();
  for (size_t I = 0; I < S.Wave.size(); ++I)
    if (!S.HasNext[I])
      S.Sinks.push(S.Wave[I]);
  S.Wave.clear();
  S.HasNext.clear();
}
