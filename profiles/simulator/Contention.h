//===- Contention.h - tasks that share tiers, at one moment -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how long each of several intervals takes while all of them run at the
// same time. An interval i has core time C_i, idle-latency stalls S_ik and
// bytes read and written R_ik, W_ik in tier k. Its duration is
//
//   D_i = C_i + sum_k ( f_k S_ik + p_k R_ik + q_k W_ik )
//
// with f_k the machine's loaded-latency factor at the tier's utilisation (the
// larger of reads' and writes', each against its own bandwidth), and p_k, q_k
// the queueing time per byte: zero below the bandwidth limit, else just large
// enough that sum_i R_ik / D_i equals it. Those prices make the rates 1/D_i
// proportionally fair (Kelly, Maulloo, Tan 1998, eq. 5-8): every task is slowed
// in proportion to the bytes it moves through the full tier, and the total
// fits. Not here: who runs when (PhaseRun), latencies of writes: write-backs
// cost bandwidth only, nothing waits for them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_CONTENTION_H
#define EVENKEEL_PROFILES_SIMULATOR_CONTENTION_H

#include "format/Machine.h"
#include <array>
#include <vector>

namespace evenkeel {

constexpr unsigned MaxTiers = 8;

/// What one interval asks of the machine. Nanoseconds and bytes.
struct Demand {
  double CoreNs = 0;
  std::array<double, MaxTiers> StallNs{}, ReadBytes{}, WriteBytes{};
};

class Contention {
public:
  /// \p M must have passed checkMachine.
  explicit Contention(const Machine &M);

  /// Sets \p Ns[i] to the duration of *Running[i] (> 0) while all run. Starts
  /// from the state of the last call, which costs a few flops per task when
  /// little changed. Returns false when the fixed point was not reached within
  /// the iteration limit; the last iterate is then used.
  bool solve(const std::vector<const Demand *> &Running,
             std::vector<double> &Ns);

private:
  struct TierState {
    double ReadBw, WriteBw; // bytes per ns
    double Factor = 1, ReadPrice = 0, WritePrice = 0;
  };
  std::vector<TierState> Tiers;
  std::vector<std::pair<double, double>> Curve; // up to utilisation 1
  std::vector<double> Rest; // durations without the terms of one tier

  double utilisation(const std::vector<const Demand *> &Running, unsigned K,
                     double Factor, double Slope, double *Derivative) const;
  double settleFactor(const std::vector<const Demand *> &Running,
                      unsigned K) const;
};

/// What replay needs of a machine: 2..MaxTiers tiers, positive figures, a
/// loaded-latency curve that rises. Returns one line naming the figure.
MaybeError checkMachine(const Machine &M);

} // namespace evenkeel

#endif
