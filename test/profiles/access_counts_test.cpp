//===- access_counts_test.cpp - accesses of tasks -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the growth of tasks' accesses on the target, for each rule alone.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

constexpr uint64_t MiB = 1 << 20;

/// n: 1000 -> 4000. Four times the bytes, accesses, lines and core time.
TEST(AccessCounts, StreamScalesWithItsFormula) {
  Scenario S(2, 5000);
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "stream",
              makeOp("share", {Scenario::times(512, Scenario::n())}));
  S.addMisses(0, A, 25600, 0.125);
  S.addMisses(1, A, 25600, 0.125);
  S.forSymbol("n=4000");
  S.R.Fast = "12.5%";
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 4 * 4096000);
  EXPECT_EQ(P.Instances[0].Method, "size formula");
  EXPECT_EQ(P.FastBytes, 2048000);
  UnitDemand D = total(P.Phases[0].Tasks[1].Demand);
  EXPECT_NEAR(D.ReadLines, 4 * 25600, 1e-6);
  EXPECT_NEAR(D.Exposed, 4 * 3200, 1e-6);
  EXPECT_NEAR(P.Phases[0].Tasks[1].Demand.CoreSeconds, 20e-6, 1e-12);
  EXPECT_EQ(P.Methods["count: closed form"], 2u);
}

/// A loop from 0 to n + d has n + d iterations, unless that is negative.
/// Formulas that do not say so are valid if no part is negative.
TEST(AccessCounts, FormulasHoldFromTheirSymbolsLeastValuesOn) {
  for (double Base : {50.0, -50.0})
    for (double Target : {20.0, -2000.0}) {
      Scenario S;
      S.addSymbol(0x31, "main:d", "given", Base);
      S.F.Symbols.back().Least = 0;
      uint32_t A =
          S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
      S.addAccess(1, "stream", makeOp("+", {Scenario::n(), makeSymbol(0x31)}));
      S.addMisses(0, A, 25600, 0.125);
      S.forSymbol("n=4000");
      S.R.KnownSymbols.push_back({0x31, Target});
      const bool Holds = Base >= 0 && Target >= 0;
      Problem P = S.predict();
      EXPECT_EQ(P.Methods["count: closed form"], Holds ? 1u : 0u)
          << Base << ' ' << Target;
      EXPECT_EQ(P.Methods["count: size ratio"], Holds ? 0u : 1u);
      EXPECT_EQ(P.Methods["count: no formula, it is for values of 0 or more"],
                Holds ? 0u : 1u);
      EXPECT_EQ(P.Phases[0].Tasks[0].Determined, Holds);
    }
}

/// Counts, and whether they are determined.
TEST(AccessCounts, CountsAreToldApart) {
  for (bool Known : {true, false}) {
    Scenario S;
    S.addSymbol(0x34, "main:trip", "measured", 100, 0);
    S.F.Symbols.back().ScalesWith = Scenario::n();
    uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
    S.addAccess(1, "stream",
                Known ? Scenario::times(512, Scenario::n()) : makeSymbol(0x34));
    S.addMisses(0, A, 25600, 0.125);
    S.forSymbol("n=4000");
    const PredictedTask T = S.predict().Phases[0].Tasks[0];
    EXPECT_NEAR(T.Accesses, 4 * 8 * 25600, 1e-6);
    EXPECT_EQ(T.Determined, Known);
  }
}

/// A task without accesses on the base input may access anything on another.
TEST(AccessCounts, IdleTasksTellNothing) {
  Scenario S(2, 5000);
  uint32_t A = S.addObject(1, 4 * MiB, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "stream", Scenario::times(512, Scenario::n()));
  S.addMisses(0, A, 25600, 0.125);
  S.forSymbol("n=4000");
  const Problem P = S.predict();
  EXPECT_TRUE(P.Phases[0].Tasks[0].Determined);
  EXPECT_FALSE(P.Phases[0].Tasks[1].Determined);
}

