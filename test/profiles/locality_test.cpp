//===- locality_test.cpp - corrections from measured task times -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predict/measured/Locality.cpp alone, with expected values computed by
// hand: on the round machine a line costs 300 ns in the slow tier and 100 ns in
// the fast one.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "predict/measured/Locality.h"
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

  /// The gathers of tasks 0 and 1 took \p F0 and \p F1 times the predicted
  /// time, \p Stall seconds.
  void measure(uint32_t Phase, double F0, double F1, double Stall = 768e-6) {
    R.Measured.push_back(
        {Phase,
         {{0, Core + 24e-6 + F0 * Stall}, {1, Core + 24e-6 + F1 * Stall}},
         nullptr,
         {},
         0});
  }

  Problem refined() const {
    Problem P = predict();
    refineLocality(P, R, *Mod);
    return P;
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

constexpr char Method[] = "gathers: corrected by measured task times";

/// Twice and half the predicted time: the same factors apply to later phases,
/// only for the gathered object, and only for reads.
TEST(Locality, DeviationsCarryOver) {
  Gathers S;
  for (ek_raw_miss &M : S.B.Misses)
    M.writes = 1;
  S.measure(0, 2, 0.5);
  Problem P = S.refined();
  for (uint32_t H : {1u, 2u}) {
    EXPECT_NEAR(S.factor(P, H, 0), 2, 1e-6);
    EXPECT_NEAR(S.factor(P, H, 1), 0.5, 1e-6);
    EXPECT_NEAR(S.on(P, H, 0, 0).Exposed, 5120, 1e-2);
    EXPECT_NEAR(S.on(P, H, 0, 0).WriteLines, 256, 1e-9);
    EXPECT_NEAR(S.on(P, H, 0, 1).ReadLines, 2560, 1e-9);
    EXPECT_NEAR(S.on(P, H, 0, 1).Exposed, 80, 1e-9);
  }
  EXPECT_NEAR(S.factor(P, 0, 0), 1, 1e-9) << "over";
  EXPECT_EQ(P.Methods[Method], 4u);
}

/// A phase in which both tasks gather four times too much, or only one does,
/// has another level; only the difference between the tasks is kept: 4 and 1
/// are 2 and 1/2 around their geometric mean.
TEST(Locality, LevelsDoNotCarryOver) {
  Gathers S;
  S.measure(0, 4, 1);
  Problem P = S.refined();
  EXPECT_NEAR(S.factor(P, 1, 0), 2, 1e-6);
  EXPECT_NEAR(S.factor(P, 1, 1), 0.5, 1e-6);
  S.R.Measured.clear();
  S.measure(0, 3, 3);
  P = S.refined();
  EXPECT_NEAR(S.factor(P, 1, 0), 1, 1e-6);
  EXPECT_NEAR(S.factor(P, 1, 1), 1, 1e-6);
}

/// Task 0 gathers twice as much, so its deviation counts twice in the mean:
/// mean log f = (2 log 2 - log 2) / 3, factors 2^(2/3) and 2^(-4/3).
TEST(Locality, MeanIsWeightedByStall) {
  Gathers S;
  S.addMisses(0, 0, 2560, 1);
  S.R.Measured.push_back(
      {0,
       {{0, Core + 24e-6 + 2 * 1536e-6}, {1, Core + 24e-6 + 0.5 * 768e-6}},
       nullptr,
       {},
       0});
  Problem P = S.refined();
  EXPECT_NEAR(S.factor(P, 1, 0), std::pow(2, 2 / 3.), 1e-6);
  EXPECT_NEAR(S.factor(P, 1, 1), std::pow(2, -4 / 3.), 1e-6);
}

/// Phase 0 says 2 and 1/2 with G = 768 us, phase 1 nothing with three times
/// that: 2^(1/4) and 2^(-1/4). Only phase 2 is still to come.
TEST(Locality, PhasesCountByTheirStall) {
  Gathers S;
  for (uint32_t T : {2u, 3u})
    S.addMisses(T, 0, 5120, 1);
  S.measure(0, 2, 0.5);
  S.measure(1, 1, 1, 3 * 768e-6);
  Problem P = S.refined();
  EXPECT_NEAR(S.factor(P, 2, 0), std::pow(2, 0.25), 1e-6);
  EXPECT_NEAR(S.factor(P, 2, 1), std::pow(2, -0.25), 1e-6);
  EXPECT_NEAR(S.factor(P, 1, 0), 3, 1e-9);
  EXPECT_EQ(P.Methods[Method], 2u);
}

/// Times far off are limited to a factor of 4, and times below that without any
/// gather to 1/4: 4 and 1/4 around 1, then 1 and 1/4 around 1/2.
TEST(Locality, FactorsAreBounded) {
  Gathers S;
  S.measure(0, 1000, 1 / 4.);
  Problem P = S.refined();
  EXPECT_NEAR(S.factor(P, 1, 0), 4, 1e-6);
  EXPECT_NEAR(S.factor(P, 1, 1), 0.25, 1e-6);
  S.R.Measured.clear();
  S.measure(0, 1, -0.1);
  P = S.refined();
  EXPECT_NEAR(S.factor(P, 1, 0), 2, 1e-6);
  EXPECT_NEAR(S.factor(P, 1, 1), 0.5, 1e-6);
}

/// Half of object 0 was fast: 2560 * (50 + 150) ns = 512 us were predicted. The
/// same times mean something else if all was slow.
TEST(Locality, PlanInForceCounts) {
  Gathers S;
  Plan Half;
  PlanObject O;
  O.Site = 1;
  O.Ranges = {{0, EK_CHUNKS, 0.5}};
  Half.Objects = {O};
  S.measure(0, 2, 2 / 9., 512e-6);
  S.R.Measured[0].Under = &Half;
  // 2/9 is limited to 1/4: 2 and 1/4 lie sqrt(8) off their mean, sqrt(1/2).
  Problem P = S.refined();
  EXPECT_NEAR(S.factor(P, 1, 0), std::sqrt(8), 1e-6);
  EXPECT_NEAR(S.factor(P, 1, 1), 1 / std::sqrt(8), 1e-6);
  // 2 * 512 / 768 = 4/3, and 4/27 is limited to 1/4: 16/3 apart.
  S.R.Measured[0].Under = nullptr;
  P = S.refined();
  EXPECT_NEAR(S.factor(P, 1, 0), std::sqrt(16 / 3.), 1e-6);
}

/// Phases without information change nothing.
TEST(Locality, NoEvidence) {
  auto Corrected = [](void (*Change)(Gathers &)) {
    Gathers S;
    S.measure(0, 2, 0.5);
    Change(S);
    return S.refined().Methods[Method];
  };
  EXPECT_EQ(Corrected([](Gathers &) {}), 4u);
  EXPECT_EQ(Corrected([](Gathers &S) { S.R.Measured.clear(); }), 0u);
  EXPECT_EQ(Corrected([](Gathers &S) { S.R.Measured[0].Phase = 2; }), 0u)
      << "the last phase: none to come";
  EXPECT_EQ(Corrected([](Gathers &S) { S.R.Measured[0].Phase = 7; }), 0u)
      << "no such phase in the base";
  EXPECT_EQ(Corrected([](Gathers &S) { S.R.Measured[0].TaskSeconds.erase(1); }),
            0u)
      << "one task alone does not deviate from others";
  EXPECT_EQ(Corrected([](Gathers &S) { S.B.Tasks[1].flags = 1; }), 0u)
      << "explicit tasks: the same index need not be the same data";
  EXPECT_EQ(Corrected([](Gathers &S) { S.B.Tasks[3].flags = 1; }), 2u);
  EXPECT_EQ(Corrected([](Gathers &S) {
              S.R.Measured[0].Stalls.push_back({0, {1, 0, 0, 0, 0}, 0, 1});
            }),
            0u)
      << "sampled: the demands have it already";
  EXPECT_EQ(Corrected([](Gathers &S) { S.B.Instances[0].bytes = 4 * MiB; }), 0u)
      << "nothing is gathered";
  EXPECT_EQ(Corrected([](Gathers &S) { S.B.Tasks[0].core_cycles = 15500000; }),
            0u)
      << "768 us of 15.5 ms: below 5 %";
  EXPECT_EQ(Corrected([](Gathers &S) { S.B.Tasks[0].core_cycles = 15000000; }),
            4u);
}

/// makePlan predicts with it: slow only, phase 1 is 100 + 24 + 2 * 768 us.
TEST(Locality, PlansUseIt) {
  Gathers S;
  S.measure(0, 2, 0.5);
  Expected<Plan> X = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(X)) << X.message();
  ASSERT_EQ(X->Phases.size(), 3u);
  EXPECT_NEAR(X->Phases[0].Tasks[0].SlowOnlySeconds, 892e-6, 1e-9);
  EXPECT_NEAR(X->Phases[1].Tasks[0].SlowOnlySeconds, 1660e-6, 1e-9);
  EXPECT_NEAR(X->Phases[1].Tasks[1].SlowOnlySeconds, 508e-6, 1e-9);
  EXPECT_NE(X->ReplanJson.find(Method), std::string::npos);
}

/// Sampled phases of a kind: 892 us were expected of either task in the slow
/// tier, 636 if half of object 0 was fast. Their excess over that is applied to
/// the next such phase, whatever its cause; lines do not change.
TEST(Locality, OwnTimesOfSampledPhases) {
  for (double Half : {0.0, 0.5}) {
    Gathers S;
    S.B.Phases[2].sync = 0x40;
    const double Said = Core + 24e-6 + 768e-6 - Half * 512e-6;
    S.R.Measured.push_back(
        {0, {{0, 1.5 * Said}, {1, 0.8 * Said}}, nullptr, {{}}, 50});
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
    // Without samples, refineLocality corrects deviations.
    std::swap(S.B.Tasks[4].core_cycles, S.B.Tasks[5].core_cycles);
    S.R.Measured[0].Stalls.clear();
    EXPECT_EQ(Refined().Methods[Way], 0u);
    S.R.Measured[0].Stalls = {{}};
    EXPECT_EQ(Refined().Methods[Way], 1u);
    S.R.Measured[0].Placed.clear();
    EXPECT_EQ(Refined().Methods[Way], 0u);
  }
}

} // namespace
