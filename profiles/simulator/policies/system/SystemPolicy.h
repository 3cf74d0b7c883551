//===- SystemPolicy.h - common parts of tiering by page ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the common parts of policies of kernels and daemons: pages come from
// the fast tier until only its reserve is left, a budget limits the bytes moved
// per time, and the coldest fast pages make room. Promotion goes to tier 0,
// demotion to the tier below.
// Not here: which pages are hot, in which these policies differ.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SYSTEMPOLICY_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SYSTEMPOLICY_H

#include "simulator/System.h"
#include <functional>

namespace evenkeel {

class SystemPolicy : public Policy {
public:
  /// \p Reserve: the share of tier 0 that allocations leave free. \p
  /// StartsFast: allocations go to tier 0 while there is room.
  explicit SystemPolicy(double Reserve = 0, bool StartsFast = true)
      : Reserve(Reserve), StartsFast(StartsFast) {}

  void onAlloc(PageMap &Map, uint32_t Instance) override;
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override;

protected:
  /// Live instances in address order.
  const std::vector<uint32_t> &livePages(const PageMap &Map);
  /// A number that changes whenever an instance is allocated or freed.
  uint64_t changes(const PageMap &Map) const {
    return Allocated + Map.releases();
  }
  std::pair<uint64_t, uint64_t> range(uint32_t Instance) const {
    return Range[Instance];
  }

  /// Free bytes of tier 0, minus those reserved for requested moves.
  static int64_t freeFast(System &S);

  /// Bytes that may move now, at \p BytesPerNs; unused budget is limited to a
  /// burst.
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

  /// Fast pages with the least \p Heat, coldest first, until they have \p Bytes
  /// in total; pages with Heat >= \p Limit are not used.
  std::vector<uint64_t> coldest(System &S, uint64_t Bytes, double Limit,
                                const std::function<double(uint64_t)> &Heat);

  const double Reserve;
  const bool StartsFast;

private:
  std::vector<uint32_t> Live;
  uint64_t Allocated = 0, Forgotten = 0; // releases that are reflected in Live
  std::vector<std::pair<uint64_t, uint64_t>> Range; // by instance
};

constexpr double MBps = 1e-3; // bytes per ns
constexpr double Us = 1e3;    // ns

} // namespace evenkeel

#endif
