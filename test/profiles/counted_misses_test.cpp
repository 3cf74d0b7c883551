//===- counted_misses_test.cpp - estimated misses of a profile with counts ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predict/base/CountedMisses.cpp alone, with expected values computed by
// hand. The last level of the scenario holds 1 MiB: 16384 lines.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "predict/base/CountedMisses.h"

using namespace evenkeel;

namespace {

constexpr uint64_t MiB = 1 << 20, Lines = MiB / 64;

struct Counted : Scenario {
  using Scenario::Scenario;
  Profile Out;

  void estimate() {
    B.Mode = "counts";
    B.Config.rob_instructions = 224;
    B.Config.prefetch_depth = 20;
    Out = withEstimatedMisses(B, F);
  }
  void walks(uint64_t Site, int64_t Stride = 8) {
    addAccess(Site, "stream", n());
    F.Accesses.back().Stride = Stride;
  }
  ek_raw_miss sum(uint32_t Task, uint32_t Inst) const {
    ek_raw_miss All = {};
    for (const ek_raw_miss &M : Out.Misses)
      if (M.task == Task && M.inst == Inst) {
        All.reads += M.reads;
        All.writes += M.writes;
        All.weight += M.weight;
      }
    return All;
  }
};

TEST(CountedMisses, StreamsBringEachLineOncePerPass) {
  Counted C;
  const uint32_t A = C.addObject(1, 4 * MiB);
  C.walks(1);
  const uint64_t N = 4 * MiB / 8;
  C.B.Accesses.push_back({0, A, 3 * N, 0}); // three passes
  C.estimate();
  EXPECT_EQ(C.sum(0, A).reads, 3 * 4 * Lines);
  EXPECT_EQ(C.sum(0, A).writes, 0u);
  EXPECT_NEAR(C.sum(0, A).weight, 3 * 4 * Lines / 20.0, 1);
  EXPECT_EQ(C.Out.Mode, "counts");
}

TEST(CountedMisses, ARegionThatTheAnalysisDoesNotKnow) {
  Counted C;
  const uint32_t A = C.addObject(1, 4 * MiB);
  C.walks(1);
  const uint64_t N = 4 * MiB / 8;
  C.B.Accesses.push_back({0, A, N, 0});
  C.B.Tasks[0].region = 12345; // as in an imported profile
  C.estimate();
  EXPECT_EQ(C.sum(0, A).reads, 4 * Lines); // walked, as where it is known
}

TEST(CountedMisses, WhatFitsStays) {
  Counted C;
  const uint32_t A = C.addObject(1, MiB / 2);
  C.walks(1);
  C.B.Accesses.push_back({0, A, 30 * MiB / 16, 0});
  C.estimate();
  EXPECT_EQ(C.sum(0, A).reads, 0u);
  ASSERT_EQ(C.Out.Curves.size(), 1u); // smaller caches than its data miss
  EXPECT_EQ(C.Out.Curves[0].reads[0], 30 * MiB / 16 * 8 / 64);
  EXPECT_EQ(C.Out.Curves[0].reads[7], 0u);
}

TEST(CountedMisses, WritesAreWrittenBack) {
  Counted C;
  const uint32_t A = C.addObject(1, 4 * MiB);
  C.walks(1);
  C.B.Accesses.push_back({0, A, 4 * MiB / 8, 4 * MiB / 16});
  C.estimate();
  EXPECT_EQ(C.sum(0, A).reads, 4 * Lines);
  EXPECT_EQ(C.sum(0, A).writes, 2 * Lines);
}

TEST(CountedMisses, JumpsHitAsOftenAsTheCacheHoldsThem) {
  Counted C;
  const uint32_t A = C.addObject(1, 4 * MiB);
  C.addAccess(1, "random", Scenario::n());
  C.B.Accesses.push_back({0, A, 100 * MiB, 0});
  C.estimate();
  // A quarter of the lines is in the cache.
  EXPECT_NEAR(double(C.sum(0, A).reads) / (100.0 * MiB), 0.75, 0.01);
}

TEST(CountedMisses, StreamsBesidePushOutWhatIsJumpedTo) {
  Counted C;
  const uint32_t A = C.addObject(1, MiB), S = C.addObject(2, 64 * MiB);
  C.addAccess(1, "random", Scenario::n());
  C.walks(2, 64);
  C.B.Accesses.push_back({0, A, Lines * 16, 0});
  C.B.Accesses.push_back({0, S, Lines * 64, 0}); // 4 lines per random access
  C.estimate();
  const double Missed = double(C.sum(0, A).reads) / (16.0 * Lines);
  EXPECT_GT(Missed, 0.7); // alone it would fit
  EXPECT_LT(Missed, 0.9);
}

TEST(CountedMisses, ChasesWaitForEachLine) {
  Counted C;
  const uint32_t A = C.addObject(1, 64 * MiB);
  C.addAccess(1, "chase", Scenario::n());
  C.B.Accesses.push_back({0, A, 10 * MiB, 0});
  C.estimate();
  const ek_raw_miss All = C.sum(0, A);
  EXPECT_NEAR(All.weight, double(All.reads), 0.01 * double(All.reads));
}

TEST(CountedMisses, ThreadsWalkThroughTheirParts) {
  Counted C(2);
  const uint32_t A = C.addObject(1, 8 * MiB);
  C.walks(1);
  C.B.Accesses.push_back({0, A, 3 * MiB / 4, 0}); // three quarters
  C.B.Accesses.push_back({1, A, MiB / 4, 0});
  C.estimate();
  for (const ek_raw_miss &M : C.Out.Misses)
    EXPECT_EQ(M.task, M.chunk < 192 ? 0u : 1u) << M.chunk;
  EXPECT_EQ(C.sum(0, A).reads, 6 * Lines);
  EXPECT_EQ(C.sum(1, A).reads, 2 * Lines);
}

TEST(CountedMisses, OtherBlocksOfTheSiteAreNotMeant) {
  Counted C;
  const uint32_t A = C.addObject(1, 4 * MiB), Other = C.addObject(1, 4 * MiB);
  C.B.Instances[A].context = 5;
  C.B.Instances[Other].context = 6;
  C.walks(1);
  C.F.Accesses.back().Contexts = {5};
  C.B.Accesses.push_back({0, A, 4 * MiB / 8, 0});
  C.B.Accesses.push_back({0, Other, 4 * MiB / 8, 0});
  C.estimate();
  EXPECT_EQ(C.sum(0, A).reads, 4 * Lines);
  EXPECT_GT(C.sum(0, Other).reads, 20 * Lines); // unknown: assumed random
}

TEST(CountedMisses, PlansSayThatTheyGoByThem) {
  Counted C;
  const uint32_t A = C.addObject(1, 4 * MiB);
  C.walks(1);
  C.B.Accesses.push_back({0, A, 4 * MiB / 8, 0});
  C.estimate();
  C.R.Base = &C.Out;
  const Problem P = C.predict();
  EXPECT_EQ(P.Methods.count(text(CacheWay::Counted)), 1u);
  ASSERT_EQ(P.Phases[0].Tasks[0].Estimates.size(), 1u);
  EXPECT_GT(boundOf(P.Phases[0].Tasks[0].Estimates[0]), 1); // uncertain
}

} // namespace
