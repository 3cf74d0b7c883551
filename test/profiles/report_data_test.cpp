//===- report_data_test.cpp - the figures that a report shows -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predictions made by hand, small ones and one of a hundred thousand
// tasks and a thousand objects.
//===----------------------------------------------------------------------===//
#include "cli/report/Headlines.h"
#include "cli/report/MakeData.h"
#include "cli/report/Page.h"
#include "cli/report/ReportJson.h"
#include "cli/views/SvgPictures.h"
#include "cli/views/TextView.h"
#include "cli/views/Traces.h"
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

constexpr double MiB = 1048576;

struct ReportOf : testing::Test {
  Facts F;
  Machine M = orFail(readMachine(std::string(EK_SOURCE_DIR) +
                                 "/profiles/machines/ddr5-cxl.json"));
  Problem Pr;
  Plan P;
  ReportInput In;

  ReportOf() {
    P.Model = "overlap";
    P.Planner = OwnPlanner;
    In.F = &F;
    In.P = &P;
    In.Pr = &Pr;
    In.M = &M;
  }
  /// An object of its own site, all of it fast or slow.
  void object(double Bytes, bool Fast) {
    const uint32_t I = uint32_t(Pr.Instances.size());
    PredictedInstance X;
    X.Site = 1000 + I;
    X.Bytes = Bytes;
    Pr.Instances.push_back(X);
    Pr.Units.push_back({I, 0, EK_CHUNKS, Bytes});
    Pr.PeakBytes += Bytes;
    PlanObject O;
    O.Site = X.Site;
    O.PredictedBytes = uint64_t(Bytes);
    O.GainSeconds = Fast ? 1e-3 : 0;
    O.Share = Fast;
    if (Fast)
      O.Ranges = {{0, EK_CHUNKS, 1}};
    P.Objects.push_back(O);
  }
  /// A phase of \p Region whose tasks fetch Lines[T] lines of object T.
  void phase(uint64_t Region, const std::vector<double> &Lines,
             bool Explicit = false) {
    PredictedPhase H;
    H.Phase = uint32_t(Pr.Phases.size());
    H.Region = Region;
    H.Workers = 8;
    PlanPhase Planned;
    Planned.Phase = H.Phase;
    Planned.Region = Region;
    std::vector<PredictedTask> Tasks;
    for (uint32_t T = 0; T < Lines.size(); ++T) {
      PredictedTask X;
      X.Region = Region;
      X.Index = T;
      X.Explicit = Explicit;
      X.Demand.CoreSeconds = 1e-6;
      UnitDemand D;
      D.Unit = D.Object = T % uint32_t(Pr.Units.size());
      D.ReadLines = D.Exposed = Lines[T];
      X.Demand.Units.push_back(D);
      Tasks.push_back(X);
      Planned.Tasks.push_back({T, Lines[T] * 1e-7, 0, 0, Explicit, 0});
    }
    H.Tasks = Tasks;
    Pr.Phases.push_back(H);
    P.Phases.push_back(Planned);
  }
  ReportData data() {
    In.Ahead = {3, 2, 1};
    return reportData(In);
  }
};

TEST_F(ReportOf, IterationsAreFoldedAndTheSlowLaneIsFound) {
  object(MiB, true);
  object(MiB, false);
  phase(7, {20000, 1000});
  for (int I = 0; I < 5; ++I) {
    phase(8, {1000, 60000});
    phase(9, {9000, 9000});
  }
  const ReportData D = data();
  ASSERT_EQ(D.Groups.size(), 3u);
  EXPECT_EQ(D.Groups[1].Its.Phases, (std::vector<uint32_t>{1, 3, 5, 7, 9}));
  EXPECT_EQ(D.Groups[1].Its.Loop, 1u);
  EXPECT_EQ(D.Lanes, 2u);
  EXPECT_EQ(slowLanes(D.FirstTouch.Groups[1]), std::vector<uint32_t>{1});
  EXPECT_EQ(D.FirstTouch.Unfolded.size(), 11u);
  double Sum = D.ShortSeconds;
  for (const LaidOutPhase &G : D.Plan.Groups)
    Sum += G.Seconds;
  EXPECT_NEAR(Sum, D.Plan.Makespan, 1e-9);
  EXPECT_GT(D.Plan.Waited, 0);
}

