//===- spans_test.cpp - traffic in the course of a phase ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: format/Course.h and models/Spans.cpp alone, with expected values
// computed by hand.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "format/Course.h"
#include "models/Model.h"
#include "models/Phase.h"
#include "models/Spans.h"

using namespace evenkeel;

namespace {

constexpr uint64_t Always = ~uint64_t(0);

/// Sixteenths \p From to \p To of a task.
uint64_t during(unsigned From, unsigned To) {
  Course C;
  C.add(1, From / 16.0, To / 16.0);
  return C.packed();
}

TEST(Course, PartsOfThePeak) {
  EXPECT_EQ(Course().packed(), 0u);
  EXPECT_EQ(during(0, 16), Always);
  EXPECT_EQ(during(0, 1), 0xfu);
  EXPECT_EQ(during(15, 16), uint64_t(0xf) << 60);
  Course C;
  C.add(30, 0, 0.0625);
  C.add(30, 0.5, 0.625);  // 15 in each of two
  C.add(2, 0.96875, 1.0); // in the last half of the last one
  EXPECT_EQ(C.packed(), 0x10000088'0000000fu);
  EXPECT_EQ(Course::sum(C.packed()), 15u + 8 + 8 + 1);
  EXPECT_EQ(Course::part(C.packed(), 9), 8u);
  Course D;
  D.add(64, C.packed());
  EXPECT_DOUBLE_EQ(D.Lines[0], 30);
  EXPECT_DOUBLE_EQ(D.Lines[8], 16);
  EXPECT_DOUBLE_EQ(D.Lines[1], 0);
  D.add(5, uint64_t(0)); // not known: nothing is said
  EXPECT_EQ(D.packed(), C.packed());
}

/// One task of 16 ms; one unit for each of \p Courses, of \p Lines each.
struct OnePhase {
  Machine M = roundMachine();
  Problem P;
  std::unique_ptr<Model> Mod = std::move(*makeModel("overlap"));

  OnePhase(double Lines, std::vector<uint64_t> Courses) {
    P.Phases.resize(1);
    P.Phases[0].Workers = 1;
    P.Phases[0].Tasks.edit().resize(1);
    task().Demand.CoreSeconds = 16e-3;
    for (uint64_t Course : Courses) {
      const uint32_t K = uint32_t(P.Units.size());
      P.Instances.emplace_back();
      P.Units.push_back({K, 0, 256, Lines * 64});
      task().Demand.Units.push_back({K, Lines, 0, 0, 0, K, false, Course});
    }
    M.Tiers[1].ReadBandwidthGBps = 1;
  }
  PredictedTask &task() { return P.Phases[0].Tasks.edit()[0]; }
  double seconds(const std::vector<double> &Fast) const {
    return phaseSeconds(P.Phases[0], Fast, M, *Mod);
  }
  std::vector<Span> spans(const std::vector<double> &Fast) const {
    return spansOf(P.Phases[0], Fast, M, *Mod);
  }
};

/// 20,000 lines of 64 B at 1 GB/s take 1.28 ms. A sixteenth of the task is 1
/// ms.
TEST(Spans, BurstsWaitForBandwidth) {
  for (uint64_t Course : {uint64_t(0), Always, during(0, 2)})
    EXPECT_NEAR(OnePhase(20000, {Course}).seconds({0}), 16e-3, 1e-9);
  for (unsigned K : {0u, 7u, 15u})
    EXPECT_NEAR(OnePhase(20000, {during(K, K + 1)}).seconds({0}), 16.28e-3,
                1e-6)
        << K;
  // In the fast tier, or little of a phase, or at any time of a team's.
  OnePhase S(20000, {during(3, 4)});
  EXPECT_NEAR(S.seconds({1}), 16e-3, 1e-9);
  EXPECT_EQ(S.spans({0}).size(), 16u);
  EXPECT_EQ(S.spans({1}).size(), 1u);
  S.task().Demand.CoreSeconds = 1;
  EXPECT_EQ(S.spans({0}).size(), 1u);
  S.task().Demand.CoreSeconds = 16e-3;
  EXPECT_EQ(OnePhase(20000, {during(0, 14)}).spans({0}).size(), 1u); // 8 : 7
  S.task().Explicit = true;
  EXPECT_EQ(S.spans({0}).size(), 1u);
}

/// Two objects, 240,000 lines each, take 15.36 ms each from the slow tier: too
/// much for one half of the task. Side by side or one after another.
TEST(Spans, ObjectsOneAfterAnother) {
  const uint64_t First = during(0, 8), Second = during(8, 16);
  for (bool Apart : {false, true}) {
    OnePhase S(240000, {Apart ? First : Always, Apart ? Second : Always});
    EXPECT_NEAR(S.seconds({1, 0}), Apart ? 8e-3 + 15.36e-3 : 16e-3, 1e-6);
    EXPECT_NEAR(S.seconds({0, 0}), 2 * 15.36e-3, 1e-6);
    EXPECT_NEAR(S.seconds({0.5, 0.5}), 16e-3, 1e-6);
  }
  // Its units in their order where that is all that is known.
  OnePhase Walk(240000, {0, 0});
  for (UnitDemand &U : Walk.task().Demand.Units) {
    U.Object = 0;
    U.Walked = true;
  }
  EXPECT_NEAR(Walk.seconds({1, 0}), 8e-3 + 15.36e-3, 1e-6);
  // Again and again, and known to be so.
  for (UnitDemand &U : Walk.task().Demand.Units)
    U.Course = Always;
  EXPECT_EQ(Walk.spans({1, 0}).size(), 1u);
}

/// Object 0 comes in a burst, in the first sixteenth, with a sixteenth of
/// object 1: 17 of 32 lines. With caches that hold 8 of 32, what is fetched is
/// written back 8 later: of object 0, from 8 to 25, of which 9 before the burst
/// is over, and the rest as the next 8 come, each sixteenth one.
TEST(Spans, WriteBacksFollowFetches) {
  OnePhase S(160000, {during(0, 1), Always});
  S.task().Demand.Opening = 0.25;
  S.task().Demand.Units[0].WriteLines = 17000;
  const std::vector<Span> All = S.spans({0, 0});
  ASSERT_EQ(All.size(), 16u);
  double Sum = 0;
  for (size_t K = 0; K < All.size(); ++K) {
    const double Its = All[K].Tasks[0].Lines[WriteSlow];
    EXPECT_NEAR(Its, K == 0 ? 9000 : K < 9 ? 1000 : 0, 1e-6) << K;
    EXPECT_NEAR(All[K].Tasks[0].Lines[ReadSlow], K ? 10000 : 170000, 1e-6);
    Sum += Its;
  }
  EXPECT_NEAR(Sum, 17000, 1e-6);
  // Object 1, always: where all is even, it is as if nothing were known.
  std::vector<Span> Both[2];
  for (bool Known : {false, true}) {
    OnePhase E(160000, {during(0, 1), Known ? Always : 0});
    E.task().Demand.Opening = 0.25;
    E.task().Demand.Units[0].ReadLines = 1600; // no more than makes slices
    E.M.Tiers[1].ReadBandwidthGBps = 1e-3;
    E.task().Demand.Units[1].WriteLines = 160000;
    Both[Known] = E.spans({1, 0});
    if (Both[Known].size() != 16)
      Both[Known] = E.spans({0, 0});
  }
  ASSERT_EQ(Both[0].size(), Both[1].size());
  for (size_t K = 0; K < Both[0].size(); ++K)
    EXPECT_NEAR(Both[0][K].Tasks[0].Lines[WriteSlow],
                Both[1][K].Tasks[0].Lines[WriteSlow], 1500)
        << K;
  // What others left goes out as the first 8 come.
  S.task().Demand.Units[0].OpeningWrites = 17000;
  EXPECT_NEAR(S.spans({0, 0})[0].Tasks[0].Lines[WriteSlow], 17000, 1e-6);
}

} // namespace
