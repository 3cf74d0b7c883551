//===- System.h - what a policy sees and does while tasks run ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the means of an operating system and a processor that run-time
// policies have: accessed bits, traps (pages unmapped for a hint fault),
// sampled accesses, two counters of the core, the queue of page moves and the
// move that a faulting task carries out itself. What they cost the tasks is
// charged here: SampleNs for a sample, FaultNs for a fault, the machine's page
// cost for an own move. Pages are numbered over the whole record; instances
// follow one another as if addresses did. Not here: accesses that hit the
// caches. A record has none of them, so an accessed bit says "fetched or
// written back since", and no fault is taken for a line that is cached. Both
// favour the policies that watch: what they see is what placement can change.
// Work of daemons on cores of their own is free.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_SYSTEM_H
#define EVENKEEL_PROFILES_SIMULATOR_SYSTEM_H

#include "PageMap.h"
#include "Policy.h"

namespace evenkeel {

/// A hint fault: entry, page table, return; about 2000 cycles, and what comes
/// behind it is charged on its own.
constexpr double FaultNs = 1000;

struct SampledAccess {
  uint32_t Task = 0;
  uint64_t Page = 0; // of the whole record
};

/// Numbers by their places in one row (SplitMix64: Steele, Lea, Flood 2014).
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

/// What the phase under way does for a policy (PhaseRun.h).
class RunningPhase {
public:
  /// See System, whose functions of these names call them.
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
  /// Queues a move to be copied by the helper core, in order of asking.
  void requestMove(uint64_t Page, unsigned To);
  uint64_t bytes(uint64_t Page) const;

  /// \name Accessed bits, with Watch::Uses. A tick's uses carry its number.
  /// @{
  uint32_t tick() const { return Tick; } // 1 until the first tick has passed
  /// Number of the last tick that the page was used before; 0 = never.
  uint32_t lastUse(uint64_t Page) const { return LastUse[Page]; }
  bool usedSinceLastTick(uint64_t P) const { return LastUse[P] == Tick; }
  /// Those that were, each once.
  const std::vector<uint64_t> &used() const { return Used; }
  /// @}

  /// \name Traps, with Watch::Traps.
  /// @{
  void trap(uint64_t Page) { TrappedAt[Page] = Now; }
  bool isTrapped(uint64_t Page) const { return TrappedAt[Page] >= 0; }
  /// For onFault: the faulting task moves the page itself and pays for it.
  /// False when there is no room or the page is on its way already.
  bool moveNow(uint64_t Page, unsigned To);
  /// @}

  /// Accesses sampled since the last tick, in order of time.
  const std::vector<SampledAccess> &samples() const { return Samples; }
  /// The next access that any running task makes, as if all pages had just been
  /// trapped; its task pays a fault. False when none makes any.
  bool nextAccess(SampledAccess &Out);

  /// Counters since the last tick: nanoseconds in which cores waited for
  /// memory at idle latency, and reads that reached it.
  double stallNs() const { return Stalls; }
  double reads() const { return Reads; }

  /// Deterministic: the same numbers in every replay.
  uint64_t random() { return takeRandom(1)[0]; }
  /// The next \p N such numbers, to be looked at in any order.
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
  uint64_t Drawn = 0; // numbers
};

} // namespace evenkeel

#endif
