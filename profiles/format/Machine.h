//===- Machine.h - machine.json: tiers, caches, cores -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.machine/1". Every figure in the file is an object
// {"value": N, "source": "..."} or {"value": N, "assumed": "why"}; assumed
// figures are shown with each result that uses them.
//
//   {"schema","name","title","cores":F,"ghz":F,"rob_instructions":F,
//    "caches":{"l1_bytes":F,"l1_ways":F,"l2_bytes":F,"l2_ways":F,
//              "llc_bytes":F,"llc_ways":F},
//    "prefetch_depth":F,
//    "tiers":[{"name","capacity_bytes":F,"read_latency_ns":F,
//              "write_latency_ns":F,"read_bandwidth_gbps":F,
//              "write_bandwidth_gbps":F}, ...],       fastest first, >= 2
//    "loaded_latency":{"points":[[utilisation,
//    factor],...],"source"|"assumed"},
//    "migration":{"page_us":F,"bandwidth_gbps":F},
//    "copies":{"in_gbps":F,"out_gbps":F,"start_us":F}}
//
// A tier with "required": true must hold data while a task accesses it, so its
// capacity is a hard limit; only tier 0 can be required. "copies" are those
// between it and the memory behind it; a machine with a required tier needs
// them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_MACHINE_H
#define EVENKEEL_PROFILES_FORMAT_MACHINE_H

#include "Error.h"
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace evenkeel {

struct Tier {
  std::string Name;
  uint64_t CapacityBytes = 0;
  double ReadLatencyNs = 0, WriteLatencyNs = 0;
  double ReadBandwidthGBps = 0, WriteBandwidthGBps = 0; // 1e9 bytes/s
  bool Required = false; // data must be here while a task accesses it
};

/// Copies of whole objects into and out of a required tier, one at a time in
/// each direction.
struct CopyLinks {
  double InGBps = 0, OutGBps = 0;
  double StartUs = 0; // from the request to the first byte
};

struct Machine {
  std::string Name, Title;
  unsigned Cores = 0;
  double GHz = 0;
  unsigned RobInstructions = 0, PrefetchDepth = 0;
  uint64_t L1Bytes = 0, L2Bytes = 0, LlcBytes = 0; // LLC: whole socket
  unsigned L1Ways = 0, L2Ways = 0, LlcWays = 0;
  std::vector<Tier> Tiers; // fastest first
  /// (utilisation of a tier's bandwidth, factor on its idle latency), rising.
  std::vector<std::pair<double, double>> LoadedLatency;
  double MigrationPageUs = 0, MigrationBandwidthGBps = 0;
  CopyLinks Copies;                 // all zero without a required tier
  std::vector<std::string> Assumed; // "tiers[1].write_latency_ns: why"

  /// One core's part of the last-level cache: LlcBytes / Cores.
  uint64_t llcSharePerCore() const { return LlcBytes / Cores; }
  /// Whether tasks can run only on data in tier 0.
  bool hasRequiredTier() const { return !Tiers.empty() && Tiers[0].Required; }
};

/// Finds a machine by name (directories in EVENKEEL_MACHINES, then shipped
/// files) or by path (contains '/' or ends in ".json").
Expected<Machine> readMachine(const std::string &NameOrPath);
/// The same for whoever plans which share of the data lies in which tier: an
/// error if a tier is required, because then no data may stay slow.
Expected<Machine> readMachineToPlan(const std::string &NameOrPath);
/// The same for parsed JSON; \p Path appears in errors.
Expected<Machine> machineFromJson(const nlohmann::json &J,
                                  const std::string &Path);
/// JSON for machineFromJson. All figures get the source \p Source.
nlohmann::json machineToJson(const Machine &M, const std::string &Source);
/// Names and titles of all named machine files, sorted.
std::vector<std::pair<std::string, std::string>> listMachines();
/// The names of those that readMachineToPlan() accepts.
std::vector<std::string> machinesToPlan();
/// The raw text of a machine file, for `machine show`.
Expected<std::string> machineText(const std::string &NameOrPath);

/// "25%" of \p Whole, or "512MiB", "1.5GB"; a plain number is in bytes (passed
/// between our programs). The error quotes the text.
Expected<uint64_t> parseFastSize(const std::string &Text, uint64_t Whole);
/// Error if \p Bytes exceeds the fast tier of \p M.
MaybeError checkFastOn(const Machine &M, uint64_t Bytes);
/// Checks text that the user writes: an error if parseFastSize rejects it, if
/// it is above 100 %, or if it has no unit and is not 0. A plain 25 could mean
/// 25 % or 25 GiB.
MaybeError checkFastSize(const std::string &Text);

} // namespace evenkeel

#endif
