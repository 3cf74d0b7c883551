//===- headlines_test.cpp - the sentences of a report ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each sentence has fallbacks; one test for each of them.
//===----------------------------------------------------------------------===//
#include "cli/report/Headlines.h"
#include <gtest/gtest.h>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

constexpr double MiB = 1048576;

/// A replayed run of two tasks, of which task 1 is the slower one.
struct Headline : testing::Test {
  Facts F;
  Plan P;
  Problem Pr;
  Machine M;
  ReportInput In;
  ReportData D;

  Headline() {
    In.F = &F;
    In.P = &P;
    In.Pr = &Pr;
    In.M = &M;
    In.Program = "cg 1000 5";
    In.Name = "cg";
    M.Name = "m";
    D.Replayed = true;
    D.Times.AllSlow = 0.116;
    D.Times.FirstTouch = 0.104;
    D.Times.Plan = 0.0909;
    D.Times.AllFast = 0.06;
    D.FastBytes = 37.1 * MiB;
    D.PeakBytes = 148 * MiB;
    D.Lanes = 2;
    D.Groups.push_back(
        {{{0}, 0}, "multiply", "cg.c:88", false, false, "multiply cg.c:88"});
    D.FirstTouch = run(0.104, {0.03, 0.104});
    D.Plan = run(0.0909, {0.03, 0.0909});
  }
  static RunData run(double Seconds, std::vector<double> Busy) {
    RunData R;
    R.Makespan = Seconds;
    LaidOutPhase L;
    L.Seconds = Seconds;
    for (uint32_t I = 0; I < Busy.size(); ++I)
      L.LastTask.push_back(I);
    L.Busy = std::move(Busy);
    R.Groups.push_back(L);
    return R;
  }
  Headlines says() const { return Headlines(In, D); }
  ObjectData &object(const char *Name, double Share, double Gain) {
    D.Objects.emplace_back();
    ObjectData &O = D.Objects.back();
    O.Name = Name;
    O.FastShare = Share;
    O.GainSeconds = Gain;
    D.Gain += Gain;
    D.PlacedObjects += Share > 0;
    return O;
  }
};

TEST_F(Headline, AGainSaysHowMuch) {
  EXPECT_EQ(plainText(says().gain()),
            "With the plan, cg takes 90.9 ms instead of 104 ms under first "
            "touch: 12.6 % less, with the same 37.1 MiB of fast memory.");
  D.Replayed = false;
  EXPECT_EQ(plainText(says().gain())
                .rfind("With the plan, cg is predicted to take 90.9 ms", 0),
            0u);
  In.Program = In.Name = "";
  EXPECT_EQ(plainText(says().gain()).rfind("With the plan, the program is", 0),
            0u);
  In.FirstPhases = 146;
  EXPECT_EQ(plainText(says().gain())
                .rfind("With the plan, the first 146 phases of the program are "
                       "predicted to take 90.9 ms instead of",
                       0),
            0u);
}

/// What one shows is what one gets: `run` makes the moves, too.
TEST_F(Headline, MovesCount) {
  P.Planner = "balanced";
  D.Times.AtHooks = 0.08;
  D.Times.MovedAtHooks = 10 * MiB;
  EXPECT_EQ(plainText(says().gain()),
            "With the plan and its moves at hooks, cg takes 80.0 ms instead of "
            "104 ms under first touch: 23.1 % less, with the same 37.1 MiB of "
            "fast memory.");
  EXPECT_NE(plainText(says().gainNote())
                .find("10.0 MiB are moved during the run, and it takes 80.0 "
                      "ms. Without, it takes 90.9 ms, and so the pictures"),
            std::string::npos)
      << says().gainNote();
  D.Times.Plan = D.Times.FirstTouch; // by moves alone
  EXPECT_EQ(
      plainText(says().gain())
          .rfind("With the plan and its moves at hooks, cg takes 80.0", 0),
      0u);
  D.Times.AtHooks = 0.108; // a run makes moves that lose, too
  D.Times.Plan = 0.0909;
  EXPECT_EQ(plainText(says().gain()).rfind("The plan loses: cg takes 3.8 %", 0),
            0u);
  D.Replayed = false;
  D.Times.Moving = 0.08;
  EXPECT_EQ(plainText(says().gain())
                .rfind("With the plan and its moves at hooks, cg is predicted "
                       "to take 80.0 ms",
                       0),
            0u);
  EXPECT_NE(plainText(says().gainNote()).find("Without moves it takes 90.9 ms"),
            std::string::npos)
      << says().gainNote();
}

