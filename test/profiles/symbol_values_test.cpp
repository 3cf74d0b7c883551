//===- symbol_values_test.cpp - values of symbols on the target -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how symbols get their values on the target, for each rule alone.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"
#include "TempDir.h"
#include "predict/TargetPredictor.h"
#include "predict/symbols/Changes.h"
#include "predict/symbols/Evaluate.h"
#include "predict/symbols/Given.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

constexpr uint64_t MiB = 1 << 20;

TEST(Given, Texts) {
  Expected<Given> G = parseGiven("main:n=12.5");
  ASSERT_TRUE(static_cast<bool>(G));
  EXPECT_EQ(G->Name, "main:n");
  EXPECT_EQ(G->Value, 12.5);
  EXPECT_FALSE(G->Task);
  G = parseGiven("f:trips@3=1e6");
  ASSERT_TRUE(static_cast<bool>(G));
  EXPECT_EQ(G->Name, "f:trips");
  EXPECT_EQ(*G->Task, 3u);
  for (const char *Bad : {"", "n", "=3", "n=", "n=x", "n@=3", "n@x=3", "n=nan",
                          "@3=1", "n@99999999999=1"})
    EXPECT_ERROR(parseGiven(Bad), "expected NAME=VALUE");
}

/// Impossible values, values given twice, and a size for one task of an object
/// that all tasks share.
TEST(Given, ImpossibleValues) {
  auto Says = [](std::vector<std::string> Texts, const char *Part) {
    Scenario S(2, 5000);
    S.B.Phases.insert(S.B.Phases.begin(), {0x41, 0, 0}); // where it is made
    for (ek_raw_task &T : S.B.Tasks)
      T.phase = 1;
    constexpr uint64_t Half = 0x31, Low = 0x32, Trips = 0x33;
    S.addSymbol(Half, "main:half", "derived", 500);
    S.F.Symbols[0].Value = Scenario::times(2, makeSymbol(Half)); // n = 2 half
    S.addSymbol(Low, "main:low", "derived", -1);
    S.addSymbol(Trips, "main:trips", "measured", 100);
    S.addObject(1, 8000, Scenario::times(8, Scenario::n()));
    for (const std::string &Text : Texts)
      S.forSymbol(Text);
    Expected<Problem> P = predictTarget(S.R);
    if (!*Part) {
      EXPECT_TRUE(bool(P)) << Texts[0] << ": " << P.message();
      return;
    }
    ASSERT_FALSE(bool(P)) << Texts[0];
    EXPECT_NE(P.message().find(Part), std::string::npos) << P.message();
  };
  Says({"n=2000"}, "");
  Says({"n=-2000"}, "not negative");
  Says({"half=-1"}, "not negative");
  Says({"low=-3"}, ""); // as on the base input
  Says({"n=2000.5"}, "whole number");
  Says({"trips@0=0.25"}, "whole number");
  Says({"n=1e19"}, "no program counts as far");
  Says({"n=2000", "n=2000"}, "given twice");
  Says({"n=2000", "main:n=3000"}, "given twice");
  Says({"trips@0=2", "trips@0=3"}, "trips@0: its value is given twice");
  Says({"trips@0=2", "trips@1=3"}, "");
  Says({"n@1=2000"}, "object of a.c:1:1 has its size from it");
  Says({"half@1=2000"}, "object of a.c:1:1 has its size from it");
}

/// A rank's arrays may have any size, and so may objects made by a task.
TEST(Given, SizesOfRanksAndTasks) {
  Scenario S(2, 5000);
  S.addObject(1, 8000, Scenario::times(8, Scenario::n()));
  S.forSymbol("n@1=2000");
  EXPECT_TRUE(bool(predictTarget(S.R))) << "made in the team's phase";
}

/// A value seen by a hook has the same effect as --for, and takes precedence.
TEST(SymbolValues, KnownSymbols) {
  Scenario S(1, 5000);
  uint32_t A = S.addObject(1, 4 * MiB, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "stream", Scenario::n());
  S.addMisses(0, A, 2560, 0.5);
  auto Lines = [](Expected<Problem> P) {
    EXPECT_TRUE(static_cast<bool>(P));
    return total(P->Phases[0].Tasks[0].Demand).ReadLines;
  };
  TargetPredictor Alone(S.R);
  EXPECT_NEAR(Lines(Alone.predict({})), 2560, 1e-6);
  double Twice = Lines(Alone.predict({}, 0, {{Scenario::SymN, 2000}}));
  EXPECT_NEAR(Twice, 5120, 1);
  // Another value, and none again: nothing of the last one remains.
  EXPECT_NEAR(Lines(Alone.predict({}, 0, {{Scenario::SymN, 3000}})), 7680, 1);
  EXPECT_NEAR(Lines(Alone.predict({})), 2560, 1e-6);
  S.forSymbol("n=2000");
  EXPECT_DOUBLE_EQ(Lines(TargetPredictor(S.R).predict({})), Twice);
  EXPECT_NEAR(
      Lines(TargetPredictor(S.R).predict({}, 0, {{Scenario::SymN, 1000}})),
      2560, 1);
}

