//===- InFull.cpp - a thread's bursts -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See InFull.h.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "InFull.h"
#include "Frame.h"
#include "OpenLoop.h"
#include "record/host/Report.h"
#include <new>

using namespace ekrec;

void ekrec::burstsFor(ThreadState &T, uint64_t Region) {
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

void ekrec::beginBurst(ThreadState &T) {
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
