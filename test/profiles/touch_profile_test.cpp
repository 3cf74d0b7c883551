//===- touch_profile_test.cpp - a profile from touched pages --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: walks that a pass stands for, peaks of live bytes, tasks of processes,
// and what is left out with which reason.
//===----------------------------------------------------------------------===//
#include "format/touches/TouchProfile.h"
#include <gtest/gtest.h>

using namespace evenkeel;

namespace {

constexpr uint32_t Unknown = TouchRow::Unknown;
constexpr uint64_t Ms = 1000000;
constexpr uint64_t PageWords = 4096 / 8;

/// Two processes; object 0 and 1 are of site 7, 2 of site 9, 3 of none.
TouchRecord record() {
  TouchRecord R;
  R.Processes.resize(2);
  R.Objects.resize(4);
  R.Objects[0].Bytes = 10 * 4096;
  R.Objects[1].Bytes = 20 * 4096;
  R.Objects[2].Process = 1;
  R.Objects[2].Bytes = 5 * 4096;
  // A window of 2 ms, 10 and then 20 ms after the pass before.
  R.Passes = {{0, 10 * Ms, 2 * Ms, 0, 0},
              {0, 30 * Ms, 2 * Ms, 0, 0},
              {1, 40 * Ms, 2 * Ms, 0, 0}};
  R.Rows = {{0, 0, 0, 10, 10, 4, Unknown},
            {1, 0, 0, 10, 10, 3, 1},
            {1, 1, 0, 20, 20, 2, Unknown},
            {1, 3, 0, 9, 9, 9, Unknown},
            {2, 2, 0, 5, 5, 0, 2}};
  return R;
}

Facts sites() {
  Facts F;
  for (uint64_t Id : {7, 8, 9}) {
    SiteFact S;
    S.Id = Id;
    S.At = "a.f90:" + std::to_string(Id) + ":1";
    F.Sites.push_back(S);
  }
  return F;
}

} // namespace

TEST(TouchProfile, ATouchedPageIsWalkedOnceInEachWindowSinceThePassBefore) {
  auto Run = runOfTouches(record(), {7, 7, 9, 0}, {"", "", "", "why"}, sites());
  ASSERT_TRUE(static_cast<bool>(Run)) << Run.message();
  const MissRecord &R = Run->Record;
  ASSERT_EQ(R.Instances.size(), 2u);
  EXPECT_EQ(R.Instances[0].site, 7u);
  EXPECT_EQ(R.Instances[0].bytes, 30u * 4096); // both live in the second pass
  EXPECT_EQ(R.Instances[1].bytes, 5u * 4096);
  ASSERT_EQ(R.Accesses.size(), 2u);
  EXPECT_EQ(R.Accesses[0].reads, (4 * 5 + 5 * 10) * PageWords);
  EXPECT_EQ(R.Accesses[0].writes, 10 * PageWords);
  EXPECT_EQ(R.Accesses[1].task, 1u);
  EXPECT_EQ(R.Accesses[1].writes, 2 * 20 * PageWords);
}

TEST(TouchProfile, ProcessesAreTasksOfOnePhase) {
  auto Run = runOfTouches(record(), {7, 7, 9, 0}, {"", "", "", "why"}, sites());
  ASSERT_TRUE(static_cast<bool>(Run)) << Run.message();
  ASSERT_EQ(Run->Record.Tasks.size(), 2u);
  EXPECT_EQ(Run->Record.Phases.size(), 1u);
  EXPECT_EQ(Run->Record.Tasks[0].wall_ns, 30 * Ms);
  EXPECT_EQ(Run->Record.Tasks[1].wall_ns, 40 * Ms);
  EXPECT_DOUBLE_EQ(Run->Seconds, 0.04);
}

TEST(TouchProfile, FactsHaveTheSitesOfObjects) {
  auto Run = runOfTouches(record(), {7, 7, 9, 0}, {"", "", "", "why"}, sites());
  ASSERT_TRUE(static_cast<bool>(Run)) << Run.message();
  ASSERT_EQ(Run->Sites.Sites.size(), 2u);
  ASSERT_EQ(Run->Sites.Accesses.size(), 2u);
  EXPECT_EQ(Run->Sites.Accesses[0].At, "a.f90:7:1");
  EXPECT_EQ(Run->Sites.Accesses[0].Why, "touched-pages");
  EXPECT_EQ(Run->Left.at("why").first, 1u);
  EXPECT_NEAR(Run->Left.at("why").second, 9.0 / 18, 1e-12);
}

TEST(TouchProfile, ObjectsThatNoPassSawTouchedTakeRoom) {
  TouchRecord T = record();
  T.Objects.resize(5);
  T.Objects[4].Bytes = 6 * 4096;
  auto Run = runOfTouches(T, {7, 7, 9, 0, 8}, {"", "", "", "why", ""}, sites());
  ASSERT_TRUE(static_cast<bool>(Run)) << Run.message();
  ASSERT_EQ(Run->Record.Instances.size(), 3u);
  EXPECT_EQ(Run->Record.Instances[1].site, 8u);
  EXPECT_EQ(Run->Record.Instances[1].bytes, 6u * 4096);
  EXPECT_EQ(Run->Record.Accesses.size(), 2u);
}

TEST(TouchProfile, WithoutSitesThereIsNothingToPlace) {
  auto Run = runOfTouches(record(), {0, 0, 0, 0}, {"why", "why", "why", "why"},
                          sites());
  ASSERT_FALSE(static_cast<bool>(Run));
  EXPECT_NE(Run.message().find("no touched object"), std::string::npos);
}
