//===- traffic_test.cpp - lines that tasks fetch --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how many lines tasks fetch on the target, and how they overlap.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// A random object grows four times; the base run would have fetched 3 times
/// the lines with a quarter of the cache. 4 * 3 = 12.
TEST(Traffic, RandomFollowsTheMissRatioCurve) {
  Scenario S;
  uint32_t A =
      S.addObject(1, 1000 * 4096, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "random", Scenario::times(100, Scenario::n()));
  S.addMisses(0, A, 2560, 1);
  // Sizes 64K 128K 256K 512K 1M(Z) 2M 4M 8M.
  S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
  S.forSymbol("n=4000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 12 * 2560, 1e-6);
  EXPECT_EQ(P.Methods["cache: miss-ratio curve"], 1u);
}

/// Between two sizes the curve is linear in the logarithm: Z/sqrt(2)... from
/// 5000 at 512K to 2560 at 1M gives 3780 half way.
TEST(Traffic, CurveIsLogLinear) {
  Scenario S;
  S.B.Symbols[0].first = 1000000;
  uint32_t A = S.addObject(1, 4000000, Scenario::times(4, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.addMisses(0, A, 2560, 1);
  S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
  S.forSymbol("n=1414214");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 3780 * std::sqrt(2),
              0.01);
}

/// 32 times larger: Z/32 = 32 KiB lies below the smallest size; linear in the
/// size from (64K, 9000) and (128K, 8500): 9000 + 500/2.
TEST(Traffic, CurveBeyondItsEnd) {
  Scenario S;
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.addMisses(0, A, 2560, 1);
  S.B.Accesses[0].reads = 1 << 20;
  S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
  S.forSymbol("n=32000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 9250 * 32, 1e-6);
  EXPECT_EQ(P.Methods["cache: miss-ratio curve, beyond its end"], 1u);
}

/// Nothing missed on the base input, but the curve gives the misses of a cache
/// an eighth the size: never silently 0.
TEST(Traffic, FittedOnTheBaseInput) {
  Scenario S;
  uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
  S.addAccess(1, "stream", Scenario::n());
  S.B.Accesses.push_back({0, A, 100000, 0});
  S.B.Curves.push_back({0, A, {9000, 8000, 700, 0, 0, 0, 0, 0}});
  S.forSymbol("n=8000");
  Problem P = S.predict();
  UnitDemand D = total(P.Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 8000 * 8, 1e-6);
  EXPECT_NEAR(D.Exposed, 8000 * 8, 1e-6) << "nothing known: no overlap";
  EXPECT_EQ(P.Methods["cache: fitted on the base input, miss-ratio curve"], 1u);
}

/// The same with the weights that lines would have had without caches: if all
/// lines are lost, these weights; if 700 of 8,000 are, a corresponding mixture.
TEST(Traffic, LostLinesWeighWhatTheyWouldHave) {
  for (double N : {8000, 4000}) {
    Scenario S;
    uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
    S.addAccess(1, "stream", Scenario::n());
    S.B.Accesses.push_back({0, A, 100000, 0});
    S.B.Curves.push_back({0, A, {9000, 8000, 700, 0, 0, 0, 0, 0}});
    S.B.Far.push_back({0, A, 8000, 2000});
    S.forSymbol("n=" + std::to_string(N));
    UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
    EXPECT_NEAR(D.ReadLines, N == 8000 ? 8 * 8000 : 4 * 700, 1e-6);
    EXPECT_NEAR(D.Exposed / D.ReadLines,
                N == 8000 ? 0.25 : 1 - 0.75 * 700 / 8000, 1e-9);
  }
}

/// Lines that even the smallest last level holds are never lost: the weights of
/// 16,000 lines count for as many as it lets through.
TEST(Traffic, FarLinesAreThoseThatCanBeLost) {
  for (uint64_t Reads : {8000, 16000}) {
    Scenario S;
    uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
    S.addAccess(1, "stream", Scenario::n());
    S.addMisses(0, A, 2560, 0.5);
    S.B.Accesses.back().reads = 100000;
    S.B.Curves.push_back({0, A, {8000, 8000, 8000, 8000, 2560, 2560, 0, 0}});
    S.B.Far.push_back({0, A, Reads, double(Reads) / 4});
    S.forSymbol("n=2000");
    UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
    EXPECT_NEAR(D.ReadLines, 2 * 8000, 1e-6);
    EXPECT_NEAR(D.Exposed, 2 * 8000 * 0.25, 1e-6) << Reads;
  }
}

/// Of each phase few lines are weighed, by chance dear ones or cheap ones.
/// Those of phases that end at the same sync point count together: 32,000 lines
/// weigh 0.25 each, of which 8,000 came and weighed 0.5.
TEST(Traffic, PhasesAtASyncPointAreWeighedTogether) {
  for (uint64_t Sync : {0x40, 0x41}) {
    Scenario S;
    S.B.Phases.push_back({Sync, 1, 1});
    S.B.Tasks.push_back({Scenario::Region, 1, 0, 0, 0, 1000, 1000, 0});
    uint32_t A = S.addObject(1, 1024000, Scenario::times(1024, Scenario::n()));
    S.addAccess(1, "stream", Scenario::n());
    for (uint32_t T : {0u, 1u}) {
      S.addMisses(T, A, 4000, 0.5);
      S.B.Accesses.back().reads = 100000;
      S.B.Curves.push_back(
          {T, A, {16000, 16000, 16000, 16000, 4000, 4000, 0, 0}});
    }
    S.B.Far.push_back({0, A, 16000, 5500});
    S.B.Far.push_back({1, A, 16000, 2500});
    S.forSymbol("n=2000");
    const Problem P = S.predict();
    double Each[2];
    for (uint32_t H : {0u, 1u}) {
      UnitDemand D = total(P.Phases[H].Tasks[0].Demand);
      Each[H] = D.Exposed / D.ReadLines;
    }
    if (Sync == 0x40) {
      EXPECT_NEAR(Each[0], Each[1], 1e-9);
      EXPECT_NEAR(Each[0], 0.25, 0.02);
    } else {
      EXPECT_GT(Each[0], 0.3);
      EXPECT_LT(Each[1], 0.2);
    }
  }
}

/// A curve cannot give more lines than there are accesses.
TEST(Traffic, LinesAreBoundedByAccesses) {
  Scenario S;
  uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.B.Accesses.push_back({0, A, 50, 0});
  S.B.Curves.push_back({0, A, {9000, 8000, 700, 0, 0, 0, 0, 0}});
  S.forSymbol("n=8000");
  EXPECT_NEAR(total(S.predict().Phases[0].Tasks[0].Demand).ReadLines, 400,
              1e-6);
}

/// How often a line comes back does not follow from the class: streams may be
/// short and start anywhere. All classes have the curve of
/// RandomFollowsTheMissRatioCurve, and 12 times the lines.
TEST(Traffic, EveryClassFollowsTheMissRatioCurve) {
  for (const char *Class : {"stream", "strided", "stencil", "random", "chase",
                            "invariant", "unknown"}) {
    Scenario S;
    uint32_t A =
        S.addObject(1, 1000 * 4096, Scenario::times(4096, Scenario::n()));
    S.addAccess(1, Class, Scenario::times(100, Scenario::n()));
    S.addMisses(0, A, 2560, 1);
    S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
    S.forSymbol("n=4000");
    EXPECT_NEAR(total(S.predict().Phases[0].Tasks[0].Demand).ReadLines,
                12 * 2560, 1e-6)
        << Class;
  }
}

/// What fits on the base input, but for a few lines that conflict, and no
/// longer on the target: its demand there. \p Lines of \p Each overlap; others
/// stream an object like it with \p Others.
UnitDemand demandOfOddLines(uint64_t Lines, double Each, double Others) {
  Scenario S(2);
  uint32_t A = S.addObject(1, 10000 * 64, Scenario::times(640, Scenario::n()));
  uint32_t C = S.addObject(2, 10000 * 64, Scenario::times(640, Scenario::n()));
  for (uint64_t Site : {1, 2})
    S.addAccess(Site, "stream", Scenario::times(80, Scenario::n()));
  S.B.Misses.push_back({0, A, 0, 0, Lines, 0, double(Lines) * Each, 0});
  S.B.Accesses.push_back({0, A, 80000, 0});
  S.B.Curves.push_back(
      {0, A, {10000, 10000, 10000, 10000, Lines, Lines, Lines, Lines}});
  S.addMisses(1, C, 10240, Others);
  S.forSymbol("n=2000");
  return total(S.predict().Phases[0].Tasks[0].Demand);
}

/// Its overlap is that of other streams there, not one line at a time.
TEST(Traffic, OddLinesDoNotTellOverlap) {
  UnitDemand D = demandOfOddLines(20, 1, 0.125);
  EXPECT_GT(D.ReadLines, 10000);
  EXPECT_LT(D.Exposed, 0.2 * D.ReadLines);
}

/// Odd lines have little around them to overlap with: where they overlap more
/// than others do that stream, so do the lines that come after them.
TEST(Traffic, OddLinesTellTheMost) {
  UnitDemand D = demandOfOddLines(200, 0.1, 0.5);
  EXPECT_GT(D.ReadLines, 10000);
  EXPECT_LT(D.Exposed, 0.2 * D.ReadLines);
}

/// Fetched more often than 1.25 times the 1024 lines it has: per phase, over
/// its tasks, and per object. Not what one task walks through again and again,
/// nor what each walks through once.
TEST(Traffic, GatheredObjects) {
  Scenario S(2);
  S.B.Phases.push_back({0x41, 1, 2});
  for (uint32_t T = 0; T < 2; ++T)
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 1000, 1000, 0});
  for (uint64_t Site : {1, 2, 3})
    S.addObject(Site, 65536);
  S.addMisses(0, 0, 1280, 1); // 1280 in phase 0: just 1.25 times
  S.addMisses(0, 1, 768, 1);  // 768 + 768
  S.addMisses(1, 1, 768, 1);
  S.addMisses(2, 1, 768, 1); // once in phase 1
  S.addMisses(3, 2, 2560, 1);
  for (uint64_t Site : {4, 5, 6}) {
    S.addObject(Site, 65536);
    S.addAccess(Site, "stream", Scenario::n());
  }
  S.addMisses(2, 3, 2560, 1); // one task
  for (uint32_t T : {2u, 3u}) {
    S.addMisses(T, 4, T == 2 ? 768 + 256 : 1024, 1); // each once
    S.addMisses(T, 5, 1280, 1);                      // and some twice
  }
  Problem P = S.predict();
  EXPECT_EQ(P.Phases[0].Gathered, (std::vector<uint32_t>{1}));
  EXPECT_EQ(P.Phases[1].Gathered, (std::vector<uint32_t>{2, 5}));
}

/// A profile whose curve halves with each doubling of the cache.
struct HalvingCurve {
  Scenario S;
  ek_raw_mrc Curve = {};
  HalvingCurve() {
    for (int K = 0; K < EK_RAW_LLC_SIZES; ++K)
      Curve.reads[K] = 64000u >> K;
  }
};

/// alpha at half the cache is alpha of an object twice as large.
TEST(Traffic, StageOfCacheEffects) {
  HalvingCurve H;
  const CacheEffect Twice = cacheEffect(H.S.B, &H.Curve, 2);
  EXPECT_EQ(Twice.Way, CacheWay::Curve);
  EXPECT_NEAR(Twice.Ratio, 2, 1e-9);
  EXPECT_EQ(cacheEffect(H.S.B, &H.Curve, 1).Way, CacheWay::Same);
  EXPECT_EQ(cacheEffect(H.S.B, nullptr, 2).Way, CacheWay::NoCurve);
}

/// Lines grow with accesses and with alpha.
TEST(Traffic, StageOfLines) {
  HalvingCurve H;
  BaseDemand Q;
  Q.Reads = 100;
  Q.Accesses = 1e6;
  Q.Curve = &H.Curve;
  Ratio C;
  C.All = 3;
  EXPECT_NEAR(linesOf(H.S.B, Q, C, 2).Lines, 600, 1e-6);
  Q.Accesses = 150;
  EXPECT_NEAR(linesOf(H.S.B, Q, C, 2).Lines, 450, 1e-6)
      << "no more lines than accesses";
}

/// As for unknown tasks, until it has fetched enough lines itself.
TEST(Traffic, StageOfExposure) {
  Overlaps Of;
  Of.All = {500, 1000};
  Of.ByPattern[{0, AnyInstance}] = Of.ByPattern[{0, 0}] = {0, 0};
  BaseDemand Q;
  EXPECT_EQ(exposureOf(Of, 0, 1, Q, 1e6), 0.5);
  Q.Weight = 1e5;
  Q.Reads = 1e6;
  EXPECT_NEAR(exposureOf(Of, 0, 1, Q, 1e6), 0.1, 0.002);
  Q.Reads = 10;
  Q.Weight = 10;
  EXPECT_NEAR(exposureOf(Of, 0, 1, Q, 1e6), 0.5, 1e-6) << "odd ones";
}

/// Of 900 lines that the caches held and that weigh 0.8 each, half are lost.
TEST(Traffic, StageOfFarLines) {
  Overlaps Of;
  Of.Far[{0x40, 0}] = {820, 1000, 5000, 0, {100, 100}};
  BaseDemand Q;
  Q.Accesses = 5000;
  EXPECT_NEAR(farExposure(Of, 0x40, Q, 450, 0.2), 0.2 + 0.5 * (0.8 - 0.2),
              1e-12);
  EXPECT_EQ(farExposure(Of, 0x41, Q, 450, 0.2), 0.2) << "of another phase";
}

} // namespace
