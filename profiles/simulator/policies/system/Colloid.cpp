//===- Colloid.cpp - tiers of the same loaded latency ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Vuppalapati and Agarwal, "Tiered Memory Management: Access Latency is
// the Key!" (Colloid), SOSP 2024 (repository host-architecture/colloid). The
// tiers' latencies under load are measured at regular intervals. While fast
// memory is the faster one, hot pages move to it; once it is so loaded that it
// is slower, they move away. The share of accesses that moves is found by
// bisection: it lies between the largest share at which fast memory was faster
// and the smallest one at which it was slower; when these are close, the load
// has changed, and the search begins again. Pages are chosen by sampled
// accesses, as in HeMem and MEMTIS.
// Parameters: period: misses per sample; interval_us between two rounds; cool:
// samples between two coolings, per thousand pages; balanced: relative
// difference of latencies at which nothing moves (0.05 there).
//===----------------------------------------------------------------------===//
#include "SampledPages.h"
#include "SamplingPolicy.h"
#include "simulator/policies/Policies.h"
#include <algorithm>
#include <cmath>

namespace evenkeel {
namespace {

class Colloid : public SamplingPolicy {
  static constexpr double Smoothing = 0.3; // weight of a new measurement
  static constexpr double Close = 0.01;    // shares
  const double CoolPerPage, Balanced;
  SampledPages Seen;
  double Latency[2] = {}, Bytes[2] = {}; // smoothed
  double Low = 0, High = 1;              // shares of accesses in fast memory

  static void smooth(double &Mean, double New) {
    Mean += (Mean > 0 ? Smoothing : 1) * (New - Mean);
  }

  /// The share of accesses that should move into fast memory; negative: out.
  double shareToMove(System &S) {
    for (unsigned Tier : {0u, 1u}) {
      smooth(Latency[Tier], S.loadedNs(Tier));
      smooth(Bytes[Tier], S.bytesRead(Tier));
    }
    const double All = Bytes[0] + Bytes[1];
    if (All <= 0 || std::fabs(Latency[0] - Latency[1]) <= Balanced * Latency[0])
      return 0;
    const double Now = Bytes[0] / All;
    const bool IsFaster = Latency[0] < Latency[1];
    if (IsFaster)
      Low = std::max(0.0, Now);
    else
      High = std::min(1.0, Now);
    if (High - Low < Close)
      (IsFaster ? High : Low) = IsFaster ? 1 : 0;
    return (Low + High) / 2 - Now;
  }

  /// Pages of a tier with samples, hottest first.
  std::vector<uint64_t> hottest(const PageSet &Of) const {
    std::vector<uint64_t> Out;
    for (const SampledPages::Page &P : Seen.pages())
      if (Of.contains(P.Number) && Seen.count(P.Number))
        Out.push_back(P.Number);
    std::sort(Out.begin(), Out.end(), [&](uint64_t A, uint64_t B) {
      const uint32_t X = Seen.count(A), Y = Seen.count(B);
      return X != Y ? X > Y : A < B;
    });
    return Out;
  }

  void migrate(System &S) {
    const double Share = shareToMove(S);
    if (S.Map.hasMoves() || Share == 0)
      return;
    double All = 0;
    for (const SampledPages::Page &P : Seen.pages())
      if (S.Map.holds(P.Number))
        All += Seen.count(P.Number);
    const bool Rises = Share > 0;
    double Left = std::fabs(Share) * All; // samples of pages that may move
    int64_t Free = freeFast(S);
    std::vector<uint64_t> Cold;
    if (Rises)
      Cold = coldest(S, S.Map.capacity(0), 1e18,
                     [&](uint64_t P) { return double(Seen.count(P)); });
    size_t Next = 0;
    for (uint64_t P : hottest(Rises ? S.Map.slowPages() : S.Map.fastPages())) {
      const uint32_t Its = Seen.count(P);
      if (Its > Left)
        continue;
      if (Rises) {
        const auto Needs = int64_t(S.bytes(P));
        for (;
             Free < Needs && Next < Cold.size() && Seen.count(Cold[Next]) < Its;
             ++Next) {
          S.requestMove(Cold[Next], 1);
          Free += int64_t(S.bytes(Cold[Next]));
          Left += Seen.count(Cold[Next]);
        }
        if (Free < Needs)
          break;
        Free -= Needs;
      }
      S.requestMove(P, Rises ? 0 : 1);
      Left -= Its;
    }
  }

public:
  Colloid(double Period, double IntervalUs, double CoolPerPage, double Balanced)
      : SamplingPolicy(Period, IntervalUs, /*Loads=*/true),
        CoolPerPage(CoolPerPage), Balanced(Balanced) {}
  std::string name() const override { return "colloid"; }
  void onTick(System &S) override {
    Seen.add(S);
    migrate(S);
    Seen.coolAfter(S, CoolPerPage);
  }
};

} // namespace

const std::vector<Tunable> &colloidTunables() {
  static const std::vector<Tunable> T = {
      {"period", 199, {67, 199, 997}, "misses per sample"},
      {"interval_us", 1000, {200, 1000, 5000}, "between two rounds"},
      {"cool",
       4000,
       {1000, 4000, 100000},
       "samples per 1000 pages between two coolings"},
      {"balanced",
       0.05,
       {0.02, 0.05, 0.2},
       "difference of latencies at which nothing moves"}};
  return T;
}

std::unique_ptr<Policy> makeColloid(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, colloidTunables(), Name);
  };
  return std::make_unique<Colloid>(Get("period"), Get("interval_us"),
                                   Get("cool") / 1000, Get("balanced"));
}

} // namespace evenkeel
