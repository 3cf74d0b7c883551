//===- timelines_test.cpp - tasks of a run over time ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/report/Timelines.h"
#include <gtest/gtest.h>

using namespace evenkeel::cli;

namespace {
/// Explicit tasks on \p Workers.
TimedPhase tasks(unsigned Workers, std::vector<double> Seconds) {
  TimedPhase P;
  P.Workers = Workers;
  for (const double S : Seconds)
    P.Tasks.push_back({uint32_t(P.Tasks.size()), true, 0, S, {}});
  return P;
}
} // namespace

TEST(Timelines, AThreadHasALaneAndWaitsForTheSlowest) {
  TimedPhase P{0, 5, 1, {{0, false, 0, 5, {}}, {1, false, 1, 3, {}}}};
  const LaidOutPhase L = layOut(P);
  EXPECT_FALSE(L.Explicit);
  EXPECT_EQ(L.Busy, (std::vector<double>{5, 3}));
  EXPECT_EQ(L.LastTask, (std::vector<uint32_t>{0, 1}));
  EXPECT_TRUE(L.Bars.empty());
  EXPECT_DOUBLE_EQ(waitedIn(L), 2);
  EXPECT_EQ(slowLanes(L), std::vector<uint32_t>{0});
}

TEST(Timelines, ASerialPhaseHasOneLaneAndNobodyWaits) {
  TimedPhase P{0, 5, 1, {{3, false, 3, 5, {}}}};
  const LaidOutPhase L = layOut(P);
  EXPECT_EQ(L.Busy.size(), 4u);
  EXPECT_DOUBLE_EQ(waitedIn(L), 0);
  EXPECT_TRUE(slowLanes(L).empty());
}

TEST(Timelines, FreeWorkersTakeTheFirstTaskThatIsReady) {
  TimedPhase P = tasks(2, {4, 1, 2, 3});
  P.Tasks[3].Preds = {0};
  P.Seconds = 7;
  const LaidOutPhase L = layOut(P);
  ASSERT_EQ(L.Bars.size(), 4u);
  // Lane 0: task 0, then task 3, which waits for it; lane 1: tasks 1 and 2.
  EXPECT_EQ(L.Bars[1].Longest, 3u);
  EXPECT_DOUBLE_EQ(L.Bars[1].From, 4);
  EXPECT_EQ(L.Bars[3].Longest, 2u);
  EXPECT_DOUBLE_EQ(L.Bars[3].From, 1);
  EXPECT_EQ(L.Busy, (std::vector<double>{7, 3}));
  EXPECT_DOUBLE_EQ(waitedIn(L), 4);
}

TEST(Timelines, AWorkersOwnTaskComesFirst) {
  TimedPhase P = tasks(2, {1, 1});
  P.Seconds = 6;
  P.Tasks.insert(P.Tasks.begin(), {7, false, 0, 5, {}});
  const LaidOutPhase L = layOut(P);
  EXPECT_EQ(L.Busy, (std::vector<double>{5, 2})); // lane 1 is free earlier
  EXPECT_EQ(L.Bars[0].Longest, 7u);
}

TEST(Timelines, BarsEndWithThePhase) {
  TimedPhase P = tasks(1, {2, 2});
  P.Seconds = 2; // the phase was shorter than its tasks say
  const LaidOutPhase L = layOut(P);
  EXPECT_DOUBLE_EQ(L.Bars[1].From + L.Bars[1].Seconds, 2);
}

TEST(Timelines, TasksThatWaitForEachOtherEndTheSchedule) {
  TimedPhase P = tasks(2, {1, 1});
  P.Tasks[0].Preds = {1};
  P.Tasks[1].Preds = {0};
  EXPECT_TRUE(layOut(P).Bars.empty());
}

TEST(Timelines, ManyLanesBecomeBandsAsBusyAsTheirBusiest) {
  LaidOutPhase P;
  for (uint32_t I = 0; I < 10; ++I) {
    P.Busy.push_back(I);
    P.LastTask.push_back(100 + I);
  }
  P.Bars.resize(3);
  EXPECT_EQ(joinLanes(P, 4), 3u);
  EXPECT_EQ(P.Busy, (std::vector<double>{2, 5, 8, 9}));
  EXPECT_EQ(P.LastTask, (std::vector<uint32_t>{102, 105, 108, 109}));
  EXPECT_TRUE(P.Bars.empty());
  EXPECT_EQ(joinLanes(P, 4), 1u);
}

TEST(Timelines, ShortBarsOfALaneAreJoinedAndCounted) {
  std::vector<Bar> Bars;
  for (uint32_t I = 0; I < 100; ++I)
    Bars.push_back({I / 50, (I % 50) * 0.1, 0.1, 1, I});
  Bars.push_back({1, 5, 3, 1, 1000});
  joinBars(Bars, 10);
  ASSERT_EQ(Bars.size(), 2u);
  EXPECT_EQ(Bars[0].Tasks, 50u);
  EXPECT_EQ(Bars[1].Tasks, 51u);
  EXPECT_EQ(Bars[1].Longest, 1000u);
  EXPECT_NEAR(Bars[1].Seconds, 8, 1e-9);
}
