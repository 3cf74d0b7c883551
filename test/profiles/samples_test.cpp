//===- samples_test.cpp - corrections from sampled stalls -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predict/measured/Samples.cpp alone, with expected values computed by
// hand. Objects have 2 MiB, so 32 units of 8 chunks: as fine as the finest
// histogram.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "predict/measured/Samples.h"
#include <cmath>

using namespace evenkeel;

namespace {

constexpr uint64_t MiB = 1 << 20;
constexpr char Method[] = "gathers: as sampled in phases before";

/// 100 lines of each of 256 chunks, every other exposed.
constexpr double Lines = 25600, Exposed = 12800;

/// What both tasks together were predicted to wait.
constexpr double Team = 2 * Exposed;

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

/// All N samples lie in chunk 0. With G parts, the first one gets N + 8 / G of
/// N + 8, and every other 8 / G; 8 samples to a part at least.
TEST(Samples, HistogramFollowsWithPrior) {
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
TEST(Samples, TasksHaveTheirOwnHistograms) {
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
TEST(Samples, PartsKeepTheirPredictedShape) {
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
TEST(Samples, BaseHistogramsWeighSamples) {
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
TEST(Samples, WeightsAreBounded) {
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

/// The base input had nothing in the last unit, and 8 of 256 samples lie there:
/// 8 / 264 of the latencies do. The writes of the other units stay.
TEST(Samples, UnitsWithoutDemandGetTheirs) {
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