/// The trip count of the base run scales with the number of strips, as far as
/// the code shows. That this is the same in the target does not mean that the
/// trip count is: it still grows with the data.
TEST(SymbolValues, KnownSymbolsThatDidNotChange) {
  Scenario S(1, 5000);
  constexpr uint64_t Strips = 0x31, Trips = 0x32;
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  S.addSymbol(Strips, "f:strips", "given", 8);
  S.addSymbol(Trips, "f:trip.9", "measured", 1000, 0);
  S.F.Symbols.back().ScalesWith = makeSymbol(Strips);
  S.addAccess(1, "random", makeSymbol(Trips));
  S.addMisses(0, A, 25600, 0.5);
  S.forSymbol("n=2000");
  auto Lines = [&](const std::vector<KnownSymbol> &Known) {
    Expected<Problem> P = TargetPredictor(S.R).predict({}, 0, Known);
    EXPECT_TRUE(static_cast<bool>(P));
    return total(P->Phases[0].Tasks[0].Demand).ReadLines;
  };
  EXPECT_NEAR(Lines({}), 51200, 1);
  EXPECT_NEAR(Lines({{Strips, 8}}), 51200, 1);
}

/// A captured value that differs from phase to phase: where a hook has seen it,
/// it counts, there and in phases that got the same on the base input.
TEST(SymbolValues, ValuesOfSinglePhases) {
  Scenario S(1, 5000);
  constexpr uint64_t Depth = 0x31;
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  S.addSymbol(Depth, "f:depth", "derived", 256, 0);
  S.addAccess(1, "stream", Scenario::times(10, makeSymbol(Depth)));
  S.addMisses(0, A, 2560, 0.5);
  for (uint32_t Phase : {1, 2}) {
    S.B.Phases.push_back({0x40, 1, 1});
    S.B.Tasks.push_back({Scenario::Region, Phase, 0, 0, 0, 5000, 5000, 0});
    S.addSymbol(Depth, "f:depth", "derived", Phase == 1 ? 256 : 128, Phase);
    S.addMisses(Phase, A, Phase == 1 ? 2560 : 1280, 0.5);
  }
  S.forSymbol("n=2000");
  auto Lines = [&](const std::vector<KnownSymbol> &Known) {
    Expected<Problem> P = TargetPredictor(S.R).predict({}, 0, Known);
    EXPECT_TRUE(static_cast<bool>(P));
    return linesByPhase(*P);
  };
  using V = std::vector<double>;
  EXPECT_EQ(Lines({}), V({5120, 5120, 2560})) << "by size";
  EXPECT_EQ(Lines({{Depth, 512, 0}}), V({5120, 5120, 2560}));
  EXPECT_EQ(Lines({{Depth, 768, 0}}), V({7680, 7680, 2560}));
  EXPECT_EQ(Lines({{Depth, 768, 0}, {Depth, 256, 1}})[1], 2560);
}

