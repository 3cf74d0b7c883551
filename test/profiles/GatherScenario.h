//===- GatherScenario.h - tasks that gather, and samples ---------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: three phases of two tasks that gather, and samples of their stalls.
// Objects have 2 MiB, so 32 units of 8 chunks: as fine as the finest histogram.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_GATHERSCENARIO_H
#define EVENKEEL_TEST_PROFILES_GATHERSCENARIO_H

#include "Scenario.h"
#include "predict/measured/Samples.h"

namespace evenkeel {

inline constexpr uint64_t MiB = 1 << 20;
inline constexpr char Method[] = "gathers: as sampled in phases before";

/// 100 lines of each of 256 chunks, every other exposed.
inline constexpr double Lines = 25600, Exposed = 12800;

/// What both tasks together were predicted to wait.
inline constexpr double Team = 2 * Exposed;

/// Three phases of two tasks; either task of a phase gathers what it reads of
/// the 2 MiB objects: `Lines` in all chunks alike, unless a test says
/// otherwise. Task T of phase H is row 2 H + T.
struct Gathers : Scenario {
  explicit Gathers(unsigned Objects = 1) : Scenario(2) {
    for (uint32_t H : {1u, 2u}) {
      B.Phases.push_back({0x40 + H, 1, 2});
      for (uint32_t T : {0u, 1u})
        B.Tasks.push_back({Region, H, T, T, 0, 1000, 1000, 0});
    }
    for (uint32_t I = 0; I < Objects; ++I)
      addObject(1 + I, 2 * MiB);
  }

  /// \p PerChunk lines of chunks [From, To) by both tasks of \p Phase.
  void gather(uint32_t Phase, uint32_t Inst, uint64_t PerChunk = 100,
              unsigned From = 0, unsigned To = EK_CHUNKS) {
    for (uint32_t T : {0u, 1u})
      addMisses(2 * Phase + T, Inst, PerChunk * (To - From), 0.5, To - From,
                From, To);
  }

  MeasuredPhase &seen(uint32_t Phase) {
    for (MeasuredPhase &H : R.Measured)
      if (H.Phase == Phase)
        return H;
    R.Measured.push_back({Phase, {}, nullptr, {}, 1});
    return R.Measured.back();
  }

  /// \p N samples of task \p T, spread evenly over chunks [From, To).
  void sample(uint32_t Phase, uint32_t T, uint64_t Site, double N,
              unsigned From = 0, unsigned To = EK_CHUNKS) {
    for (unsigned C = From; C < To; ++C)
      seen(Phase).Stalls.push_back({T, {Site, 0, 0, 0, 0}, C, N / (To - From)});
  }

  /// All samples of \p Phase so far make \p Latencies.
  void worth(uint32_t Phase, double Latencies) {
    double N = 0;
    for (const SampledStalls &L : seen(Phase).Stalls)
      N += L.Samples;
    seen(Phase).LatenciesPerSample = Latencies / N;
  }

  Problem refined() const {
    Problem P = predict();
    refineBySamples(P, R);
    return P;
  }

  /// Demand of a task on one instance, in chunks [From, To).
  static UnitDemand on(const Problem &P, uint32_t Phase, uint32_t T,
                       uint32_t Instance, unsigned From = 0,
                       unsigned To = EK_CHUNKS) {
    UnitDemand Sum;
    for (const UnitDemand &U : P.Phases[Phase].Tasks[T].Demand.Units) {
      const Unit &X = P.Units[U.Unit];
      if (X.Instance != Instance || X.From < From || X.To > To)
        continue;
      Sum.ReadLines += U.ReadLines;
      Sum.WriteLines += U.WriteLines;
      Sum.Exposed += U.Exposed;
    }
    return Sum;
  }
  /// Part of the task's latencies on the instance that lies in those chunks.
  static double part(const Problem &P, uint32_t Phase, uint32_t T,
                     uint32_t Instance, unsigned From, unsigned To) {
    return on(P, Phase, T, Instance, From, To).Exposed /
           on(P, Phase, T, Instance).Exposed;
  }
};

} // namespace evenkeel

#endif
