//===- Contention.h - tasks that share tiers at one moment ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how long each of several intervals takes while all of them run at the
// same time. An interval i has core time C_i, idle-latency stalls S_ik and
// bytes read and written R_ik, W_ik in tier k. Its duration is
//
//   D_i = C_i + sum_k ( f_k S_ik + p_k R_ik + q_k W_ik )
//
// with f_k the machine's loaded-latency factor at the tier's utilisation (the
// larger of the reads' and the writes', each against its own bandwidth), and
// p_k, q_k the queueing time per byte: zero below the bandwidth limit, else
// just large enough that sum_i R_ik / D_i equals the bandwidth. With these
// prices, the rates 1/D_i are proportionally fair (Kelly, Maulloo, Tan 1998,
// eq. 5-8): every task is slowed in proportion to the bytes it moves through
// the saturated tier.
// Not here: which tasks run at a time (PhaseRun); latencies of writes, because
// write-backs only use bandwidth and no task waits for them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_CONTENTION_H
#define EVENKEEL_PROFILES_SIMULATOR_CONTENTION_H

#include "format/Machine.h"
#include <array>
#include <vector>

namespace evenkeel {

constexpr unsigned MaxTiers = 8;

/// The demands of one interval, in nanoseconds and bytes.
struct Demand {
  double CoreNs = 0;
  std::array<double, MaxTiers> StallNs{}, ReadBytes{}, WriteBytes{};
};

class Contention {
public:
  /// \p M must have passed checkMachine.
  explicit Contention(const Machine &M);

  /// Sets \p Ns[i] to the duration of *Running[i] (> 0) while all of them run.
  /// Starts from the result of the last call, so small changes cost a few flops
  /// per task. Returns false if the iteration limit was reached before the
  /// fixed point; \p Ns is then the last iterate.
  bool solve(const std::vector<const Demand *> &Running,
             std::vector<double> &Ns);

  /// How long an interval of the last solve() waits for tier \p K in all.
  double waitNs(const Demand &D, unsigned K) const {
    const TierState &T = Tiers[K];
    return T.Factor * D.StallNs[K] + T.ReadPrice * D.ReadBytes[K] +
           T.WritePrice * D.WriteBytes[K];
  }

private:
  struct TierState {
    double ReadBw, WriteBw; // bytes per ns
    double Factor = 1, ReadPrice = 0, WritePrice = 0;
  };
  std::vector<TierState> Tiers;
  std::vector<std::pair<double, double>> Curve; // up to utilisation 1
  std::vector<double> Rest; // durations without one tier's terms

  double utilisation(const std::vector<const Demand *> &Running, unsigned K,
                     double Factor, double Slope, double *Derivative) const;
  double settleFactor(const std::vector<const Demand *> &Running,
                      unsigned K) const;
};

/// Checks that a machine can be replayed on: 2..MaxTiers tiers, positive
/// figures, a rising loaded-latency curve. The error names the figure.
MaybeError checkMachine(const Machine &M);

} // namespace evenkeel

#endif
