//===- sample_histograms_test.cpp - where sampled tasks wait --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the distribution of a task's waits over the chunks of its objects, as
// predict/measured/Samples.cpp corrects it; expected values computed by hand.
// Not here: how long tasks wait (samples_test.cpp).
//===----------------------------------------------------------------------===//
#include "GatherScenario.h"

using namespace evenkeel;

namespace {

/// All N samples lie in chunk 0. With G parts, the first one gets N + 8 / G of
/// N + 8, and every other 8 / G; 8 samples to a part at least.
TEST(SampleHistograms, HistogramFollowsWithPrior) {
  struct Case {
    double Samples;
    unsigned Parts;
  };
  for (Case C : {Case{1000, 32}, Case{256, 32}, Case{255, 16}, Case{64, 8},
                 Case{63, 4}, Case{16, 2}, Case{15, 1}}) {
    SCOPED_TRACE(C.Samples);
    Gathers S;
    S.gather(0, 0);
    S.gather(1, 0);
    for (uint32_t T : {0u, 1u})
      S.sample(0, T, 1, C.Samples, 0, 1);
    S.worth(0, Team);
    Problem P = S.refined();
    const unsigned Width = EK_CHUNKS / C.Parts;
    const double Rest = 8. / C.Parts / (C.Samples + 8);
    const double First = Rest + C.Samples / (C.Samples + 8);
    for (uint32_t T : {0u, 1u}) {
      EXPECT_NEAR(S.on(P, 1, T, 0).Exposed, Exposed, 1e-6);
      for (unsigned From = 0; From < EK_CHUNKS; From += 8)
        EXPECT_NEAR(S.part(P, 1, T, 0, From, From + 8),
                    (From < Width ? First : Rest) * 8 / Width, 1e-9);
    }
  }
}

/// Either task has its own histogram, and its own number of parts: task 0 had
/// 256 samples in the last eighth, task 1 16 in the first half.
TEST(SampleHistograms, TasksHaveTheirOwnHistograms) {
  Gathers S;
  S.gather(0, 0);
  S.gather(1, 0);
  S.sample(0, 0, 1, 256, 224, 256);
  S.sample(0, 1, 1, 16, 0, 128);
  S.worth(0, Team);
  Problem P = S.refined();
  EXPECT_NEAR(S.part(P, 1, 0, 0, 224, 232), (64 + 0.25) / 264, 1e-9);
  EXPECT_NEAR(S.part(P, 1, 0, 0, 216, 224), 0.25 / 264, 1e-9);
  EXPECT_NEAR(S.part(P, 1, 1, 0, 0, 128), (16 + 4) / 24., 1e-9);
  EXPECT_NEAR(S.part(P, 1, 1, 0, 128, 256), 4 / 24., 1e-9);
}

/// 32 of 256 chunks have 300 lines each, the others 100: 19200 of 32000 in the
/// first half. All 16 samples lie in the second; within either half, units keep
/// their ratios.
TEST(SampleHistograms, PartsKeepTheirPredictedShape) {
  Gathers S;
  S.gather(0, 0, 300, 0, 32);
  S.gather(0, 0, 100, 32, 256);
  S.gather(1, 0, 300, 0, 32);
  S.gather(1, 0, 100, 32, 256);
  for (uint32_t T : {0u, 1u})
    S.sample(0, T, 1, 16, 255, 256);
  S.worth(0, Team);
  Problem P = S.refined();
  const double First = 8 * 3 / 5. / 24, Second = (16 + 8 * 2 / 5.) / 24;
  EXPECT_NEAR(S.part(P, 1, 0, 0, 0, 128), First, 1e-9);
  EXPECT_NEAR(S.part(P, 1, 0, 0, 0, 8), First * 2400 / 19200, 1e-9);
  EXPECT_NEAR(S.part(P, 1, 0, 0, 32, 40), First * 800 / 19200, 1e-9);
  EXPECT_NEAR(S.part(P, 1, 0, 0, 128, 136), Second / 16, 1e-9);
}

/// Object 1 takes after object 0. It had 2/3 of its lines in the first half,
/// object 0 half of them: samples count 4/3 times there and 2/3 times in the
/// second half. 12 and 4 are 16 and 8/3; of 16 in all, 96/7 and 16/7.
TEST(SampleHistograms, BaseHistogramsWeighSamples) {
  Gathers S(2);
  S.gather(0, 0);
  S.gather(1, 1, 200, 0, 128);
  S.gather(1, 1, 100, 128, 256);
  for (uint32_t T : {0u, 1u}) {
    S.sample(0, T, 1, 12, 0, 128);
    S.sample(0, T, 1, 4, 128, 256);
  }
  S.worth(0, Team);
  Problem P = S.refined();
  for (uint32_t T : {0u, 1u}) {
    EXPECT_NEAR(S.part(P, 1, T, 1, 0, 128), (96 / 7. + 16 / 3.) / 24, 1e-9);
    EXPECT_NEAR(S.part(P, 1, T, 1, 128, 256), (16 / 7. + 8 / 3.) / 24, 1e-9);
    EXPECT_NEAR(S.on(P, 1, T, 1).Exposed, 1.5 * Exposed, 1e-6);
  }
}

/// The first of 8 parts had 1/71 of the sampled object's lines and an eighth of
/// the other's: 71/8 times as much is taken for 4 times, 71/80 stays. 8 samples
/// each are 32 and 7.1. The other way round 8/71 is taken for 1/4.
TEST(SampleHistograms, WeightsAreBounded) {
  for (uint32_t Sampled : {0u, 1u}) {
    SCOPED_TRACE(Sampled);
    Gathers S(2);
    const uint32_t Other = 1 - Sampled;
    for (uint32_t H : {0u, 1u}) {
      const uint32_t Even = 1, I = H ? Other : Sampled;
      S.gather(H, I, I == Even ? 100 : 10, 0, 32);
      S.gather(H, I, 100, 32, 256);
    }
    for (uint32_t T : {0u, 1u})
      S.sample(0, T, 1 + Sampled, 64);
    S.worth(0, Team);
    Problem P = S.refined();
    const double First = Sampled ? 8 / 4. : 8 * 4.;
    const double Each = Sampled ? 8 * 80 / 71. : 8 * 71 / 80.;
    const double Prior = Sampled ? 1 / 71. : 1 / 8.;
    EXPECT_NEAR(S.part(P, 1, 0, Other, 0, 32),
                (64 * First / (First + 7 * Each) + 8 * Prior) / 72, 1e-9);
  }
}

/// The base input had nothing in the last unit, and 8 of 256 samples lie there:
/// 8 / 264 of the latencies do. The writes of the other units stay.
TEST(SampleHistograms, UnitsWithoutDemandGetTheirs) {
  Gathers S;
  S.gather(0, 0, 100, 0, 248);
  S.gather(1, 0, 100, 0, 248);
  for (uint32_t T : {0u, 1u})
    S.sample(0, T, 1, 256);
  S.worth(0, 248 * 100);
  const Problem Before = S.predict();
  EXPECT_EQ(Before.Phases[1].Tasks[0].Demand.Units.size(), 31u);
  Problem P = S.refined();
  EXPECT_EQ(P.Phases[1].Tasks[0].Demand.Units.size(), 32u);
  UnitDemand Last = S.on(P, 1, 0, 0, 248, 256);
  EXPECT_NEAR(Last.Exposed, 248 * 50 * 8 / 264., 1e-6);
  EXPECT_NEAR(Last.ReadLines, 248 * 100 * 8 / 264., 1e-6);
  EXPECT_EQ(Last.WriteLines, 0);
  for (unsigned From = 0; From < 248; From += 8)
    EXPECT_NEAR(S.on(P, 1, 0, 0, From, From + 8).WriteLines, 8, 1e-9);
  EXPECT_NEAR(S.part(P, 1, 0, 0, 0, 8), (8 + 8 / 31.) / 264, 1e-9);
}

} // namespace
