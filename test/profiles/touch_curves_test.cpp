//===- touch_curves_test.cpp - working set, recency and points ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: records that are small enough to say by hand what their curves are.
//===----------------------------------------------------------------------===//
#include "cli/touches/curves/Recency.h"
#include "cli/touches/curves/Scatter.h"
#include "cli/touches/curves/WorkingSet.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

constexpr double Page = 4096;
constexpr uint64_t Second = 1000000000;

/// One process with a pass each second, and objects of 16 pages.
TouchRecord watched(size_t Passes, const std::vector<std::string> &Names) {
  TouchRecord R;
  R.Command = "a";
  R.Mechanism = "accessed-bits";
  R.Processes.resize(2);
  for (size_t I = 0; I < Names.size(); ++I) {
    TouchObject O;
    O.Kind = "block";
    O.Name = Names[I];
    O.Address = 0x10000 * (I + 1);
    O.Bytes = 16 * 4096;
    R.Objects.push_back(O);
  }
  for (size_t I = 0; I < Passes; ++I)
    R.Passes.push_back({0, I * Second, Second / 100, 16, 65536});
  return R;
}

void see(TouchRecord &R, uint32_t Pass, uint32_t Object, uint32_t First,
         uint32_t Pages, uint32_t Touched) {
  R.Rows.push_back(
      {Pass, Object, First, Pages, Pages, Touched, TouchRow::Unknown});
}

TEST(Distribution, PercentilesAreValuesThatOccur) {
  const Distribution D = distributionOf({40, 10, 30, 20});
  EXPECT_EQ(D.Mean, 25);
  EXPECT_EQ(D.At[0], 10);
  EXPECT_EQ(D.At[1], 20);
  EXPECT_EQ(D.At[2], 30);
  EXPECT_EQ(D.At[4], 40);
  EXPECT_EQ(distributionOf({}).At[4], 0);
}

TEST(WorkingSet, SumsByPassAndBySourceLine) {
  TouchRecord R = watched(2, {"a.c:1", "a.c:2", "a.c:1", "a.c:3"});
  see(R, 0, 0, 0, 16, 3);
  see(R, 0, 1, 0, 16, 16);
  see(R, 1, 0, 0, 8, 8);
  see(R, 1, 0, 8, 8, 1);
  see(R, 1, 2, 0, 16, 10);
  see(R, 1, 3, 0, 16, 0);
  const WorkingSet W = workingSetOf(R, 0, false);
  EXPECT_EQ(W.Seconds, (std::vector<double>{0, 1}));
  EXPECT_EQ(W.Touched, (std::vector<double>{19 * Page, 19 * Page}));
  EXPECT_EQ(W.Resident, (std::vector<double>{32 * Page, 48 * Page}));
  ASSERT_EQ(W.Rows.size(), 2u); // a.c:3 is never touched
  EXPECT_EQ(W.Rows[0].Its.Name, "a.c:1");
  EXPECT_EQ(W.Rows[0].Its.Objects, 2u);
  EXPECT_EQ(W.Rows[0].Touched, (std::vector<double>{3 * Page, 19 * Page}));
  EXPECT_EQ(W.Rows[1].Touched, (std::vector<double>{16 * Page, 0}));
  EXPECT_EQ(workingSetOf(R, 0, true).Rows.size(), 3u);
  EXPECT_TRUE(workingSetOf(R, 1, false).Seconds.empty());
}

TEST(WorkingSet, TakesWritesWhereTouchesAreNotTold) {
  TouchRecord R = watched(1, {"a.c:1"});
  R.Rows.push_back({0, 0, 0, 16, 16, TouchRow::Unknown, 5});
  EXPECT_EQ(workingSetOf(R, 0, false).Touched[0], 5 * Page);
}

TEST(Recency, AgesOfTheSecondHalf) {
  TouchRecord R = watched(5, {"hot", "once", "never"});
  for (uint32_t I = 0; I < 5; ++I) {
    see(R, I, 0, 0, 16, 16);
    see(R, I, 1, 0, 16, I == 0 ? 8 : 0);
    see(R, I, 2, 0, 16, 0);
  }
  const Recency Y = recencyOf(R, 0, false);
  EXPECT_EQ(Y.Passes, 3u); // at 2, 3 and 4 s
  EXPECT_EQ(Y.Ages.front(), 0);
  EXPECT_EQ(Y.Ages.back(), 2);
  EXPECT_DOUBLE_EQ(Y.All.Resident, 48 * Page);
  EXPECT_DOUBLE_EQ(Y.All.Within[0], 16 * Page);
  // Eight pages are 2 s old in one pass of three, older in the others.
  EXPECT_DOUBLE_EQ(Y.All.Within.back(), (16 + 8 / 3.0) * Page);
  ASSERT_EQ(Y.Rows.size(), 2u);
  EXPECT_EQ(Y.Rows[0].Its.Name, "hot");
  EXPECT_EQ(bytesWithin(Y, Y.Rows[1], 1.5), 0);
  EXPECT_DOUBLE_EQ(bytesWithin(Y, Y.Rows[1], 2), 8 / 3.0 * Page);
}

