//===- RunningTasks.cpp - the begin and end of tasks ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: tasks with internal numbers, which Stream.cpp replaces. Lanes are
// chosen by thread numbers, not by operating system threads.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "RunningTasks.h"
#include "Dependences.h"
#include "Frame.h"
#include "InFull.h"
#include "PhaseSums.h"
#include "record/host/Report.h"
#include <new>

using namespace ekrec;

static Lane *Lanes[Creators];      // of the team's threads
static Lane **TaskLanes[Creators]; // for tasks created by a thread

void ThreadState::runs(Frame *F) {
  Current = F;
  Cells = F ? F->Symbols.cells() : NoCells;
}

static Lane *makeLane(Lane *&Slot) {
  if (Slot)
    return Slot;
  void *Memory = reservePages(sizeof(Lane));
  Lane *L = Memory ? new (Memory) Lane : nullptr;
  if (!L || !L->init(TheRecorder.Opts)) {
    count(Why::NoMemory);
    return nullptr;
  }
  return Slot = L;
}

Log *ekrec::logOf(ThreadState &T) {
  if (T.Out)
    return T.Out;
  Log *L = makeZeroed<Log>();
  if (!L) {
    count(Why::NoMemory);
    return nullptr;
  }
  L->NextLog = TheRecorder.Logs.load();
  while (!TheRecorder.Logs.compare_exchange_weak(L->NextLog, L)) {
  }
  return T.Out = L;
}

static uint32_t beginTask(ThreadState &T, Lane *L, const TaskInfo &Info) {
  Log *Out = logOf(T);
  uint32_t N = TheRecorder.LastTask.fetch_add(1) + 1;
  if (!Out || !L || N >= MaxTasks) {
    count(Why::NoMemory);
    return 0;
  }
  Frame *F = T.Spare;
  if (F) {
    T.Spare = F->Spare;
  } else {
    void *Memory = reservePages(sizeof(Frame));
    if (!Memory) {
      count(Why::NoMemory);
      return 0;
    }
    F = new (Memory) Frame;
  }
  if (T.Current) // its group would be mixed with that of the new task
    T.Current->TheLane->endTask(*T.Current);
  TheRecorder.Tasks[N] = Info;
  TheRecorder.Tasks[N].Last = TheRecorder.Tasks[N].First = N;
  F->SavedSlots = T.Slots;
  F->SavedInstructions = T.Instructions;
  T.Slots = T.Instructions = 0;
  F->begin(N, L, Out, &TheRecorder.Opts);
  F->Parent = T.Current;
  if (T.InFull && T.Current)
    T.InFull->taskEnds(regionOf(T), T.Events);
  T.runs(F);
  burstsFor(T, Info.Region);
  return N;
}

static void finishPart(const ThreadState &T, Frame &F, uint32_t Part) {
  if (closed()) // they are being read
    return;
  TaskInfo &Info = TheRecorder.Tasks[Part];
  Info.Cycles = T.Slots / SlotsPerCycle;
  Info.Instructions = T.Instructions;
  Info.Done = true;
  if (__builtin_expect(SumsPhases, 0))
    addToPhase(Info, F.Waited);
  F.Waited = 0;
}

void ekrec::beginPart(const Vec<uint32_t> &Waited) {
  ThreadState &T = State;
  pauseForEnd(T);
  Frame *F = T.Current;
  uint32_t N = TheRecorder.LastTask.fetch_add(1) + 1;
  if (N >= MaxTasks) {
    count(Why::NoMemory);
    return;
  }
  uint32_t Before = F->Task;
  F->nextPart(N);
  finishPart(T, *F, Before);
  T.Slots = T.Instructions = 0;
  const TaskInfo &Old = TheRecorder.Tasks[Before];
  TaskInfo &New = TheRecorder.Tasks[N];
  New = Old;
  New.Done = false;
  New.Explicit = true;
  New.Index = T.Parts++;
  TheRecorder.Tasks[F->First].Last = N;
  F->Preds.clear();
  if (Old.Explicit)
    F->Preds.push(Before);
  for (uint32_t P : Waited)
    F->Preds.push(P);
  F->Children.WaveOfPart = F->Children.Wave.size();
  writePreds(*F, *T.Out);
}

void ekrec::endTask(ThreadState &T) {
  Frame *F = T.Current;
  if (!F)
    return;
  if (F->Parent)
    afterChild(*F->Parent, *F);
  if (T.InFull)
    T.InFull->taskEnds(regionOf(T), T.Events);
  F->end();
  finishPart(T, *F, F->Task);
  T.Slots = F->SavedSlots;
  T.Instructions = F->SavedInstructions;
  T.runs(F->Parent);
  if (T.Current)
    burstsFor(T, regionOf(T));
  F->Spare = T.Spare;
  T.Spare = F;
}

void ekrec::endTasks() {
  while (State.Current)
    endTask(State);
}

void ekrec::setPhase(uint32_t Phase, uint64_t Sync, uint32_t Kind,
                     uint32_t Width) {
  if (Phase >= MaxPhases)
    return;
  TheRecorder.Phases[Phase] = {Sync, Kind, Width};
  if (Phase + 1 > TheRecorder.NumPhases)
    TheRecorder.NumPhases = Phase + 1;
}

void ekrec::beginOwnTask(ThreadState &T, uint64_t Region) {
  T.Ordinal = T.Parts = 0;
  beginTask(
      T, makeLane(Lanes[T.Thread]),
      {Region, 0, 0, T.Phase, T.Thread, T.Thread, T.Thread, false, false});
}

void ekrec::beginSerial(ThreadState &T, uint32_t Phase) {
  T.Phase = Phase;
  T.Width = 1;
  setPhase(Phase, 0, 0, 1);
  beginOwnTask(T, TheRecorder.SerialRegion);
}

uint32_t ekrec::beginExplicitTask(uint64_t Region) {
  ThreadState &T = State;
  pauseForEnd(T);
  Frame *Parent = T.Current;
  const void *Deps = T.Deps;
  int32_t NumDeps = T.NumDeps;
  T.Deps = nullptr;
  T.NumDeps = 0;
  if (!Parent || closed())
    return 0;
  if (endsPart(*Parent))
    beginPart({});
  uint32_t Ordinal = T.Ordinal++;
  // Tasks of one creator are assigned to workers in turn. Each creator has its
  // own lanes, so that several creators cannot affect each other's order.
  uint32_t Worker = (T.Thread + Ordinal) % T.Width;
  Lane *L = nullptr;
  if (Worker == T.Thread) {
    L = makeLane(Lanes[Worker]);
  } else {
    if (!TaskLanes[T.Thread])
      TaskLanes[T.Thread] =
          static_cast<Lane **>(reservePages(Creators * sizeof(Lane *)));
    if (TaskLanes[T.Thread])
      L = makeLane(TaskLanes[T.Thread][Worker]);
  }
  uint32_t N = beginTask(
      T, L, {Region, 0, 0, T.Phase, T.Parts++, T.Thread, Worker, true, false});
  if (N) {
    linkChild(*Parent, *T.Current, Deps, NumDeps);
    writePreds(*T.Current, *T.Out);
  }
  return N;
}

void ekrec::endExplicitTask() {
  pauseForEnd(State);
  endTask(State);
}
