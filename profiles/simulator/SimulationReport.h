//===- SimulationReport.h - results of replay as text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.simulation/1" and the aligned table of policies.
// Makes: deterministic text. JSON has seconds, bytes and fractions; numbers in
// the table have units.
// Not here: replay itself; where the text goes.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_SIMULATIONREPORT_H
#define EVENKEEL_PROFILES_SIMULATOR_SIMULATIONREPORT_H

#include "Replay.h"

namespace evenkeel {

/// {"schema":"evenkeel.simulation/1","machine","fast_bytes","policies":[{
/// "name","makespan_s","acv","barrier_wait_s","fast_access_share",
/// "migrated_bytes","promoted_bytes","demoted_bytes","faults","samples",
/// "peak_fast_bytes","refused_bytes","oracle_gap"}],"oracle":{"makespan_s",
/// "static_makespan_s","lower_bound_s","static_lower_bound_s",
/// "static_bound_exact","least_acv"},"assumed":[..]}; "oracle_gap" and "oracle"
/// only if the oracle was replayed. Policies in the order given; ends with a
/// newline.
std::string simulationToJson(const Machine &M, uint64_t FastBytes,
                             const std::vector<PolicyResult> &Results);

/// A line with machine and fast memory, one aligned line per policy, the
/// machine's assumed figures, and a line for anything that did not fit or did
/// not converge.
std::string simulationToTable(const Machine &M, uint64_t FastBytes,
                              const std::vector<PolicyResult> &Results);

} // namespace evenkeel

#endif
