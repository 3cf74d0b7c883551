//===- hot_rows_test.cpp - what a choice of a table's rows serves ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a table of 64 rows of 1 KiB, four on a page, worked out by hand.
//===----------------------------------------------------------------------===//
#include "rows/HotRows.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

using namespace evenkeel;

namespace {

constexpr uint64_t KiB = 1024;

RowTableUse table(std::vector<ek_raw_row_sample> Rows, uint64_t Lookups) {
  RowTableUse T;
  T.Counts.RowBytes = KiB;
  T.Counts.Lookups = Lookups;
  for (const ek_raw_row_sample &R : Rows)
    T.Counts.Rows.push_back({R.row, R.lookups, 0});
  T.Counts.Sample = std::move(Rows);
  T.Bytes = 64 * KiB;
  return T;
}

// Rows 0, 4, 8, 12 and 1 have 30, 25, 20, 15 and 10 of 100 look-ups.
RowTableUse five() {
  return table({{0, 30}, {1, 10}, {4, 25}, {8, 20}, {12, 15}}, 100);
}

TEST(HotRows, RowsPagesAndChance) {
  const RowShares S = sharesOf(five(), 4 * KiB, 0);
  EXPECT_EQ(S.FastRows, 4u);
  EXPECT_DOUBLE_EQ(S.HotRows, 0.90) << "rows 0, 4, 8 and 12";
  EXPECT_DOUBLE_EQ(*S.HotPages, 0.40) << "the page with rows 0 and 1";
  EXPECT_DOUBLE_EQ(S.Random, 4 / 64.0);
  EXPECT_EQ(S.Cached, 0);
}

TEST(HotRows, CachesHoldTheHottest) {
  const RowShares S = sharesOf(five(), 4 * KiB, 2 * KiB);
  EXPECT_EQ(S.CachedRows, 2u);
  EXPECT_DOUBLE_EQ(S.Cached, 0.55);
  EXPECT_DOUBLE_EQ(S.HotRows, 1) << "20, 15 and 10 of 45";
  EXPECT_DOUBLE_EQ(*S.HotPages, 20 / 45.0) << "the page with row 8";
  const RowShares All = sharesOf(five(), 4 * KiB, 64 * KiB);
  EXPECT_DOUBLE_EQ(All.Cached, 1);
  EXPECT_EQ(All.HotRows, 1) << "no look-up is left";
}

// One row in four of the others was counted: each stands for four.
TEST(HotRows, TheSampleStandsForOthers) {
  RowTableUse T = five();
  T.Counts.Rows = {{0, 32, 2}, {4, 9, 9}};
  T.Counts.Error = 9;
  T.Counts.Sample = {{0, 30}, {1, 6}, {4, 8}};
  T.Counts.Shift = 2;
  // Row 0 is sure; 70 look-ups are of 4 rows with 6 parts and 4 with 8 each.
  const RowShares S = sharesOf(T, 5 * KiB, 0);
  EXPECT_DOUBLE_EQ(S.HotRows, 0.3 + 0.7 * 8 / 14);
  EXPECT_FALSE(S.HotPages) << "of a page, not all rows were counted";
  const RowShares Two = sharesOf(T, KiB, 3 * KiB);
  EXPECT_DOUBLE_EQ(Two.Cached, 0.3 + 0.7 * 4 / 14);
  EXPECT_DOUBLE_EQ(Two.HotRows, 2 / 10.0);
}

/// As the recorder samples them: about a power law over 100,000 rows.
TEST(HotRows, EstimatesAreNearTheTruth) {
  constexpr uint64_t Rows = 100000;
  std::vector<double> True(Rows);
  RowTableUse T = table({}, 0);
  T.Bytes = Rows * KiB;
  T.Counts.Shift = 6;
  for (uint64_t R = 0; R < Rows; ++R) {
    const uint64_t Rank = ek_row_hash(R ^ 77) % Rows; // no order in the table
    const auto Lookups = uint64_t(1e6 / double(Rank + 10));
    True[R] = double(Lookups);
    T.Counts.Lookups += Lookups;
    if (Lookups && ek_row_sampled(R, T.Counts.Shift))
      T.Counts.Sample.push_back({R, Lookups});
    if (Lookups > 5000)
      T.Counts.Rows.push_back({R, Lookups, 0});
  }
  std::sort(True.rbegin(), True.rend());
  auto Sum = [&](uint64_t From, uint64_t To) {
    return std::accumulate(True.begin() + ptrdiff_t(From),
                           True.begin() + ptrdiff_t(To), 0.0);
  };
  for (uint64_t Cached : {0, 1000, 10000}) {
    const RowShares S = sharesOf(T, T.Bytes / 8, Cached * KiB);
    EXPECT_NEAR(S.HotRows, Sum(Cached, Cached + Rows / 8) / Sum(Cached, Rows),
                0.03)
        << Cached;
  }
}

TEST(HotRows, RowsOfSeveralPages) {
  RowTableUse T = five();
  T.Counts.RowBytes = 8 * KiB;
  T.Bytes = 64 * 8 * KiB;
  const RowShares S = sharesOf(T, 8 * KiB, 0);
  EXPECT_EQ(S.FastRows, 1u);
  EXPECT_DOUBLE_EQ(S.HotRows, 0.30);
  EXPECT_DOUBLE_EQ(*S.HotPages, 0.30) << "both pages of row 0";
}

TEST(HotRows, AllOfItFits) {
  const RowShares S = sharesOf(five(), 64 * KiB, 0);
  EXPECT_EQ(S.HotRows, 1);
  EXPECT_EQ(S.HotPages, 1);
  EXPECT_EQ(S.Random, 1);
}

TEST(HotRows, RegionsAreJoinedAndUnknownObjectsLeftOut) {
  RowCounts C;
  for (uint64_t Region : {7, 8}) {
    RowTableCounts T = five().Counts;
    T.Region = Region;
    T.Site = 1;
    C.Tables.push_back(T);
  }
  C.Tables.push_back(C.Tables[0]);
  C.Tables[2].Site = 2; // no such object
  ek_raw_inst I{};
  I.site = 1;
  I.bytes = 64 * KiB;
  const std::vector<RowTableUse> Tables = tablesInUse(C, {I});
  ASSERT_EQ(Tables.size(), 1u);
  EXPECT_EQ(Tables[0].Counts.Lookups, 200u);
  EXPECT_EQ(Tables[0].Counts.Rows[0].lookups, 60u);
  EXPECT_EQ(Tables[0].rows(), 64u);
}

} // namespace