/// Parts of an array in turn, twice: the region gets the start and end of a
/// part. The same part gets the same values again. They say nothing about other
/// parts: that the first part begins at 0 on both inputs does not show where
/// the next one begins.
TEST(SymbolValues, PhasesThatAreHandedTheSame) {
  Scenario S(1, 5000);
  constexpr uint64_t From = 0x31, To = 0x32;
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "stream",
              Scenario::times(
                  10, makeOp("+", {makeSymbol(To),
                                   Scenario::times(-1, makeSymbol(From))})));
  for (uint32_t Phase : {0, 1, 2, 3}) {
    if (Phase) {
      S.B.Phases.push_back({Phase == 3 ? 0x41u : 0x40u, 1, 1});
      S.B.Tasks.push_back({Scenario::Region, Phase, 0, 0, 0, 5000, 5000, 0});
    }
    S.addSymbol(From, "f:from", "derived", Phase % 2 ? 100 : 0, Phase);
    S.addSymbol(To, "f:to", "derived", Phase % 2 ? 300 : 100, Phase);
    S.addMisses(Phase, A, Phase % 2 ? 5120 : 2560, 0.5);
  }
  S.forSymbol("n=2000");
  auto Lines = [&](const std::vector<KnownSymbol> &Known) {
    Expected<Problem> P = TargetPredictor(S.R).predict({}, 0, Known);
    EXPECT_TRUE(static_cast<bool>(P));
    EXPECT_EQ(P->Phases[0].Kind, P->Phases[2].Kind);
    EXPECT_NE(P->Phases[0].Kind, P->Phases[1].Kind);
    EXPECT_NE(P->Phases[1].Kind, P->Phases[3].Kind) << "another sync point";
    return linesByPhase(*P);
  };
  using V = std::vector<double>;
  EXPECT_EQ(Lines({}), V({5120, 10240, 5120, 10240})) << "by size";
  std::vector<KnownSymbol> Known = {{From, 0, 0}, {To, 160, 0}};
  EXPECT_EQ(Lines(Known), V({4096, 10240, 4096, 10240}));
  Known.insert(Known.end(), {{From, 160, 1}, {To, 420, 1}});
  EXPECT_EQ(Lines(Known), V({4096, 6656, 4096, 10240}));
  S.B.Phases[3].sync = 0x40;
  S.B.Phases[1].sync = 0x41;
  Known = {{From, 0, 0}, {To, 160, 0}, {From, 170, 2}, {To, 360, 2}};
  EXPECT_EQ(Lines(Known)[2], 4864) << "its own come first";
}

struct MeasuredScenario : Scenario {
  static constexpr uint64_t Trips = 0x50;
  MeasuredScenario() : Scenario(2) {
    addSymbol(Trips, "main:trips", "measured", 100, 0);
    addSymbol(Trips, "main:trips", "measured", 300, 1);
    B.Symbols[1].first = 7; // one entry of the loop: not what counts
    addObject(1, 8192000, times(8192, n()));
    addAccess(1, "stream", makeSymbol(Trips));
    addMisses(0, 0, 2560, 1);
    addMisses(1, 0, 2560, 1);
  }
  double lines(const Problem &P, uint32_t T) {
    return total(P.Phases[0].Tasks[T].Demand).ReadLines / 2560;
  }
};

TEST(SymbolValues, MeasuredSymbolPerTask) {
  MeasuredScenario S;
  S.forSymbol("trips@0=400");
  S.forSymbol("trips@1=450");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 4, 1e-9);
  EXPECT_NEAR(S.lines(P, 1), 1.5, 1e-9);
  EXPECT_EQ(P.Methods["count: closed form, measured symbol given"], 2u);
}

/// A hook has seen the loop's total of each thread, in a phase of the kind.
TEST(SymbolValues, TotalsSeenOfThreads) {
  MeasuredScenario S;
  S.B.Phases.push_back({0x40, 1, 2});
  for (uint32_t T = 0; T < 2; ++T) {
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 5000, 5000, 0});
    S.addSymbol(MeasuredScenario::Trips, "main:trips", "measured",
                T ? 300 : 100, 2 + T);
    S.addMisses(2 + T, 0, 2560, 1);
  }
  S.B.Phases[0] = S.B.Phases[1];
  S.forSymbol("n=2000");
  Expected<Problem> P =
      TargetPredictor(S.R).predict({}, 0,
                                   {{MeasuredScenario::Trips, 400, 0, 0},
                                    {MeasuredScenario::Trips, 600, 0, 1}});
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  for (uint32_t Phase : {0, 1})
    for (uint32_t T : {0, 1})
      EXPECT_NEAR(total(P->Phases[Phase].Tasks[T].Demand).ReadLines / 2560,
                  T ? 2 : 4, 0.01)
          << Phase << ' ' << T;
}

TEST(SymbolValues, MeasuredSymbolScales) {
  MeasuredScenario S;
  S.F.Symbols.back().ScalesWith = makeOp("*", {Scenario::n(), Scenario::n()});
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 9, 1e-9);
  EXPECT_EQ(P.Methods["count: closed form, measured symbol scaled"], 2u);
}

