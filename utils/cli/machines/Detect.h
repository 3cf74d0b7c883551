//===- Detect.h - the memory tiers of this computer -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the data of nodes/Nodes.h, which the runtime uses, too.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_DETECT_H
#define EVENKEEL_UTILS_CLI_DETECT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::cli {

struct DetectedNode {
  unsigned Number = 0;
  uint64_t Bytes = 0, FreeBytes = 0;
  bool HasCpus = false;
  bool Allowed = true;           // by the cpuset
  bool Near = true;              // to the processors of this task
  std::optional<int> KernelTier; // the kernel's memory tier
  std::optional<double> LatencyNs, BandwidthGBps; // read, local initiator
  unsigned Tier = 0;                              // 0 is the fastest
};

struct Detected {
  std::string Method; // what determined the order of tiers, and its source
  std::vector<DetectedNode> Nodes;
  unsigned Tiers = 1;
  std::vector<uint64_t> Room; // per tier: bytes that this task can use now
  std::optional<uint64_t> CgroupRoom; // below its memory limits
};

Detected detectMemory();

/// The number of tiers that this task may use.
unsigned usableTiers(const Detected &D);

/// "evenkeel tune", with a machine to plan for if this computer has one kind of
/// memory: for messages.
std::string tuneCommandHere();

} // namespace evenkeel::cli

#endif
