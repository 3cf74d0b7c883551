//===- own_times_test.cpp - corrections from threads' own times -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predict/measured/OwnTimes.cpp alone, with expected values computed by
// hand: on the round machine a line costs 300 ns in the slow tier and 100 ns in
// the fast one.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "predict/measured/OwnTimes.h"
#include "predict/measured/TaskTypes.h"
#include <cmath>

using namespace evenkeel;

namespace {

constexpr uint64_t MiB = 1 << 20;
constexpr double Core = 100e-6;

/// Three phases of two tasks with 100 us of core time. In each, either task
/// gathers 2560 lines of object 0, which has 1024: 768 us in the slow tier.
/// Object 1 is read once: 2560 lines, overlapped 32-fold, 24 us.
struct Gathers : Scenario {
  std::unique_ptr<Model> Mod;

  Gathers() : Scenario(2, 100000) {
    for (uint32_t H : {1u, 2u}) {
      B.Phases.push_back({0x40 + H, 1, 2});
      for (uint32_t T : {0u, 1u})
        B.Tasks.push_back({Region, H, T, T, 0, 100000, 100000, 0});
    }
    addObject(1, 65536);
    addObject(2, MiB);
    for (uint32_t T = 0; T < 6; ++T) {
      addMisses(T, 0, 2560, 1);
      addMisses(T, 1, 2560, 1. / 32);
    }
    auto M = makeModel("overlap");
    EXPECT_TRUE(static_cast<bool>(M));
    Mod = std::move(*M);
  }

  /// Demand of a task on one instance.
  static UnitDemand on(const Problem &P, uint32_t Phase, uint32_t T,
                       uint32_t Instance) {
    UnitDemand Sum;
    for (const UnitDemand &U : P.Phases[Phase].Tasks[T].Demand.Units)
      if (P.Units[U.Unit].Instance == Instance) {
        Sum.ReadLines += U.ReadLines;
        Sum.WriteLines += U.WriteLines;
        Sum.Exposed += U.Exposed;
      }
    return Sum;
  }
  static double factor(const Problem &P, uint32_t Phase, uint32_t T) {
    return on(P, Phase, T, 0).ReadLines / 2560;
  }
};

/// Phases of a kind: 892 us were expected of either task in the slow
/// tier, 636 if half of object 0 was fast. Their excess over that is applied to
/// the next such phase, whatever its cause; lines do not change.
TEST(OwnTimes, PhasesOfAKind) {
  for (double Half : {0.0, 0.5}) {
    Gathers S;
    S.B.Phases[2].sync = 0x40;
    const double Said = Core + 24e-6 + 768e-6 - Half * 512e-6;
    S.R.Measured.push_back({0, {{0, 1.5 * Said}, {1, 0.8 * Said}}, nullptr});
    S.R.Measured[0].Placed = {{0, 0, EK_CHUNKS, Half}, {1, 0, EK_CHUNKS, 0}};
    auto Refined = [&] {
      Problem P = S.predict();
      refineByOwnTimes(P, S.R, *S.Mod);
      return P;
    };
    Problem P = Refined();
    for (uint32_t T : {0u, 1u}) {
      const double F = T ? 0.8 : 1.5;
      EXPECT_NEAR(S.on(P, 2, T, 0).Exposed, F * 2560, 1e-6) << Half;
      EXPECT_NEAR(S.on(P, 2, T, 1).Exposed, F * 80, 1e-6);
      EXPECT_NEAR(P.Phases[2].Tasks[T].Demand.CoreSeconds, F * Core, 1e-12);
      EXPECT_TRUE(P.Phases[2].Tasks[T].ByOwnTimes);
      EXPECT_NEAR(S.factor(P, 2, T), 1, 1e-9);
      for (uint32_t H : {0u, 1u}) {
        EXPECT_NEAR(S.on(P, H, T, 0).Exposed, 2560, 1e-6) << H;
        EXPECT_FALSE(P.Phases[H].Tasks[T].ByOwnTimes) << H;
      }
    }
    const char *Way = "time: as the thread's own in phases of the kind before";
    EXPECT_EQ(P.Methods[Way], 2u);
    // Task types would apply the correction twice.
    S.R.Measured[0].Expected[{false, 0}] = {Scenario::Region, Core, 5120, Said};
    refineByTaskTypes(P, S.R, 1);
    EXPECT_EQ(P.Phases[2].Tasks[0].TypeFactor, 1);
    Problem Without = S.predict();
    refineByTaskTypes(Without, S.R, 1);
    EXPECT_NE(Without.Phases[2].Tasks[0].TypeFactor, 1);
    // Other work, or unknown placement: no correction.
    S.B.Tasks[4].core_cycles *= 2;
    EXPECT_EQ(Refined().Methods[Way], 1u);
    std::swap(S.B.Tasks[4].core_cycles, S.B.Tasks[5].core_cycles);
    EXPECT_EQ(Refined().Methods[Way], 1u);
    S.R.Measured[0].Placed.clear();
    EXPECT_EQ(Refined().Methods[Way], 0u);
  }
}

} // namespace
