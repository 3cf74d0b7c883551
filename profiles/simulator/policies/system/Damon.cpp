//===- Damon.cpp - regions of similar access rate, with schemes -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: DAMON and DAMOS (Linux; Park et al., Middleware 2019 Industry) with
// damo's tiering recipe. The address space is split into regions; in each
// sampling interval, the accessed bit of one random page per region is read;
// after 20 samples (one aggregation), neighbours of similar rate are merged,
// and regions are split at random places while there are few. Then the schemes
// run: migrate_hot promotes slow regions with an access rate of 5 % or more,
// hottest first; migrate_cold demotes fast regions without observed accesses to
// make room (goal: 0.5 % of fast memory free); both share one quota.
// Parameters: sample_us (kernel: 5 ms), mbps: quota (damo's recipe: 200), hot:
// least rate of a hot region; 10 to 1000 regions as in the kernel. Times are
// scaled to runs of milliseconds.
//===----------------------------------------------------------------------===//
#include "SystemPolicy.h"
#include "simulator/policies/Policies.h"
#include <algorithm>

namespace evenkeel {
namespace {

class Damon : public SystemPolicy {
  static constexpr unsigned Samples = 20; // per aggregation
  static constexpr size_t MinRegions = 10, MaxRegions = 1000;
  static constexpr double GoalFree = 0.005;
  struct Region {
    uint64_t From, To; // pages
    uint64_t Sampled = 0;
    unsigned Accesses = 0, Age = 0, LastAccesses = 0;
    uint64_t size() const { return To - From; }
  };
  const double SampleNs, Hot;
  Budget Quota;
  std::vector<Region> Regions;
  uint64_t Covered = 0; // changes() when the regions were made
  unsigned Sample = 0;

  /// Makes the regions cover all live instances; keeps the regions of old ones.
  void cover(System &S) {
    if (Covered == changes(S.Map))
      return;
    Covered = changes(S.Map);
    const std::vector<uint32_t> &Live = livePages(S.Map);
    std::vector<Region> Old = std::move(Regions);
    Regions.clear();
    auto At = Old.begin();
    uint64_t All = 0;
    for (uint32_t I : Live)
      All += range(I).second - range(I).first;
    for (uint32_t I : Live) {
      auto [From, To] = range(I);
      while (At != Old.end() && At->To <= From)
        ++At;
      size_t Before = Regions.size();
      for (; At != Old.end() && At->From >= From && At->To <= To; ++At)
        Regions.push_back(*At);
      if (Regions.size() != Before)
        continue;
      uint64_t Parts = std::max<uint64_t>(1, MinRegions * (To - From) /
                                                 std::max<uint64_t>(All, 1));
      for (uint64_t K = 0; K < Parts; ++K) {
        Region R{From + K * (To - From) / Parts,
                 From + (K + 1) * (To - From) / Parts};
        if (R.size())
          Regions.push_back(R);
      }
    }
  }

  void merge() {
    unsigned Most = 0;
    uint64_t Pages = 0;
    for (const Region &R : Regions) {
      Most = std::max(Most, R.Accesses);
      Pages += R.size();
    }
    const unsigned Threshold = std::max(1u, Most / 10);
    const uint64_t Largest = std::max<uint64_t>(1, Pages / MinRegions);
    std::vector<Region> Out;
    for (Region &R : Regions) {
      R.Age = R.Accesses > R.LastAccesses + Threshold ||
                      R.LastAccesses > R.Accesses + Threshold
                  ? 0
                  : R.Age + 1;
      Region *Last = Out.empty() ? nullptr : &Out.back();
      if (Last && Last->To == R.From && Last->size() + R.size() <= Largest &&
          std::max(Last->Accesses, R.Accesses) -
                  std::min(Last->Accesses, R.Accesses) <=
              Threshold) {
        uint64_t Both = Last->size() + R.size();
        Last->Accesses = unsigned(
            (Last->Accesses * Last->size() + R.Accesses * R.size()) / Both);
        Last->Age =
            unsigned((Last->Age * Last->size() + R.Age * R.size()) / Both);
        Last->To = R.To;
      } else {
        Out.push_back(R);
      }
    }
    Regions = std::move(Out);
  }