/// Accesses that a task did not make on the base input, but that others of its
/// region make depending on data, are possible on another input: a thread may
/// have had an empty share of a frontier. If a formula gives their number, they
/// are known.
TEST(AccessCounts, WhatOthersOfTheRegionDo) {
  for (bool Known : {true, false}) {
    Scenario S(2);
    S.addSymbol(0x34, "main:trip", "measured", 700, 0);
    S.addSymbol(0x34, "main:trip", "measured", 0, 1);
    S.F.Symbols.back().ScalesWith = Scenario::n();
    uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
    uint32_t Front = S.addObject(2, 8000, Scenario::times(8, Scenario::n()));
    S.addAccess(1, "stream", Scenario::times(512, Scenario::n()));
    S.addAccess(2, "stream", Known ? Scenario::n() : makeSymbol(0x34));
    for (uint32_t T : {0, 1})
      S.B.Accesses.push_back({T, A, 10000, 0});
    S.B.Accesses.push_back({0, Front, 700, 0});
    S.forSymbol("n=4000");
    const Problem P = S.predict();
    for (const PredictedTask &T : P.Phases[0].Tasks)
      EXPECT_EQ(T.Determined, Known);
  }
}

/// Code that no task reached ran 0 times: a formula with such a branch is
/// valid.
TEST(AccessCounts, CodeThatDidNotRun) {
  Scenario S(1, 5000);
  constexpr uint64_t Never = 0x31, Lost = 0x32;
  uint32_t A = S.addObject(1, 4096000);
  S.addSymbol(Never, "f:taken.9", "measured", 0);
  S.B.Symbols.back().times = 0;
  SymbolFact NotTold = S.F.Symbols.back();
  NotTold.Id = Lost;
  S.F.Symbols.push_back(NotTold);
  S.addMisses(0, A, 2560, 0.5);
  S.forSymbol("n=3000");
  auto Lines = [&](uint64_t Branch) {
    S.F.Accesses.clear();
    S.addAccess(
        1, "stream",
        makeOp("+", {Scenario::times(10, Scenario::n()), makeSymbol(Branch)}));
    return total(S.predict().Phases[0].Tasks[0].Demand).ReadLines;
  };
  EXPECT_NEAR(Lines(Never), 3 * 2560, 1);
  EXPECT_NEAR(Lines(Lost), 2560, 1) << "not measured at all";
}

/// share() gives 4 threads 3, 3, 2, 2 of 10 iterations and 4, 3, 3, 3 of 13:
/// each task has its own ratio.
TEST(AccessCounts, EachTaskHasItsOwnRatio) {
  Scenario S(4);
  S.B.Symbols[0].first = 10;
  uint32_t A = S.addObject(1, 8 * MiB);
  S.addAccess(1, "stream", makeOp("share", {Scenario::n()}));
  for (uint32_t T = 0; T < 4; ++T)
    S.addMisses(T, A, 2560, 1);
  S.forSymbol("main:n=13");
  Problem P = S.predict();
  double Want[] = {4 / 3., 1, 1.5, 1.5};
  for (uint32_t T = 0; T < 4; ++T)
    EXPECT_NEAR(total(P.Phases[0].Tasks[T].Demand).ReadLines, 2560 * Want[T],
                1e-6)
        << T;
}

/// Write-backs grow with writes, fetched lines with all accesses: reads 2n,
/// writes m; n x 3, m x 1.
TEST(AccessCounts, ReadsAndWritesApart) {
  Scenario S;
  S.addSymbol(0x31, "main:m", "given", 1000);
  uint32_t A = S.addObject(1, 8 * MiB);
  S.addAccess(1, "stream", Scenario::times(2, Scenario::n()), makeSymbol(0x31));
  S.addMisses(0, A, 2560, 1, 512);
  S.forSymbol("n=3000");
  S.forSymbol("m=1000");
  Problem P = S.predict();
  UnitDemand D = total(P.Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 2560 * 7 / 3., 1e-6);
  EXPECT_NEAR(D.WriteLines, 512, 1e-6);
}

