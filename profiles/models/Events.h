//===- Events.h - what a trained model sees of a task -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: figures of one task that a miss record or hardware counters give, all
// without a unit, so that a function learned on small tasks speaks of large
// ones. Both papers feed their models such events: Tahoe (Wu et al., SC 2018)
// the rate of last-level misses, instructions and the time on slow memory;
// Merchandiser (Xie et al., PPoPP 2023) counters of misses, cycles and writes.
//
//   stall_share     share of the slow-only time that waits for memory
//   overlap         log2 of the reads that share one latency
//   write_share     write-backs among the lines
//   lines_per_us    log2 of 1 + lines per microsecond of core time
//   latency_ratio   fast latency over slow latency
//   slow_bandwidth  share of the slow tier's bandwidth that the task alone
//                   would use when all lies there, the busier direction
//   fast_bandwidth  the same of the fast tier
//   fast_share      lines that lie in tier 0 (asked for apart)
// Not here: how they are used (Complete.h, Correlated.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_EVENTS_H
#define EVENKEEL_PROFILES_MODELS_EVENTS_H

#include "Model.h"

namespace evenkeel {

/// Names in the order of `taskEvents`.
const std::vector<std::string> &eventNames();

/// At idle latencies of \p M. Finite whatever \p T holds.
std::vector<double> taskEvents(const TaskDemand &T, const Machine &M);

/// Reads of \p T counted in full latencies, of all its data.
double exposedReads(const TaskDemand &T);

/// Share of the lines of \p T (reads and write-backs) that lie in tier 0; 0 for
/// a task without any.
double fastLineShare(const TaskDemand &T, const std::vector<double> &FastShare);

} // namespace evenkeel

#endif
