//===- Recorder.cpp - accesses, regions, phases ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: the record while the program runs. Numbering is deterministic: a fork
// takes the next phase number, each thread of the team counts its own barriers
// from there, and the join goes on behind the last of them; thread numbers, not
// operating system threads, choose lanes and address ranges.
// The program's first thread is the one whose serial code counts; of threads
// that are neither it nor members of its teams, objects are recorded and
// accesses are not (counted).
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Recorder.h"
#include "core/say.h"
#include "hooks/mpi/mpi_ranks.h"
#include "record/abi/record_abi.h"
#include "record/caches/Sampling.h"
#include "record/ending/Bodies.h"
#include "record/ending/Until.h"
#include "record/files/Walks.h"
#include "record/host/Report.h"
#include "record/races/RowMask.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

using namespace ekrec;

extern "C" const int __ek_rec_abi_v6 = 1;
namespace ekrec {
Recorder TheRecorder{};
__thread ThreadState State{};
} // namespace ekrec

// The program's own OpenMP runtime, if it has one.
extern "C" __attribute__((weak)) int omp_get_thread_num(void);
extern "C" __attribute__((weak)) int omp_get_num_threads(void);
extern "C" __attribute__((weak)) int omp_get_level(void);
extern "C" __attribute__((weak)) int32_t __kmpc_global_thread_num(void *);
extern "C" __attribute__((weak)) void __kmpc_push_num_threads(void *, int32_t,
                                                              int32_t);

// Units define one of them (record_abi.h).
extern "C" __attribute__((weak)) const int __ek_rec_full_units;
extern "C" __attribute__((weak)) const int __ek_rec_sampled_units;
extern "C" __attribute__((weak)) const int __ek_rec_counted_units;

static Lane *Lanes[Creators];            // of the team's threads
static Watcher *Watchers[Creators];      // of the team's threads
static Lane **TaskLanes[Creators];       // for tasks that a thread created
static std::atomic<bool> Busy[Creators]; // thread numbers in use

//===----------------------------------------------------------------------===//
// Tasks and lanes
//===----------------------------------------------------------------------===//

