//===- samples_test.cpp - corrections from sampled stalls -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predict/measured/Samples.cpp alone, with expected values computed by
// hand: how long tasks wait.
// Not here: where in their objects they wait (sample_histograms_test.cpp).
//===----------------------------------------------------------------------===//
#include "GatherScenario.h"
#include <cmath>

using namespace evenkeel;

namespace {

void expectSame(const Problem &A, const Problem &B, uint32_t Phase) {
  const std::vector<PredictedTask> &X = A.Phases[Phase].Tasks,
                                   &Y = B.Phases[Phase].Tasks;
  ASSERT_EQ(X.size(), Y.size());
  for (size_t T = 0; T < X.size(); ++T) {
    ASSERT_EQ(X[T].Demand.Units.size(), Y[T].Demand.Units.size());
    for (size_t U = 0; U < X[T].Demand.Units.size(); ++U) {
      const UnitDemand &V = X[T].Demand.Units[U], &W = Y[T].Demand.Units[U];
      EXPECT_EQ(V.Unit, W.Unit);
      EXPECT_EQ(V.ReadLines, W.ReadLines);
      EXPECT_EQ(V.WriteLines, W.WriteLines);
      EXPECT_EQ(V.Exposed, W.Exposed);
    }
  }
}

/// Phase 2 gets the same values as phase 0: it waits as long, and in the same
/// places, whatever the phase between them did. Samples of phases of one kind
/// are added.
TEST(Samples, PhasesOfAKindTellMore) {
  for (bool Kind : {true, false}) {
    Gathers S;
    S.B.Phases[2].sync = Kind ? 0x40 : 0x42;
    for (uint32_t H : {0u, 1u, 2u})
      S.gather(H, 0);
    for (uint32_t T : {0u, 1u}) {
      S.sample(0, T, 1, 100000, 0, 128);
      S.sample(1, T, 1, 200000, 128, 256);
    }
    S.worth(0, 3 * Team);
    S.worth(1, Team / 2);
    Problem P = S.refined();
    double Front = 0;
    for (const UnitDemand &U : P.Phases[2].Tasks[0].Demand.Units)
      Front += P.Units[U.Unit].To <= 128 ? U.Exposed : 0;
    EXPECT_NEAR(Front, Kind ? 3 * Exposed : 0, 0.01 * Exposed);
    EXPECT_NEAR(total(P.Phases[2].Tasks[0].Demand).Exposed,
                Kind ? 3 * Exposed : Exposed / 2, 1e-6);
  }
  // A single sample of its own counts less than other samples.
  for (double Own : {1.0, 100000.0}) {
    Gathers S;
    S.B.Phases[2].sync = 0x40;
    for (uint32_t H : {0u, 1u, 2u})
      S.gather(H, 0);
    S.sample(0, 0, 1, Own, 0, 1);
    for (uint32_t T : {0u, 1u})
      S.sample(1, T, 1, 100000, 128, 256);
    S.worth(0, Team);
    S.worth(1, Team);
    Problem P = S.refined();
    EXPECT_EQ(total(P.Phases[2].Tasks[0].Demand).Exposed >
                  1.5 * total(P.Phases[2].Tasks[1].Demand).Exposed,
              Own > 1);
  }
  Gathers S;
  S.B.Phases[1].sync = S.B.Phases[2].sync = 0x40;
  for (uint32_t H : {0u, 1u, 2u})
    S.gather(H, 0);
  for (uint32_t T : {0u, 1u}) {
    S.sample(0, T, 1, 30000, 0, 128);
    S.sample(1, T, 1, 10000, 128, 256);
  }
  S.worth(0, Team);
  S.worth(1, 2 * Team);
  Problem P = S.refined();
  double Front = 0;
  for (const UnitDemand &U : P.Phases[2].Tasks[0].Demand.Units)
    Front += P.Units[U.Unit].To <= 128 ? U.Exposed : 0;
  EXPECT_NEAR(Front, 2 * Exposed * 0.75, 0.01 * Exposed);
}

/// If a task is sampled three times as often as its team in the same object in
/// a phase of the same kind, it is predicted to wait three times as long there;
/// in a phase of another kind, or for other data, its deviation is reduced.
TEST(Samples, OwnDataTellAllOfHowTasksDiffer) {
  for (bool Kind : {true, false}) {
    Gathers S;
    S.B.Phases[2].sync = Kind ? 0x40 : 0x42;
    for (uint32_t H : {0u, 1u, 2u})
      S.gather(H, 0);
    S.sample(0, 0, 1, 300000);
    S.sample(0, 1, 1, 100000);
    S.worth(0, Team);
    Problem P = S.refined();
    const double Part = Kind ? 3 : std::pow(3, 0.7);
    EXPECT_NEAR(S.on(P, 2, 0, 0).Exposed, Team * Part / (1 + Part), 1e-6);
    EXPECT_NEAR(S.on(P, 2, 1, 0).Exposed, Team / (1 + Part), 1e-6);
  }
}

/// Data decides which of two parts tasks fetch, alternately. Where phase 0 was
/// sampled to wait, phase 2 waits, as long as predicted; phase 1 with the other
/// part says nothing about it. It sets no level for gathers.
TEST(Samples, ScatteredAsInTheirKind) {
  for (bool Own : {true, false}) {
    Gathers S(2);
    S.addAccess(1, "random", Scenario::n());
    for (uint32_t H : {0u, 1u, 2u}) {
      S.B.Phases[H].sync = 0x40;
      for (uint32_t T : {0u, 1u})
        S.addSymbol(0x31, "f:part", "given", H % 2, 2 * H + T);
      S.gather(H, 0, 20); // a part of what object 0 has
    }
    S.gather(1, 1);
    S.gather(2, 1);
    for (uint32_t T : {0u, 1u}) {
      if (Own)
        S.sample(0, T, 1, 100000, 0, 128);
      S.sample(1, T, 1, 100000, 128, 256);
      S.sample(1, T, 2, 100000);
    }
    if (Own)
      S.worth(0, 3 * Team / 5);
    S.worth(1, 6 * Team);
    const Problem Before = S.predict();
    ASSERT_EQ(Before.Phases[2].Scattered, std::vector<uint32_t>{0});
    ASSERT_EQ(Before.Phases[1].Gathered, std::vector<uint32_t>{1});
    Problem P = S.refined();
    for (uint32_t T : {0u, 1u}) {
      EXPECT_NEAR(S.on(P, 2, T, 0).Exposed, Exposed / 5, 1e-6);
      EXPECT_NEAR(S.part(P, 2, T, 0, 0, 128), Own ? 1 : 0.5, 1e-3);
      EXPECT_NEAR(S.on(P, 2, T, 1).Exposed, 3 * Exposed, 1e-6);
    }
  }
}

/// Object 0 was measured to wait 3 times as long as predicted, object 1 as
/// predicted: together twice, so both get a factor of 2. Object 2 is read only
/// once, and does not count. Reads and latencies scale alike, writes do not
/// change.
TEST(Samples, LevelIsThatOfAllGathered) {
  Gathers S(2);
  S.addObject(3, 16 * MiB);
  for (uint32_t H : {0u, 1u})
    for (uint32_t I : {0u, 1u, 2u})
      S.gather(H, I);
  for (uint32_t T : {0u, 1u}) {
    S.sample(0, T, 1, 768);
    S.sample(0, T, 2, 256);
  }
  S.worth(0, 4 * Team);
  for (uint32_t T : {0u, 1u})
    S.sample(0, T, 3, 5000);
  Problem P = S.refined();
  ASSERT_EQ(P.Phases[1].Gathered, (std::vector<uint32_t>{0, 1}));
  for (uint32_t T : {0u, 1u})
    for (uint32_t I : {0u, 1u}) {
      EXPECT_NEAR(S.on(P, 1, T, I).Exposed, 2 * Exposed, 1e-6);
      EXPECT_NEAR(S.on(P, 1, T, I).ReadLines, 2 * Lines, 1e-6);
      EXPECT_NEAR(S.on(P, 1, T, I).WriteLines, 256, 1e-9);
    }
  for (uint32_t T : {0u, 1u}) {
    EXPECT_NEAR(S.on(P, 1, T, 2).Exposed, Exposed, 1e-9) << "read once";
    EXPECT_NEAR(S.on(P, 1, T, 2).ReadLines, Lines, 1e-9);
  }
}

/// Twice, then half as long as predicted: half it is from then on.
TEST(Samples, LastPhaseSetsTheLevel) {
  Gathers S;
  for (uint32_t H : {0u, 1u, 2u})
    S.gather(H, 0);
  for (uint32_t H : {0u, 1u})
    for (uint32_t T : {0u, 1u})
      S.sample(H, T, 1, 256);
  S.worth(0, 2 * Team);
  S.worth(1, 0.5 * Team);
  Problem P = S.refined();
  for (uint32_t T : {0u, 1u}) {
    EXPECT_NEAR(S.on(P, 0, T, 0).Exposed, 2 * Exposed, 1e-6);
    EXPECT_NEAR(S.on(P, 1, T, 0).Exposed, 0.5 * Exposed, 1e-6);
    EXPECT_NEAR(S.on(P, 2, T, 0).Exposed, 0.5 * Exposed, 1e-6);
  }
  S.worth(1, 8 * Team);
  P = S.refined();
  for (uint32_t T : {0u, 1u})
    EXPECT_NEAR(S.on(P, 2, T, 0).Exposed, 8 * Exposed, 1e-6);
}

/// A sampled phase with a fiftieth of the later waits sets no level; one with a
/// twenty-fifth does.
TEST(Samples, LittlePhasesSetNoLevel) {
  for (uint64_t PerChunk : {2u, 4u}) {
    Gathers S(2);
    S.gather(0, 0, 100);
    S.gather(0, 1, PerChunk);
    S.gather(1, 0, 100);
    S.gather(1, 1, 100);
    S.gather(2, 0, 100);
    for (uint32_t T : {0u, 1u})
      S.sample(0, T, 2, 256);
    Problem P = S.predict();
    P.Phases[0].Gathered = {1};
    P.Phases[1].Gathered = {0};
    S.worth(0, 2 * Team * double(PerChunk) / 100);
    refineBySamples(P, S.R);
    for (uint32_t T : {0u, 1u})
      EXPECT_NEAR(S.on(P, 1, T, 0).Exposed, (PerChunk < 3 ? 1 : 2) * Exposed,
                  1e-6)
          << PerChunk;
  }
}

/// Nor do lines fetched once show how gathers are distributed to the tasks,
/// although their distribution is similar.
TEST(Samples, OnlyGathersTellOfGathers) {
  Gathers S(3);
  S.gather(0, 0, 200, 0, EK_CHUNKS / 2);
  S.gather(0, 1, 64);
  S.gather(1, 2, 200);
  for (uint32_t T : {0u, 1u})
    S.sample(0, T, 1, 256, 0, EK_CHUNKS / 2);
  S.worth(0, 2 * 200 * EK_CHUNKS / 2 * 0.5);
  S.sample(0, 0, 2, 4);
  S.sample(0, 1, 2, 400);
  const Problem P = S.refined();
  ASSERT_EQ(P.Phases[0].Gathered, (std::vector<uint32_t>{0}));
  for (uint32_t T : {0u, 1u})
    EXPECT_NEAR(S.on(P, 1, T, 2).Exposed, 2 * Exposed, 1e-6);
}

/// If only one task gathers, it gets all of it.
TEST(Samples, NoPartForThoseThatDoNotGather) {
  Gathers S;
  for (uint32_t H : {0u, 1u})
    S.addMisses(2 * H, 0, 200 * EK_CHUNKS, 0.5, EK_CHUNKS);
  S.sample(0, 0, 1, 16);
  S.worth(0, Team);
  Problem P = S.refined();
  EXPECT_GT(P.Methods[Method], 0u);
  EXPECT_NEAR(S.on(P, 1, 0, 0).Exposed, Team, 1e-6);
  EXPECT_NEAR(S.on(P, 1, 0, 0).ReadLines, 2 * Lines, 1e-6);
}

/// Three samples to one, whatever the base input's tasks had: parts 3^0.7 to 1
/// of what the team of phase 1, 2 to 1 on the base input, was predicted.
TEST(Samples, TasksDealBySamples) {
  Gathers S;
  S.gather(0, 0);
  S.addMisses(2, 0, 51200, 0.5, 256);
  S.addMisses(3, 0, 25600, 0.5, 256);
  S.sample(0, 0, 1, 900);
  S.sample(0, 1, 1, 300);
  S.worth(0, Team);
  Problem P = S.refined();
  const double More = std::pow(3, 0.7);
  EXPECT_NEAR(S.on(P, 1, 0, 0).Exposed, 3 * Exposed * More / (1 + More), 1e-6);
  EXPECT_NEAR(S.on(P, 1, 1, 0).Exposed, 3 * Exposed / (1 + More), 1e-6);
  EXPECT_NEAR(S.on(P, 1, 0, 0).ReadLines, 3 * Lines * More / (1 + More), 1e-6);
  EXPECT_NEAR(S.on(P, 1, 1, 0).ReadLines, 3 * Lines / (1 + More), 1e-6);
  EXPECT_EQ(P.Methods[Method], 4u) << "two tasks in two phases";
}

/// Object 1 has lines in the first 168 or 160 chunks of 256 where object 0 has
/// them in all: cosines sqrt(168 / 256) = 0.81 and sqrt(160 / 256) = 0.79.
TEST(Samples, UnlikeObjectsStay) {
  for (unsigned To : {168u, 160u}) {
    SCOPED_TRACE(To);
    Gathers S(2);
    S.gather(0, 0);
    S.gather(1, 0);
    S.gather(1, 1, 200, 0, To);
    for (uint32_t T : {0u, 1u})
      S.sample(0, T, 1, 64);
    S.worth(0, 2 * Team);
    Problem P = S.refined();
    EXPECT_NEAR(S.on(P, 1, 0, 0).Exposed, 2 * Exposed, 1e-6);
    EXPECT_NEAR(S.on(P, 1, 0, 1).Exposed, (To == 168 ? 2 : 1) * To * 100, 1e-6);
    EXPECT_EQ(P.Methods[Method], To == 168 ? 6u : 4u);
  }
}

/// Object 1 is alike to object 0 by 3 / sqrt(10) = 0.95, and by 1 to itself in
/// phase 0. It takes after itself, or after object 0 where it has few samples.
TEST(Samples, LikestWithManySamplesCounts) {
  for (double Few : {1280., 12.8}) {
    SCOPED_TRACE(Few);
    Gathers S(2);
    for (uint32_t H : {0u, 1u}) {
      S.gather(H, 0);
      S.gather(H, 1, 200, 0, 128);
      S.gather(H, 1, 100, 128, 256);
    }
    for (uint32_t T : {0u, 1u}) {
      S.sample(0, T, 1, T ? 640 : 1920);
      S.sample(0, T, 2, Few / 2);
    }
    Problem P = S.refined();
    const double More = Few > 100 ? 1 : std::pow(3, 0.7);
    EXPECT_NEAR(S.on(P, 1, 0, 1).Exposed / S.on(P, 1, 1, 1).Exposed, More,
                1e-9);
  }
}

void each(Gathers &S, void (*Change)(SampledStalls &)) {
  for (SampledStalls &L : S.seen(0).Stalls)
    Change(L);
}

/// Phases without information change nothing.
TEST(Samples, NoEvidence) {
  auto Corrected = [](void (*Change)(Gathers &), unsigned Expected) {
    Gathers S;
    S.gather(0, 0);
    S.gather(1, 0);
    S.gather(2, 0);
    S.sample(0, 0, 1, 300);
    S.sample(0, 1, 1, 100);
    S.worth(0, 2 * Team);
    Change(S);
    Problem Before = S.predict(), P = S.refined();
    EXPECT_EQ(P.Methods.count(Method), Expected ? 1u : 0u);
    EXPECT_EQ(P.Methods[Method], Expected);
    for (uint32_t H : {0u, 1u, 2u})
      if (!Expected)
        expectSame(Before, P, H);
    return P;
  };
  Corrected([](Gathers &) {}, 6);
  Corrected([](Gathers &S) { S.R.Measured.clear(); }, 0);
  Corrected([](Gathers &S) { S.seen(0).Stalls.clear(); }, 0);
  Corrected([](Gathers &S) { S.seen(0).Phase = 7; }, 0);
  Corrected([](Gathers &S) { S.seen(0).LatenciesPerSample = 0; }, 0);
  Corrected([](Gathers &S) { S.B.Instances[0].bytes = 16 * MiB; }, 0);
  Corrected([](Gathers &S) { S.B.Tasks[0].flags = 1; }, 0);
  Corrected([](Gathers &S) { S.B.Tasks[2].flags = 1; }, 4);
  Corrected(
      [](Gathers &S) { each(S, [](SampledStalls &L) { L.Of.Site = 9; }); }, 0);
  Corrected(
      [](Gathers &S) { each(S, [](SampledStalls &L) { L.Of.Creator = 1; }); },
      0);
  Corrected(
      [](Gathers &S) { each(S, [](SampledStalls &L) { L.Of.Ordinal = 1; }); },
      0);
  Corrected([](Gathers &S) { each(S, [](SampledStalls &L) { L.Task += 2; }); },
            0);
  Corrected(
      [](Gathers &S) { each(S, [](SampledStalls &L) { L.Chunk += 256; }); }, 0);
}

/// A phase with an explicit task stays as it was, those after it do not.
TEST(Samples, ExplicitTasksStay) {
  Gathers S;
  for (uint32_t H : {0u, 1u, 2u})
    S.gather(H, 0);
  S.B.Tasks[3].flags = 1;
  S.sample(0, 0, 1, 300);
  S.sample(0, 1, 1, 100);
  S.worth(0, 2 * Team);
  Problem Before = S.predict(), P = S.refined();
  expectSame(Before, P, 1);
  const double More = std::pow(3, 0.7);
  EXPECT_NEAR(S.on(P, 2, 0, 0).Exposed, 2 * Team * More / (1 + More), 1e-6);
}

/// Samples of unknown objects do not count.
TEST(Samples, StraysAreLeftOut) {
  Gathers S(2);
  for (uint32_t H : {0u, 1u})
    S.gather(H, 0);
  for (uint32_t T : {0u, 1u})
    S.sample(0, T, 1, 256);
  S.worth(0, 2 * Team);
  const Problem Clean = S.refined();
  std::vector<SampledStalls> &Stalls = S.seen(0).Stalls;
  Stalls.push_back({0, {9, 0, 0, 0, 0}, 0, 1e6});
  Stalls.push_back({0, {1, 0, 1, 0, 0}, 0, 1e6});
  Stalls.push_back({0, {1, 0, 0, 1, 0}, 0, 1e6});
  Stalls.push_back({2, {1, 0, 0, 0, 0}, 0, 1e6});
  Stalls.push_back({~0u, {1, 0, 0, 0, 0}, 0, 1e6});
  Stalls.push_back({0, {1, 0, 0, 0, 0}, EK_CHUNKS, 1e6});
  Stalls.push_back({0, {1, 0, 0, 0, 0}, ~0u, 1e6});
  Stalls.push_back({0, {2, 0, 0, 0, 0}, 0, 1e6}); // no lines on the base input
  S.R.Measured.push_back({7, {}, nullptr, {{0, {1, 0, 0, 0, 0}, 0, 1e6}}, 1});
  Problem P = S.refined();
  EXPECT_EQ(P.Methods[Method], 4u);
  for (uint32_t H : {0u, 1u, 2u})
    expectSame(Clean, P, H);
}

/// makePlan predicts with it: slow only, phase 1 is 1 us of core time and twice
/// 12800 latencies of 300 ns, dealt 3^0.7 to 1.
TEST(Samples, PlansUseIt) {
  Gathers S;
  for (uint32_t H : {0u, 1u, 2u})
    S.gather(H, 0);
  S.sample(0, 0, 1, 300);
  S.sample(0, 1, 1, 100);
  S.worth(0, 2 * Team);
  for (MeasuredPhase &H : S.R.Measured)
    H.TaskSeconds = {{0, 1}, {1, 2}};
  Expected<Plan> X = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(X)) << X.message();
  ASSERT_EQ(X->Phases.size(), 3u);
  const double More = std::pow(3, 0.7), All = 2 * Team * 300e-9;
  for (uint32_t H : {1u, 2u}) {
    EXPECT_NEAR(X->Phases[H].Tasks[0].SlowOnlySeconds,
                1e-6 + All * More / (1 + More), 1e-7);
    EXPECT_NEAR(X->Phases[H].Tasks[1].SlowOnlySeconds, 1e-6 + All / (1 + More),
                1e-7);
  }
  EXPECT_NE(X->ReplanJson.find(Method), std::string::npos);
}

