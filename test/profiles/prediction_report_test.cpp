//===- prediction_report_test.cpp - errors of predicted times -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the report of `evenkeel simulate` on its predictions, by hand.
//===----------------------------------------------------------------------===//
#include "cli/replay/PredictionReport.h"
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

/// Four tasks that count, one of 0.09 ms, one without a prediction.
///   predicted 2 3 4 7 ms, replayed 4 2 5 10 ms
struct Report {
  PolicyResult Result;
  PredictedPolicy P;
  Facts F;

  Report() {
    const struct {
      uint32_t Phase, Index;
      double Seconds;
    } Rows[] = {{0, 0, 4e-3},  {0, 1, 2e-3},  {1, 0, 5e-3},
                {1, 1, 10e-3}, {1, 2, 90e-6}, {1, 3, 1}};
    for (const auto &X : Rows)
      Result.Tasks.push_back({0, X.Phase, X.Index, 0x20 + X.Phase, X.Seconds});
    Result.PhaseSeconds = {4e-3, 10e-3};
    P.Name = "balanced";
    P.When = "offline";
    P.Predicted = {{taskKey(0, 0, false), 2e-3},
                   {taskKey(0, 1, false), 3e-3},
                   {taskKey(1, 0, false), 4e-3},
                   {taskKey(1, 1, false), 7e-3},
                   {taskKey(1, 2, false), 1},
                   {taskKey(5, 0, false), 1},
                   // An explicit task with a thread's number is another task.
                   {taskKey(1, 1, true), 1}};
    P.Replayed = &Result;
    F.Regions.push_back({0x21, "parallel", "a.c:9:3", "sweep"});
  }
};

/// Errors 50, 50, 20 and 30 %: mean 37.5 %; by time (2 + 1 + 1 + 3) / 21 = 1/3.
/// Pearson: x - 4 = -2 -1 0 3, y - 5.25 = -1.25 -3.25 -0.25 4.75;
/// xy = 2.5 + 3.25 + 0 + 14.25 = 20, xx = 14, yy = 34.75.
TEST(PredictionReport, Errors) {
  Report R;
  nlohmann::json J = predictionJson({R.P});
  ASSERT_EQ(J.size(), 1u);
  EXPECT_EQ(J[0]["policy"], "balanced");
  EXPECT_EQ(J[0]["predicted"], "offline");
  EXPECT_EQ(J[0]["tasks"], 4);
  EXPECT_EQ(J[0]["tasks_too_short"], 1);
  EXPECT_NEAR(J[0]["unpredicted_share"].get<double>(), 1 / 1.02109, 1e-12);
  EXPECT_NEAR(J[0]["mean_error"].get<double>(), 0.375, 1e-12);
  EXPECT_NEAR(J[0]["mean_error_by_time"].get<double>(), 1 / 3., 1e-12);
  EXPECT_NEAR(J[0]["worst_error"].get<double>(), 0.5, 1e-12);
  EXPECT_NEAR(J[0]["pearson"].get<double>(), 20 / std::sqrt(14 * 34.75), 1e-12);
}

/// By region: 50 and 50 %, then 20 and 30 %; the longest tasks side by side.
TEST(PredictionReport, PhasesByRegion) {
  Report R;
  std::string Text = predictionTable({R.P}, R.F);
  EXPECT_NE(Text.find("37.5 %"), std::string::npos) << Text;
  EXPECT_NE(Text.find("97.9 % of the tasks' time is in phases or tasks that "
                      "the plan does not have\n"),
            std::string::npos)
      << Text;
  R.Result.Tasks.pop_back();
  EXPECT_EQ(predictionTable({R.P}, R.F).find("does not have"),
            std::string::npos);
  size_t At = Text.find("a.c:9:3 sweep");
  ASSERT_NE(At, std::string::npos) << Text;
  std::string Row = Text.substr(At, Text.find('\n', At) - At);
  for (const char *Cell : {" 2 ", "25.0 %", "30.0 %", "7.0", "10.0"})
    EXPECT_NE(Row.find(Cell), std::string::npos) << Cell << " in " << Row;
}

/// Phases that the same tasks of a region execute are one row.
TEST(PredictionReport, AlikePhasesAreOneRow) {
  Report R;
  R.Result.Tasks.clear();
  R.Result.PhaseSeconds.assign(7, 4e-3);
  for (uint32_t H = 1; H < 7; H += 2)
    for (uint32_t T = 0; T < 2; ++T) {
      TaskResult X;
      X.Phase = H;
      X.Index = T;
      X.Region = 0x21;
      X.Seconds = 4e-3;
      R.Result.Tasks.push_back(X);
      R.P.Predicted[taskKey(H, T, false)] = H == 3 ? 5e-3 : 4e-3;
    }
  const std::string Text = predictionTable({R.P}, R.F);
  const size_t At = Text.find("1..5 (3)");
  ASSERT_NE(At, std::string::npos) << Text;
  EXPECT_EQ(Text.find("a.c:9:3 sweep"), Text.rfind("a.c:9:3 sweep")) << Text;
  const std::string Row = Text.substr(At, Text.find('\n', At) - At);
  for (const char *Cell : {" 6 ", "8.3 %", "25.0 %", "5.00 ms", "4.00 ms"})
    EXPECT_NE(Row.find(Cell), std::string::npos) << Cell << " in " << Row;
}

/// Equal times have no correlation; no task at all makes no row.
TEST(PredictionReport, Degenerate) {
  Report R;
  for (TaskResult &T : R.Result.Tasks)
    T.Seconds = 1e-3;
  EXPECT_EQ(predictionJson({R.P})[0]["pearson"], 0.0);
  R.P.Predicted.clear();
  nlohmann::json J = predictionJson({R.P});
  EXPECT_EQ(J[0]["tasks"], 0);
  EXPECT_EQ(J[0]["mean_error"], 0.0);
  EXPECT_EQ(predictionTable({R.P}, R.F).find("balanced"), std::string::npos);
}

} // namespace
