//===- explain_test.cpp - reasons for an object's placement ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: values computed in the comments: slow 300 ns, fast 100 ns, so a
// thousand exposed reads cost 0.2 ms more in slow memory.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "planner/Explain.h"

using namespace evenkeel;

namespace {

/// Two tasks with negligible core time: task 0 chases A 30,000 times and task 1
/// chases B 10,000 times.
struct TwoChases : Scenario {
  uint32_t A, B2;
  TwoChases() : Scenario(2, 1) {
    A = addObject(1, 1 << 20);
    B2 = addObject(2, 1 << 20);
    addAccess(1, "chase", makeConst(30000));
    addAccess(2, "chase", makeConst(10000));
    addMisses(0, A, 30000 / 256 * 256, 1);
    addMisses(1, B2, 10000 / 256 * 256, 1);
  }

  ObjectExplanation ask(const Plan &P, const Problem &Pr, uint64_t Site) {
    auto Mod = makeModel("overlap");
    ObjectExplanation E;
    EXPECT_TRUE(explainObject(Pr, P, M, **Mod, {Site, 0}, E));
    return E;
  }
};

TEST(Explain, WhatTheProgramFeelsOfWhatTasksFeel) {
  TwoChases S;
  S.R.Fast = "0B";
  Problem Pr;
  auto P = makePlan(S.R, &Pr);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  // A: 29,952 reads. All slow 8.99 ms, fast 3.00 ms. Then B's task with 9,984
  // reads (3.00 ms) is as slow: nearly all of A's gain is felt.
  ObjectExplanation A = S.ask(*P, Pr, 1);
  ASSERT_EQ(A.Phases.size(), 1u);
  EXPECT_EQ(A.FastShare, 0);
  EXPECT_EQ(A.Phases[0].Task, 0u);
  EXPECT_EQ(A.Phases[0].SlowestTask, 0u);
  EXPECT_EQ(A.Phases[0].Bound.What, PhaseBound::By::SlowestTask);
  EXPECT_NEAR(A.Makespan - A.FastMakespan, 29952 * 200e-9, 1e-5);
  EXPECT_NEAR(A.SlowMakespan, A.Makespan, 1e-12);
  EXPECT_NEAR(A.Criticality, 1, 0.01);
  // B: its task waits for task 0 in any case.
  ObjectExplanation B = S.ask(*P, Pr, 2);
  EXPECT_EQ(B.Phases[0].Task, 1u);
  EXPECT_EQ(B.Phases[0].SlowestTask, 0u);
  EXPECT_NEAR(B.Phases[0].TaskSlowSeconds - B.Phases[0].TaskFastSeconds,
              9984 * 200e-9, 1e-9);
  EXPECT_EQ(B.Criticality, 0);
  EXPECT_EQ(B.FastMakespan, B.Makespan);
}

TEST(Explain, WhoGivesWayFirst) {
  TwoChases S;
  S.R.Fast = "1MiB"; // half of the data
  Problem Pr;
  auto P = makePlan(S.R, &Pr);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ObjectExplanation A = S.ask(*P, Pr, 1), B = S.ask(*P, Pr, 2);
  EXPECT_GT(A.FastShare, 0.9);
  EXPECT_TRUE(A.Full);
  EXPECT_NEAR(A.SlowMakespan - A.Makespan, 29952 * 200e-9 * A.FastShare, 2e-4);
  EXPECT_EQ(B.Next.Site, 1u);
  EXPECT_NEAR(B.NextGainPerMiB, (A.SlowMakespan - A.Makespan) / A.FastShare,
              1e-6);
}

TEST(Explain, UnknownSite) {
  TwoChases S;
  Problem Pr;
  auto P = makePlan(S.R, &Pr);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ObjectExplanation E;
  EXPECT_FALSE(explainObject(Pr, *P, S.M, **makeModel("overlap"), {99, 0}, E));
}

} // namespace
