//===- fold_test.cpp - equal phases stored once ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predictions and decisions at hooks are the same from a folded base as
// from the whole one, with work proportional to the number of distinct phases.
//===----------------------------------------------------------------------===//
#include "CountingModel.h"
#include "Iterations.h"
#include "Scenario.h"
#include "format/Replan.h"
#include "planner/HookPlanner.h"
#include "predict/base/Fold.h"
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

/// A folded copy of \p S with the same request.
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
  // Two serial phases; of each team, the one with cold caches, the one that
  // finds what cold ones left, and two more.
  const std::set<uint32_t> Own(X.B.Like.begin(), X.B.Like.end());
  EXPECT_LE(Own.size(), 10u);
  const std::vector<uint32_t> Longer =
      foldPhases(Iterations(4 * Phases).B).Like;
  EXPECT_EQ(Own, std::set<uint32_t>(Longer.begin(), Longer.end()));
  EXPECT_EQ(X.B.Phases.size(), S.B.Phases.size());
  EXPECT_LT(X.B.Misses.size() * 4, S.B.Misses.size());
  EXPECT_EQ(foldPhases(X.B).Tasks.size(), X.B.Tasks.size());
}

// If objects are allocated or freed, or tasks depend on tasks of other phases,
// phases are not equal.
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

// The base in a plan: it is written and read unchanged.
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

/// A hook after phase \p Hook, before which the second task was slow; data is
/// placed by first touch.
HookDecision decide(PlanRequest R, const Model &Mod, uint32_t Hook) {
  R.KnownSizes = sizes(1);
  for (uint32_t H = Hook - 3; H <= Hook; H += 3) {
    MeasuredPhase M;
    M.Phase = H;
    for (uint32_t T = 0; T < Iterations::Tasks; ++T) {
      M.TaskSeconds[T] = T == 1 ? 6e-3 : 5e-3;
      M.Expected[{false, T}] = {Iterations::Regions[0], 1e-3, 40000, 5e-3};
    }
    R.Measured.push_back(std::move(M));
  }
  TargetPredictor Its(R);
  auto Made = decideAtHook(Its, R, Mod, Hook, firstUnitsFast);
  EXPECT_TRUE(static_cast<bool>(Made));
  return std::move(*Made);
}

TEST(Fold, TheSameIsDecidedAtHooks) {
  const Iterations S(Phases);
  const Folded X(S);
  auto Mod = makeModel("overlap");
  const HookDecision Whole = decide(S.R, **Mod, 13),
                     Kept = decide(X.R, **Mod, 13);
  EXPECT_GT(Whole.Chosen.Steps.size(), 10u);
  ASSERT_EQ(Whole.Chosen.Steps.size(), Kept.Chosen.Steps.size());
  for (size_t I = 0; I < Whole.Chosen.Steps.size(); ++I) {
    EXPECT_EQ(Whole.Chosen.Steps[I].In, Kept.Chosen.Steps[I].In) << I;
    EXPECT_EQ(Whole.Chosen.Steps[I].Out, Kept.Chosen.Steps[I].Out) << I;
    expectNear(Whole.Chosen.Steps[I].Bytes, Kept.Chosen.Steps[I].Bytes, "");
  }
  for (size_t U = 0; U < Whole.Chosen.Fast.size(); ++U)
    EXPECT_NEAR(Whole.Chosen.Fast[U], Kept.Chosen.Fast[U], 1e-9);
  ASSERT_EQ(Whole.Chosen.Worth.size(), Kept.Chosen.Worth.size());
}

// The work of a look depends on distinct phases: with ten times the phases, the
// model is asked for as many times of tasks.
TEST(Fold, AsMuchWorkForTenTimesThePhases) {
  auto Mod = makeModel("overlap");
  unsigned long Tasks[2];
  for (int K : {0, 1}) {
    const Iterations S(K ? 10 * Phases : Phases);
    const CountingModel Counts(**Mod);
    decide(Folded(S).R, Counts, 13);
    Tasks[K] = Counts.Tasks;
  }
  EXPECT_EQ(Tasks[0], Tasks[1]);
  // Each draw at the hook is timed without moves, with all of them, and with
  // few beginnings of their list.
  EXPECT_LT(Tasks[0], (40 + 6 * figures().HookDraws) * Iterations::Tasks);
}

} // namespace
