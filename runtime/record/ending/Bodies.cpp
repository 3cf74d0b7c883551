//===- Bodies.cpp - choosing the bodies of functions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Bodies.h.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Bodies.h"
#include "Ending.h"
#include "record/abi/record_abi.h"
#include "record/host/Report.h"
#include "record/tasks/Recorder.h"
#include <sched.h>

using namespace ekrec;

extern "C" int32_t __ek_rec_body = EK_REC_BODY_RECORDED;
extern "C" __attribute__((weak)) int omp_get_level(void);

/// The number of these teams; with the flag Changes while the choice changes.
static std::atomic<uint32_t> OtherTeams;
constexpr uint32_t Changes = 1u << 31;

static std::atomic<uint64_t> SingleBodies, EnteredBodies;

void ekrec::otherTeamBegins() {
  if (OtherTeams.fetch_add(1) & Changes)
    while (!__atomic_load_n(&__ek_rec_body, __ATOMIC_ACQUIRE))
      sched_yield();
}

void ekrec::otherTeamEnds() { OtherTeams.fetch_sub(1); }

bool ekrec::otherTeamRuns() { return OtherTeams.load() & ~Changes; }

bool ekrec::switchToPlain(bool AtBarrier) {
  const int Depth = AtBarrier ? 1 : 0;
  if (!State.Main || !closed() || State.Forks ||
      State.Depth != unsigned(Depth) ||
      (omp_get_level && omp_get_level() != Depth))
    return false;
  uint32_t None = 0;
  if (!OtherTeams.compare_exchange_strong(None, Changes))
    return None & Changes;
  __atomic_store_n(&__ek_rec_body, EK_REC_BODY_PLAIN, __ATOMIC_RELEASE);
  if (uint64_t N = SingleBodies.load())
    report("%llu functions have no plain body (computed goto, coroutines of "
           "unoptimised code, structures beside variable arguments): they "
           "continue in recorded code",
           static_cast<unsigned long long>(N));
  if (uint64_t N = EnteredBodies.load())
    report(
        "%llu functions continue in recorded code until they return, if they "
        "run now (arrays of variable length, setjmp, or single and dynamic "
        "schedules, in loops)",
        static_cast<unsigned long long>(N));
  return true;
}

extern "C" void __ek_rec_staying(uint64_t Single, uint64_t Entered) {
  SingleBodies.fetch_add(Single);
  EnteredBodies.fetch_add(Entered);
}

extern "C" int __ek_rec_stop(void) {
  if (!State.Main || !TheRecorder.Ready)
    return 0;
  endRecord();
  return switchToPlain();
}
