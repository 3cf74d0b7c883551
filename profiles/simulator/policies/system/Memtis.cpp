//===- Memtis.cpp - a histogram of sampled accesses picks the hot set -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Lee et al., "MEMTIS", SOSP 2023 (repository cosmoss-jigu/memtis).
// Processor events sample memory accesses, and each page counts its samples. A
// histogram with 16 exponential bins over all pages gives the hot threshold:
// the lowest bin for which the pages in it and above fit in fast memory. Pages
// one bin below are warm and are not demoted while others are colder. After a
// number of samples, all counts are halved (cooling). A migration thread
// promotes hot pages and demotes cold ones in the background. Splitting of huge
// pages is not modelled: a record has 4 KiB pages, the result of splitting.
// Parameters: period: misses per sample (paper: 199 and more, adapted so that
// sampling costs below 3 % of a core), migrate_us between two rounds (paper:
// 500 ms, scaled), cool: samples between two coolings, per thousand pages.
//===----------------------------------------------------------------------===//
#include "SampledPages.h"
#include "SamplingPolicy.h"
#include "simulator/policies/Policies.h"
#include <algorithm>

namespace evenkeel {
namespace {

class Memtis : public SamplingPolicy {
  static constexpr unsigned Bins = 16;
  const double CoolPerPage;
  SampledPages Seen;

  static unsigned bin(uint32_t N) {
    unsigned B = 0;
    while (N >>= 1)
      ++B;
    return std::min(B, Bins - 1);
  }

  void migrate(System &S) {
    if (S.Map.hasMoves())
      return;
    // Bytes per bin, without pages that were never sampled.
    uint64_t Size[Bins] = {};
    for (const SampledPages::Page &P : Seen.pages())
      if (S.Map.holds(P.Number))
        Size[bin(Seen.count(P.Number))] += P.Bytes;
    unsigned Hot = Bins;
    for (uint64_t Sum = 0; Hot > 0; --Hot) {
      Sum += Size[Hot - 1];
      if (Sum > S.Map.capacity(0))
        break;
    }
    std::vector<std::pair<int64_t, uint64_t>> Rising;
    for (auto [P, Bytes] : Seen.pages())
      if (S.Map.slowPages().contains(P) && bin(Seen.count(P)) >= Hot)
        Rising.push_back({-int64_t(Seen.count(P)), P});
    std::sort(Rising.begin(), Rising.end());
    // Cold pages first, then warm ones: both lie below the hot bins.
    std::vector<uint64_t> Falling;
    if (!Rising.empty())
      Falling = coldest(S, S.Map.capacity(0), 1e18, [&](uint64_t P) {
        const uint32_t N = Seen.count(P);
        return N && bin(N) >= Hot ? 1e18 : double(N);
      });
    int64_t Free = freeFast(S);
    size_t Next = 0;
    for (auto [Ignored, Page] : Rising) {
      int64_t Bytes = int64_t(S.bytes(Page));
      for (; Free < Bytes && Next < Falling.size(); ++Next) {
        S.requestMove(Falling[Next], 1);
        Free += int64_t(S.bytes(Falling[Next]));
      }
      if (Free < Bytes)
        break;
      S.requestMove(Page, 0);
      Free -= Bytes;
    }
  }

public:
  Memtis(double Period, double MigrateUs, double CoolPerPage)
      : SamplingPolicy(Period, MigrateUs), CoolPerPage(CoolPerPage) {}
  std::string name() const override { return "memtis"; }
  void onTick(System &S) override {
    Seen.add(S);
    migrate(S);
    Seen.coolAfter(S, CoolPerPage);
  }
};

} // namespace

const std::vector<Tunable> &memtisTunables() {
  static const std::vector<Tunable> T = {
      {"period", 199, {67, 199, 997}, "misses per sample"},
      {"migrate_us", 1000, {200, 1000, 5000}, "between two rounds"},
      {"cool",
       4000,
       {1000, 4000, 100000},
       "samples per 1000 pages between two coolings"}};
  return T;
}

std::unique_ptr<Policy> makeMemtis(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, memtisTunables(), Name);
  };
  return std::make_unique<Memtis>(Get("period"), Get("migrate_us"),
                                  Get("cool") / 1000);
}

} // namespace evenkeel