TEST_F(ReportOf, HeatSaysHowOftenEachLineMoves) {
  object(MiB, true); // 16384 lines
  object(4 * MiB, false);
  phase(7, {16384, 0});
  phase(7, {16384, 0});
  const ReportData D = data();
  ASSERT_EQ(D.Groups.size(), 1u);
  ASSERT_EQ(D.Objects.size(), 2u);
  const HeatCell &C = D.Objects[0].Heat.Cells[0]; // it saves time: first
  EXPECT_DOUBLE_EQ(C.Lines, 16384);               // in one run of the phase
  ASSERT_EQ(C.Runs.size(), 1u);
  EXPECT_EQ(C.Runs[0].Level, 3u); // once
  EXPECT_EQ(C.Runs[0].Parts, unsigned(EK_CHUNKS));
  EXPECT_EQ(D.Objects[0].Heat.FastShare[17], 1);
  EXPECT_EQ(D.Objects[1].Heat.FastShare[17], 0);
  EXPECT_EQ(D.PlacedBytes, MiB);
}

TEST_F(ReportOf, APageOfASmallObjectIsSpreadOverItsParts) {
  const double Bytes = 96 * 1024; // 24 pages: 10.67 parts each
  EXPECT_EQ(endOfPage(0, Bytes), 10u);
  EXPECT_EQ(endOfPage(10, Bytes), 21u);
  EXPECT_EQ(endOfPage(245, Bytes), 256u);
  EXPECT_EQ(endOfPage(9, 64 * MiB), 10u); // parts are larger than pages
  EXPECT_EQ(endOfPage(255, 64 * MiB), 256u);
  EXPECT_EQ(endOfPage(0, 100), 256u);
}

TEST_F(ReportOf, PartsWithAPageMoreAreNotDarker) {
  const double Bytes = 256 * 7.5 * 4096; // 7 or 8 pages begin in a part
  EXPECT_DOUBLE_EQ(pagesPerPart(0, Bytes), 7.5 / 8);
  EXPECT_DOUBLE_EQ(pagesPerPart(1, Bytes), 7.5 / 7);
  EXPECT_DOUBLE_EQ(pagesPerPart(3, 64 * MiB), 1);
  EXPECT_DOUBLE_EQ(pagesPerPart(3, 1000), 1);
}

TEST_F(ReportOf, MovesOfAPlanAreListed) {
  object(MiB, true);
  object(MiB, false);
  phase(7, {20000, 20000});
  phase(8, {20000, 20000});
  PlanChange C;
  C.Phase = 1;
  C.Objects = P.Objects;
  C.Objects[0].Share = 0.25;
  C.Objects[1].Share = 0.75;
  P.Changes.push_back(C);
  const ReportData D = data();
  ASSERT_EQ(D.Moves.size(), 1u);
  EXPECT_EQ(D.Moves[0].Objects, 2u);
  EXPECT_DOUBLE_EQ(D.Moves[0].Bytes, 1.5 * MiB);
  EXPECT_NE(reportPage(In).find("before phase"), std::string::npos);
}

TEST_F(ReportOf, APlanThatKeepsFirstTouchHasOneRun) {
  object(MiB, false);
  phase(7, {20000, 30000});
  P.KeepsFirstTouch = true;
  const ReportData D = data();
  EXPECT_EQ(D.FirstTouch.Makespan, D.Plan.Makespan);
  EXPECT_FALSE(D.Objects[0].WouldGain); // nothing is tried on top of it
  EXPECT_NE(reportPage(In).find("changes nothing"), std::string::npos);
}

TEST_F(ReportOf, NothingAtAllIsStillAPage) {
  const std::string Page = reportPage(In);
  EXPECT_NE(Page.find("No phase takes time worth showing."), std::string::npos);
  EXPECT_NE(Page.find("</html>"), std::string::npos);
  const ReportData D = data();
  const Headlines Says(In, D);
  EXPECT_EQ(tasksView(In, D, Says, {}), "");
  EXPECT_EQ(memoryView(D, Says, {}), "");
  EXPECT_TRUE(svgPictures(In, D, Says).empty());
  EXPECT_NE(perfettoTrace(In).find("evenkeel.trace/1"), std::string::npos);
  EXPECT_NE(speedscopeTrace(In).find("evenkeel.trace/1"), std::string::npos);
}

