//===- fills_test.cpp - arrays that loops fill or read through ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: arrays that loops visit once, and how their sizes and the loops'
// totals determine each other.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// 1000 + 3000 iterations fill 4000 elements, so 4000 + 5000 fill 72000 bytes.
/// By its accesses alone (12000 -> 17000, with 4000 reads that are constant per
/// task) it would be 45333.
TEST(Fills, FillGivesTheSize) {
  LoopScenario S;
  S.addAccess(1, "stream", makeConst(0), S.trips());
  S.addAccess(1, "random", makeConst(4000));
  S.forSymbol("trips@0=4000");
  S.forSymbol("trips@1=5000");
  Problem P = S.predict();
  EXPECT_NEAR(P.Instances[0].Bytes, 72000, 1e-6);
  EXPECT_EQ(P.Instances[0].Method, "as much as is written into it");
  EXPECT_EQ(P.Methods["size: as much as is written into it"], 1u);
}

/// 1000 + 3000 iterations, and one more write for each of n = 2000 words, fill
/// 6000 elements. Of 12000, with n = 3000, 9000 are left for the iterations.
TEST(Fills, JointFills) {
  for (unsigned Case = 0; Case < 4; ++Case) {
    LoopScenario S;
    S.B.Instances[0].bytes = 48000;
    S.addSymbol(0x39, "main:m", "given", 2000);
    S.addAccess(1, "random", makeConst(0), S.trips());
    S.addAccess(1, "random", makeConst(0),
                Case == 1 ? makeSymbol(0x39)
                          : makeOp("share", {makeSymbol(0x39)}));
    for (AccessFact &A : S.F.Accesses)
      A.Class = AccessFact::Random;
    S.forSymbol("m=3000");
    if (Case == 2)
      S.F.Accesses[1].ElementBytes = 4;
    if (Case == 3)
      S.F.Accesses[0].Writes = Scenario::times(1.5, S.trips());
    PredictedInstance K;
    K.Site = 1;
    K.Bytes = 96000;
    S.R.KnownSizes.push_back(K);
    S.B.Accesses.push_back({0, 0, 0, 2000});
    S.B.Accesses.push_back({1, 0, 0, 4000});
    const double Its = S.predict().Phases[0].Tasks[0].Accesses;
    if (Case == 0)
      EXPECT_NEAR(Its, 1500 + 9000 / 4., 1e-6);
    else
      EXPECT_GT(std::fabs(Its - 3750), 100)
          << "written more than once, or not in one way: " << Case;
  }
}

/// Of two measured counts, the one whose values differ at least four times as
/// much gets the remainder: 1000 and 3000 (mean 2000) compared with two values
/// a fifth apart, but not compared with two a third apart.
TEST(Fills, JointFillsOfTwoMeasured) {
  for (double Apart : {200., 300.}) {
    LoopScenario S;
    S.B.Instances[0].bytes = 48000;
    S.addSymbol(0x3a, "main:taken", "measured", 1000 - Apart / 2, 0);
    S.addSymbol(0x3a, "main:taken", "measured", 1000 + Apart / 2, 1);
    S.F.symbol(0x3a);
    for (SymbolFact &X : S.F.Symbols)
      if (X.Id == 0x3a)
        X.ScalesWith = Scenario::n();
    S.addAccess(1, "random", makeConst(0), S.trips());
    S.addAccess(1, "random", makeConst(0), makeSymbol(0x3a));
    S.forSymbol("n=1500"); // of 1000
    S.know(96000);
    S.B.Accesses.push_back({0, 0, 0, uint64_t(2000 - Apart / 2)});
    S.B.Accesses.push_back({1, 0, 0, uint64_t(4000 + Apart / 2)});
    const double Its = S.predict().Phases[0].Tasks[0].Accesses,
                 Joint = 1.5 * (1000 - Apart / 2) + 9000 / 4.;
    if (Apart < 250)
      EXPECT_NEAR(Its, Joint, 1e-6);
    else
      EXPECT_GT(std::fabs(Its - Joint), 20);
  }
}

