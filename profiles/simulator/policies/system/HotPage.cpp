//===- HotPage.cpp - a daemon that counts and moves hot pages -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Intel's MemoryOptimizer ("hot page accounting and migration daemon",
// its repository and README), the software baseline of Merchandiser (PPoPP
// 2023). Walks over the page table read and clear accessed bits. After some
// walks, the slow pages that were accessed most often move to fast memory, and
// the fast pages that were accessed least often make room, within a bandwidth
// limit. Each round examines only a random sample of the pages ("random page
// sampling", Merchandiser, abstract). It knows neither tasks nor objects.
// Parameters: interval_us between walks, 4 walks a round, sampled share of the
// pages, start_fast: pages come from fast memory first, or all from slow memory
// as in Merchandiser's comparison; mbps: 0 = unlimited. The daemon's defaults
// are seconds; replayed runs last milliseconds to seconds, so the grid has
// intervals in which it can act several times.
//===----------------------------------------------------------------------===//
#include "SystemPolicy.h"
#include "simulator/policies/Policies.h"
#include <algorithm>
#include <limits>

namespace evenkeel {
namespace {

class HotPage : public SystemPolicy {
  static constexpr unsigned Walks = 4;
  const double IntervalNs, Sampled;
  Budget Limit;
  unsigned Walk = 0;
  std::vector<uint8_t>
      Count; // walks of this round in which the page was accessed
  std::vector<uint64_t> Counted; // pages with a count above 0
  RandomNumbers Choice;          // which pages this round examines

  bool chosen(uint64_t Page) const { // examined in this round
    return Sampled >= 1 || double(Choice[Page] >> 11) * 0x1p-53 < Sampled;
  }
  void choose(System &S) {
    if (Sampled < 1)
      Choice = S.takeRandom(S.totalPages());
    for (uint64_t P : Counted)
      Count[P] = 0;
    Counted.clear();
  }

  void migrate(System &S) {
    std::vector<std::pair<int, uint64_t>> Hot;
    for (uint64_t P : Counted)
      if (S.Map.slowPages().contains(P))
        Hot.push_back({-int(Count[P]), P});
    if (Hot.empty())
      return;
    std::sort(Hot.begin(), Hot.end());
    // Only examined pages can be called cold.
    std::vector<uint64_t> Cold =
        coldest(S, S.Map.capacity(0), Walks, [&](uint64_t P) {
          return chosen(P) ? Count[P] : std::numeric_limits<double>::infinity();
        });
    int64_t Free = freeFast(S);
    size_t Next = 0;
    for (auto [Times, Page] : Hot) {
      int64_t Bytes = int64_t(S.bytes(Page));
      while (Free < Bytes && Next < Cold.size() && Count[Cold[Next]] < -Times &&
             Limit.take(S.bytes(Cold[Next]))) {
        S.requestMove(Cold[Next], 1);
        Free += int64_t(S.bytes(Cold[Next++]));
      }
      if (Free < Bytes || !Limit.take(uint64_t(Bytes)))
        break;
      S.requestMove(Page, 0);
      Free -= Bytes;
    }
  }

public:
  HotPage(double IntervalNs, double Sampled, double BytesPerNs, bool StartFast)
      : SystemPolicy(0, StartFast), IntervalNs(IntervalNs), Sampled(Sampled),
        Limit(BytesPerNs, Walks * IntervalNs) {}
  std::string name() const override { return "hot-page"; }
  Watch watch() const override {
    Watch W;
    W.TickNs = IntervalNs;
    W.Uses = true;
    return W;
  }
  void onTick(System &S) override {
    Limit.refill(S.nowNs());
    if (Count.empty()) {
      Count.assign(S.totalPages(), 0);
      choose(S);
    }
    for (uint64_t P : S.used())
      if (S.Map.holds(P) && chosen(P) && !Count[P]++)
        Counted.push_back(P);
    if (++Walk < Walks)
      return;
    Walk = 0;
    // The daemon moves pages itself and decides again when it is done.
    if (!S.Map.hasMoves())
      migrate(S);
    choose(S);
  }
};

} // namespace

const std::vector<Tunable> &hotPageTunables() {
  static const std::vector<Tunable> T = {
      {"interval_us", 500, {100, 500, 2000}, "between two walks"},
      {"sampled", 0.25, {0.05, 0.25, 1}, "share of the pages looked at"},
      {"mbps", 0, {0, 200}, "most that it moves, MB/s; 0 = no limit"},
      {"start_fast", 0, {0, 1}, "1 = pages come from fast memory first"}};
  return T;
}

std::unique_ptr<Policy> makeHotPage(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, hotPageTunables(), Name);
  };
  double Rate = Get("mbps") > 0 ? Get("mbps") * MBps : 1e9;
  return std::make_unique<HotPage>(std::max(1.0, Get("interval_us")) * Us,
                                   Get("sampled"), Rate, Get("start_fast") > 0);
}

} // namespace evenkeel
