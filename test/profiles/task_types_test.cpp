//===- task_types_test.cpp - corrections by task type ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scenario.h"
#include "planner/HookPlanner.h"
#include "predict/measured/TaskTypes.h"
#include <nlohmann/json.hpp>

using namespace evenkeel;

namespace {

constexpr uint64_t Region = 7;

PredictedTask task(uint32_t Index, double Core, double Lines,
                   bool Explicit = false, uint64_t Of = Region) {
  PredictedTask T;
  T.Region = Of;
  T.Index = Index;
  T.Explicit = Explicit;
  T.Demand.CoreSeconds = Core;
  T.Demand.Units = {{0, Lines, 0, Lines / 4}};
  return T;
}

/// Phases 0 and 1 with the same tasks; phase 0 is over.
struct TwoPhases {
  Problem P;
  PlanRequest R;
  TwoPhases(std::vector<PredictedTask> Tasks) {
    P.Units = {{0, 0, 256, 4096}};
    for (uint32_t H = 0; H < 2; ++H) {
      P.Phases.emplace_back();
      P.Phases[H].Phase = H;
      P.Phases[H].Tasks = Tasks;
    }
  }
  /// Task T of phase 0 took \p Took, where \p Said had been predicted.
  void measure(const std::vector<std::pair<double, double>> &TookAndSaid) {
    MeasuredPhase M;
    for (size_t I = 0; I < TookAndSaid.size(); ++I) {
      const PredictedTask &T = P.Phases[0].Tasks[I];
      auto [Took, Said] = TookAndSaid[I];
      (T.Explicit ? M.ExplicitSeconds : M.TaskSeconds)[T.Index] = Took;
      M.Expected[{T.Explicit, T.Index}] = expectationOf(T, Said);
    }
    R.Measured.push_back(M);
  }
  const PredictedTask &later(size_t I) { return P.Phases[1].Tasks[I]; }
};

TEST(TaskTypes, ErrorsOfAThreadRepeat) {
  TwoPhases S({task(0, 1e-3, 1000), task(1, 1e-3, 1000)});
  S.measure({{3e-3, 2e-3}, {2e-3, 4e-3}});
  refineByTaskTypes(S.P, S.R, 1);
  EXPECT_DOUBLE_EQ(S.later(0).TypeFactor, 1.5);
  EXPECT_DOUBLE_EQ(S.later(0).Demand.CoreSeconds, 1.5e-3);
  EXPECT_DOUBLE_EQ(S.later(0).Demand.Units[0].Exposed, 375);
  EXPECT_DOUBLE_EQ(S.later(0).Demand.Units[0].ReadLines, 1000);
  EXPECT_DOUBLE_EQ(S.later(1).TypeFactor, 0.5);
  EXPECT_EQ(S.P.Phases[0].Tasks[0].TypeFactor, 1) << "that one is over";
  EXPECT_EQ(S.P.Methods["time: as tasks of the type took before"], 2u);
}

/// A prediction with a factor is compared without it.
TEST(TaskTypes, FactorsDoNotPileUp) {
  TwoPhases S({task(0, 1e-3, 1000)});
  S.measure({{3e-3, 2e-3}});
  refineByTaskTypes(S.P, S.R, 1);
  TaskExpectation E = expectationOf(S.later(0), 3e-3);
  EXPECT_DOUBLE_EQ(E.Seconds, 2e-3);
  EXPECT_DOUBLE_EQ(E.CoreSeconds, 1e-3);
}

/// Two threads' tasks ran, one 1.5 times as long as predicted, the other twice.
TEST(TaskTypes, OtherWorkIsAnotherType) {
  TwoPhases S({task(0, 1e-3, 1000), task(1, 4e-3, 4000)});
  S.measure({{3e-3, 2e-3}, {4e-3, 2e-3}});
  auto Factor = [&](PredictedTask T) {
    Problem P = S.P;
    P.Phases[1].Tasks = {T};
    refineByTaskTypes(P, S.R, 1);
    return P.Phases[1].Tasks[0].TypeFactor;
  };
  EXPECT_DOUBLE_EQ(Factor(task(0, 1.04e-3, 1000)), 1.5);
  // Types that have not run get the factors of types that have, the less the
  // more they differ.
  double Near = Factor(task(0, 1.1e-3, 1000)), Far = Factor(task(0, 2e-3, 2e3));
  EXPECT_NEAR(Near, 1.5, 0.05);
  EXPECT_GT(Far, 1.1);
  EXPECT_LT(Far, Near);
  EXPECT_NEAR(Factor(task(1, 1e-3, 1000)), 1.5, 0.02) << "another thread's";
  Facts F;
  RegionFact Main;
  Main.Id = Region;
  Main.Kind = "serial";
  F.Regions = {Main};
  S.R.F = &F;
  EXPECT_EQ(Factor(task(0, 1.1e-3, 1000)), 1) << "another part of main";
  EXPECT_DOUBLE_EQ(Factor(task(0, 1e-3, 1000)), 1.5);
  S.R.F = nullptr;
  EXPECT_EQ(Factor(task(0, 1e-3, 1000, true)), 1);
  EXPECT_EQ(Factor(task(0, 1e-3, 1000, false, 8)), 1) << "another region";
}

/// Up to another sync point, a region does different work; a task does not
/// count as gathering if little of its waiting is for gathered data.
TEST(TaskTypes, SyncPointsTellPartsOfARegion) {
  for (uint64_t Sync : {1, 2}) {
    TwoPhases S({task(0, 1e-3, 1000)});
    S.measure({{3e-3, 2e-3}});
    Profile B;
    B.Phases = {{1, 1, 2}, {Sync, 1, 2}};
    S.R.Base = &B;
    refineByTaskTypes(S.P, S.R, 1);
    EXPECT_DOUBLE_EQ(S.later(0).TypeFactor, Sync == 1 ? 1.5 : 1);
  }
  for (double Share : {0.04, 0.06})
    for (auto List : {&PredictedPhase::Gathered, &PredictedPhase::Scattered}) {
      TwoPhases S({task(0, 1e-3, 1000)});
      S.measure({{3e-3, 2e-3}});
      PredictedTask &T = S.P.Phases[1].Tasks.edit()[0];
      T = task(0, 1.2e-3, 1000);
      T.Demand.Units.push_back({0, 0, 0, 250 * Share / (1 - Share), 0, 1});
      S.P.Phases[1].*List = {1};
      refineByTaskTypes(S.P, S.R, 1);
      EXPECT_EQ(T.TypeFactor > 1.1, Share < 0.05) << Share;
    }
}

/// Equal tasks with other values do different work; if none of the kind has
/// run, all kinds count.
TEST(TaskTypes, PhasesOfAKindTellMore) {
  for (uint32_t Later : {1, 2, 3, 0}) {
    TwoPhases S({task(0, 1e-3, 1000)});
    S.P.Phases.push_back(S.P.Phases[1]);
    S.P.Phases[2].Phase = 2;
    S.measure({{5e-3, 2e-3}});
    S.measure({{1e-3, 2e-3}});
    S.R.Measured[1].Phase = 1;
    S.P.Phases[0].Kind = 1;
    S.P.Phases[1].Kind = 2;
    S.P.Phases[2].Kind = Later;
    refineByTaskTypes(S.P, S.R, 2);
    EXPECT_DOUBLE_EQ(S.P.Phases[2].Tasks[0].TypeFactor, Later == 1   ? 2.5
                                                        : Later == 2 ? 0.5
                                                                     : 1.5)
        << Later;
  }
}

/// What one run leaves for the next: the same factors from the first phase on,
/// in one row per type; kinds of phases only for runs planned with the same
/// base. Two runs are combined.
TEST(TaskTypes, EarlierRunsTell) {
  TwoPhases S({task(0, 1e-3, 1000), task(1, 1e-3, 1000)});
  Profile B;
  B.Input = "aa";
  B.Phases = {{9, 1, 2}, {9, 1, 2}};
  S.R.Base = &B;
  for (PredictedPhase &H : S.P.Phases)
    H.Kind = 1;
  for (double Long : {3e-3, 5e-3})
    S.measure({{Long, 2e-3}, {2e-3, 4e-3}});
  const SeenTypes Told = seenTypes(S.P, S.R);
  EXPECT_EQ(Told.Base, "aa");
  ASSERT_EQ(Told.Rows.size(), 2u);
  EXPECT_EQ(Told.Rows[0],
            (SeenType{Region, 9, false, 1, 0, 1e-3, 1000, 8e-3, 4e-3}));
  S.R.Measured.clear();
  auto Factors = [&](const SeenTypes &Seen) {
    Problem P = S.P;
    S.R.Seen = Seen;
    refineByTaskTypes(P, S.R, 0);
    return std::pair(P.Phases[0].Tasks[0].TypeFactor,
                     P.Phases[0].Tasks[1].TypeFactor);
  };
  EXPECT_EQ(Factors(Told), std::pair(2.0, 0.5));
  EXPECT_EQ(Factors({}), std::pair(1.0, 1.0));
  SeenTypes Both = Told, Other = Told;
  for (SeenType &X : Other.Rows) {
    X.Kind = 7;
    X.Took = 4 * X.Said;
  }
  addSeenTypes(Both, Other);
  EXPECT_EQ(Both.Rows.size(), 4u);
  EXPECT_EQ(Factors(Both), std::pair(2.0, 0.5)) << "of its kind alone";
  Both = Told;
  Other.Base = "bb";
  addSeenTypes(Both, Other);
  EXPECT_EQ(Factors(Other), std::pair(4.0, 4.0)) << "kinds of another base";
  Other.Rows.resize(1);
  Other.Rows.push_back(Other.Rows[0]);
  Other.Rows[0].Kind = 1; // another one's first
  Other.Rows[1].Took = Other.Rows[1].Said;
  EXPECT_EQ(Factors(Other).first, 2.5) << "kinds of another base";
  for (const SeenType &X : Both.Rows)
    EXPECT_TRUE(X.Kind == 1 || X.Kind == AnyKind);
  // However many types there are, the table stays small.
  SeenTypes Many;
  for (uint32_t T = 0; T < MostSeenTypes + 10; ++T)
    addSeenTypes(Many, {"aa", {{Region, 9, false, 1, T, 1, 1, 1, 1}}});
  EXPECT_EQ(Many.Rows.size(), MostSeenTypes);
}

TEST(TaskTypes, RowsOfEarlierRunsAreChecked) {
  const SeenTypes T{"aa", {{Region, 9, true, 3, 4, 1e-3, 10, 2e-3, 1e-3}}};
  auto Read = [](const nlohmann::json &J) {
    return seenTypesFromJson(J, "seen", "run.json");
  };
  nlohmann::json J = seenTypesToJson(T);
  ASSERT_TRUE(static_cast<bool>(Read(J)));
  EXPECT_EQ(Read(J)->Rows, T.Rows);
  EXPECT_FALSE(static_cast<bool>(Read(3)));
  for (auto [At, Bad] : std::vector<std::pair<size_t, nlohmann::json>>{
           {0, 5}, {2, 1}, {3, -1}, {5, "1"}, {7, 0}, {8, -1.0}}) {
    nlohmann::json X = J;
    X["rows"][0][At] = Bad;
    EXPECT_NE(Read(X).message().find("run.json"), std::string::npos) << At;
  }
  J["rows"][0].push_back(1);
  EXPECT_FALSE(static_cast<bool>(Read(J)));
}

/// Explicit tasks have no data of their own: long tasks count most.
TEST(TaskTypes, ExplicitTasksGoByWork) {
  TwoPhases S({task(0, 1e-3, 1000, true), task(5, 1e-3, 1010, true)});
  S.measure({{3e-3, 1e-3}, {3e-3, 3e-3}});
  S.P.Phases[1].Tasks = {task(9, 1e-3, 1000, true)};
  refineByTaskTypes(S.P, S.R, 1);
  EXPECT_DOUBLE_EQ(S.later(0).TypeFactor, 1.5);
}

/// A run knows how many explicit tasks of a region ran, and how long all of
/// them took, but not which of the plan's tasks each was.
TEST(TaskTypes, ExplicitTasksOfARegionShareItsTime) {
  TwoPhases S({task(0, 1e-3, 1000, true), task(1, 3e-3, 3000, true),
               task(2, 1e-3, 1000, true, 8)});
  PhaseLog Log;
  Log.predicted(S.P.Phases[0], {1e-3, 3e-3, 1e-3});
  MeasuredPhase M;
  // Twice as many as predicted, each three times as long.
  M.ExplicitSums[Region] = {4, 4 * 3 * 2e-3};
  M.ExplicitSums[99] = {1, 1e-3}; // unknown to the plan
  Log.ended(M);
  ASSERT_EQ(Log.measured().size(), 1u);
  const std::map<uint32_t, double> &Took = Log.measured()[0].ExplicitSeconds;
  ASSERT_EQ(Took.size(), 2u);
  EXPECT_DOUBLE_EQ(Took.at(0), 3e-3);
  EXPECT_DOUBLE_EQ(Took.at(1), 9e-3);
  S.R.Measured = Log.measured();
  refineByTaskTypes(S.P, S.R, 1);
  EXPECT_DOUBLE_EQ(S.later(0).TypeFactor, 3);
  EXPECT_DOUBLE_EQ(S.later(1).TypeFactor, 3);
  EXPECT_EQ(S.later(2).TypeFactor, 1);
}

TEST(TaskTypes, AbsurdAndTinyTimesAreHeldInBounds) {
  TwoPhases S({task(0, 1e-3, 1000), task(1, 1e-3, 1000, false, 8),
               task(2, 1e-3, 1000, false, 9)});
  S.measure({{1, 1e-3}, {0, 1e-3}, {1e-3, 1e-7}});
  refineByTaskTypes(S.P, S.R, 1);
  EXPECT_DOUBLE_EQ(S.later(0).TypeFactor, 4);
  EXPECT_EQ(S.later(1).TypeFactor, 1);
  EXPECT_EQ(S.later(2).TypeFactor, 1);
}

} // namespace
