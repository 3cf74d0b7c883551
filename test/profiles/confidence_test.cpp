//===- confidence_test.cpp - error bounds by evidence ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a time has the bound of what it rests on, as errors.def has it.
//===----------------------------------------------------------------------===//
#include "predict/Confidence.h"
#include "tuning/Tuning.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace evenkeel;

namespace {

/// A task of 1 s: \p Core seconds compute, and the rest waits for objects.
struct Task : PredictedTask {
  explicit Task(double Seconds, CoreWay Way = CoreWay::Accesses) {
    Core = Way;
    Demand.CoreSeconds = Seconds;
  }
  /// \p Share of the waiting is for an object that is counted like this.
  void waits(double Share, CountWay Count, CacheWay Cache = CacheWay::Curve,
             bool Gathered = false) {
    const auto I = uint32_t(Estimates.size());
    Demand.Units.push_back({I, 1000 * Share, 0, 1000 * Share, 0, I});
    Estimates.push_back({I, Count, Cache, Gathered, 1000 * Share, 0, 0});
  }
};

double share(Evidence Of, Reach How) {
  return std::expm1(
      std::hypot(std::log1p(figures().ModelOff), boundOf(Of, How)));
}

TEST(Confidence, WorseEvidenceHasNoSmallerBound) {
  for (unsigned E = 0; E < Evidences; ++E)
    for (unsigned R = 0; R < Reaches; ++R) {
      const double Its = boundOf(Evidence(E), Reach(R));
      EXPECT_GE(Its, 0);
      if (E)
        EXPECT_GT(Its, 0) << text(Evidence(E));
      if (R)
        EXPECT_GE(Its, boundOf(Evidence(E), Reach(R - 1)));
    }
  EXPECT_LT(boundOf(Evidence::Known, Reach::Steady),
            boundOf(Evidence::Scaled, Reach::Steady));
  EXPECT_LT(boundOf(Evidence::Scaled, Reach::Changed),
            boundOf(Evidence::Kept, Reach::Steady));
}

TEST(Confidence, ATimeHasTheBoundOfItsWorstEvidence) {
  Task T(0.4);
  T.waits(0.5, CountWay::Formula);
  T.waits(0.5, CountWay::FormulaScaled);
  EXPECT_EQ(basisOf(T, 1).Of, Evidence::Scaled);
  EXPECT_NEAR(timeBound(T, 1), share(Evidence::Scaled, Reach::Steady), 1e-12);
  T.waits(1, CountWay::BaseCount);
  EXPECT_EQ(basisOf(T, 1).Of, Evidence::Kept);
  EXPECT_GT(timeBound(T, 1), 1); // a guess
}

TEST(Confidence, EvidenceForASmallPartOfTheTimeDoesNotDecide) {
  Task T(0.4);
  T.waits(0.95, CountWay::Formula);
  T.waits(0.05, CountWay::BaseCount, CacheWay::NoCurve);
  EXPECT_EQ(basisOf(T, 1).Of, Evidence::Known);
  EXPECT_EQ(basisOf(T, 1).How, Reach::Steady);
}

TEST(Confidence, SmallPartsAddUp) {
  Task T(0.4);
  for (int I = 0; I < 4; ++I)
    T.waits(0.05, CountWay::BaseCount);
  T.waits(0.8, CountWay::Formula);
  EXPECT_EQ(basisOf(T, 1).Of, Evidence::Kept);
}

TEST(Confidence, GatheredAndChangedLinesAreLessCertain) {
  Task Walks(0.1), Gathers(0.1), Newly(0.1);
  Walks.waits(1, CountWay::Formula);
  Gathers.waits(1, CountWay::Formula, CacheWay::Curve, true);
  Newly.waits(1, CountWay::Formula, CacheWay::Fitted);
  EXPECT_LT(timeBound(Walks, 1), timeBound(Gathers, 1));
  EXPECT_LE(timeBound(Gathers, 1), timeBound(Newly, 1));
}

TEST(Confidence, TheBaseInputItselfHasTheModelsErrorAlone) {
  Task T(0.4);
  T.waits(1, CountWay::Base, CacheWay::Same);
  EXPECT_EQ(basisOf(T, 1).Of, Evidence::Own);
  EXPECT_NEAR(timeBound(T, 2), 2 * figures().ModelOff, 1e-12);
}

TEST(Confidence, PhasesThatDifferedWillDifferAgain) {
  Task T(0.4);
  T.waits(1, CountWay::Base, CacheWay::Same);
  T.CoreOff = 0.5;
  T.Estimates[0].FitOff = 0.1;
  EXPECT_NEAR(basisOf(T, 1).Off, 0.4 * 0.5 + 0.6 * 0.1, 1e-12);
  EXPECT_GT(timeBound(T, 1), 0.26);
}

TEST(Confidence, ComputingWithoutAccessesIsAGuess) {
  Task T(0.9, CoreWay::Work);
  T.waits(1, CountWay::Formula);
  EXPECT_EQ(basisOf(T, 1).Of, Evidence::Kept);
}

} // namespace
