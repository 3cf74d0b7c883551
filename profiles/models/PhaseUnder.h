//===- PhaseUnder.h - a phase under almost the same placement ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a phase takes is found from sums over its units that are linear
// in their shares. For other shares of a few units it is enough to change the
// sums by what these units add to them.
// Makes: seconds of a phase with some objects in slow memory, at a cost in
// proportion to what tasks use of those objects, not to the phase.
// Not here: models that are not affine in the shares, and objects that make
// up a good part of the phase: for both it is built anew.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_MODELS_PHASEUNDER_H
#define EVENKEEL_PROFILES_MODELS_PHASEUNDER_H

#include "Phase.h"
#include <memory>

namespace evenkeel {

/// Refers to all that it is made from. \p Fast is as it was whenever nobody
/// asks for anything.
class PhaseUnder {
public:
  PhaseUnder(const PredictedPhase &P, std::vector<double> &Fast,
             const Machine &M, const Model &Mod);
  PhaseUnder(PhaseUnder &&) noexcept;
  ~PhaseUnder();

  const PhaseState &state() const { return Now; }

  /// With \p Units, each named once, in slow memory.
  PhaseState without(const std::vector<uint32_t> &Units) const;

  /// Demands of units that were gone through so far, for tests of the cost.
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
  mutable std::unique_ptr<Sums> Known; // made when first needed
  mutable size_t Visited = 0;
};

} // namespace evenkeel

#endif
