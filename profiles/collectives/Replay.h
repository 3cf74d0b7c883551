//===- Replay.h - ranks that meet in all-reduces, replayed ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how long ranks take for their work before a sum, as recorded or made
// up, with delays injected, and when they go on under one way of summing.
//   allreduce   all ranks wait for the slowest (MPI_Allreduce)
//   iallreduce  the sum of the last iteration is awaited (MPI_Iallreduce)
//   majority    a round starts when half of the ranks are ready
//   gossip      each rank averages with one other, and waits for nobody
//               (AD-PSGD)
//   relaxed     as ek_allreduce_relaxed: the first ready of a few candidates
//               starts; late ranks are summed in later rounds; a rank that
//               would miss more than the bound holds the next round
//   groups      the same; when ranks turn out to be of different speeds, each
//               group of like ones has rounds of its own (ek_groups.h), and
//               groups exchange their sums without waiting
// Time alone: what a sum with fewer contributions is worth is told by whoever
// listens to the rounds (RoundListener).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_COLLECTIVES_REPLAY_H
#define EVENKEEL_PROFILES_COLLECTIVES_REPLAY_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace evenkeel {

/// Seconds of work of a rank in an iteration.
using WorkOf = std::function<double(uint32_t Rank, uint64_t Iteration)>;

enum class SumWay : uint8_t {
  Allreduce,
  Iallreduce,
  Majority,
  Gossip,
  Relaxed,
  Groups
};
inline constexpr SumWay AllSumWays[] = {SumWay::Allreduce, SumWay::Iallreduce,
                                        SumWay::Majority,  SumWay::Gossip,
                                        SumWay::Relaxed,   SumWay::Groups};
const char *nameOf(SumWay Way);

struct ReplaySetting {
  uint32_t Ranks = 0;
  uint64_t Iterations = 0; // of an average rank: contributions / ranks
  double Cost = 0;         // seconds of one collective, once it has started
  uint32_t Probes = 2, Bound = 3; // of relaxed
};

/// One contribution to a round: what a rank computed in some iterations, all of
/// them since the sum that it had seen then.
struct RoundPart {
  uint32_t Rank = 0;
  std::vector<uint64_t> Iterations; // the oldest first
  std::vector<uint64_t> Seen;       // rounds that it had seen before each
};

struct SumRound {
  double Started = 0, Ended = 0;
  uint32_t Group = 0; // of ranks
  std::vector<RoundPart> Parts;
};

/// Called when rounds end, in their order. For gossip, a round is one exchange
/// of two ranks, the second without iterations of its own.
using RoundListener = std::function<bool(const SumRound &)>; // false: stop

struct ReplayResult {
  double Seconds = 0; // until all contributions were made
  uint64_t Rounds = 0;
  double Contributions = 0; // iterations in a round, also merged ones
  double Parts = 0;         // mean parts of a round
  double Response = 0;  // mean time from the end of a round to the next start
  double Wait = 0;      // mean time that a rank waits in an iteration
  double Staleness = 0; // mean rounds of its group that a contribution had
                        // not seen
  uint64_t WorstStaleness = 0;
  uint32_t Groups = 1; // of ranks, at the end
  double Merged = 0;   // share of contributions that went in with a newer one
};

ReplayResult replaySums(SumWay Way, const ReplaySetting &S, const WorkOf &Work,
                        const RoundListener &Listener = nullptr);

} // namespace evenkeel

#endif
