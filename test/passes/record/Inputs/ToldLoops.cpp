//===- ToldLoops.cpp - counts the described loops that are reported -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interposes the recorder's own entry: counts the loops that are reported, and
// how many of them pass a sampled line.
//===----------------------------------------------------------------------===//
#include "record/abi/record_abi.h"
#include "record/caches/Sampling.h"

extern "C" {
volatile long LoopsTold, LoopsSampled;

void __ek_rec_loop(const ek_rec_stream *Streams, uint64_t N, uint64_t Trips,
                   uint64_t) {
  bool Any = false;
  for (uint64_t I = 0; I < N * Trips; ++I) {
    const ek_rec_stream &S = Streams[I / Trips];
    Any |= ekrec::sampled(S.start + uint64_t(S.step) * (I % Trips) +
                          uint64_t(__ek_rec_shift(S.start)));
  }
  LoopsTold = LoopsTold + 1;
  LoopsSampled = LoopsSampled + Any;
}
}