/// A fill is a stream over the whole only instance of a site, once; and all
/// parts of it must be known.
TEST(Fills, NotAFill) {
  auto Method = [](void (*Change)(LoopScenario &)) {
    LoopScenario S;
    S.addAccess(1, "stream", makeConst(0), S.trips());
    S.addAccess(1, "random", makeConst(4000));
    S.forSymbol("trips@0=4000");
    S.forSymbol("trips@1=5000");
    Change(S);
    return S.predict().Instances[0].Method;
  };
  const char *Like = "scaled like its accesses";
  EXPECT_EQ(Method([](LoopScenario &) {}), "as much as is written into it");
  EXPECT_EQ(Method([](LoopScenario &S) {
              S.F.Accesses[0].Class = AccessFact::Random;
            }),
            Like);
  EXPECT_EQ(Method([](LoopScenario &S) { S.B.Instances[0].bytes = 64000; }),
            Like)
      << "half of it is written";
  EXPECT_EQ(Method([](LoopScenario &S) { S.B.Instances[0].bytes += 64; }),
            "as much as is written into it")
      << "rounded up to a line";
  EXPECT_EQ(Method([](LoopScenario &S) { S.B.Instances[0].bytes += 128; }),
            Like);
  EXPECT_EQ(Method([](LoopScenario &S) { S.addObject(1, 32000); }), Like)
      << "two instances";
  EXPECT_EQ(Method([](LoopScenario &S) { S.F.Accesses[0].Sites.push_back(9); }),
            Like)
      << "one of two objects";
  EXPECT_EQ(Method([](LoopScenario &S) {
              // The same tasks again in the second phase.
              for (uint32_t T : {0u, 1u}) {
                S.B.Tasks[2 + T].region = Scenario::Region;
                S.addSymbol(S.Trips, "", "", T ? 3000 : 1000, 2 + T);
              }
            }),
            Like);
  EXPECT_EQ(Method([](LoopScenario &S) { S.R.For.pop_back(); }), Like)
      << "trips of task 1 are not known: 4000 of them are not the whole";
}

/// If a loop's symbol keeps its base value, it fills as much as before only if
/// nothing is known to change; here object 1's other accesses double.
TEST(Fills, KeptSymbolsDoNotFill) {
  LoopScenario S;
  S.addSymbol(0x39, "main:m", "given", 4000);
  S.addAccess(1, "stream", makeConst(0), makeOp("share", {makeSymbol(0x39)}));
  S.addAccess(1, "random", Scenario::n());
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 32000);
  S.forSymbol("n=2000");
  P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 64000);
  EXPECT_EQ(P.Instances[0].Method, "scaled like its accesses");
}

/// Counts below 1000 agree by chance: 3 elements of 8 bytes do not fill 64
/// bytes.
TEST(Fills, SmallFillsTellNothing) {
  LoopScenario S;
  S.B.Instances[0].bytes = 64;
  S.B.Symbols[1].sum = 1;
  S.B.Symbols[2].sum = 2;
  S.addAccess(1, "stream", makeConst(0), S.trips());
  S.know(64);
  S.addTwin(1, 2);
  S.addWalk(2, makeSymbol(LoopScenario::Twin));
  Problem P = S.predict();
  EXPECT_EQ(P.Methods.count("count: closed form, from the size it fills"), 0u);
  EXPECT_NEAR(S.lines(P, 0), 1, 1e-9);
}

/// A hook sees 12000 elements: three times the iterations, although the loop's
/// own n doubles. The same loop in the next phase gets them, too.
TEST(Fills, SizeGivesTheFill) {
  LoopScenario S;
  S.F.Symbols.back().ScalesWith = Scenario::n();
  S.addAccess(1, "stream", makeConst(0), S.trips());
  S.addTwin(1000, 3000);
  S.addWalk(2, makeSymbol(LoopScenario::Twin));
  S.forSymbol("n=2000");
  S.know(96000);
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Method, "known at the hook");
  EXPECT_NEAR(S.lines(P, 0), 3, 1e-9);
  EXPECT_NEAR(S.lines(P, 1), 3, 1e-9);
  EXPECT_EQ(P.Methods["count: closed form, from the size it fills"], 2u);
}

/// A size formula has the same effect: n alone gives 2000 and 6000 iterations,
/// but m = 2000 needs 16000 elements; distributed 1 : 3 they are 4000 and
/// 12000.
TEST(Fills, SizeGivesTheFillByFormula) {
  LoopScenario S;
  S.F.Symbols.back().ScalesWith = Scenario::n();
  S.addSymbol(0x39, "main:m", "given", 500);
  S.F.Sites[0].Size = Scenario::times(64, makeSymbol(0x39));
  S.addAccess(1, "stream", makeConst(0), S.trips());
  S.addTwin(1000, 3000);
  S.addWalk(2, makeSymbol(LoopScenario::Twin));
  S.forSymbol("n=2000");
  S.forSymbol("m=2000");
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Method, "size formula");
  EXPECT_NEAR(S.lines(P, 0), 4, 1e-9);
  EXPECT_NEAR(S.lines(P, 1), 4, 1e-9);
}