  void split(System &S) {
    if (Regions.size() > MaxRegions / 2)
      return;
    std::vector<Region> Out;
    for (Region &R : Regions) {
      R.LastAccesses = R.Accesses;
      if (R.size() < 2) {
        Out.push_back(R);
        continue;
      }
      // 10 to 90 % of it, but at least a page.
      uint64_t Cut = std::clamp<uint64_t>(R.size() * (1 + S.random() % 9) / 10,
                                          1, R.size() - 1);
      Region Right = R;
      R.To = Right.From = R.From + Cut;
      Out.push_back(R);
      Out.push_back(Right);
    }
    Regions = std::move(Out);
  }

  void schemes(System &S) {
    Quota.refill(S.nowNs());
    if (S.Map.hasMoves()) // the last moves are not finished
      return;
    std::vector<const Region *> Hottest, Coldest;
    for (const Region &R : Regions) {
      if (double(R.Accesses) >= Hot * Samples && R.Accesses)
        Hottest.push_back(&R);
      else if (!R.Accesses)
        Coldest.push_back(&R);
    }
    std::sort(Hottest.begin(), Hottest.end(), [](auto *A, auto *B) {
      return A->Accesses != B->Accesses ? A->Accesses > B->Accesses
                                        : A->From < B->From;
    });
    std::sort(Coldest.begin(), Coldest.end(), [](auto *A, auto *B) {
      return A->Age != B->Age ? A->Age > B->Age : A->From < B->From;
    });
    int64_t Free = freeFast(S);
    int64_t Goal = int64_t(GoalFree * double(S.Map.capacity(0)));
    int64_t Wanted = Goal;
    const PageSet &Placed = S.Map.placedPages();
    for (const Region *R : Hottest)
      for (uint64_t P = Placed.next(R->From); P < R->To; P = Placed.next(P + 1))
        if (S.tierOf(P) != 0)
          Wanted += int64_t(S.bytes(P));
    // First make room, for as much as is hot.
    for (const Region *R : Coldest)
      for (uint64_t P = Placed.next(R->From); P < R->To && Free < Wanted;
           P = Placed.next(P + 1))
        if (S.tierOf(P) == 0 && Quota.take(S.bytes(P))) {
          S.requestMove(P, 1);
          Free += int64_t(S.bytes(P));
        }
    for (const Region *R : Hottest)
      for (uint64_t P = Placed.next(R->From); P < R->To; P = Placed.next(P + 1))
        if (S.tierOf(P) != 0) {
          int64_t Bytes = int64_t(S.bytes(P));
          if (Free - Bytes < 0 || !Quota.take(uint64_t(Bytes)))
            return;
          S.requestMove(P, 0);
          Free -= Bytes;
        }
  }

public:
  Damon(double SampleNs, double BytesPerNs, double Hot)
      : SampleNs(SampleNs), Hot(Hot),
        Quota(BytesPerNs, 2 * Samples * SampleNs) {}
  std::string name() const override { return "damon"; }
  Watch watch() const override {
    Watch W;
    W.TickNs = SampleNs;
    W.Uses = true;
    return W;
  }
  void onTick(System &S) override {
    for (Region &R : Regions)
      R.Accesses += S.usedSinceLastTick(R.Sampled);
    if (++Sample >= Samples) {
      Sample = 0;
      merge();
      schemes(S);
      split(S);
      for (Region &R : Regions)
        R.Accesses = 0;
    }
    cover(S);
    for (Region &R : Regions)
      R.Sampled = R.From + S.random() % R.size();
  }
};

} // namespace

const std::vector<Tunable> &damonTunables() {
  static const std::vector<Tunable> T = {
      {"sample_us", 50, {20, 50, 200}, "between two samples"},
      {"mbps", 200, {200, 2000, 65536}, "quota of the schemes, MB/s"},
      {"hot", 0.05, {0.05, 0.25, 0.5}, "least access rate of a hot region"}};
  return T;
}

std::unique_ptr<Policy> makeDamon(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, damonTunables(), Name);
  };
  return std::make_unique<Damon>(std::max(1.0, Get("sample_us")) * Us,
                                 Get("mbps") * MBps, Get("hot"));
}

} // namespace evenkeel
