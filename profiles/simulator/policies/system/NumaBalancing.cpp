//===- NumaBalancing.cpp - Linux's NUMA balancing as memory tiering -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Linux since 5.18, kernel.numa_balancing=2 (mm/memory-tiers, commit
// c6833e10008f and its series). A periodic scan traps slow pages. If a page's
// hint fault comes within the hot threshold after the trap, the faulting task
// promotes the page, under a rate limit. The threshold is adjusted so that as
// much qualifies as the limit permits (16 steps up to twice the reference).
// kswapd demotes by watermark. Parameters: scan_us per pass over scan_share of
// slow memory (kernel: 256 MiB every 1-60 s), threshold as a multiple of the
// scan period (kernel: 1 s at 1 s), mbps: promotion rate limit (kernel: 65536
// MB/s), watermark: free share of fast memory below which kswapd starts; it
// stops at twice that. Times are scaled to runs of milliseconds.
//===----------------------------------------------------------------------===//
#include "NumaBalancing.h"
#include "simulator/policies/Policies.h"
#include <algorithm>

namespace evenkeel {

NumaBalancing::NumaBalancing(const Config &C, double ThresholdNs)
    : HintFaults(C), Reference(ThresholdNs), Threshold(ThresholdNs) {}

bool NumaBalancing::promotes(System &, uint64_t, double LatencyNs) {
  return LatencyNs < Threshold;
}

void NumaBalancing::adjust(System &S) {
  // Every ten scans; the kernel does this every minute.
  if (S.tick() % 10)
    return;
  double Accepted = AcceptedBytes - LastAccepted;
  double Allowed = C.BytesPerNs * 10 * C.ScanNs, Unit = Reference / 8;
  LastAccepted = AcceptedBytes;
  if (Accepted > Allowed * 1.1)
    Threshold = std::max(Threshold - Unit, Unit);
  else if (Accepted < Allowed * 0.9)
    Threshold = std::min(Threshold + Unit, 2 * Reference);
}

const std::vector<Tunable> &numaBalancingTunables() {
  static const std::vector<Tunable> T = {
      {"scan_us", 5000, {1000, 5000, 20000}, "between two scans"},
      {"scan_share", 0.1, {0.02, 0.1, 0.5}, "of the slow pages, per scan"},
      {"threshold", 1, {0.25, 1}, "of a hot page's fault, in scan periods"},
      {"mbps", 65536, {200, 65536}, "promotion rate limit, MB/s"},
      {"watermark", 0.02, {0.02}, "free share of fast memory, low mark"}};
  return T;
}

std::unique_ptr<NumaBalancing>
makeNumaBalancing(const Settings &Tuned, const std::vector<Tunable> &Table) {
  auto Get = [&](const char *Name) { return settingOf(Tuned, Table, Name); };
  HintFaults::Config C;
  C.ScanNs = std::max(1.0, Get("scan_us")) * Us;
  C.ScanShare = Get("scan_share");
  C.BytesPerNs = Get("mbps") * MBps;
  C.Low = std::min(0.5, Get("watermark"));
  C.High = 2 * C.Low;
  return std::make_unique<NumaBalancing>(C, Get("threshold") * C.ScanNs);
}

std::unique_ptr<Policy> makeNumaBalancing(const ReplayRequest &R) {
  return makeNumaBalancing(R.Tuned, numaBalancingTunables());
}

} // namespace evenkeel
