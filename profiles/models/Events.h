//===- Events.h - inputs of trained models ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: figures of a task that a miss record or hardware counters provide.
// They have no unit, so that a function learned on small tasks applies to large
// ones. Both papers use such events: Tahoe (Wu et al., SC 2018) the rate of
// last-level misses, instructions and the time in slow memory; Merchandiser
// (Xie et al., PPoPP 2023) counters of misses, cycles and writes.
//
//   stall_share     share of the slow-only time spent waiting for memory
//   overlap         log2 of the number of reads that share one latency
//   write_share     share of write-backs in all lines
//   lines_per_us    log2 of 1 + lines per microsecond of core time
//   latency_ratio   fast latency over slow latency
//   slow_bandwidth  share of the slow tier's bandwidth that the task alone
//                   uses with all its data there, in the busier direction
//   fast_bandwidth  the same for the fast tier
//   fast_share      share of lines in tier 0 (added by the caller)
// Not here: how they are used (Complete.h, Correlated.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_EVENTS_H
#define EVENKEEL_PROFILES_MODELS_EVENTS_H

#include "Model.h"

namespace evenkeel {

/// Names in the order of `taskEvents`.
const std::vector<std::string> &eventNames();

/// At the idle latencies of \p M. Finite for any \p T.
std::vector<double> taskEvents(const TaskDemand &T, const Machine &M);

/// Reads of \p T expressed as full latencies, over all its data.
double exposedReads(const TaskDemand &T);

/// Share of the lines of \p T (reads and write-backs) in tier 0; 0 for a task
/// without lines.
double fastLineShare(const TaskDemand &T, const std::vector<double> &FastShare);

} // namespace evenkeel

#endif