TEST_F(ReportOf, OccupancyFollowsLivesAndMoves) {
  object(2 * MiB, true);
  object(4 * MiB, false);
  object(MiB, true);
  Pr.FastBytes = 3 * MiB;
  P.FastBytes = uint64_t(Pr.FastBytes);
  Pr.Instances[0].FreePhase = 1;  // used in phases 0 and 1
  Pr.Instances[2].AllocPhase = 1; // allocated in phase 1, used from 2 on
  phase(7, {30000, 30000});
  phase(8, {30000, 30000});
  phase(9, {0, 30000, 30000});
  Pr.Phases[2].Tasks = std::vector<PredictedTask>(
      Pr.Phases[2].Tasks.begin() + 1, Pr.Phases[2].Tasks.end());
  PlanChange Move{2, {P.Objects[1]}};
  Move.Objects[0].Share = 0.5;
  Move.Objects[0].Ranges = {{0, EK_CHUNKS / 2, 1}};
  P.Changes.push_back(Move);
  const ReportData D = data();
  ASSERT_EQ(D.Occupancy.size(), 3u);
  EXPECT_NEAR(D.Occupancy[0].Allocated, 6 * MiB, 1);
  EXPECT_NEAR(D.Occupancy[1].Allocated, 7 * MiB, 1);
  EXPECT_NEAR(D.Occupancy[2].Allocated, 5 * MiB, 1);
  EXPECT_NEAR(D.Occupancy[0].Plan, 2 * MiB, 1);
  EXPECT_NEAR(D.Occupancy[1].Plan, 2 * MiB, 1); // the third is untouched yet
  EXPECT_NEAR(D.Occupancy[2].Plan, 3 * MiB, 1); // it, and half of the second
  EXPECT_NEAR(D.Occupancy[0].FirstTouch, 3 * MiB, 1);
  // Room of the first is used again.
  EXPECT_LE(D.Occupancy[2].FirstTouch, 3 * MiB + 1);
  EXPECT_GT(D.Occupancy[2].FirstTouch, MiB);
}

TEST_F(ReportOf, ManyTasksAndObjectsAreFoldedAndCounted) {
  for (int I = 0; I < 1000; ++I)
    object(MiB, I % 2);
  std::vector<double> Lines;
  for (int T = 0; T < 100000; ++T)
    Lines.push_back(2000 + T % 500);
  phase(7, Lines, /*Explicit=*/true);
  std::vector<double> Wide(1000, 3000);
  for (int I = 0; I < 300; ++I) // too many to be shown one by one
    phase(8 + uint64_t(I * I % 97), Wide);
  const ReportData D = data();
  EXPECT_EQ(D.Groups.size(), MostGroups);
  EXPECT_TRUE(D.Groups.back().Rest);
  EXPECT_LE(D.FirstTouch.Groups[0].Busy.size(), MostLanes);
  EXPECT_EQ(D.Lanes, 1000u);
  EXPECT_EQ(D.LanesPerBand, 16u);
  size_t Bars = 0;
  for (const LaidOutPhase &G : D.Plan.Groups)
    Bars += G.Bars.size();
  EXPECT_LE(Bars, MostBars);
  EXPECT_TRUE(D.FirstTouch.Unfolded.empty());
  EXPECT_EQ(D.Objects.size(), MostObjects);
  EXPECT_EQ(D.OtherObjects, 1000 - MostObjects);
  EXPECT_EQ(D.PlacedObjects, 500u);
  EXPECT_LE(D.Belief.Points.size(), MostPoints + 1);
  EXPECT_EQ(D.Belief.Tasks, 400000u);
  const nlohmann::ordered_json J = reportJson(In, D, Headlines(In, D));
  EXPECT_EQ(J["folded"]["other_objects"], 1000 - MostObjects);
  EXPECT_EQ(J["folded"]["lanes_per_row"], 16);
  EXPECT_LT(reportPage(In).size(), size_t(2) << 20);
  const Headlines Says(In, D);
  const std::string Text =
      tasksView(In, D, Says, {100}) + memoryView(D, Says, {100});
  EXPECT_LT(std::count(Text.begin(), Text.end(), '\n'), 300);
  size_t Svg = 0;
  for (const Picture &P : svgPictures(In, D, Says))
    Svg += P.Svg.size();
  EXPECT_LT(Svg, size_t(2) << 20);
}

} // namespace
