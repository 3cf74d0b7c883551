//===- Accesses.cpp - accesses of a full run ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the calls that report every access. Units of a sampled run may make
// them, too.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Counting.h"
#include "SampledAccesses.h"
#include "record/caches/Sampling.h"
#include "record/races/RowMask.h"
#include "record/tasks/Watching.h"

using namespace ekrec;

/// An access to a line that is not the last used one in its L1 set.
static __attribute__((noinline)) void lineMiss(ThreadState &T, uint64_t Line,
                                               uint64_t Info) {
  pauseForEnd(T);
  // An atomic update waits for its line, like a load.
  bool Write = Info & EK_REC_WRITE, LoadsFirst = Info & EK_REC_READ;
  uint64_t Position = T.Instructions - (Info >> EK_REC_AFTER_SHIFT);
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

/// The number of accesses reported as one: 1, or a load and a store after it.
static inline uint64_t eachOf(uint64_t Info) {
  const uint64_t Both = EK_REC_READ | EK_REC_WRITE;
  return (Info & (Both | EK_REC_ATOMIC)) == Both ? 2 : 1;
}

/// Any access, by code at \p At.
static __attribute__((noinline)) void accessAny(uintptr_t Address,
                                                uint64_t Info, uintptr_t At) {
  ThreadState &T = State;
  if (__builtin_expect(TheRecorder.Opts.Rate != 1, 0)) {
    if (!(Info & EK_REC_UNCOUNTED))
      sampleAccess(T, Address, Info, At);
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
  // Starts the program's own fetch now: after the call, the processor would
  // have nothing to overlap it with.
  __builtin_prefetch(reinterpret_cast<const void *>(Address));
  accessAny(Address, Info, RETURN_ADDRESS);
}

/// The counts of the only object in the page, if this is a full run and the
/// task has used the object before; else nullptr. \p C is canonical.
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

/// Like lineCommon(), for a line without an entry in the watcher.
static __attribute__((noinline)) void
lineUnwatched(ThreadState &T, uint64_t C, uint64_t Info, uint64_t Bytes,
              uintptr_t At, Frame::InstanceCount &N, uint64_t Times) {
  T.Watch->touch(C / LineBytes, maskOf(C % LineBytes, Bytes),
                 Info & EK_REC_READ, Info & EK_REC_WRITE, /*Atomic=*/false, At);
  count(N, Info, Times);
  lineAccess(T, C / LineBytes, Info);
}

/// \p Times accesses to \p Bytes in one line of an object that the task has
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

/// The accesses of __ek_rec_repeat, by code at \p At.
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
      sampleRepeats(T, C, Info, N);
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

/// The accesses of __ek_rec_next, by code at \p At.
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
    // Usually in the same page, with an entry in the watcher.
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
