//===- Stopping.cpp - stopping the record before the end ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Stopping.h. All threads but the first only add up their tasks' work. A
// phase is evaluated when all of its tasks have ended; inside a team, that is
// one barrier later.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "Stopping.h"
#include "Bodies.h"
#include "Ending.h"
#include "Until.h"
#include "core/tuning.h"
#include "record/host/Report.h"
#include <atomic>
#include <csignal>
#include <unistd.h>

using namespace ekrec;

static bool Continues; // the program continues in plain code
static std::atomic<uint32_t>
    StopPhase; // the phase at whose end the team stops; 0: none
static std::atomic<uint32_t> Arrived; // threads, not counting the first

static void pauseMs(int Ms) { usleep(static_cast<useconds_t>(Ms) * 1000); }

/// Waits until `evenkeel record` ends the process, like a user's interrupt.
[[noreturn]] static void park() {
  for (int Ms = 0; isListenedTo() && Ms < EK_PARKED_MS; Ms += 10)
    pauseMs(10);
  kill(getpid(), SIGINT);
  pauseMs(EK_TEAM_STOPS_MS);
  kill(getpid(), SIGKILL);
  for (;;)
    pause();
}

/// Writes the record, between two phases; \p AtBarrier: all other threads of
/// the team are at the barrier. Returns if the program continues.
static void endHere(bool AtBarrier = false) {
  endRecord();
  reportWritten();
  if (!programContinues())
    park();
  continueUnrecorded(AtBarrier);
}

void ekrec::continueUnrecorded(bool AtBarrier) {
  if (programContinues() && !Continues && recordIsWritten())
    Continues = switchToPlain(AtBarrier);
}

void ekrec::phaseEnded(uint32_t Phase, bool OfAllRanks) {
  StopPhase.store(0, std::memory_order_relaxed);
  lookAtPhases(Phase);
  if (endsWithRanks() && !OfAllRanks)
    return;
  const uint32_t Why = whyEnough(Phase);
  if (endsWithRanks() ? !allRanksStop(Why != EK_ENDED_PROGRAM)
                      : Why == EK_ENDED_PROGRAM)
    return;
  setWhy(Why);
  endHere();
}

bool ekrec::barrierReached(uint32_t Phase, uint32_t Number, uint32_t Width) {
  if (endsWithRanks())
    return true;
  if (!Number && !StopPhase.load(std::memory_order_relaxed) && Phase) {
    lookAtPhases(Phase - 1);
    if (const uint32_t Why = whyEnough(Phase - 1)) {
      setWhy(Why);
      Arrived.store(0, std::memory_order_relaxed);
      // Not at this barrier: other threads may have passed it already.
      StopPhase.store(Phase + 1, std::memory_order_release);
    }
    return true;
  }
  if (StopPhase.load(std::memory_order_acquire) != Phase || !Phase)
    return true;
  if (Number) {
    Arrived.fetch_add(1, std::memory_order_acq_rel);
    while (!recordIsWritten())
      pauseMs(1);
    if (!programContinues())
      park();
    return false;
  }
  auto AllAreHere = [&] {
    return Arrived.load(std::memory_order_acquire) + 1 >= Width;
  };
  for (int Ms = 0; !AllAreHere(); ++Ms) {
    if (Ms >= EK_TEAM_STOPS_MS) {
      count(Why::UnfinishedTask);
      break;
    }
    pauseMs(1);
  }
  endHere(AllAreHere());
  return false;
}