/// What scales with a constant (threads of a team) is the same on every input,
/// so a formula that holds it is still closed.
TEST(SymbolValues, ScalesWithNothing) {
  Scenario S(2, 5000);
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  for (uint32_t T = 0; T < 2; ++T)
    S.addSymbol(0x31, "main:threads", "measured", 2, T);
  S.F.Symbols.back().ScalesWith = makeConst(1);
  S.addAccess(1, "stream",
              makeOp("floordiv",
                     {Scenario::times(1024, Scenario::n()), makeSymbol(0x31)}));
  S.addMisses(0, A, 25600, 0.125);
  S.forSymbol("n=4000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 4 * 25600, 1e-6);
  EXPECT_EQ(P.Methods["count: closed form"], 1u);
}

TEST(SymbolValues, ScalesWithItselfEnds) {
  MeasuredScenario S;
  S.F.Symbols.back().ScalesWith = makeSymbol(MeasuredScenario::Trips);
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 3, 1e-9) << "falls back to the size ratio";
}

/// Without any value: the object's size ratio, which the method names.
TEST(SymbolValues, MeasuredSymbolUnknown) {
  MeasuredScenario S;
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 1), 3, 1e-9);
  EXPECT_EQ(P.Methods["count: size ratio"], 2u);
}

/// `n` in two functions with the same base value is one quantity; with another
/// value it is not.
TEST(SymbolValues, NamesakesInherit) {
  Scenario S;
  S.addSymbol(0x33, "run:n", "given", 1000);
  uint32_t A = S.addObject(1, 8 * MiB);
  S.addAccess(1, "stream", makeSymbol(0x33));
  S.addMisses(0, A, 2560, 1);
  S.forSymbol("main:n=2000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 2 * 2560, 1e-6);
  EXPECT_EQ(P.Methods["count: closed form, symbol as one that it agreed with"],
            1u);
  S.R.For[0].Name = "n"; // short and shared, but the same on the base input
  P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 2 * 2560, 1e-6);
  S.B.Symbols.back().first = 17;
  EXPECT_ERROR(predictTarget(S.R), "ambiguous");
}

/// One value per task that nobody gives is unknown, not constant: heat's block
/// bounds. The size ratio takes over.
TEST(SymbolValues, TaskValuesAreNotConstants) {
  Scenario S(2);
  S.addSymbol(0x34, "main:lo", "given", 10, 0);
  S.addSymbol(0x34, "main:lo", "given", 20, 1);
  uint32_t A = S.addObject(1, 8192000, Scenario::times(8192, Scenario::n()));
  S.addAccess(1, "stream", makeSymbol(0x34));
  S.addMisses(0, A, 2560, 1);
  S.forSymbol("n=4000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 4 * 2560, 1e-6);
}

/// Bounds of threads' shares do not keep their values if n is known; values
/// that are equal in all of a team (a block's length) do.
TEST(SymbolValues, BoundsOfPartsDoNotStay) {
  for (double Second : {2000, 1000}) {
    Scenario S(2);
    S.addSymbol(0x34, "main:part", "derived", 1000, 0);
    S.addSymbol(0x34, "main:part", "derived", Second, 1);
    uint32_t A = S.addObject(1, 8192000, Scenario::times(8192, Scenario::n()));
    S.addAccess(1, "stream", makeOp("min", {Scenario::n(), makeSymbol(0x34)}));
    S.addMisses(0, A, 2560, 1);
    S.forSymbol("n=4000");
    Problem P = S.predict();
    EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines,
                (Second == 2000 ? 4 : 1) * 2560, 1e-6);
  }
}

/// Ranks have values of their own, told by their first task: rows of the rank's
/// part follow n, by its number and that of ranks; those do not change.
TEST(SymbolValues, EachRankHasItsOwnPart) {
  constexpr uint64_t Rank = 0x34, Ranks = 0x35, From = 0x36, To = 0x37;
  Scenario S(2);
  S.B.Ranks = {0, 1};
  S.B.Phases.push_back({0x41, 1, 2});
  for (uint32_t T : {0u, 1u})
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 1000, 1000, 0});
  for (uint32_t R : {0u, 1u}) {
    S.addSymbol(Rank, "main:rank", "given", R, R);
    S.addSymbol(From, "main:from", "derived", 500 * R, R);
    S.addSymbol(To, "main:to", "derived", 500 * (R + 1), R);
  }
  S.addSymbol(Ranks, "main:ranks", "given", 2);
  auto Part = [&](ExprRef Of) {
    return makeOp("ceildiv",
                  {makeOp("+", {makeOp("*", {Scenario::n(), Of}), makeConst(1),
                                Scenario::times(-1, makeSymbol(Ranks))}),
                   makeSymbol(Ranks)});
  };
  for (SymbolFact &F : S.F.Symbols) {
    F.Scope = SymbolFact::Program;
    if (F.Id == From)
      F.ScalesWith = Part(makeSymbol(Rank));
    if (F.Id == To)
      F.ScalesWith = Part(makeOp("+", {makeSymbol(Rank), makeConst(1)}));
  }
  uint32_t A = S.addObject(1, 8192000);
  S.addAccess(
      1, "stream",
      makeOp("+", {makeSymbol(To), Scenario::times(-1, makeSymbol(From))}));
  for (uint32_t T = 0; T < 4; ++T)
    S.addMisses(T, A, 2560, 1);
  S.forSymbol("n=4000");
  Problem P = S.predict();
  for (const PredictedPhase &H : P.Phases)
    for (const PredictedTask &T : H.Tasks)
      EXPECT_NEAR(total(T.Demand).ReadLines, 4 * 2560, 1e-6);
}

