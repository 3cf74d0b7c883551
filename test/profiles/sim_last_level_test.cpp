//===- sim_last_level_test.cpp - records with another last level ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim_records.h"
#include "simulator/LastLevel.h"

using namespace evenkeel;

namespace {

constexpr uint32_t MiB = 1 << 20;

/// Two workers with 1 MiB of last level each; one task reads an object of four
/// pages, another one does not miss at all.
MissRecord someRecord() {
  RecordBuilder B(2);
  B.phase(2);
  uint32_t A = B.instance(4 * EK_PAGE), C = B.instance(2 * EK_PAGE);
  uint32_t T = B.thread(0, 4000);
  B.thread(1, 4000);
  B.row(T, 0, A, 0, 3, 1, 1.5f);
  B.row(T, 1, A, 1, 5, 3, 2.5f);
  MissRecord R = B.record();
  R.Config.llc_share_bytes = MiB;
  R.Config.llc_sizes[0] = MiB / 2;
  R.Config.llc_sizes[1] = MiB;
  R.Config.llc_sizes[2] = 4 * MiB;
  R.Curves = {{T, A, {16, 8, 2}}, {T, C, {6, 0, 0}}};
  return R;
}

TEST(LastLevel, CurvesAreReadBetweenSizes) {
  MissRecord R = someRecord();
  const uint32_t *Sizes = R.Config.llc_sizes;
  EXPECT_EQ(fetchedAt(R.Curves[0], Sizes, MiB), 8);
  EXPECT_EQ(fetchedAt(R.Curves[0], Sizes, MiB / 2), 16);
  EXPECT_NEAR(fetchedAt(R.Curves[0], Sizes, 2 * MiB), 5, 1e-9);
  EXPECT_EQ(fetchedAt(R.Curves[0], Sizes, 64.0 * MiB), 2);
  EXPECT_EQ(fetchedAt(R.Curves[0], Sizes, 1000), 16);
}

TEST(LastLevel, TheSizeThatWasRecordedChangesNothing) {
  MissRecord R = someRecord();
  auto Same = withLastLevel(R, 2 * MiB); // of two workers
  ASSERT_TRUE(bool(Same)) << Same.message();
  ASSERT_EQ(Same->Pages.size(), R.Pages.size());
  for (size_t I = 0; I < R.Pages.size(); ++I) {
    EXPECT_EQ(Same->Pages[I].reads, R.Pages[I].reads);
    EXPECT_EQ(Same->Pages[I].writes, R.Pages[I].writes);
    EXPECT_EQ(Same->Pages[I].weight, R.Pages[I].weight);
  }
}

TEST(LastLevel, CountsFollowTheCurve) {
  MissRecord R = someRecord();
  auto Small = withLastLevel(R, MiB), Large = withLastLevel(R, 8 * MiB);
  ASSERT_TRUE(Small && Large);
  uint64_t Reads[2] = {0, 0}, Writes = 0;
  for (const ek_raw_page &P : Small->Pages) {
    Reads[P.inst] += P.reads;
    Writes += P.inst == 0 ? P.writes : 0;
  }
  EXPECT_EQ(Reads[0], 16u);
  EXPECT_EQ(Writes, 8u); // twice as many fetched, twice as many back
  EXPECT_EQ(Reads[1], 6u) << "spread over pages that did not miss";
  EXPECT_TRUE(std::is_sorted(
      Small->Pages.begin(), Small->Pages.end(), [](auto &A, auto &B) {
        return std::tie(A.task, A.quantum, A.inst, A.page) <
               std::tie(B.task, B.quantum, B.inst, B.page);
      }));
  Reads[0] = 0;
  for (const ek_raw_page &P : Large->Pages)
    Reads[P.inst] += P.reads;
  EXPECT_EQ(Reads[0], 2u);
  // And replay takes them.
  EXPECT_GT(run(*Small, plainMachine(), 0, "slow-only").MakespanSeconds,
            run(*Large, plainMachine(), 0, "slow-only").MakespanSeconds);
}

TEST(LastLevel, NeedsCurves) {
  MissRecord R = someRecord();
  R.Curves.clear();
  EXPECT_NE(withLastLevel(R, MiB).message().find("no miss-ratio curves"),
            std::string::npos);
}

} // namespace