/// If nothing else is known about the loop, its tasks keep their shares: 3000
/// and 9000 of 12000. Object 2 is read 1000 times more in each task.
TEST(Fills, SizeAloneGivesTheFill) {
  LoopScenario S;
  S.addAccess(1, "stream", makeConst(0), S.trips());
  S.addTwin(1000, 3000);
  S.addWalk(2, makeOp("+", {makeSymbol(LoopScenario::Twin), makeConst(1000)}));
  S.know(96000);
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 4000 / 2000., 1e-9);
  EXPECT_NEAR(S.lines(P, 1), 10000 / 4000., 1e-9);
  EXPECT_EQ(P.Methods["count: closed form, from the size it fills"], 2u);
}

/// A value given for the loop itself is kept.
TEST(Fills, GivenIterationsBeatTheSize) {
  LoopScenario S;
  S.addAccess(1, "stream", makeConst(0), S.trips());
  S.addMisses(0, 0, 2560, 1);
  S.forSymbol("trips@0=2000");
  S.forSymbol("trips@1=6000");
  S.know(96000);
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 2 * 2560, 1e-6);
  EXPECT_EQ(P.Methods["count: closed form, measured symbol given"], 1u);
}

/// The second phase reads 4000 elements once, in 1000 and 3000 iterations that
/// are said to grow with n. The array is known to be twice as large, which
/// gives the number of iterations. An array that is read twice does not count.
TEST(Fills, WhatIsReadThroughTellsByItsSize) {
  for (bool Twice : {false, true}) {
    LoopScenario S;
    S.addTwin(Twice ? 2000 : 1000, Twice ? 6000 : 3000);
    S.F.Symbols.back().ScalesWith = Scenario::n();
    S.addAccess(1, "stream", makeSymbol(LoopScenario::Twin));
    S.F.Accesses.back().Region = LoopScenario::Region2;
    S.addMisses(2, 0, 2560, 1);
    S.addMisses(3, 0, 2560, 1);
    S.forSymbol("n=5000");
    S.know(64000);
    Problem P = S.predict();
    EXPECT_NEAR(S.lines(P, 0), Twice ? 5 : 2, 1e-9);
    EXPECT_NEAR(S.lines(P, 1), Twice ? 5 : 2, 1e-9);
    EXPECT_EQ(P.Methods["count: closed form, from the size it fills"],
              Twice ? 0u : 2u);
  }
}

/// Without given values or a hook, a fill with a known formula adds nothing.
TEST(Fills, FillsOfTheSameInputTellNothing) {
  LoopScenario S;
  S.addSymbol(0x39, "main:m", "given", 4000);
  S.F.Sites[0].Size = Scenario::times(8, makeSymbol(0x39));
  S.addAccess(1, "stream", makeConst(0), S.trips());
  S.addTwin(1000, 3000);
  S.addWalk(2, makeSymbol(LoopScenario::Twin));
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 1, 1e-9);
  EXPECT_EQ(P.Methods["count: that of the base input"], 2u);
}

/// The stage in which sizes determine symbols, and its switch: 4000 iterations
/// fill the array, which has 12000 elements on the target.
TEST(Fills, StageOfSizedSymbols) {
  LoopScenario S;
  S.addAccess(1, "stream", makeConst(0), S.trips());
  auto Trips = [&] {
    const Stages Of(S);
    ObjectSizes Sizes = Of.Sizes;
    Sizes.Instances[0].Bytes = 96000;
    Sizes.Way[0] = SizeWay::Known;
    return sizedValues(Of.base(), Of.Given, Of.Tables->Fills, Sizes, Of.Use).Of;
  };
  EXPECT_EQ(Trips().at(S.Trips).PerIndex.at(0), 3000);
  EXPECT_EQ(Trips().at(S.Trips).PerIndex.at(1), 9000);
  EXPECT_TRUE(Trips().at(S.Trips).Sized);
  S.R.Use.Fills = false;
  EXPECT_TRUE(Trips().empty());
}

} // namespace