/// Of a taskloop's 10 iterations the first of 4 tasks has 3; of 14, it has 4.
TEST(AccessCounts, TasksOfALoopDealItOut) {
  Scenario S(1);
  S.B.Symbols.clear();
  S.addSymbol(Scenario::SymN, "main:n", "given", 10);
  uint32_t A = S.addObject(1, 4096);
  S.B.Tasks.clear();
  for (uint32_t T = 0; T < 4; ++T) {
    S.B.Tasks.push_back({Scenario::Region, 0, T, 0, 1, 1000, 1000, 0});
    S.addMisses(T, A, 2560, 1);
  }
  S.addAccess(1, "stream", makeOp("share", {Scenario::n()}));
  S.forSymbol("n=14");
  Problem P = S.predict();
  auto Lines = [&](unsigned T) {
    return total(P.Phases[0].Tasks[T].Demand).ReadLines;
  };
  EXPECT_NEAR(Lines(0), 2560 * 4. / 3, 1);
  EXPECT_NEAR(Lines(3), 2560 * 3. / 2, 1);
}

/// Two objects of one site, one read n times by one row, the other m times by
/// another row: each follows its own row. If their counts do not identify the
/// row, both follow both rows.
TEST(AccessCounts, RowsOfOneObjectOfASite) {
  for (bool Tell : {true, false}) {
    Scenario S;
    S.addSymbol(0x31, "main:m", "given", Tell ? 3000 : 1000);
    const uint32_t X = S.addObject(1, 8 * MiB), Y = S.addObject(1, 8 * MiB);
    S.addAccess(1, "stream", Scenario::n());
    S.addAccess(1, "stream", makeSymbol(0x31));
    S.addMisses(0, X, 2560, 1);
    S.addMisses(0, Y, 2560, 1);
    S.B.Accesses = {{0, X, 1000, 0}, {0, Y, Tell ? 3000u : 1000u, 0}};
    S.forSymbol("n=5000");
    S.forSymbol("m=6000");
    Problem P = S.predict();
    for (const Estimate &E : P.Phases[0].Tasks[0].Estimates)
      EXPECT_NEAR(E.Lines / 2560,
                  Tell ? (E.Instance == X ? 5 : 2) : 11000. / 2000, 1e-9);
  }
}

/// By formula, by size, and by the growth of all work.
TEST(AccessCounts, StageByWays) {
  Scenario S;
  const uint32_t A = S.addObject(1, 8 * MiB);
  const uint32_t C = S.addObject(2, 16384);
  S.addAccess(1, "stream", Scenario::n(), Scenario::times(2, Scenario::n()));
  S.addAccess(2, "random", makeSymbol(0x99)); // without any value
  S.B.Accesses = {{0, A, 1000, 2000}, {0, C, 5000, 0}};
  S.forSymbol("n=3000");
  Stages Of(S);
  auto Second = [&] { return Of.counts({0}).Of[0][1]; };
  const CountGrowth First = Of.counts({0}).Of[0][0];
  EXPECT_EQ(First.Way, CountWay::Formula);
  EXPECT_EQ(First.C.All, 3);
  EXPECT_EQ(First.Weight, 3000);
  EXPECT_EQ(Second().Way, CountWay::WorkRatio);
  EXPECT_EQ(Second().C.All, 3);
  Of.Sizes.Way[1] = SizeWay::Known;
  Of.Sizes.Ratio[1] = 4;
  EXPECT_EQ(Second().Way, CountWay::SizeRatio);
  EXPECT_EQ(Second().C.All, 4);
  EXPECT_EQ(Second().Weight, 2048) << "words of the block";
}

/// Only requested tasks are evaluated, and valid results are reused.
TEST(AccessCounts, WhatHoldsIsNotEvaluatedAgain) {
  Scenario S(2);
  const uint32_t A = S.addObject(1, 8 * MiB);
  S.addAccess(1, "stream", Scenario::n());
  S.B.Accesses = {{0, A, 1000, 0}, {1, A, 1000, 0}};
  S.forSymbol("n=3000");
  const Stages Of(S);
  AccessCounts First = Of.counts({1});
  EXPECT_TRUE(First.Of[0].empty());
  EXPECT_EQ(First.Of[1][0].C.All, 3);
  First.Ratios[1][0].All = 5;
  const AccessCounts Again =
      predictCounts(Of.inputs(), {0, 1}, std::move(First.Ratios));
  EXPECT_EQ(Again.Of[0][0].C.All, 3);
  EXPECT_EQ(Again.Of[1][0].C.All, 5);
}

} // namespace
