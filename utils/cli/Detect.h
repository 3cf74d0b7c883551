//===- Detect.h - the memory tiers of this computer -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: NUMA nodes, their sizes, and the latency and bandwidth that firmware
// states for them, from hwloc where it was found at configure time, else from
// /sys/devices/system/node.
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
  uint64_t Bytes = 0;
  bool HasCpus = false;
  std::optional<double> LatencyNs, BandwidthGBps; // read, local initiator
  unsigned Tier = 0;                              // 0 is the fastest
};

struct Detected {
  std::string Method; // "hwloc 2.9.0" or "sysfs"
  std::vector<DetectedNode> Nodes;
  unsigned Tiers = 1;
};

Detected detectMemory();

} // namespace evenkeel::cli

#endif