TEST_F(Headline, APlanThatKeepsFirstTouchSaysSo) {
  P.KeepsFirstTouch = true;
  EXPECT_EQ(plainText(says().gain()),
            "For cg, no placement is predicted to be faster than first touch, "
            "so the plan changes nothing: 104 ms.");
  EXPECT_EQ(plainText(says().objects()),
            "None of them is placed: first touch is kept.");
  EXPECT_EQ(
      plainText(says().memory()),
      "The plan places nothing: pages stay where they are first touched.");
}

TEST_F(Headline, WhereAllFitsNoPlanIsNeeded) {
  P.KeepsFirstTouch = P.AllFits = true;
  EXPECT_EQ(plainText(says().gain()),
            "All data of cg fits into the 37.1 MiB of fast memory: no plan is "
            "needed.");
}

TEST_F(Headline, APlanAsFastAsFirstTouchGainsNothing) {
  D.Times.Plan = 0.10402;
  EXPECT_EQ(plainText(says().gain()),
            "For cg, the plan is as fast as first touch: 104 ms.");
}

TEST_F(Headline, APlanThatLosesSaysSo) {
  D.Times.Plan = 0.108;
  EXPECT_EQ(plainText(says().gain()),
            "The plan loses: cg takes 3.8 % longer with it (108 ms) than with "
            "first touch (104 ms).");
}

TEST_F(Headline, TheSlowestTaskIsNamed) {
  EXPECT_EQ(plainText(says().tasks()),
            "Task 1 holds up the others in multiply. The plan shortens it by "
            "13.1 of 104 ms.");
  D.Plan = run(0.11, {0.03, 0.11});
  EXPECT_EQ(plainText(says().tasks()),
            "Task 1 holds up the others in multiply. The plan makes it longer, "
            "by 6.00 of 104 ms.");
}

TEST_F(Headline, RanksAreRanks) {
  P.Ranks = {0, 1};
  EXPECT_EQ(plainText(says().tasks()).rfind("Rank 1 holds up the others", 0),
            0u);
}

TEST_F(Headline, ManySlowTasksAreCounted) {
  D.FirstTouch = run(0.1, {0.02, 0.02, 0.02, 0.02, 0.1, 0.1, 0.1, 0.099});
  EXPECT_EQ(
      plainText(says().tasks()).rfind("4 of 8 tasks hold up the others in", 0),
      0u);
}

TEST_F(Headline, WithoutImbalanceNobodyIsBlamed) {
  D.FirstTouch = run(0.104, {0.104, 0.103});
  EXPECT_EQ(plainText(says().tasks()),
            "No task holds up the others: most time goes into multiply. The "
            "plan shortens it by 13.1 of 104 ms.");
  D.Lanes = 1;
  EXPECT_EQ(plainText(says().tasks()).rfind("Most time goes into multiply", 0),
            0u);
}

TEST_F(Headline, ExplicitTasksKeepWorkersBusy) {
  D.FirstTouch.Groups[0].Explicit = true;
  D.FirstTouch.Groups[0].LastTask = {UINT32_MAX, UINT32_MAX};
  EXPECT_EQ(plainText(says().tasks())
                .rfind("Tasks keep 2 workers busy for 64 % of multiply.", 0),
            0u);
}

TEST_F(Headline, NoPhaseIsNoError) {
  D.Groups.clear();
  EXPECT_EQ(plainText(says().tasks()), "No phase takes time worth showing.");
}

