//===- PhaseUnder.h - a phase under a changed placement ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the time of a phase is computed from sums over its units that are
// linear in their shares. If the shares of a few units change, it suffices to
// change the contributions of these units.
// Makes: the seconds of a phase with some objects moved to slow memory, at a
// cost proportional to the uses of these objects rather than to the phase.
// Not here: models that are not affine in the shares, and objects that make up
// much of the phase: there, the sums are computed anew.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_PHASEUNDER_H
#define EVENKEEL_PROFILES_MODELS_PHASEUNDER_H

#include "Phase.h"
#include <memory>

namespace evenkeel {

/// Refers to its arguments. \p Fast may change temporarily, but must have its
/// original values during calls.
class PhaseUnder {
public:
  PhaseUnder(const PredictedPhase &P, std::vector<double> &Fast,
             const Machine &M, const Model &Mod);
  PhaseUnder(PhaseUnder &&) noexcept;
  ~PhaseUnder();

  const PhaseState &state() const { return Now; }

  /// The state with \p Units (without duplicates) in slow memory.
  PhaseState without(const std::vector<uint32_t> &Units) const;

  /// The number of demands visited so far, for tests of the cost.
  size_t visited() const { return Visited; }

private:
  struct Sums;
  PhaseState anew(const std::vector<uint32_t> &Units) const;
  const PredictedPhase &P;
  std::vector<double> &Fast;
  const Machine &M;
  const Model &Mod;
  const size_t Demands; // of all tasks
  const PhaseState Now;
  mutable std::unique_ptr<Sums> Known; // made on first use
  mutable size_t Visited = 0;
};

} // namespace evenkeel

#endif