template <typename T> static T *makeZeroed() {
  // Zeroed pages are a valid start for all state of this library.
  return static_cast<T *>(reservePages(sizeof(T)));
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

static Log *logOf(ThreadState &T) {
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

/// The region of the task that the thread executes.
static uint64_t regionOf(const ThreadState &T) {
  return TheRecorder.Tasks[T.Current->Task].Region;
}

/// Bursts of the thread go by the tasks that it executes.
static void burstsFor(ThreadState &T, uint64_t Region) {
  if (!TheRecorder.Opts.Bursts || TheRecorder.Opts.Rate == 1)
    return;
  if (!T.InFull) {
    void *Memory = reservePages(sizeof(Burst));
    Burst *B = Memory ? new (Memory) Burst : nullptr;
    const bool Early = T.Thread == 0 || T.Thread == T.Width / 2;
    if (!B || !B->init(TheRecorder.Opts, Early)) {
      count(Why::NoMemory);
      return;
    }
    addBurst(T.InFull = B);
  }
  T.NextBurst = T.InFull->taskBegins(Region, T.Events);
}

static __attribute__((noinline)) void beginBurst(ThreadState &T) {
  T.NextBurst = UINT64_MAX;
  if (!T.InFull || T.InFull->runs())
    return;
  T.InFull->begin(regionOf(T), T.Events);
  if (T.Loop) {
    T.Loop->InBurst = T.Loop->Iteration;
    for (OpenLoop::Stream &S : T.Loop->Streams)
      S.Leaves = 0;
  }
  T.Follow = 0;
}

/// A line that the thread accesses in a burst.
static void burstLine(ThreadState &T, uint64_t Line, uint64_t Info,
                      uint64_t Position) {
  if (T.InFull->line(Line, Info & EK_REC_READ, Info & EK_REC_WRITE,
                     Info & EK_REC_DEPENDENT, Position, regionOf(T)))
    return;
  T.Follow = ~0ull;
  T.NextBurst = T.InFull->burstEnded(regionOf(T), T.Events);
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
  if (T.Current) // its group would mix with the new task's
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

// As the run time counts: OpenMP's number, which is 0 outside of it.
Maker ekrec::makerInGap() {
  int Number = omp_get_thread_num ? omp_get_thread_num() : 0;
  return {OthersRange, static_cast<unsigned>(Number)};
}

// The phase that the first thread is in, if it began already.
uint32_t ekrec::phaseInGap() {
  const Recorder &R = TheRecorder;
  if (!R.First)
    return 0;
  const uint32_t Phase = __atomic_load_n(&R.First->Phase, __ATOMIC_RELAXED),
                 Begun = __atomic_load_n(&R.NumPhases, __ATOMIC_RELAXED);
  return Phase < Begun ? Phase : Begun ? Begun - 1 : 0;
}

static void finishPart(const ThreadState &T, Frame &F, uint32_t Part) {
  if (closed()) // they are being read
    return;
  TaskInfo &Info = TheRecorder.Tasks[Part];
  Info.Cycles = T.Slots / SlotsPerCycle;
  Info.Instructions = T.Instructions;
  Info.Done = true;
  if (__builtin_expect(MayEndEarly, 0))
    taskEnded(Info, F.Waited);
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

static void endTask(ThreadState &T) {
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

static void setPhase(uint32_t Phase, uint64_t Sync, uint32_t Kind,
                     uint32_t Width) {
  if (Phase >= MaxPhases)
    return;
  TheRecorder.Phases[Phase] = {Sync, Kind, Width};
  if (Phase + 1 > TheRecorder.NumPhases)
    TheRecorder.NumPhases = Phase + 1;
}

static void beginOwnTask(ThreadState &T, uint64_t Region) {
  T.Ordinal = T.Parts = 0;
  beginTask(
      T, makeLane(Lanes[T.Thread]),
      {Region, 0, 0, T.Phase, T.Thread, T.Thread, T.Thread, false, false});
}

static void beginSerial(ThreadState &T, uint32_t Phase) {
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
  beforeChild(*Parent);
  uint32_t Ordinal = T.Ordinal++;
  // Tasks of one creator go round the team; lanes of their own per creator, so
  // that several creating threads cannot disturb each other's order.
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

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static __attribute__((noinline)) void untracked(ThreadState &T,
                                                uint64_t Times = 1) {
  if (!T.Current && TheRecorder.Ready && !closed())
    count(Why::ForeignThread);
  // Which of them a sampled run meets depends on where they lie: not counted.
  if (TheRecorder.Opts.Rate != 1)
    return;
  if (Log *L = logOf(T))
    L->Untracked += Times;
}

/// The line is not the one used last in its set of L1.
static __attribute__((noinline)) void lineMiss(ThreadState &T, uint64_t Line,
                                               uint64_t Info) {
  pauseForEnd(T);
  // An atomic update waits for its line as a load does.
  bool Write = Info & EK_REC_WRITE, LoadsFirst = Info & EK_REC_READ;
  uint64_t Position = T.Instructions - (Info >> EK_REC_BEHIND_SHIFT);
  Lane &L = *T.Current->TheLane;
  L.access(Line, Write && !LoadsFirst, Info & EK_REC_DEPENDENT, Position,
           *T.Current);
  if (Write && LoadsFirst)
    L.access(Line, true, false, Position, *T.Current);
}

static inline void lineAccess(ThreadState &T, uint64_t Line, uint64_t Info) {
  bool Write = Info & EK_REC_WRITE;
  if (__builtin_expect(!T.Current->TheLane->hitsFirst(Line, Write), 0))
    lineMiss(T, Line, Info);
}

static inline void count(Frame::InstanceCount &N, uint64_t Info,
                         uint64_t Times) {
  N.Reads += Info & EK_REC_READ ? Times : 0;
  N.Writes += Info & EK_REC_WRITE ? Times : 0;
}

static inline bool countAccess(ThreadState &T, uint64_t C, uint64_t Info,
                               uint64_t Times = 1) {
  uint32_t Instance = lookup(C).Instance;
  if (__builtin_expect(!Instance, 0))
    return false;
  Frame::InstanceCount &N = T.Current->countOf(Instance);
  if (__builtin_expect(!(N.Reads | N.Writes), 0)) {
    pauseForEnd(T);
    T.Current->touched(Instance);
  }
  count(N, Info, Times);
  return true;
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

/// The team's thread begins another phase.
static void watch(ThreadState &T) {
  T.Watch = nullptr;
  if (!TheRecorder.Races || T.Width < 2 || !T.Current)
    return;
  Watcher *&W = Watchers[T.Thread];
  if (!W && !(W = makeZeroed<Watcher>())) {
    count(Why::NoMemory);
    return;
  }
  W->begin(T.Thread, T.Phase, T.Region);
  T.Watch = W;
}

/// And ends it.
static void unwatch(ThreadState &T) {
  if (T.Watch)
    T.Watch->flush();
  T.Watch = nullptr;
}

/// Can memory at \p Address be told from what other threads had there before,
/// in the same phase? \p C: its canonical address.
static bool watchable(uint64_t Address, uint64_t C, uint64_t Info) {
  return C || Info & EK_REC_UNCOUNTED ||
         (Address >= TheRecorder.StackLow && Address < TheRecorder.StackHigh);
}

static void watchAccess(const ThreadState &T, uint64_t Address, uint64_t C,
                        uint64_t Bytes, uint64_t Info, uintptr_t At) {
  if (!watchable(Address, C, Info))
    return;
  bool Read = Info & EK_REC_READ, Write = Info & EK_REC_WRITE,
       Atomic = Info & EK_REC_ATOMIC;
  if (Info & EK_REC_ORDERS)
    T.Watch->orders();
  for (uint64_t A = C ? C : Address, End = A + (Bytes ? Bytes : 1); A < End;) {
    uint64_t Next = (A | (LineBytes - 1)) + 1;
    uint64_t N = (Next < End ? Next : End) - A;
    uint64_t Mask = N >= LineBytes ? ~0ull : (1ull << N) - 1;
    T.Watch->touch(A / LineBytes, Mask << A % LineBytes, Read, Write, Atomic,
                   At);
    A = Next;
  }
}

/// Where the instrumented code is that calls.
#define RETURN_ADDRESS reinterpret_cast<uintptr_t>(__builtin_return_address(0))

extern "C" void __ek_rec_lock(void) {
  if (Watcher *W = State.Watch)
    W->lock();
}

extern "C" void __ek_rec_unlock(void) {
  if (Watcher *W = State.Watch)
    W->unlock();
}

extern "C" void __ek_rec_alone(void) {
  if (Watcher *W = State.Watch)
    W->skip(true);
}

extern "C" void __ek_rec_alone_end(void) {
  if (Watcher *W = State.Watch)
    W->skip(false);
}

extern "C" void __ek_rec_reduce(int32_t How) {
  ThreadState &T = State;
  if (!T.Watch || T.Reducing == (How == 1))
    return;
  T.Reducing = How == 1;
  if (T.Reducing)
    T.Watch->lock();
  else
    T.Watch->unlock();
}

extern "C" void __ek_rec_orders(void) {
  if (Watcher *W = State.Watch)
    W->orders();
}

//===----------------------------------------------------------------------===//
// Sampled accesses
//===----------------------------------------------------------------------===//

/// Accesses to the sampled line of a page, \p Times by the same instruction.
/// \p Together gives Hint's, if it is asked for. True: they missed L2.
template <typename Function>
static inline bool sampleLine(ThreadState &T, uint64_t C, uint64_t Info,
                              uint64_t Times, Function Together) {
  if (!countAccess(T, C, Info, Times * SampledRate)) {
    untracked(T);
    return false;
  }
  uint64_t Line = C / LineBytes;
  Lane &L = *T.Current->TheLane;
  bool Read = Info & EK_REC_READ, Write = Info & EK_REC_WRITE;
  if (__builtin_expect(++T.Events >= T.NextBurst, 0))
    beginBurst(T);
  if (L.hitsFirstSampled(Line, Write))
    return false;
  pauseForEnd(T);
  uint64_t Position = T.Instructions - (Info >> EK_REC_BEHIND_SHIFT);
  Hint H = {(Info & EK_REC_IN_ORDER) != 0, Together()};
  // An atomic update waits for its line as a load does.
  bool Missed = L.access(Line, Write && !Read, Info & EK_REC_DEPENDENT,
                         Position, *T.Current, H);
  if (Read && Write)
    L.access(Line, true, false, Position, *T.Current, H);
  return Missed;
}

static inline void sampleLine(ThreadState &T, uint64_t C, uint64_t Info) {
  sampleLine(T, C, Info, 1, [] { return 1.0; });
}

static void sample(ThreadState &T, uint64_t Address, uint64_t Info,
                   uintptr_t At) {
  uint64_t C = canonical(Address);
  if (!T.Current || !C || TheRecorder.Opts.Rate == 1) {
    untracked(T);
    return;
  }
  uint64_t End = C + (EK_REC_SIZE(Info) ? EK_REC_SIZE(Info) : 1);
  for (; C < End; C = (C | (LineBytes - 1)) + 1) {
    if (!T.Follow)
      burstLine(T, C / LineBytes, Info,
                T.Instructions - (Info >> EK_REC_BEHIND_SHIFT));
    if (sampled(C)) {
      if (T.Watch)
        watchAccess(T, C, C, std::min(LineBytes - C % LineBytes, End - C), Info,
                    At);
      sampleLine(T, C, Info);
    }
  }
}

extern "C" void __ek_rec_sample(uintptr_t Address, uint64_t Info) {
  sample(State, Address, Info, RETURN_ADDRESS);
}

/// memcpy and its like: lines of [\p C, \p End).
static void sampleRange(ThreadState &T, uint64_t C, uint64_t End, uint64_t Info,
                        uintptr_t At) {
  for (uint64_t L = C / LineBytes; L <= (End - 1) / LineBytes && !T.Follow; ++L)
    burstLine(T, L, Info, T.Instructions);
  for (uint64_t Page = C >> PageBits; Page <= (End - 1) >> PageBits; ++Page) {
    uint64_t Line = sampledLineOf(Page);
    if (Line + LineBytes <= C || Line >= End)
      continue;
    uint64_t From = std::max(Line, C), To = std::min(Line + LineBytes, End);
    if (T.Watch)
      watchAccess(T, From, From, To - From, Info, At);
    sampleLine(T, From, Info);
  }
}

/// The loop that the thread is in, if the recorder was told of it.
static OpenLoop *openLoop(ThreadState &T, const ek_rec_stream *Streams,
                          uint64_t N, uint64_t Trips, uint64_t Costs,
                          uintptr_t At) {
  if (!T.Current || TheRecorder.Opts.Rate == 1 || N > LoopWalk::MaxStreams ||
      !(T.Loop || (T.Loop = makeZeroed<OpenLoop>()))) {
    untracked(T);
    return nullptr;
  }
  OpenLoop &L = *T.Loop;
  L.Walk.begin(Trips);
  L.Trips = Trips;
  L.Costs = Costs;
  L.Iteration = L.InBurst = 0;
  L.At = At;
  unsigned Known = 0;
  for (uint64_t I = 0; I < N; ++I) {
    uint64_t C = canonical(Streams[I].start);
    if (!C) {
      untracked(T);
      continue;
    }
    L.Walk.add(C, Streams[I].step, EK_REC_SIZE(Streams[I].info));
    OpenLoop::Stream &S = L.Streams[Known++];
    S.Start = C;
    S.Line = S.Leaves = 0;
    S.Step = Streams[I].step;
    S.Info = Streams[I].info & ((1ull << EK_REC_BEHIND_SHIFT) - 1);
    S.Missed = false;
  }
  L.NumStreams = Known;
  L.Missing = 0;
  return &L;
}

/// Lines that a stream comes by in an iteration, if it waits for them: stores
/// do not.
static double linesOf(const OpenLoop::Stream &S) {
  uint64_t Apart = static_cast<uint64_t>(S.Step < 0 ? -S.Step : S.Step);
  return S.Info & EK_REC_READ
             ? double(Apart < LineBytes ? Apart : LineBytes) / LineBytes
             : 0;
}

/// Iterations of the loop that are in flight together.
static double windowOf(const OpenLoop &L) {
  const uint64_t Instructions = L.Costs & 0xffffffff; // of an iteration
  return double(TheRecorder.Opts.Rob) / double(Instructions ? Instructions : 1);
}

/// The thread's counters as of the begin of \p Iteration. Instrumented code
/// adds the whole loop's costs behind it, so 0 is the last one to be set.
static void setIteration(ThreadState &T, uint64_t Iteration) {
  OpenLoop &L = *T.Loop;
  uint64_t Further = Iteration - L.Iteration; // modulo 2^64
  T.Slots += Further * (L.Costs >> 32);
  T.Instructions += Further * (L.Costs & 0xffffffff);
  L.Iteration = Iteration;
}

/// So many iterations the stream stays in its line, from \p Address on.
static uint64_t staysFor(const OpenLoop::Stream &S, uint64_t Address) {
  if (!S.Step)
    return UINT64_MAX;
  const uint64_t In = Address % LineBytes;
  const auto Width = static_cast<uint64_t>(S.Step < 0 ? -S.Step : S.Step);
  const uint64_t Left = S.Step > 0 ? LineBytes - 1 - In : In;
  if (Width > Left)
    return 1;
  // Most steps are an element's size.
  return 1 +
         (Width & (Width - 1) ? Left / Width : Left >> __builtin_ctzll(Width));
}

/// All lines that the open loop comes by in iterations before \p End, in a
/// burst.
static void burstStreams(ThreadState &T, uint64_t End) {
  OpenLoop &L = *T.Loop;
  const uint64_t Each = L.Costs & 0xffffffff;
  while (!T.Follow && T.Current && L.InBurst < End) {
    const uint64_t I = L.InBurst;
    const uint64_t Position = T.Instructions + (I - L.Iteration) * Each;
    uint64_t Next = End;
    for (unsigned N = 0; N < L.NumStreams; ++N) {
      OpenLoop::Stream &S = L.Streams[N];
      if (S.Leaves <= I) {
        const uint64_t A = S.Start + static_cast<uint64_t>(S.Step) * I;
        const uint64_t Bytes = EK_REC_SIZE(S.Info) ? EK_REC_SIZE(S.Info) : 1;
        const uint64_t Last = (A + Bytes - 1) / LineBytes;
        for (uint64_t Line = A / LineBytes; Line <= Last && !T.Follow; ++Line)
          if (Line != S.Line)
            burstLine(T, S.Line = Line, S.Info, Position);
        const uint64_t Stays = staysFor(S, A);
        S.Leaves = Stays < UINT64_MAX - I ? I + Stays : UINT64_MAX;
      }
      Next = std::min(Next, S.Leaves);
    }
    L.InBurst = Next;
  }
}

/// What the open loop does in iterations before \p End.
static void advance(ThreadState &T, uint64_t End) {
  OpenLoop &L = *T.Loop;
  LoopWalk::Event E;
  uint64_t Before = 0; // line of the event before, if it was counted
  Frame::InstanceCount *Of = nullptr; // and where
  while (T.Current && L.Walk.next(End, E)) {
    OpenLoop::Stream &S = L.Streams[E.Stream];
    const uint64_t Line = E.Address / LineBytes;
    if (S.Missed)
      L.Missing -= linesOf(S);
    S.Missed = false;
    // Streams side by side come by a line one behind the other: it hits.
    if (Line == Before && Of) {
      count(*Of, S.Info, E.Times * SampledRate);
      if (S.Info & EK_REC_WRITE)
        T.Current->TheLane->hitsFirstSampled(Line, true);
      continue;
    }
    if (!T.Follow)
      burstStreams(T, E.Iteration + 1);
    if (E.Iteration > L.Iteration)
      setIteration(T, E.Iteration);
    if (T.Watch)
      T.Watch->touchRow(Line, E.Address,
                        E.Address +
                            static_cast<uint64_t>(S.Step) * (E.Times - 1),
                        E.Times, EK_REC_SIZE(S.Info), S.Info & EK_REC_READ,
                        S.Info & EK_REC_WRITE, L.At);
    S.Missed = sampleLine(T, E.Address, S.Info, E.Times, [&] {
      return 1 + (L.Missing + linesOf(S)) * windowOf(L);
    });
    if (S.Missed)
      L.Missing += linesOf(S);
    Before = Line;
    const uint32_t Only = onlyInstance(E.Address);
    Of = Only && !T.Watch ? &T.Current->countOf(Only) : nullptr;
  }
  if (!T.Follow)
    burstStreams(T, std::min(End, L.Trips));
}

extern "C" void __ek_rec_loop(const ek_rec_stream *Streams, uint64_t N,
                              uint64_t Trips, uint64_t Costs) {
  ThreadState &T = State;
  if (!openLoop(T, Streams, N, Trips, Costs, RETURN_ADDRESS))
    return;
  advance(T, Trips);
  setIteration(T, 0);
}

extern "C" void __ek_rec_loop_open(const ek_rec_stream *Streams, uint64_t N,
                                   uint64_t Trips, uint64_t Costs) {
  ThreadState &T = State;
  if (OpenLoop *L = openLoop(T, Streams, N, Trips, Costs, RETURN_ADDRESS))
    L->Open = true;
}

extern "C" void __ek_rec_loop_at(uint64_t Iteration) {
  ThreadState &T = State;
  if (!T.Loop || !T.Loop->Open)
    return;
  advance(T, Iteration + 1);
  setIteration(T, Iteration);
}

extern "C" void __ek_rec_loop_close(void) {
  ThreadState &T = State;
  if (!T.Loop || !T.Loop->Open)
    return;
  T.Loop->Open = false;
  advance(T, UINT64_MAX);
  setIteration(T, 0);
}

extern "C" int64_t __ek_rec_shift(uintptr_t Address) {
  uint64_t C = TheSpace.Pages ? canonical(Address) : 0;
  return C ? static_cast<int64_t>(C - Address) : 0;
}

//===----------------------------------------------------------------------===//
// All accesses
//===----------------------------------------------------------------------===//

/// How many accesses are told of as one: a load, and a store behind it.
static inline uint64_t eachOf(uint64_t Info) {
  const uint64_t Both = EK_REC_READ | EK_REC_WRITE;
  return (Info & (Both | EK_REC_ATOMIC)) == Both ? 2 : 1;
}

/// Any access, from code at \p At.
static __attribute__((noinline)) void accessAny(uintptr_t Address,
                                                uint64_t Info, uintptr_t At) {
  ThreadState &T = State;
  if (__builtin_expect(TheRecorder.Opts.Rate != 1, 0)) {
    if (!(Info & EK_REC_UNCOUNTED))
      sample(T, Address, Info, At);
    return;
  }
  uint64_t C = canonical(Address);
  if (T.Watch)
    watchAccess(T, Address, C, EK_REC_SIZE(Info), Info, At);
  if (__builtin_expect(Info & EK_REC_UNCOUNTED, 0))
    return;
  if (__builtin_expect(!T.Current || !C || !countAccess(T, C, Info), 0)) {
    untracked(T, eachOf(Info));
    return;
  }
  uint64_t Line = C / LineBytes;
  uint64_t Last =
      (C + (EK_REC_SIZE(Info) ? EK_REC_SIZE(Info) - 1 : 0)) / LineBytes;
  lineAccess(T, Line, Info);
  while (__builtin_expect(Line != Last, 0))
    lineAccess(T, ++Line, Info);
}

extern "C" void __ek_rec_access(uintptr_t Address, uint64_t Info) {
  // The program's own fetch runs beside this: behind the call, the processor
  // would have nothing to overlap it with.
  __builtin_prefetch(reinterpret_cast<const void *>(Address));
  accessAny(Address, Info, RETURN_ADDRESS);
}

/// The counts of the object that all of the page belongs to, if this is a full
/// run and the task has used it before; else nullptr. \p C is canonical.
static inline Frame::InstanceCount *countsOfPage(const ThreadState &T,
                                                 uint64_t C) {
  if (__builtin_expect(!C || !T.Current || TheRecorder.Opts.Rate != 1, 0))
    return nullptr;
  const uint32_t Instance = onlyInstance(C);
  Frame::InstanceCount *N = T.Current->countIfAny(Instance);
  return Instance && N && N->Reads | N->Writes ? N : nullptr;
}

static __attribute__((noinline)) void lineAny(uintptr_t Address, uint64_t Info,
                                              uint64_t Times, uintptr_t At) {
  for (uint64_t I = 0; I < Times; ++I)
    accessAny(Address + I * EK_REC_SIZE(Info), Info, At);
}

/// As lineCommon(), to a line that the watcher has no entry for.
static __attribute__((noinline)) void
lineUnwatched(ThreadState &T, uint64_t C, uint64_t Info, uint64_t Bytes,
              uintptr_t At, Frame::InstanceCount &N, uint64_t Times) {
  T.Watch->touch(C / LineBytes, maskOf(C % LineBytes, Bytes),
                 Info & EK_REC_READ, Info & EK_REC_WRITE, /*Atomic=*/false, At);
  count(N, Info, Times);
  lineAccess(T, C / LineBytes, Info);
}

/// \p Times accesses to \p Bytes in one line of an object, which the task has
/// used before and counts in \p N.
static inline __attribute__((always_inline)) void
lineCommon(ThreadState &T, uint64_t C, uint64_t Info, uint64_t Bytes,
           uintptr_t At, Frame::InstanceCount &N, uint64_t Times) {
  const bool Write = Info & EK_REC_WRITE;
  if (T.Watch &&
      __builtin_expect(!T.Watch->touchAgain(C / LineBytes,
                                            maskOf(C % LineBytes, Bytes),
                                            Info & EK_REC_READ, Write, At),
                       0))
    return lineUnwatched(T, C, Info, Bytes, At, N, Times);
  count(N, Info, Times);
  lineAccess(T, C / LineBytes, Info);
}

extern "C" void __ek_rec_line(uintptr_t Address, uint64_t Info, uint64_t Bytes,
                              uint64_t Times) {
  __builtin_prefetch(reinterpret_cast<const void *>(Address));
  ThreadState &T = State;
  const uint64_t C = canonical(Address);
  Frame::InstanceCount *N = countsOfPage(T, C);
  if (__builtin_expect(!N, 0))
    return lineAny(Address, Info, Times, RETURN_ADDRESS);
  lineCommon(T, C, Info, Bytes, RETURN_ADDRESS, *N, Times);
}

/// Accesses that __ek_rec_repeat tells of, from code at \p At.
static __attribute__((noinline)) void repeatAny(uintptr_t Address,
                                                uint64_t Info, uint64_t N,
                                                uintptr_t Last, uintptr_t At) {
  ThreadState &T = State;
  uint64_t C = canonical(Address);
  if (T.Watch && watchable(Address, C, Info) &&
      (TheRecorder.Opts.Rate == 1 || (C && sampled(C)))) {
    uint64_t First = C ? C : Address;
    T.Watch->touchRow(First / LineBytes, First, First + (Last - Address), N + 1,
                      EK_REC_SIZE(Info), Info & EK_REC_READ,
                      Info & EK_REC_WRITE, At);
  }
  if (Info & EK_REC_UNCOUNTED)
    return;
  if (TheRecorder.Opts.Rate != 1 && C) {
    if (T.Current && sampled(C))
      sampleLine(T, C, Info, N, [] { return 1.0; });
    return;
  }
  if (!T.Current || !C || !countAccess(T, C, Info, N))
    untracked(T, N * eachOf(Info));
}

extern "C" void __ek_rec_repeat(uintptr_t Address, uint64_t Info, uint64_t N,
                                uintptr_t Last) {
  if (N)
    repeatAny(Address, Info, N, Last, RETURN_ADDRESS);
}

/// All that __ek_rec_next tells of, from code at \p At.
static __attribute__((noinline)) void nextAny(uintptr_t Address, uint64_t Info,
                                              uint64_t N, uintptr_t Last,
                                              uintptr_t Here, uintptr_t At) {
  if (N)
    repeatAny(Address, Info, N, Last, At);
  accessAny(Here, Info, At);
}

extern "C" void __ek_rec_next(uintptr_t Address, uint64_t Info, uint64_t N,
                              uintptr_t Last, uintptr_t Here) {
  __builtin_prefetch(reinterpret_cast<const void *>(Here));
  ThreadState &T = State;
  const uint64_t C = canonical(Here), Bytes = EK_REC_SIZE(Info);
  Frame::InstanceCount *Counts = countsOfPage(T, C);
  if (__builtin_expect(!Counts || Info & EK_REC_UNCOUNTED, 0))
    return nextAny(Address, Info, N, Last, Here, RETURN_ADDRESS);
  if (N) {
    const uint64_t Apart = Last < Address ? Address - Last : Last - Address;
    const uint64_t Low = C + ((Last < Address ? Last : Address) - Here);
    // Mostly in the same page, and watched still.
    const uint64_t Mask = rowMask(Low % LineBytes, Apart, N, Bytes);
    if (__builtin_expect(
            (C ^ Low) >> PageBits || !Mask ||
                (T.Watch &&
                 !T.Watch->touchAgain(Low / LineBytes, Mask, Info & EK_REC_READ,
                                      Info & EK_REC_WRITE, RETURN_ADDRESS)),
            0))
      repeatAny(Address, Info, N, Last, RETURN_ADDRESS);
    else
      count(*Counts, Info, N);
  }
  lineCommon(T, C, Info, Bytes, RETURN_ADDRESS, *Counts, 1);
}

extern "C" void __ek_rec_range(uintptr_t Address, uint64_t Bytes,
                               uint64_t Info) {
  ThreadState &T = State;
  if (!Bytes)
    return;
  uint64_t C = canonical(Address);
  if (!T.Current || !C) {
    untracked(T);
    return;
  }
  if (TheRecorder.Opts.Rate != 1) {
    sampleRange(T, C, C + Bytes, Info, RETURN_ADDRESS);
    return;
  }
  if (T.Watch)
    watchAccess(T, Address, C, Bytes, Info, RETURN_ADDRESS);
  for (uint64_t Line = C / LineBytes; Line <= (C + Bytes - 1) / LineBytes;
       ++Line) {
    uint64_t At = Line * LineBytes < C ? C : Line * LineBytes;
    if (countAccess(T, At, Info))
      lineAccess(T, Line, Info);
    else
      untracked(T);
  }
}

extern "C" void __ek_rec_symbol(uint64_t Id, int64_t Value, uint64_t Kind,
                                uint64_t *Place) {
  pauseForEnd(State);
  if (Frame *F = State.Current)
    F->Symbols.see(Id, Value,
                   (Kind & EK_REC_PER_TASK ? 0 : ProgramWide) |
                       (Kind & EK_REC_TRIPS ? TripCount : 0),
                   Place);
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static __attribute__((noinline)) void
countAny(uintptr_t Address, uint64_t Reads, uint64_t Writes) {
  ThreadState &T = State;
  const uint64_t C = canonical(Address);
  const uint32_t Instance = T.Current && C ? instanceOfByte(C) : 0;
  if (!Instance) {
    untracked(T, Reads + Writes);
    return;
  }
  Frame::InstanceCount &N = T.Current->countOf(Instance);
  if (__builtin_expect(!(N.Reads | N.Writes), 0)) {
    pauseForEnd(T);
    T.Current->touched(Instance);
  }
  N.Reads += Reads;
  N.Writes += Writes;
}

extern "C" void __ek_rec_count(uintptr_t Address, uint64_t Reads,
                               uint64_t Writes) {
  // The common case needs no stack: comparisons of a sort come by here.
  Frame *F = State.Current;
  if (__builtin_expect(F && ours(reinterpret_cast<void *>(Address)), 1)) {
    const uint32_t Instance =
        TheSpace.Pages[(Address - Base) >> PageBits].Instance;
    // Pages of several have a number that none has.
    Frame::InstanceCount *N = Instance ? F->countIfAny(Instance) : nullptr;
    if (__builtin_expect(N && N->Reads | N->Writes, 1)) {
      N->Reads += Reads;
      N->Writes += Writes;
      return;
    }
  }
  countAny(Address, Reads, Writes);
}

extern "C" ek_rec_extent __ek_rec_move(uintptr_t Address, uintptr_t Before,
                                       uint64_t Reads, uint64_t Writes) {
  if (Reads | Writes)
    __ek_rec_count(Before, Reads, Writes);
  const Surroundings E = surroundingsAround(Address);
  return {E.Low, E.Size};
}

//===----------------------------------------------------------------------===//
// Regions and phases
//===----------------------------------------------------------------------===//

extern "C" void __ek_rec_serial(uint64_t Region) {
  ThreadState &T = State;
  if (!T.Main || TheRecorder.SerialRegion || !T.Current)
    return;
  TheRecorder.SerialRegion = Region;
  TheRecorder.Tasks[T.Current->Task].Region = Region;
}

/// Serial code of the first thread, outside explicit tasks?
static bool isSerial(const ThreadState &T) {
  return T.Main && T.Current && !T.Current->Parent && !T.Attached && !T.Depth;
}

/// A thread of no team of ours.
static bool isOutside(const ThreadState &T) { return !T.Main && !T.Attached; }

extern "C" void __ek_rec_fork(void) {
  ThreadState &T = State;
  pauseForEnd(T);
  if (!isSerial(T) || closed()) {
    if (T.Current && !closed()) {
      count(Why::NestedParallel);
      // Whatever the program asks for: others would do unrecorded work.
      if (__kmpc_push_num_threads && __kmpc_global_thread_num)
        __kmpc_push_num_threads(nullptr, __kmpc_global_thread_num(nullptr), 1);
    }
    if (!T.Forks++ && isOutside(T))
      otherTeamBegins();
    return;
  }
  endTask(T);
  absorbRemoteFrees();
  TheRecorder.StackLow =
      reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  TheRecorder.TeamPhase = ++T.Phase;
  TheRecorder.InParallel.store(true, std::memory_order_release);
}

extern "C" void __ek_rec_join(uint64_t Sync) {
  ThreadState &T = State;
  pauseForEnd(T);
  if (T.Forks) {
    if (!--T.Forks && isOutside(T))
      otherTeamEnds();
    if (MayEndEarly && T.Main)
      goOnUnrecorded();
    return;
  }
  if (MayEndEarly && T.Main && closed())
    goOnUnrecorded();
  if (!T.Main || T.Current || closed())
    return;
  TheRecorder.InParallel.store(false, std::memory_order_release);
  absorbRemoteFrees();
  bool Ran = T.Phase < TheRecorder.NumPhases; // the body was instrumented
  if (Ran)
    TheRecorder.Phases[T.Phase].sync = Sync;
  T.Thread = 0;
  if (MayEndEarly && Ran)
    phaseEnded(T.Phase, /*OfAllRanks=*/false);
  if (!closed())
    beginSerial(T, Ran ? T.Phase + 1 : T.Phase);
}

extern "C" void __ek_rec_collective(uint64_t Sync, uint64_t Of,
                                    uint64_t Handle) {
  ThreadState &T = State;
  pauseForEnd(T);
  if (!isSerial(T) || closed() ||
      !ek_mpi_is_of_all(static_cast<ek_mpi_of>(Of),
                        static_cast<intptr_t>(Handle)))
    return;
  endTask(T);
  setPhase(T.Phase, Sync, 2, 1);
  if (MayEndEarly)
    phaseEnded(T.Phase, /*OfAllRanks=*/true);
  if (!closed())
    beginSerial(T, T.Phase + 1);
}

extern "C" void __ek_rec_region_begin(uint64_t Region) {
  ThreadState &T = State;
  if (T.Depth++ || T.Current || closed() ||
      !TheRecorder.InParallel.load(std::memory_order_acquire))
    return;
  if (omp_get_level && omp_get_level() != 1)
    return;
  uint32_t Number =
      omp_get_thread_num ? static_cast<uint32_t>(omp_get_thread_num()) : 0;
  // Of the program's team, the first thread alone is number 0.
  if (Number >= Creators || T.Main != !Number || Busy[Number].exchange(true))
    return;
  if (Number && otherTeamRuns())
    count(Why::OtherTeam);
  T.Attached = true;
  T.Thread = Number;
  T.Width =
      omp_get_num_threads ? static_cast<uint32_t>(omp_get_num_threads()) : 1;
  if (T.Width > Creators)
    T.Width = Creators;
  T.Phase = TheRecorder.TeamPhase;
  T.Region = Region;
  if (!Number)
    setPhase(T.Phase, 0, 1, T.Width);
  beginOwnTask(T, Region);
  watch(T);
}

extern "C" void __ek_rec_region_end(void) {
  ThreadState &T = State;
  if (!T.Depth || --T.Depth || !T.Attached)
    return;
  unwatch(T);
  endTask(T);
  T.Attached = false;
  Busy[T.Thread].store(false);
}

extern "C" void __ek_rec_barrier(uint64_t Sync) {
  ThreadState &T = State;
  if (!T.Attached || T.Depth != 1 || !T.Current || T.Current->Parent)
    return;
  unwatch(T);
  const uint32_t First = TheRecorder.Tasks[T.Current->Task].First;
  endTask(T);
  if (!T.Thread)
    TheRecorder.Phases[T.Phase].sync = Sync;
  if (__builtin_expect(MayEndEarly, 0) &&
      !barrierReached(T.Phase, T.Thread, T.Width))
    return;
  ++T.Phase;
  if (!T.Thread)
    setPhase(T.Phase, 0, 1, T.Width);
  beginOwnTask(T, T.Region);
  if (T.Current)
    TheRecorder.Tasks[T.Current->Task].First = First;
  watch(T);
}

//===----------------------------------------------------------------------===//
// Begin of the program
//===----------------------------------------------------------------------===//

/// `evenkeel record` looks at the program that it is given; one that a script
/// starts says itself that it records something else, and goes no further.
static bool isAskedFor(const char *Mode) {
  const char *Asked = getenv("EVENKEEL_RECORD_ASKED");
  if (!Asked || !*Asked || !strcmp(Asked, Mode))
    return true;
  report("this program records %s, not %s; build it with evenkeel-cc "
         "--record=%s",
         Mode, Asked, Asked);
  return false;
}

/// Where the first thread's stack begins.
extern "C" __attribute__((weak)) void *__libc_stack_end;

__attribute__((constructor(101))) static void start() {
  Recorder &R = TheRecorder;
  if (R.Ready)
    return;
  ek_say_start();
  if (!findNextAllocator()) {
    count(Why::NotInterposed);
    return;
  }
  const bool Counts = &__ek_rec_counted_units;
  if (Counts && (&__ek_rec_full_units || &__ek_rec_sampled_units)) {
    count(Why::MixedUnits);
    return;
  }
  if (!isAskedFor(Counts                    ? "counts"
                  : &__ek_rec_sampled_units ? "sampled"
                                            : "misses"))
    _exit(2);
  R.Opts =
      optionsFromEnvironment(&__ek_rec_sampled_units ? SampledRate : 1, Counts);
  R.Tasks = static_cast<TaskInfo *>(reservePages(MaxTasks * sizeof(TaskInfo)));
  R.Phases = static_cast<ek_raw_phase *>(
      reservePages(MaxPhases * sizeof(ek_raw_phase)));
  if (!R.Tasks || !R.Phases || !initSpace(R.Opts.Rate != 1)) {
    report("cannot reserve address space for the record; nothing is recorded");
    return;
  }
  R.Ready = true;
  R.Races = R.Opts.Races && initRaces(R.Opts.Rate);
  if (R.Opts.Races && !R.Races)
    count(Why::NoMemory);
  if (&__libc_stack_end)
    R.StackHigh = reinterpret_cast<uintptr_t>(__libc_stack_end);
  ThreadState &T = State;
  T.Main = true;
  R.First = &T;
  startUntil(R.Opts);
  beginSerial(T, 0);
  watchForEnd();
}
