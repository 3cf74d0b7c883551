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
#include "record/tasks/Recorder.h"

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

/// Distinct siblings that `depend` makes task \p Number wait for; by first
/// part.
static void siblingsBefore(Siblings &S, uint32_t Number, const void *Deps,
                           int32_t NumDeps, Vec<uint32_t> &Before) {
  auto Add = [&](uint32_t Pred) {
    bool Known = !Pred || Pred == Number;
    for (uint32_t P : Before)
      Known |= P == Pred;
    if (!Known)
      Before.push(Pred);
  };
  auto *D = static_cast<const OmpDepend *>(Deps);
  for (int32_t I = 0; I < NumDeps; ++I) {
    Siblings::Address *A =
        D[I].Address ? find(S, static_cast<uint64_t>(D[I].Address)) : nullptr;
    if (!A)
      continue;
    if (D[I].Flags == 1) {
      Add(A->LastOut);
      S.Readers_.push({Number, A->Readers});
      A->Readers = static_cast<uint32_t>(S.Readers_.size());
      continue;
    }
    bool Read = false;
    for (uint32_t R = A->Readers; R; R = S.Readers_[R - 1].Next)
      if (S.Readers_[R - 1].Task != Number) {
        Read = true;
        Add(S.Readers_[R - 1].Task);
      }
    if (!Read)
      Add(A->LastOut);
    A->LastOut = Number;
    A->Readers = 0;
  }
}

static uint32_t lastPart(uint32_t First) {
  return TheRecorder.Tasks[First].Last;
}

void ekrec::beforeChild(Frame &Parent) {
  // What the part has computed so far, its child may need; and a part that
  // waits for many is waited for itself rather than all of them once more.
  constexpr uint64_t Worth = 2000 * SlotsPerCycle;
  bool Explicit = TheRecorder.Tasks[Parent.Task].Explicit;
  if (Explicit && (State.Slots >= Worth || Parent.Preds.size() > 4))
    beginPart({});
}

void ekrec::linkChild(Frame &Parent, Frame &Child, const void *Deps,
                      int32_t NumDeps) {
  Siblings &S = Parent.Children;
  Vec<uint32_t> &Before = S.Scratch;
  Before.clear();
  siblingsBefore(S, Child.First, Deps, NumDeps, Before);
  // Task numbers of one thread grow: those before the wave's first task were
  // waited for, and so were all their predecessors.
  bool SamePart = false;
  uint32_t WaveFirst = S.Wave.empty() ? Child.First : S.Wave[0];
  for (uint32_t Pred : Before) {
    if (Pred < WaveFirst)
      continue;
    size_t Low = 0, High = S.Wave.size();
    while (High - Low > 1) {
      size_t Mid = (Low + High) / 2;
      (S.Wave[Mid] <= Pred ? Low : High) = Mid;
    }
    S.HasNext[Low] = 1;
    SamePart |= Low >= S.WaveOfPart;
    Child.Preds.push(lastPart(Pred));
  }
  // Of what the parent's part waited for, siblings from the same part tell.
  if (!SamePart)
    for (uint32_t Pred : Parent.Preds)
      Child.Preds.push(Pred);
  S.Wave.push(Child.First);
  S.HasNext.push(0);
}

void ekrec::afterChild(Frame &Parent, const Frame &Child) {
  if (!State.Groups)
    return;
  for (uint32_t First : Child.Children.Wave)
    Parent.Children.Beneath.push(lastPart(First));
  for (uint32_t Last : Child.Children.Beneath)
    Parent.Children.Beneath.push(Last);
}

void ekrec::writePreds(const Frame &F, Log &Out) {
  Out.lock();
  for (uint32_t Pred : F.Preds)
    if (!closed())
      Out.Deps.push({F.Task, Pred});
  Out.unlock();
}

/// The running task has waited for its children; \p All: for theirs, too.
static void waited(Frame &F, bool All) {
  Siblings &S = F.Children;
  Vec<uint32_t> &Last = S.Scratch;
  Last.clear();
  for (size_t I = 0; I < S.Wave.size(); ++I)
    if (!S.HasNext[I])
      Last.push(lastPart(S.Wave[I]));
  for (size_t I = 0; All && I < S.Beneath.size(); ++I)
    Last.push(S.Beneath[I]);
  S.Wave.clear();
  S.HasNext.clear();
  if (All)
    S.Beneath.clear();
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
