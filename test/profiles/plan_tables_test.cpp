//===- plan_tables_test.cpp - tables of large plans -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/tables/PlanTables.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::cli;

static size_t lines(const std::string &Text) {
  return size_t(std::count(Text.begin(), Text.end(), '\n'));
}

static bool has(const std::string &Text, const std::string &What) {
  return Text.find(What) != std::string::npos;
}

/// Iterations of two regions, after a separate beginning.
static Plan planOf(unsigned Rounds, unsigned Threads) {
  Plan P;
  auto Add = [&](uint64_t Region, const char *At, unsigned Tasks, double Each) {
    PlanPhase H;
    H.Phase = uint32_t(P.Phases.size());
    H.Region = Region;
    H.At = At;
    for (unsigned T = 0; T < Tasks; ++T)
      H.Tasks.push_back({T, Each * (T + 1), Each * 3, Each, false, Each / 10});
    P.Phases.push_back(H);
  };
  Add(1, "a.c:1:1", 1, 1e-3);
  for (unsigned R = 0; R < Rounds; ++R) {
    Add(2, "a.c:2:1", Threads, 1e-3 * (R + 1));
    Add(3, "a.c:3:1", Threads, 1e-3);
  }
  return P;
}

TEST(PlanTables, FewTasksHaveARowEach) {
  const std::string Text = tasksText(planOf(1, 7), false);
  EXPECT_EQ(Text, tasksText(planOf(1, 7), true));
  EXPECT_EQ(lines(Text), 18u); // a blank line, the title, the header
}

TEST(PlanTables, PhasesOfARegionAreOneRow) {
  const std::string Text = tasksText(planOf(100, 4), false);
  EXPECT_EQ(lines(Text), 3u + 9);
  EXPECT_TRUE(has(Text, "1..199 (100)  a.c:2:1      0"));
  EXPECT_TRUE(has(Text, "1.00 ms..100 ms")) << Text;
  EXPECT_TRUE(has(Text, "2..200 (100)  a.c:3:1      3")) << Text;
}

TEST(PlanTables, SoAreTheTasksOfMany) {
  const std::string Text = tasksText(planOf(100, 64), false);
  EXPECT_EQ(lines(Text), 3u + 3);
  EXPECT_TRUE(has(Text, "0..63 (64)")) << Text;
  EXPECT_EQ(lines(tasksText(planOf(100, 8), true)), 3u + 1 + 100 * 16);
}

/// The regions that take longest, in the order of the program.
TEST(PlanTables, RegionsThatTakeLeastAreCounted) {
  Plan P;
  for (unsigned R = 0; R < 40; ++R) {
    PlanPhase H;
    H.Phase = H.Region = R;
    H.At = "r" + std::to_string(R);
    H.Tasks.push_back({0, 1.0 + R, 1, 1, false, 0});
    P.Phases.push_back(H);
  }
  const std::string Text = tasksText(P, false);
  EXPECT_EQ(lines(Text), 3 + MostLines);
  EXPECT_TRUE(has(Text, "and 26 more regions")) << Text;
  EXPECT_FALSE(has(Text, "r25 "));
  EXPECT_LT(Text.find("r26 "), Text.find("r39 "));
}

/// One phase, one task; object I of site I + 1 has I lines.
TEST(PlanTables, ObjectsWithTheMostLinesAreShown) {
  Facts F;
  Problem Pr;
  PredictedPhase H;
  PredictedTask T;
  for (uint32_t I = 0; I < 100; ++I) {
    SiteFact S;
    S.Id = I + 1;
    S.At = "s" + std::to_string(I);
    F.Sites.push_back(S);
    PredictedInstance X;
    X.Site = S.Id;
    X.Bytes = 4096;
    Pr.Instances.push_back(X);
    Pr.Units.push_back({I, 0, 256, 4096});
    T.Demand.Units.push_back({I, double(I), 0, double(I)});
  }
  H.Tasks.push_back(T);
  Pr.Phases.push_back(H);
  const std::string Text = objectsText(F, Plan(), Pr, false);
  EXPECT_EQ(lines(Text), 2 + MostLines);
  EXPECT_TRUE(has(Text, "and 86 more rows of objects")) << Text;
  EXPECT_TRUE(has(Text, "s86 ") && has(Text, "s99 ") && !has(Text, "s85 "));
  EXPECT_EQ(lines(objectsText(F, Plan(), Pr, true)), 2u + 100);
}

TEST(PlanTables, WaysOfEstimatesHaveALineEach) {
  EXPECT_EQ(methodsText({{"count: size ratio", 29}, {"size: given", 3}}),
            "estimates: 29 by count: size ratio\n"
            "estimates: 3 by size: given\n");
}

/// Each phase's demand is collected once, and belongs to its phase only.
TEST(PlanDemands, OfEachPhase) {
  Problem Pr;
  PredictedInstance X;
  X.Site = 7;
  X.Bytes = 4096;
  Pr.Instances = {X, X};
  Pr.Units = {{0, 0, 256, 4096}, {1, 0, 256, 4096}};
  for (uint32_t N = 0; N < 3; ++N) {
    PredictedPhase H;
    H.Phase = N;
    H.Tasks.edit().resize(2);
    if (N != 1) // not accessed in the second
      H.Tasks.edit()[1].Demand.Units = {{0, 1.0 + N, 1}, {1, 5}};
    Pr.Phases.push_back(H);
  }
  const auto Demands = demandsOf(Pr, PlannedObjects(Pr));
  ASSERT_EQ(Demands.size(), 1u);
  const std::vector<SiteDemand> &Of7 = Demands.begin()->second;
  ASSERT_EQ(Of7.size(), 2u);
  EXPECT_EQ(Of7[0].Phase, 0u);
  EXPECT_EQ(Of7[1].Phase, 2u);
  EXPECT_EQ(Of7[1].Lines, (std::vector<double>{0, 9}));
}

/// The tasks that phases wait for count: 3 and 5 s, 0.3 and 0.5 s off.
TEST(PlanAnswer, SaysHowSureItIs) {
  Plan P;
  P.PredictedMakespan = 8;
  P.Phases.resize(3);
  P.Phases[0].Tasks = {{0, 3, 9, 2, false, 0.3}, {1, 1, 9, 2, false, 1}};
  P.Phases[1].Tasks = {{0, 5, 9, 2, false, 0.5}};
  EXPECT_DOUBLE_EQ(boundOfMakespan(P), 0.1);
  const std::string Text = answerText(P, {18, 10, 7}, 40);
  EXPECT_NE(Text.find("of the first 40 phases: all slow 18.0 s, first touch "
                      "10.0 s, plan 8.00 s, all fast 7.00 s"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("gain: 20.0 % less time than first touch (nine in ten "
                      "task times are within 10 %)"),
            std::string::npos)
      << Text;
  P.Phases[1].Tasks[0].BoundSeconds = 9;
  EXPECT_NE(answerText(P, {18, 10, 7}, 0).find("; a guess"), std::string::npos);
  P.KeepsFirstTouch = true;
  EXPECT_NE(answerText(P, {18, 10, 7}, 0).find("gain: none"),
            std::string::npos);
}

TEST(PlanAnswer, StartsEachRankWithThePlan) {
  Plan P;
  EXPECT_EQ(nextText(P, "p.json"),
            "next: evenkeel run --plan p.json -- PROGRAM\n");
  P.Ranks = {0, 1, 2};
  EXPECT_EQ(nextText(P, "p.json"),
            "next: mpirun -n 3 evenkeel run --plan p.json -- PROGRAM\n");
}
