//===- System.h - what a policy sees and does at run time -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the mechanisms of operating system and processor that run-time
// policies use: accessed bits, traps (pages unmapped for a hint fault), sampled
// accesses, two counters of the core, the queue of page moves, and moves by a
// faulting task itself. Their costs are charged to tasks here: SampleNs for a
// sample, FaultNs for a fault, the machine's page cost for an own move. Pages
// are numbered globally; instances follow each other as in an address space.
// Not here: accesses that hit the caches. A record does not contain them, so an
// accessed bit means "fetched or written back since", and cached lines cause no
// faults. Both favour policies that watch, because they see only accesses that
// placement can affect. Daemons on their own cores cost nothing.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_SYSTEM_H
#define EVENKEEL_PROFILES_SIMULATOR_SYSTEM_H

#include "PageMap.h"
#include "Policy.h"

namespace evenkeel {

/// A hint fault: entry, page table, return; about 2000 cycles. Any further work
/// is charged separately.
constexpr double FaultNs = 1000;

struct SampledAccess {
  uint32_t Task = 0;
  uint64_t Page = 0; // global
};

/// Random numbers of a sequence, by index (SplitMix64: Steele, Lea, Flood
/// 2014).
class RandomNumbers {
  uint64_t First;

public:
  explicit RandomNumbers(uint64_t First = 0) : First(First) {}
  uint64_t operator[](uint64_t N) const {
    uint64_t Z = (First + N + 1) * 0x9e3779b97f4a7c15;
    Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ (Z >> 27)) * 0x94d049bb133111eb;
    return Z ^ (Z >> 31);
  }
};

/// What the current phase provides to a policy (PhaseRun.h).
class RunningPhase {
public:
  /// Called by the functions of the same names in System.
  virtual bool moveNow(uint64_t Page, unsigned To) = 0;
  virtual bool nextAccess(SampledAccess &Out) = 0;

protected:
  ~RunningPhase() = default;
};

class System {
public:
  PageMap &Map;

  System(const PreparedRecord &R, PageMap &Map, const Watch &W);

  /// Virtual time since the program's start.
  double nowNs() const { return Now; }

  uint64_t totalPages() const;
  std::pair<uint32_t, uint32_t> locate(uint64_t Page) const; // instance, page
  uint8_t tierOf(uint64_t Page) const { return Map.tierOf(Page); }
  /// Queues a move; the helper core copies in the order of requests.
  void requestMove(uint64_t Page, unsigned To);
  uint64_t bytes(uint64_t Page) const;

  ///
  /// ame Accessed bits, with Watch::Uses. Uses are marked with the current
  /// tick.
  /// @{
  uint32_t tick() const { return Tick; } // 1 before the first tick
  /// The number of the tick before which the page was last used; 0 = never.
  uint32_t lastUse(uint64_t Page) const { return LastUse[Page]; }
  bool usedSinceLastTick(uint64_t P) const { return LastUse[P] == Tick; }
  /// The pages used since the last tick, without duplicates.
  const std::vector<uint64_t> &used() const { return Used; }
  /// @}

  /// \name Traps, with Watch::Traps.
  /// @{
  void trap(uint64_t Page) { TrappedAt[Page] = Now; }
  bool isTrapped(uint64_t Page) const { return TrappedAt[Page] >= 0; }
  /// For onFault: the faulting task moves the page itself and pays for it.
  /// False if there is no room or the page is being moved already.
  bool moveNow(uint64_t Page, unsigned To);
  /// @}

  /// Accesses sampled since the last tick, ordered by time.
  const std::vector<SampledAccess> &samples() const { return Samples; }
  /// The next access by any running task, as if all pages had just been
  /// trapped; its task pays for a fault. False if there is none.
  bool nextAccess(SampledAccess &Out);

  /// Counters since the last tick: ns in which cores waited for memory at idle
  /// latency, and reads from memory.
  double stallNs() const { return Stalls; }
  double reads() const { return Reads; }

  /// Since the last tick, with Watch::Loads: bytes read from a tier, and its
  /// mean latency under load; the idle one if nobody waited for it.
  /// @{
  double bytesRead(unsigned Tier) const { return Loads[Tier].Bytes; }
  double loadedNs(unsigned Tier) const {
    const TierLoad &L = Loads[Tier];
    return L.IdleWaitNs > 0 ? L.IdleNs * L.WaitNs / L.IdleWaitNs : L.IdleNs;
  }
  /// @}

  /// Deterministic: the same sequence in every replay.
  uint64_t random() { return takeRandom(1)[0]; }
  /// The next \p N numbers, which can be read in any order.
  RandomNumbers takeRandom(uint64_t N) {
    RandomNumbers Taken(Drawn);
    Drawn += N;
    return Taken;
  }

private:
  friend class PhaseRunner;
  const PreparedRecord &R;
  RunningPhase *Phase = nullptr;
  double Now = 0;
  uint32_t Tick = 1;
  std::vector<uint32_t> LastUse;
  std::vector<uint64_t> Used;
  std::vector<double> TrappedAt; // < 0: not trapped
  std::vector<SampledAccess> Samples;
  double Stalls = 0, Reads = 0;
  struct TierLoad {
    double IdleNs = 0;                            // latency
    double Bytes = 0, WaitNs = 0, IdleWaitNs = 0; // since the last tick
  };
  std::vector<TierLoad> Loads;
  uint64_t Drawn = 0; // numbers
};

} // namespace evenkeel

#endif
