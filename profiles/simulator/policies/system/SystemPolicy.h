//===- SystemPolicy.h - what tiering by page has in common ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the parts that kernels' and daemons' policies share: pages come from
// the fast tier until it holds all but its reserve, a budget limits bytes moved
// per time, the coldest fast pages make room. Promotion goes to tier 0,
// demotion to the tier below.
// Not here: who is hot, which is what such policies differ in.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SYSTEMPOLICY_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SYSTEMPOLICY_H

#include "simulator/System.h"
#include <functional>

namespace evenkeel {

class SystemPolicy : public Policy {
public:
  /// With \p Reserve, a share of tier 0 that allocations leave free;
  /// \p StartsFast: allocations go to tier 0 while there is room.
  explicit SystemPolicy(double Reserve = 0, bool StartsFast = true)
      : Reserve(Reserve), StartsFast(StartsFast) {}

  void onAlloc(PageMap &Map, uint32_t Instance) override;
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override;

protected:
  /// Instances that live, in address order.
  const std::vector<uint32_t> &livePages(const PageMap &Map);
  /// Another number whenever an instance came or went.
  uint64_t changes(const PageMap &Map) const {
    return Allocated + Map.releases();
  }
  std::pair<uint64_t, uint64_t> range(uint32_t Instance) const {
    return Range[Instance];
  }

  /// Free bytes of tier 0 that are not spoken for by moves asked for.
  static int64_t freeFast(System &S);

  /// Bytes that may move now at \p BytesPerNs; what is unused for longer than
  /// a burst is lost.
  class Budget {
    double Rate, Burst, Left = 0, Last = 0;

  public:
    Budget(double BytesPerNs, double BurstNs)
        : Rate(BytesPerNs), Burst(BytesPerNs * BurstNs) {}
    void refill(double NowNs) {
      Left = std::min(Burst, Left + Rate * (NowNs - Last));
      Last = NowNs;
    }
    bool take(uint64_t Bytes) {
      if (Left < double(Bytes))
        return false;
      Left -= double(Bytes);
      return true;
    }
  };

  /// The fast pages of least \p Heat, coldest first, until \p Bytes have come
  /// together; those of Heat >= \p Limit stay.
  std::vector<uint64_t> coldest(System &S, uint64_t Bytes, double Limit,
                                const std::function<double(uint64_t)> &Heat);

  const double Reserve;
  const bool StartsFast;

private:
  std::vector<uint32_t> Live;
  uint64_t Allocated = 0, Forgotten = 0; // releases that Live knows of
  std::vector<std::pair<uint64_t, uint64_t>> Range; // by instance
};

constexpr double MBps = 1e-3; // bytes per ns
constexpr double Us = 1e3;    // ns

} // namespace evenkeel

#endif
