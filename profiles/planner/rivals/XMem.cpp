//===- XMem.cpp - X-Mem: benefit by access pattern, per structure ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Dulloor et al., "Data Tiering in Heterogeneous Memory Systems"
// (X-Mem), EuroSys 2016: data structures are tagged at their allocation;
// profiling finds the pattern of each: streaming (sequential, independent),
// pointer chasing (dependent), random (neither). A microbenchmark per pattern
// measures the cost of an access in each tier; structures are placed whole by
// benefit per byte. Patterns are derived from the number of overlapping reads:
// about one = chasing, as many as line-fill buffers or more = streaming. A
// streamed line costs its share of bandwidth, a random one a latency over the
// number of outstanding misses, a chased one a latency. Parameters: chase,
// stream: the overlap below, or above, which accesses have that pattern.
//===----------------------------------------------------------------------===//
#include "models/Phase.h"
#include "planner/Registry.h"
#include "planner/Rivals.h"
#include <algorithm>

using namespace evenkeel;

static const std::vector<Tunable> &tunables() {
  static const std::vector<Tunable> T = {
      {"chase", 1.5, {1.5, 3}, "reads that overlap, at most, in a chase"},
      {"stream", 10, {6, 10}, "reads that overlap, at least, in a stream"}};
  return T;
}

namespace {

constexpr double RandomOverlap = 4; // misses outstanding in X-Mem's benchmark

class XMem : public Planner {
  const double Chase, Stream;

public:
  XMem(double Chase, double Stream) : Chase(Chase), Stream(Stream) {}
  std::string name() const override { return "x-mem"; }

  Placement place(const Problem &P, const Machine &M,
                  const Model &) const override {
    const Tier &F = M.Tiers.front(), &S = M.Tiers.back();
    const double LatencyGap = S.ReadLatencyNs - F.ReadLatencyNs;
    const double StreamGap =
        LineBytes / S.ReadBandwidthGBps - LineBytes / F.ReadBandwidthGBps;
    std::vector<SiteObject> Objects = siteObjects(P);
    std::vector<double> Benefit;
    for (const SiteObject &O : Objects) {
      double Overlap = O.Exposed > 0 ? O.Reads / O.Exposed : 1e9;
      double Gap = Overlap <= Chase    ? LatencyGap
                   : Overlap >= Stream ? StreamGap
                                       : LatencyGap / RandomOverlap;
      double WriteGap =
          LineBytes / S.WriteBandwidthGBps - LineBytes / F.WriteBandwidthGBps;
      Benefit.push_back(O.Reads * Gap + O.Writes * WriteGap);
    }
    return wholeObjects(P, Objects, Benefit);
  }
};

} // namespace

static std::unique_ptr<Planner> make(const Settings &S) {
  return std::make_unique<XMem>(settingOf(S, tunables(), "chase"),
                                settingOf(S, tunables(), "stream"));
}

EK_RIVAL(XMem, "x-mem", nullptr, make, tunables)
