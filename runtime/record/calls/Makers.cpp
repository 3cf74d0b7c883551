//===- Makers.cpp - the creator of a block --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Makers.h; here for threads that execute no recorded task.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Makers.h"

using namespace ekrec;

// The program's own OpenMP runtime, if it has one.
extern "C" __attribute__((weak)) int omp_get_thread_num(void);

// As in the runtime: OpenMP's thread number, which is 0 outside OpenMP.
Maker ekrec::makerInGap() {
  int Number = omp_get_thread_num ? omp_get_thread_num() : 0;
  return {OthersRange, static_cast<unsigned>(Number)};
}

// The current phase of the first thread, if it has begun.
uint32_t ekrec::phaseInGap() {
  const Recorder &R = TheRecorder;
  if (!R.First)
    return 0;
  const uint32_t Phase = __atomic_load_n(&R.First->Phase, __ATOMIC_RELAXED),
                 Begun = __atomic_load_n(&R.NumPhases, __ATOMIC_RELAXED);
  return Phase < Begun ? Phase : Begun ? Begun - 1 : 0;
}
