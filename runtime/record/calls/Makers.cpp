//===- Makers.cpp - whose a block is --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see Makers.h; here for threads that execute no recorded task.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Makers.h"

using namespace ekrec;

// The program's own OpenMP runtime, if it has one.
extern "C" __attribute__((weak)) int omp_get_thread_num(void);

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
