//===- fast_curve_test.cpp - time over fast memory ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/replay/FastCurve.h"
#include <gtest/gtest.h>

using namespace evenkeel::cli;

TEST(FastCurve, TheKneeIsThePointFarthestBelowTheStraightLine) {
  const std::vector<CurvePoint> Curve{
      {0, 100}, {10, 60}, {20, 50}, {50, 45}, {100, 40}};
  ASSERT_TRUE(kneeOf(Curve));
  EXPECT_EQ(*kneeOf(Curve), 2u); // 0.63 below; the point at 10 is 0.57 below
}

TEST(FastCurve, AStraightOrFlatOrRisingCurveHasNoKnee) {
  EXPECT_FALSE(kneeOf({{0, 100}, {50, 72}, {100, 40}}));
  EXPECT_FALSE(kneeOf({{0, 100}, {50, 100}, {100, 100}}));
  EXPECT_FALSE(kneeOf({{0, 100}, {50, 90}, {100, 110}}));
  EXPECT_FALSE(kneeOf({{0, 100}, {50, 10}}));
  EXPECT_FALSE(kneeOf({}));
}

TEST(FastCurve, ABulgeAboveTheLineIsNoKnee) {
  EXPECT_FALSE(kneeOf({{0, 100}, {50, 95}, {100, 40}}));
}

TEST(FastCurve, TheBytesForATimeAreInterpolated) {
  const std::vector<CurvePoint> Curve{{0, 100}, {10, 80}, {20, 80}, {40, 40}};
  EXPECT_DOUBLE_EQ(*bytesFor(Curve, 90), 5);
  EXPECT_DOUBLE_EQ(*bytesFor(Curve, 80), 10); // the least amount
  EXPECT_DOUBLE_EQ(*bytesFor(Curve, 60), 30);
  EXPECT_DOUBLE_EQ(*bytesFor(Curve, 200), 0);
  EXPECT_FALSE(bytesFor(Curve, 39));
}
