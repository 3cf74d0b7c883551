//===- Start.cpp - start of recording -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the recording mode that the program was built for, and the state that
// must exist before it runs.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "core/say.h"
#include "record/abi/record_abi.h"
#include "record/caches/Sampling.h"
#include "record/calls/Alloc.h"
#include "record/ending/Ending.h"
#include "record/ending/Until.h"
#include "record/host/Report.h"
#include "record/objects/Arena.h"
#include "record/races/Races.h"
#include "record/tasks/RunningTasks.h"
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace ekrec;

extern "C" const int __ek_rec_abi_v6 = 1;

// Units define one of these (record_abi.h).
extern "C" __attribute__((weak)) const int __ek_rec_full_units;
extern "C" __attribute__((weak)) const int __ek_rec_sampled_units;
extern "C" __attribute__((weak)) const int __ek_rec_counted_units;

/// `evenkeel record` checks the mode of the program on its command line. A
/// program that a script starts reports here that it records something else,
/// and exits.
static bool isAskedFor(const char *Mode) {
  const char *Asked = getenv("EVENKEEL_RECORD_ASKED");
  if (!Asked || !*Asked || !strcmp(Asked, Mode))
    return true;
  report("this program records %s, not %s; build it with evenkeel-cc "
         "--record=%s",
         Mode, Asked, Asked);
  return false;
}

/// The end of the first thread's stack.
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
