//===- Detect.cpp - the memory tiers of this computer ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of equal latency and bandwidth are one tier. Where firmware states
// neither, nodes with processors are one tier and nodes without the next, which
// is how the kernel ranks them before it knows better.
//===----------------------------------------------------------------------===//
#include "Detect.h"
#include "Cli.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>
#ifdef EVENKEEL_HAVE_HWLOC
#include <hwloc.h>
#endif

namespace fs = std::filesystem;

namespace evenkeel::cli {

#ifdef EVENKEEL_HAVE_HWLOC
static std::vector<DetectedNode> readNodes(std::string &Method) {
  Method = "hwloc " HWLOC_VERSION;
  std::vector<DetectedNode> Nodes;
  hwloc_topology_t T;
  if (hwloc_topology_init(&T) != 0)
    return Nodes;
  if (hwloc_topology_load(T) == 0)
    for (hwloc_obj_t O = nullptr;
         (O = hwloc_get_next_obj_by_type(T, HWLOC_OBJ_NUMANODE, O));) {
      DetectedNode N;
      N.Number = O->os_index;
      N.Bytes = O->attr->numanode.local_memory;
      // The topology gives nodes without processors those of the nodes near.
      std::string Cpus;
      std::getline(std::ifstream("/sys/devices/system/node/node" +
                                 std::to_string(N.Number) + "/cpulist"),
                   Cpus);
      N.HasCpus = !Cpus.empty();
      hwloc_location Where;
      Where.type = HWLOC_LOCATION_TYPE_CPUSET;
      Where.location.cpuset =
          const_cast<hwloc_cpuset_t>(hwloc_topology_get_topology_cpuset(T));
      hwloc_uint64_t V = 0;
      if (hwloc_memattr_get_value(T, HWLOC_MEMATTR_ID_LATENCY, O, &Where, 0,
                                  &V) == 0)
        N.LatencyNs = double(V);
      if (hwloc_memattr_get_value(T, HWLOC_MEMATTR_ID_BANDWIDTH, O, &Where, 0,
                                  &V) == 0)
        N.BandwidthGBps = double(V) / 1000; // hwloc: MB/s
      Nodes.push_back(N);
    }
  hwloc_topology_destroy(T);
  return Nodes;
}
#else
static std::optional<double> readNumber(const fs::path &P) {
  std::ifstream In(P);
  double V;
  if (In >> V && V > 0)
    return V;
  return std::nullopt;
}

static std::vector<DetectedNode> readNodes(std::string &Method) {
  Method = "sysfs";
  std::vector<DetectedNode> Nodes;
  std::error_code E;
  for (const auto &Entry :
       fs::directory_iterator("/sys/devices/system/node", E)) {
    DetectedNode N;
    if (std::sscanf(Entry.path().filename().c_str(), "node%u", &N.Number) != 1)
      continue;
    std::ifstream In(Entry.path() / "meminfo");
    for (std::string Word; In >> Word;)
      if (uint64_t KiB = 0; Word == "MemTotal:" && In >> KiB)
        N.Bytes = KiB * 1024;
    std::string Cpus;
    std::getline(std::ifstream(Entry.path() / "cpulist"), Cpus);
    N.HasCpus = !Cpus.empty();
    fs::path Access = Entry.path() / "access0" / "initiators";
    N.LatencyNs = readNumber(Access / "read_latency");
    if (auto MBps = readNumber(Access / "read_bandwidth"))
      N.BandwidthGBps = *MBps / 1000;
    Nodes.push_back(N);
  }
  return Nodes;
}
#endif

Detected detectMemory() {
  Detected D;
  D.Nodes = readNodes(D.Method);
  if (D.Nodes.empty()) { // a kernel without NUMA: all memory is one node
    DetectedNode N;
    N.Bytes = uint64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
    N.HasCpus = true;
    D.Nodes.push_back(N);
    D.Method += ", no NUMA nodes";
  }
  std::sort(D.Nodes.begin(), D.Nodes.end(),
            [](const auto &A, const auto &B) { return A.Number < B.Number; });
  bool Stated = std::all_of(D.Nodes.begin(), D.Nodes.end(), [](const auto &N) {
    return N.LatencyNs || N.BandwidthGBps;
  });
  std::map<std::pair<double, double>, unsigned> Ranks;
  auto Key = [&](const DetectedNode &N) {
    return Stated ? std::make_pair(N.LatencyNs.value_or(0),
                                   -N.BandwidthGBps.value_or(0))
                  : std::make_pair(N.HasCpus ? 0.0 : 1.0, 0.0);
  };
  for (const DetectedNode &N : D.Nodes)
    Ranks[Key(N)] = 0;
  unsigned Rank = 0;
  for (auto &[K, V] : Ranks)
    V = Rank++;
  for (DetectedNode &N : D.Nodes)
    N.Tier = Ranks[Key(N)];
  D.Tiers = Rank;
  return D;
}

} // namespace evenkeel::cli
