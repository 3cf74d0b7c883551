//===- Log.h - the rows written by a thread ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the rows of finished quanta and tasks, with internal numbers.
// Not here: their order in the stream (record/files).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_LOG_H
#define EVENKEEL_RUNTIME_RECORD_LOG_H

#include "format/ek_raw.h"
#include "record/caches/Options.h"
#include "record/host/Vec.h"
#include <atomic>
#include <unistd.h>

namespace ekrec {

struct Segment { // page rows of one quantum of one task
  uint32_t Task, Quantum;
  uint64_t First, Count;
  unsigned Level; // 2^Level quanta were joined (RowBudget.h)
};

/// A miss-ratio curve with one step, the usual case for small tasks.
struct StepCurve {
  uint32_t task, inst, reads, readsAfter;
  uint32_t step; // number of sizes with `reads`

  /// False: it has more steps, or larger numbers.
  bool set(const ek_raw_mrc &C) {
    *this = {C.task, C.inst, static_cast<uint32_t>(C.reads[0]),
             static_cast<uint32_t>(C.reads[LlcSizes - 1]), 0};
    while (step < LlcSizes && C.reads[step] == C.reads[0])
      ++step;
    for (unsigned I = 0; I < LlcSizes; ++I)
      if (C.reads[I] != (I < step ? reads : readsAfter))
        return false;
    return true;
  }
  ek_raw_mrc curve() const {
    ek_raw_mrc C = {task, inst, {}};
    for (unsigned I = 0; I < LlcSizes; ++I)
      C.reads[I] = I < step ? reads : readsAfter;
    return C;
  }
};

/// Rows of finished quanta and tasks; outlives its thread.
struct Log {
  Log *NextLog;
  std::atomic_flag Lock; // the writer, against a thread that still runs
  Vec<ek_raw_page> Pages;
  Vec<Segment> Segments;
  Vec<ek_raw_access> Accesses;
  Vec<ek_raw_mrc> Curves; // with several steps
  Vec<StepCurve> StepCurves;
  Vec<ek_raw_far> Far;
  Vec<ek_raw_symbol> Symbols;
  Vec<ek_raw_dep> Deps;
  uint64_t Tracked, Untracked;

  void lock() {
    while (Lock.test_and_set(std::memory_order_acquire)) {
    }
  }
  void unlock() { Lock.clear(std::memory_order_release); }
  /// Call at the end: waits until no row is being written. The writer may have
  /// been interrupted by a signal handler that ends the program, so the wait is
  /// limited.
  void settle() {
    for (int Tries = 0; Tries < 1000; ++Tries) {
      if (!Lock.test_and_set(std::memory_order_acquire))
        break;
      usleep(1000);
    }
    unlock();
  }
};

} // namespace ekrec

#endif
