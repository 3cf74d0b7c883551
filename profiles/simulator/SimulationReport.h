//===- SimulationReport.h - results of replay, for people and tools -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.simulation/1" and the aligned table of policies.
// Makes: text; same results, same bytes. JSON has seconds, bytes and fractions;
// the table carries a unit on every number.
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
/// "static_bound_exact","least_acv"},"assumed":[..]}; gaps and "oracle" only
/// where the oracle was replayed. Policies in the order given, newline at the
/// end.
std::string simulationToJson(const Machine &M, uint64_t FastBytes,
                             const std::vector<PolicyResult> &Results);

/// One line per policy, columns aligned, below a line that names machine and
/// fast memory; the machine's assumed figures follow, and a line for anything
/// that was refused or did not settle.
std::string simulationToTable(const Machine &M, uint64_t FastBytes,
                              const std::vector<PolicyResult> &Results);

} // namespace evenkeel

#endif
