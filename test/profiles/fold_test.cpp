//===- fold_test.cpp - phases alike, kept once ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what is predicted, and decided at hooks, from a folded base is the
// same as from the whole one, with work by the kinds of phases.
//===----------------------------------------------------------------------===//
#include "Iterations.h"
#include "format/Replan.h"
#include "planner/Fold.h"
#include "planner/HookPlanner.h"
#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace evenkeel;

namespace {

constexpr uint32_t Phases = 40; // of teams

void expectNear(double A, double B, const std::string &What) {
  EXPECT_NEAR(A, B, 1e-9 * std::max(std::fabs(A), std::fabs(B))) << What;
}

void expectSame(const Problem &A, const Problem &B) {
  ASSERT_EQ(A.Phases.size(), B.Phases.size());
  ASSERT_EQ(A.Units.size(), B.Units.size());
  EXPECT_EQ(A.FastBytes, B.FastBytes);
  EXPECT_EQ(A.PeakBytes, B.PeakBytes);
  EXPECT_EQ(A.Methods, B.Methods);
  for (size_t H = 0; H < A.Phases.size(); ++H) {
    const PredictedPhase &X = A.Phases[H], &Y = B.Phases[H];
    const std::string At = "phase " + std::to_string(H);
    EXPECT_EQ(X.Phase, Y.Phase);
    EXPECT_EQ(X.Region, Y.Region) << At;
    EXPECT_EQ(X.Workers, Y.Workers) << At;
    EXPECT_EQ(X.Kind, Y.Kind) << At;
    EXPECT_EQ(X.Gathered, Y.Gathered) << At;
    EXPECT_EQ(X.Scattered, Y.Scattered) << At;
    ASSERT_EQ(X.Tasks.size(), Y.Tasks.size()) << At;
    for (size_t T = 0; T < X.Tasks.size(); ++T) {
      const PredictedTask &V = X.Tasks[T], &W = Y.Tasks[T];
      EXPECT_EQ(V.Index, W.Index);
      EXPECT_EQ(V.Determined, W.Determined) << At;
      expectNear(V.Demand.CoreSeconds, W.Demand.CoreSeconds, At);
      expectNear(V.Demand.Opening, W.Demand.Opening, At);
      ASSERT_EQ(V.Demand.Units.size(), W.Demand.Units.size()) << At;
      for (size_t U = 0; U < V.Demand.Units.size(); ++U) {
        const UnitDemand &P = V.Demand.Units[U], &Q = W.Demand.Units[U];
        EXPECT_EQ(P.Unit, Q.Unit);
        expectNear(P.ReadLines, Q.ReadLines, At + ", read");
        expectNear(P.WriteLines, Q.WriteLines, At + ", written");
        expectNear(P.Exposed, Q.Exposed, At + ", exposed");
        expectNear(P.OpeningWrites, Q.OpeningWrites, At + ", early");
      }
    }
  }
}

/// A fold of \p S, asked for the same.
struct Folded {
  Profile B;
  PlanRequest R;
  explicit Folded(const Iterations &S) : B(foldPhases(S.B)), R(S.R) {
    R.Base = &B;
  }
};

std::vector<PredictedInstance> sizes(double Times) {
  std::vector<PredictedInstance> Out;
  for (uint32_t O = 0; O < Iterations::Objects; ++O) {
    PredictedInstance I;
    I.Site = 0x100 + O;
    I.Bytes = double(Iterations::Bytes) * Times;
    I.AllocPhase = EK_NO_TASK;
    Out.push_back(I);
  }
  return Out;
}

TEST(Fold, RowsOfPhasesAlikeAreKeptTwice) {
  const Iterations S(Phases);
  const Folded X(S);
  // Two serial phases; of each team the cold one, that which finds what cold
  // ones left, and two.
  const std::set<uint32_t> Own(X.B.Like.begin(), X.B.Like.end());
  EXPECT_LE(Own.size(), 10u);
  const std::vector<uint32_t> Longer =
      foldPhases(Iterations(4 * Phases).B).Like;
  EXPECT_EQ(Own, std::set<uint32_t>(Longer.begin(), Longer.end()));
  EXPECT_EQ(X.B.Phases.size(), S.B.Phases.size());
  EXPECT_LT(X.B.Misses.size() * 4, S.B.Misses.size());
  EXPECT_EQ(foldPhases(X.B).Tasks.size(), X.B.Tasks.size());
}

// Where objects come and go, or tasks wait for others of other phases, phases
// are no longer alike.
TEST(Fold, PhasesBetweenOtherAllocationsAreNotAlike) {
  Iterations S(Phases);
  const size_t Before = foldPhases(S.B).Tasks.size();
  S.B.Instances[3].free_phase = 30;
  EXPECT_GT(foldPhases(S.B).Tasks.size(), Before);
  for (uint32_t H = 1; H < S.B.Phases.size(); ++H)
    S.B.Phases[H].sync += H;
  EXPECT_TRUE(foldPhases(S.B).Like.empty());
}

TEST(Fold, TheSameIsPredicted) {
  for (double Times : {0.0, 1.0, 1.7}) {
    Iterations S(Phases);
    if (Times > 0)
      S.R.KnownSizes = sizes(Times);
    const Folded X(S);
    Expected<Problem> Whole = predictTarget(S.R), Kept = predictTarget(X.R);
    ASSERT_TRUE(Whole && Kept);
    expectSame(*Whole, *Kept);
    S.R.For = {{"n", std::nullopt, 1500}};
    const Folded Y(S);
    Whole = predictTarget(S.R), Kept = predictTarget(Y.R);
    ASSERT_TRUE(Whole && Kept);
    expectSame(*Whole, *Kept);
  }
}

// What a plan takes along: it is written and read as it is.
TEST(Fold, GoesIntoAPlan) {
  const Iterations S(Phases);
  auto Made = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(Made));
  const std::string Text = replanOf(S.R, *Made);
  auto Data = readReplan(Text, "plan.json");
  ASSERT_TRUE(static_cast<bool>(Data)) << Data.message();
  EXPECT_EQ(Data->Base.Like, foldPhases(S.B).Like);
  EXPECT_EQ(Data->Base.Phases.size(), S.B.Phases.size());
  EXPECT_EQ(Data->Base.Phases[31].sync, S.B.Phases[31].sync);
  EXPECT_EQ(replanToJson(*Data, Text), Text);
  PlanRequest R = S.R;
  R.Base = &Data->Base;
  R.KnownSizes = sizes(1.7);
  PlanRequest Q = S.R;
  Q.KnownSizes = R.KnownSizes;
  auto Whole = predictTarget(Q), Kept = predictTarget(R);
  ASSERT_TRUE(Whole && Kept);
  expectSame(*Whole, *Kept);
}

} // namespace