TEST(Recency, AChunkHasWhatAnyWindowOfAnAgeSaw) {
  TouchRecord R = watched(3, {"x"});
  see(R, 0, 0, 0, 16, 12);
  see(R, 1, 0, 0, 16, 4);
  see(R, 2, 0, 0, 16, 6);
  const Recency Y = recencyOf(R, 0, false);
  // At 1 s: 4 now, 12 within 1 s. At 2 s: 6 now, 6 within 1 s, 12 within 2 s.
  EXPECT_DOUBLE_EQ(Y.All.Within[0], 5 * Page);
  EXPECT_DOUBLE_EQ(bytesWithin(Y, Y.All, 1), 9 * Page);
}

TEST(Recency, ChunksThatAreCutAnewKeepTheirPast) {
  TouchRecord R = watched(5, {"x"});
  for (uint32_t I = 0; I < 2; ++I)
    see(R, I, 0, 0, 16, I == 0 ? 16 : 0);
  for (uint32_t I = 2; I < 5; ++I) {
    see(R, I, 0, 0, 4, 0);
    see(R, I, 0, 4, 12, I == 2 ? 12 : 0);
  }
  const Recency Y = recencyOf(R, 0, false);
  EXPECT_DOUBLE_EQ(Y.All.Resident, 16 * Page);
  EXPECT_DOUBLE_EQ(Y.All.Within[0], 12 / 3.0 * Page);
  // At 2 s: 12 now and 4 of age 2; later 12 of age 1 or 2.
  EXPECT_DOUBLE_EQ(Y.All.Within.back(), (16 + 12 + 12) / 3.0 * Page);
}

TEST(Recency, OnePassHasNoAges) {
  TouchRecord R = watched(1, {"x"});
  see(R, 0, 0, 0, 16, 4);
  const Recency Y = recencyOf(R, 0, false);
  EXPECT_EQ(Y.Ages, (std::vector<double>{0}));
  EXPECT_DOUBLE_EQ(Y.All.Within[0], 4 * Page);
  EXPECT_TRUE(roundAges(Y, 4).empty());
  EXPECT_EQ(recencyOf(R, 1, false).All.Within, (std::vector<double>{0}));
}

TEST(Recency, RoundAgesEndAtTheLongest) {
  TouchRecord R = watched(41, {"x"});
  see(R, 40, 0, 0, 16, 4);
  const Recency Y = recencyOf(R, 0, false);
  for (const double Age : {2.0, 5.0, 10.0})
    EXPECT_NE(std::find(Y.Ages.begin(), Y.Ages.end(), Age), Y.Ages.end());
  EXPECT_EQ(roundAges(Y, 9), (std::vector<double>{1, 2, 5, 10, 20}));
  EXPECT_EQ(roundAges(Y, 2), (std::vector<double>{2, 20}));
  EXPECT_TRUE(roundAges(Y, 0).empty());
}

TEST(Scatter, PointsOfTouchedChunks) {
  TouchRecord R = watched(2, {"a.c:1", "a.c:2"});
  see(R, 0, 0, 0, 8, 8);
  see(R, 0, 0, 8, 8, 0);
  see(R, 0, 1, 0, 16, 4);
  see(R, 1, 1, 0, 16, 16);
  const Scatter S = scatterOf(R, 0, 100, 100);
  ASSERT_EQ(S.Bands.size(), 2u);
  EXPECT_EQ(S.Bytes, 24 * Page); // only touched parts have room
  ASSERT_EQ(S.Bands[0].Points.size(), 1u);
  EXPECT_EQ(S.Bands[0].Points[0].Byte, 4 * Page);
  EXPECT_EQ(S.Bands[0].Points[0].Share, 1);
  ASSERT_EQ(S.Bands[1].Points.size(), 2u);
  EXPECT_EQ(S.Bands[1].Points[0].Share, 0.25);
  EXPECT_EQ(S.Bands[1].Points[1].Seconds, 1);
  ASSERT_EQ(S.Groups.size(), 2u);
  EXPECT_EQ(S.Groups[0].Name, "a.c:2");
  EXPECT_EQ(S.Bands[1].Rank, 0u);
  EXPECT_EQ(scatterOf(R, 0, 1, 100).Bands[1].Points.size(), 1u);
  EXPECT_TRUE(scatterOf(R, 1, 100, 100).Bands.empty());
}

} // namespace
