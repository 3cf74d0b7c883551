//===- arbiter_test.cpp - placements judged on drawn problems -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which of several placements wins when predictions are certain and when
// they are not, and what errors look like. A line in the fast tier saves 200
// ns.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "models/Phase.h"
#include "planner/Arbiter.h"
#include "planner/Draws.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace {

using Shares = std::vector<double>;

/// Objects of 1 MiB; a phase of tasks that read lines of them.
struct Case : Problem {
  Machine M = roundMachine();
  std::unique_ptr<Model> Mod;

  Case() {
    auto Made = makeModel("overlap");
    EXPECT_TRUE(static_cast<bool>(Made));
    Mod = std::move(*Made);
    FastBytes = 1 << 20;
  }
  void object() {
    const auto I = uint32_t(Instances.size());
    PredictedInstance X;
    X.Site = I + 1;
    X.Bytes = 1 << 20;
    Instances.push_back(X);
    Units.push_back({I, 0, EK_CHUNKS, X.Bytes});
  }
  void phase(uint64_t Region) {
    PredictedPhase H;
    H.Phase = uint32_t(Phases.size());
    H.Region = Region;
    Phases.push_back(H);
  }
  /// A task of the last phase; \p Lines: object, lines, how they are counted.
  void task(const std::vector<std::tuple<uint32_t, double, CountWay>> &Lines) {
    PredictedTask T;
    T.Region = Phases.back().Region;
    T.Index = uint32_t(Phases.back().Tasks.size());
    T.Demand.CoreSeconds = 1e-4;
    T.Core = CoreWay::Accesses;
    for (auto [I, N, Way] : Lines) {
      T.Demand.Units.push_back({I, N, 0, N, 0, I});
      Estimate E;
      E.Instance = I;
      E.Count = Way;
      E.Cache = Way == CountWay::Base ? CacheWay::Same : CacheWay::Curve;
      E.Accesses = E.Lines = N;
      T.Estimates.push_back(E);
    }
    Phases.back().Workers = T.Index + 1;
    Phases.back().Tasks.push_back(T);
  }
  size_t chosen(const std::vector<Shares> &All) const {
    return leastHarm(standings(*this, M, *Mod, All));
  }
};

/// Tasks 0 and 1 read objects of their own; first touch has object 1 fast.
struct Pair : Case {
  Pair(double First, double Second, CountWay Way) {
    object();
    object();
    phase(7);
    task({{0, First, Way}});
    task({{1, Second, Way}});
  }
};

TEST(Arbiter, TakesACertainGain) {
  Pair X(1000, 900, CountWay::Base);
  EXPECT_EQ(X.chosen({{0, 1}, {1, 0}}), 1u);
  Pair Y(900, 1000, CountWay::Base);
  EXPECT_EQ(Y.chosen({{0, 1}, {1, 0}}), 0u);
}

TEST(Arbiter, LeavesAGainThatMayWellBeALoss) {
  const auto Certain = Pair(1000, 900, CountWay::Base);
  const auto Of = [](const Case &C) {
    return standings(C, C.M, *C.Mod, {{0, 1}, {1, 0}})[1];
  };
  EXPECT_LT(Of(Certain).Bad, 1);
  Pair Guessed(1000, 900, CountWay::BaseCount);
  EXPECT_GT(Of(Guessed).Bad, 1.01);
  EXPECT_EQ(Guessed.chosen({{0, 1}, {1, 0}}), 0u);
}

TEST(Arbiter, PrefersTheBestMeanAmongTheHarmless) {
  // Half of each object is better than nothing whatever the counts are; all of
  // one and nothing of the other may be worse.
  Pair X(1000, 900, CountWay::BaseCount);
  EXPECT_EQ(X.chosen({{0, 0}, {1, 0}, {0.5, 0.5}}), 2u);
}

TEST(Arbiter, ChangesNothingForNothing) {
  Pair X(1000, 1000, CountWay::Base);
  EXPECT_EQ(X.chosen({{0, 1}}), 0u);
  EXPECT_EQ(X.chosen({{0, 1}, {0, 1}, {1, 0}}), 0u);
}

TEST(Arbiter, ASingleBadDrawInTwentyIsTolerated) {
  std::vector<double> Ratios(20, 0.9);
  Ratios[3] = 2;
  EXPECT_DOUBLE_EQ(standingOf(Ratios).Bad, 0.9);
  Ratios[11] = 3;
  EXPECT_DOUBLE_EQ(standingOf(Ratios).Bad, 2);
  EXPECT_NEAR(standingOf(Ratios).Mean, (18 * 0.9 + 5) / 20, 1e-12);
  EXPECT_DOUBLE_EQ(standingOf({1.5, 0.5}).Bad, 1.5); // few draws: the worst
}

