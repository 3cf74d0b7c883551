//===- SampledAccesses.cpp - accesses of a sampled run --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SampledAccesses.h. Also knows loops whose accesses are reported at once.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "SampledAccesses.h"
#include "Counting.h"
#include "record/caches/Sampling.h"
#include "record/tasks/InFull.h"
#include "record/tasks/OpenLoop.h"
#include "record/tasks/Watching.h"
#include <algorithm>

using namespace ekrec;

/// \p Times accesses to a page's sampled line by the same instruction. \p
/// Together returns the hint of that name, if needed. True: they missed L2.
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
  uint64_t Position = T.Instructions - (Info >> EK_REC_AFTER_SHIFT);
  Hint H = {(Info & EK_REC_IN_ORDER) != 0, Together()};
  // An atomic update waits for its line, like a load.
  bool Missed = L.access(Line, Write && !Read, Info & EK_REC_DEPENDENT,
                         Position, *T.Current, H);
  if (Read && Write)
    L.access(Line, true, false, Position, *T.Current, H);
  return Missed;
}

void ekrec::sampleRepeats(ThreadState &T, uint64_t C, uint64_t Info,
                          uint64_t Times) {
  sampleLine(T, C, Info, Times, [] { return 1.0; });
}

static inline void sampleLine(ThreadState &T, uint64_t C, uint64_t Info) {
  sampleLine(T, C, Info, 1, [] { return 1.0; });
}

void ekrec::sampleAccess(ThreadState &T, uint64_t Address, uint64_t Info,
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
                T.Instructions - (Info >> EK_REC_AFTER_SHIFT));
    if (sampled(C)) {
      if (T.Watch)
        watchAccess(T, C, C, std::min(LineBytes - C % LineBytes, End - C), Info,
                    At);
      sampleLine(T, C, Info);
    }
  }
}

extern "C" void __ek_rec_sample(uintptr_t Address, uint64_t Info) {
  sampleAccess(State, Address, Info, RETURN_ADDRESS);
}

void ekrec::sampleRange(ThreadState &T, uint64_t C, uint64_t End, uint64_t Info,
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

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The thread's current loop, if it was reported to the recorder.
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
    S.Info = Streams[I].info & ((1ull << EK_REC_AFTER_SHIFT) - 1);
    S.Missed = false;
  }
  L.NumStreams = Known;
  L.Missing = 0;
  return &L;
}

/// The number of lines per iteration for which a stream waits; 0 for stores.
static double linesOf(const OpenLoop::Stream &S) {
  uint64_t Apart = static_cast<uint64_t>(S.Step < 0 ? -S.Step : S.Step);
  return S.Info & EK_REC_READ
             ? double(Apart < LineBytes ? Apart : LineBytes) / LineBytes
             : 0;
}

/// The number of iterations that are in flight together.
static double windowOf(const OpenLoop &L) {
  const uint64_t Instructions = L.Costs & 0xffffffff; // per iteration
  return double(TheRecorder.Opts.Rob) / double(Instructions ? Instructions : 1);
}

/// Sets the thread's counters to those at the begin of \p Iteration. The code
/// adds the costs of the whole loop after it, so the last call is with 0.
static void setIteration(ThreadState &T, uint64_t Iteration) {
  OpenLoop &L = *T.Loop;
  uint64_t Further = Iteration - L.Iteration; // modulo 2^64
  T.Slots += Further * (L.Costs >> 32);
  T.Instructions += Further * (L.Costs & 0xffffffff);
  L.Iteration = Iteration;
}

/// The number of iterations for which the stream stays in the line of \p
/// Address.
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

/// In a burst: all lines that the open loop touches in iterations before \p
/// End.
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

/// Performs the open loop's accesses in iterations before \p End.
static void advance(ThreadState &T, uint64_t End) {
  OpenLoop &L = *T.Loop;
  LoopWalk::Event E;
  uint64_t Before = 0; // line of the previous event, if it was counted
  Frame::InstanceCount *Of = nullptr; // its counts
  while (T.Current && L.Walk.next(End, E)) {
    OpenLoop::Stream &S = L.Streams[E.Stream];
    const uint64_t Line = E.Address / LineBytes;
    if (S.Missed)
      L.Missing -= linesOf(S);
    S.Missed = false;
    // Streams side by side touch a line one after the other: a hit.
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