TEST_F(Headline, ObjectsThatSaveMostAndWhatIsPlaced) {
  EXPECT_EQ(plainText(says().objects()),
            "No object by itself saves time in fast memory.");
  EXPECT_EQ(plainText(says().memory()),
            "The plan puts nothing into fast memory.");
  object("p", 1, 0.005);
  object("value<T>", 0.4, 0.017);
  EXPECT_EQ(plainText(says().objects()),
            "value<T> saves most, 17.0 of 22.0 ms, with 40 % of it in fast "
            "memory.");
  EXPECT_EQ(plainText(says().memory()),
            "The plan puts all of p and 40 % of value<T> into fast memory.");
  object("q", 0.5, 0);
  object("r", 0.5, 0);
  object("s", 0.5, 0);
  D.Moves.push_back({7, 2, 100});
  EXPECT_EQ(plainText(says().memory()),
            "The plan puts all of p, 40 % of value<T>, 50 % of q and parts of "
            "2 more into fast memory. It moves data before 1 phase.");
}

TEST_F(Headline, TheKneeOrNone) {
  D.Amounts = {{0, 0.116, 0.116, {}},
               {50 * MiB, 0.1, 0.08, {}},
               {148 * MiB, 0.06, 0.06, {}}};
  EXPECT_EQ(plainText(says().amount()), "Each MiB saves about 0.378 ms, all "
                                        "the way.");
  D.Knee = 1;
  EXPECT_EQ(plainText(says().amount()),
            "Up to 50.0 MiB, each MiB saves 0.720 ms. Above that, 0.204 ms.");
  D.FirstTouchNeeds = 83.5 * MiB;
  EXPECT_EQ(plainText(says().amountNote()),
            "First touch needs 83.5 MiB to be as fast as the plan is with 37.1 "
            "MiB.");
  D.FirstTouchNeeds.reset();
  EXPECT_EQ(plainText(says().amountNote()),
            "First touch is never as fast as the plan is with 37.1 MiB.");
  for (AmountPoint &X : D.Amounts)
    X.Plan = 0.1;
  EXPECT_EQ(plainText(says().amount()), "More fast memory saves no time.");
}

TEST_F(Headline, BeliefIsReplayedOrExpectedOrNone) {
  EXPECT_EQ(plainText(says().belief()),
            "No task takes 0.1 ms or more, so there is nothing to compare.");
  D.Belief.Tasks = 233;
  D.Belief.Inside = 233;
  D.Belief.Worst = 0.025;
  EXPECT_EQ(plainText(says().belief()), "All 233 task times were predicted "
                                        "within 10 %; the worst is 2.5 % off.");
  D.Belief.Inside = 200;
  EXPECT_EQ(plainText(says().belief()).rfind("200 of 233 task times", 0), 0u);
  D.Replayed = false;
  D.Times.Within = 0.04;
  EXPECT_EQ(plainText(says().belief()),
            "Nine in ten task times are expected to "
            "be within 4 % of the truth.");
  D.Times.Within = 1.5;
  EXPECT_EQ(plainText(says().belief()),
            "Not much: times may be off by more than their own length.");
}

TEST_F(Headline, MovesAtHooksAreTold) {
  D.Times.AtHooks = 0.09;
  EXPECT_EQ(says().gainNote().find("Where hooks plan again"),
            std::string::npos);
  D.Times.MovedAtHooks = 3 * MiB;
  EXPECT_NE(plainText(says().gainNote())
                .find("Where hooks plan again, 3.00 MiB are moved during the "
                      "run, and it takes 90.0 ms."),
            std::string::npos);
}

TEST_F(Headline, WhatWasAssumed) {
  EXPECT_EQ(plainText(says().assumed()), "Nothing was assumed.");
  Pr.Methods = {{"count: closed form", 3}, {"count: size ratio", 1}};
  M.Assumed = {"tiers[1].write_latency_ns: a guess"};
  EXPECT_EQ(plainText(says().assumed()),
            "25 % of the access counts are scaled from the base run; 1 figure "
            "of the machine file is assumed.");
  Pr.Methods = {{"count: that of the base input", 3}};
  M.Assumed.clear();
  EXPECT_EQ(plainText(says().assumed()),
            "All access counts are those of the base run.");
}

} // namespace