/// A task that was never sampled hardly waits, and the team no longer than
/// before.
TEST(Samples, NoneIsFew) {
  Gathers S;
  for (uint32_t H : {0u, 1u})
    S.gather(H, 0);
  S.sample(0, 0, 1, 300);
  S.worth(0, Team);
  Problem P = S.refined();
  const double X = std::pow(300, 0.7), Y = std::pow(0.5, 0.7);
  EXPECT_NEAR(S.on(P, 1, 0, 0).Exposed, Team * X / (X + Y), 1e-6);
  EXPECT_NEAR(S.on(P, 1, 1, 0).Exposed, Team * Y / (X + Y), 1e-6);
  EXPECT_NEAR(S.part(P, 1, 1, 0, 0, 128), 0.5, 1e-9) << "as predicted";
}

/// Two objects are gathered, but only one causes waits: as long as predicted
/// for it alone, so half as long as for both.
TEST(Samples, LevelCountsWhatIsNotSampled) {
  Gathers S(2);
  for (uint32_t H : {0u, 1u})
    for (uint32_t I : {0u, 1u})
      S.gather(H, I);
  for (uint32_t T : {0u, 1u})
    S.sample(0, T, 1, 300);
  S.worth(0, Team);
  Problem P = S.refined();
  EXPECT_NEAR(S.on(P, 1, 0, 0).Exposed, Exposed / 2, 1e-6);
}

/// Threads 1 and 2 of a team whose thread 0 had nothing to do.
TEST(Samples, ThreadsGoByTheirIndex) {
  Gathers S;
  for (uint32_t T = 0; T < 6; ++T)
    S.B.Tasks[T].index = T % 2 + 1;
  for (uint32_t H : {0u, 1u})
    S.gather(H, 0);
  S.sample(0, 1, 1, 900);
  S.sample(0, 2, 1, 300);
  S.sample(0, 0, 1, 7000);
  S.seen(0).LatenciesPerSample = Team / 1200;
  Problem P = S.refined();
  const double X = std::pow(900, 0.7), Y = std::pow(300, 0.7);
  EXPECT_NEAR(S.on(P, 1, 0, 0).Exposed, Team * X / (X + Y), 1e-6);
  EXPECT_NEAR(S.on(P, 1, 1, 0).Exposed, Team * Y / (X + Y), 1e-6);
}

} // namespace