/// What is given tells what follows from it; another symbol keeps its base
/// value, and the evaluation says so.
TEST(SymbolValues, StageOfGivenValues) {
  constexpr uint64_t Half = 0x31, Other = 0x32;
  Scenario S;
  S.addSymbol(Half, "main:half", "derived", 500);
  S.addSymbol(Other, "main:other", "given", 7);
  S.F.Symbols[0].Value = Scenario::times(2, makeSymbol(Half)); // n = 2 half
  S.forSymbol("n=3000");
  const Stages Of(S);
  EXPECT_EQ(Of.Given.Of.at(Scenario::SymN).Program, 3000);
  EXPECT_EQ(Of.Given.Of.at(Half).Program, 1500);
  EXPECT_FALSE(Of.Given.Of.count(Other));
  Trace How;
  const ExprRef Sum = makeOp("+", {Scenario::n(), makeSymbol(Other)});
  EXPECT_EQ(evalTarget(Of.base(), Of.Given, *Sum, 0, How), 3007);
  EXPECT_TRUE(How.Changed);
  EXPECT_TRUE(How.Kept);
  EXPECT_EQ(evalBase(Of.base(), *Sum, 0), 1007);
}

TEST(SymbolValues, RulesCanBeSwitchedOff) {
  constexpr uint64_t Again = 0x31;
  Scenario S(2);
  S.addSymbol(Again, "f:n", "derived", 1000);
  S.forSymbol("main:n=2000");
  const SymbolValues On = Stages(S).Given;
  EXPECT_EQ(On.Of.at(Again).Program, 2000);
  S.R.Use.Namesakes = false;
  const SymbolValues Off = Stages(S).Given;
  EXPECT_EQ(Off.Of.size(), 1u) << "what people gave";
}

/// When a hook learns a value, only affected counts are evaluated again.
TEST(SymbolValues, ChangesMatterToFewTasks) {
  LoopScenario S; // tasks 0 and 1, then 2 and 3 in another region
  constexpr uint64_t Other = 0x32;
  S.addSymbol(Other, "main:other", "given", 7);
  S.addAccess(1, "stream", Scenario::n());
  S.addWalk(2, makeSymbol(Other));
  Stages Of(S);
  SymbolValues Now = Of.Counts.values();
  Now.KnowsSizes = true;
  EXPECT_EQ(Of.Counts.update(Now).size(), 4u) << "kept values may differ now";
  EXPECT_TRUE(Of.Counts.update(Now).empty());
  Now.Of[Other].Program = 8;
  EXPECT_EQ(Of.Counts.update(Now), std::vector<uint32_t>({2, 3}));
  Trace How;
  const AccessFact &Walk = S.F.Accesses[1];
  EXPECT_EQ(Of.Counts.at(Walk, CountOf::Reads, 2, How), 8);
  SeenValues Seen = makeSeenValues(Of.base(), {{{Other, 1}, 9}});
  Now.Seen = std::make_shared<SeenValues>(Seen);
  EXPECT_EQ(changesBetween(Of.base().Kinds, Of.Counts.values(), Now).Phases,
            std::set<uint32_t>({1}));
  Of.Counts.update(Now);
  EXPECT_EQ(Of.Counts.at(Walk, CountOf::Reads, 2, How), 9);
  EXPECT_EQ(Of.Counts.at(S.F.Accesses[0], CountOf::Reads, 0, How), 1000);
}

} // namespace