TEST(Arbiter, JudgesWhereDataLiesUntilItMoves) {
  Pair X(1000, 900, CountWay::Base);
  X.phase(7);
  X.task({{0, 1000, CountWay::Base}});
  X.task({{1, 900, CountWay::Base}});
  const Shares Stay{1, 0}, Other{0, 1};
  const auto Of = [&](std::vector<PlacementChange> Changes, double More) {
    double Seconds = More;
    for (uint32_t H : {0u, 1u})
      Seconds += phaseSeconds(
          X.Phases[H], !Changes.empty() && Changes[0].Phase <= H ? Stay : Other,
          X.M, *X.Mod);
    return standingOfChanges(X, X.M, *X.Mod, Stay, Other, Changes, Seconds);
  };
  const Standing All = Of({}, 0), Half = Of({{1, Stay}}, 0),
                 None = Of({{0, Stay}}, 0);
  EXPECT_DOUBLE_EQ(None.Mean, 1);
  EXPECT_NEAR(All.Mean, standings(X, X.M, *X.Mod, {Stay, Other})[1].Mean, 1e-9);
  EXPECT_NEAR(Half.Mean - 1, (All.Mean - 1) / 2, 1e-9);
  EXPECT_GT(Half.Mean, 1);
  EXPECT_FALSE(isHarmless(All));
  EXPECT_TRUE(isHarmless(None));
  // Copying takes its time in each draw.
  EXPECT_FALSE(isHarmless(Of({{0, Stay}}, 1e-3)));
}

/// The factor on the lines of the first unit of each task.
Shares factors(const Case &X, size_t Phase, unsigned Draw) {
  const PredictedPhase &H = X.Phases[Phase];
  Shares Out;
  const PhaseErrors Errors = drawErrors(X, H, Draw + 1);
  for (const TaskErrors &Its : Errors.Tasks)
    Out.push_back(Its.Objects[0].By[Draw]);
  return Out;
}

struct TwoPhases : Case {
  TwoPhases() {
    object();
    for (int H = 0; H < 2; ++H) {
      phase(7);
      task({{0, 1000, CountWay::SizeRatio}});
      task({{0, 500, CountWay::SizeRatio}});
    }
  }
};

TEST(Draws, ErrorsComeInPairsOfOppositeSign) {
  TwoPhases X;
  const Shares Up = factors(X, 0, 4), Down = factors(X, 0, 5);
  for (size_t T = 0; T < 2; ++T) {
    EXPECT_NEAR(Up[T] * Down[T], 1, 1e-12);
    EXPECT_NE(Up[T], 1);
  }
  EXPECT_NE(factors(X, 0, 6), Up);
}

TEST(Draws, PhasesOfARegionAreOffAlike) {
  TwoPhases X;
  EXPECT_EQ(factors(X, 0, 2), factors(X, 1, 2));
  X.Phases[1].Region = 8;
  for (PredictedTask &T : X.Phases[1].Tasks.edit())
    T.Region = 8;
  EXPECT_NE(factors(X, 0, 2), factors(X, 1, 2));
}

TEST(Draws, NineInTenAreWithinTheTypicalBound) {
  Case X;
  X.object();
  X.phase(7);
  X.task({{0, 1000, CountWay::SizeRatio}});
  const double Bound =
      figures().TypicalError * boundOf(X.Phases[0].Tasks[0].Estimates[0]);
  const unsigned N = 2000;
  unsigned Within = 0;
  const PhaseErrors Errors = drawErrors(X, X.Phases[0], N);
  for (double By : Errors.Tasks[0].Objects[0].By)
    Within += std::fabs(std::log(By)) <=
              std::hypot(Bound, figures().TypicalError *
                                    std::log1p(figures().ModelOff));
  EXPECT_NEAR(Within / double(N), 0.9, 0.03);
}

TEST(Draws, UnitsOfAnObjectAreOffAlike) {
  Case X;
  X.object();
  X.object();
  X.Units = {{0, 0, 8, 1 << 19}, {0, 8, EK_CHUNKS, 1 << 19}, X.Units[1]};
  X.phase(7);
  X.task({{0, 1000, CountWay::SizeRatio}});
  auto &Units = X.Phases[0].Tasks.edit()[0].Demand.Units;
  Units.push_back({1, 500, 0, 500, 0, 0});
  Units.push_back({2, 500, 0, 500, 0, 1});
  const PhaseErrors Errors = drawErrors(X, X.Phases[0], 1);
  const auto &Its = Errors.Tasks[0].Objects;
  ASSERT_EQ(Its.size(), 2u);
  EXPECT_EQ(Its[0].End, 2u);
  EXPECT_EQ(Its[1].End, 3u);
}

} // namespace
