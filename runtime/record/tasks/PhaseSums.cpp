//===- PhaseSums.cpp - the work of a phase's tasks ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PhaseSums.h.
//===----------------------------------------------------------------------===//
#define EK_REC_INSIDE
#include "PhaseSums.h"
#include "Recorder.h"
#include "core/tuning.h"

using namespace ekrec;

bool ekrec::SumsPhases = false;

PhaseSums &ekrec::sumsOf(uint32_t Phase) {
  constexpr unsigned Window = 4;
  static PhaseSums Of[Window];
  return Of[Phase % Window];
}

void ekrec::addToPhase(const TaskInfo &Task, double Waited) {
  PhaseSums &S = sumsOf(Task.Phase);
  S.Instructions.fetch_add(Task.Instructions, std::memory_order_relaxed);
  S.Cycles.fetch_add(Task.Cycles + static_cast<uint64_t>(Waited * EK_WAIT_NS *
                                                         TheRecorder.Opts.Ghz),
                     std::memory_order_relaxed);
  if (!Task.Explicit && !Task.Index)
    S.Region.store(Task.Region, std::memory_order_relaxed);
  S.Tasks.fetch_add(1, std::memory_order_relaxed);
}
