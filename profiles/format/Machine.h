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
//    "migration":{"page_us":F,"bandwidth_gbps":F}}
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
  std::vector<std::string> Assumed; // "tiers[1].write_latency_ns: why"

  /// Share of the last level that one of Cores tasks has: LlcBytes / Cores.
  uint64_t llcSharePerCore() const { return LlcBytes / Cores; }
};

/// By name (directories in EVENKEEL_MACHINES, then the shipped files) or by
/// path (anything with a '/' or ending in ".json").
Expected<Machine> readMachine(const std::string &NameOrPath);
/// The same from a parsed file; \p Path is named in errors.
Expected<Machine> machineFromJson(const nlohmann::json &J,
                                  const std::string &Path);
/// What machineFromJson reads. Where its figures came from is not said again:
/// \p Source stands for all of them.
nlohmann::json machineToJson(const Machine &M, const std::string &Source);
/// Names and titles of the machine files found by name, sorted.
std::vector<std::pair<std::string, std::string>> listMachines();
/// The raw text of a machine file, for `machine show`.
Expected<std::string> machineText(const std::string &NameOrPath);

/// "25%" of \p Whole, or "512MiB", "1.5GB"; a number alone is bytes, as parts
/// of the program hand them on. The error names the text.
Expected<uint64_t> parseFastSize(const std::string &Text, uint64_t Whole);
/// No error when \p M has \p Bytes of its fastest memory.
MaybeError checkFastOn(const Machine &M, uint64_t Bytes);
/// For texts that people write: no error when parseFastSize takes \p Text, it
/// is no share above 100 %, and it has a unit or is 0. A bare 25 is as likely
/// meant as 25 % as it is as 25 GiB.
MaybeError checkFastSize(const std::string &Text);

} // namespace evenkeel

#endif
