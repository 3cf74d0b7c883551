//===- Detect.cpp - the memory tiers of this computer ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Detect.h"
#include "nodes/Nodes.h"
#include <algorithm>
#include <memory>
#include <unistd.h>

namespace evenkeel::cli {

Detected detectMemory() {
  Detected D;
  auto Read = std::make_unique<ek_nodes>();
  ek_nodes_read("", Read.get());
  for (unsigned I = 0; I < Read->count; ++I) {
    const ek_node &From = Read->node[I];
    DetectedNode N;
    N.Number = From.id;
    N.Bytes = From.bytes;
    N.FreeBytes = From.free_bytes;
    N.HasCpus = From.has_cpus;
    N.Allowed = From.allowed;
    N.Near = From.near;
    N.Tier = From.tier;
    if (From.memory_tier >= 0)
      N.KernelTier = From.memory_tier;
    if (From.latency_ns > 0)
      N.LatencyNs = From.latency_ns;
    if (From.bandwidth_mbps > 0)
      N.BandwidthGBps = From.bandwidth_mbps / 1000;
    D.Nodes.push_back(N);
  }
  D.Method = ek_node_order_name(Read->order);
  if (Read->order == EK_ORDER_ATTRIBUTES)
    D.Method += std::string(", ") + Read->source;
  if (Read->free_limit != UINT64_MAX)
    D.CgroupRoom = Read->free_limit;
  D.Tiers = Read->tiers;
  for (unsigned T = 0; T < D.Tiers; ++T)
    D.Room.push_back(ek_nodes_room(Read.get(), T));
  if (D.Nodes.empty()) { // a kernel without NUMA: all memory is one node
    DetectedNode N;
    const auto PageBytes = uint64_t(sysconf(_SC_PAGESIZE));
    N.Bytes = uint64_t(sysconf(_SC_PHYS_PAGES)) * PageBytes;
    N.FreeBytes = uint64_t(sysconf(_SC_AVPHYS_PAGES)) * PageBytes;
    N.HasCpus = true;
    D.Nodes.push_back(N);
    D.Method = "no NUMA nodes";
    D.Tiers = 1;
    D.Room = {N.FreeBytes};
  }
  return D;
}

unsigned usableTiers(const Detected &D) {
  unsigned N = 0;
  for (unsigned I = 0; I < D.Tiers; ++I)
    N += std::any_of(D.Nodes.begin(), D.Nodes.end(), [&](auto &Node) {
      return Node.Tier == I && Node.Allowed;
    });
  return N;
}

std::string tuneCommandHere() {
  return usableTiers(detectMemory()) < 2 ? "evenkeel tune --machine ddr5-cxl"
                                         : "evenkeel tune";
}

} // namespace evenkeel::cli
