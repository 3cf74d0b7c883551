//===- extrapolate_test.cpp - from a base profile to a target -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each rule of Extrapolate.cpp by itself, with numbers worked out here.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "TempDir.h"
#include "format/Course.h"
#include "predict/TargetPredictor.h"
#include "predict/symbols/Given.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

using namespace evenkeel;

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

/// What no program counts to, what is said twice, and one task's own size of an
/// object that all share.
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

/// A rank's arrays may be as large as it likes, and so may what a task makes.
TEST(Given, SizesOfRanksAndTasks) {
  Scenario S(2, 5000);
  S.addObject(1, 8000, Scenario::times(8, Scenario::n()));
  S.forSymbol("n@1=2000");
  EXPECT_TRUE(bool(predictTarget(S.R))) << "made in the team's phase";
}

/// A program that does not change predicts what it measured.
TEST(Extrapolate, SameInputSameDemands) {
  Scenario S(2, 5000);
  uint32_t A = S.addObject(1, 4 * MiB, Scenario::times(4096, Scenario::n()));
  S.B.Instances[A].bytes = 4096000;
  S.addAccess(1, "random", Scenario::n(), Scenario::n());
  S.addMisses(0, A, 2560, 0.5, 256);
  S.addMisses(1, A, 5120, 0.25, 512);
  Problem P = S.predict();
  ASSERT_EQ(P.Phases.size(), 1u);
  ASSERT_EQ(P.Phases[0].Tasks.size(), 2u);
  UnitDemand D = total(P.Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 2560, 1e-9);
  EXPECT_NEAR(D.WriteLines, 256, 1e-9);
  EXPECT_NEAR(D.Exposed, 1280, 1e-9);
  EXPECT_NEAR(P.Phases[0].Tasks[1].Demand.CoreSeconds, 5e-6, 1e-15);
  EXPECT_EQ(P.Instances[0].Bytes, 4096000);
  EXPECT_EQ(P.PeakBytes, 4096000);
}

/// Sizes that nothing given has to do with stay, however much more often their
/// arrays are accessed, and whether or not their number was another's on the
/// base input.
TEST(Extrapolate, IndependentSizesStay) {
  for (const double Cells : {490000.0, 1001001.0}) {
    Scenario S(1, 5000);
    constexpr uint64_t Atol = 0x51, Other = 0x52;
    S.B.Symbols.clear();
    S.addSymbol(Scenario::SymN, "main:particles", "given", 1001001);
    S.F.Symbols[0].Name = "main:particles";
    S.addSymbol(Atol, "atol:value.369.10", "derived", 1001001);
    S.addSymbol(Other, "atol:value.369.10#1", "derived", Cells);
    for (SymbolFact &X : S.F.Symbols)
      if (X.Id != Scenario::SymN)
        X.At = "<system>/stdlib.h:369:10";
    S.F.Symbols[0].Value = makeSymbol(Atol);
    S.addObject(1, 8008008, Scenario::times(8, makeSymbol(Atol)));
    S.addObject(2, uint64_t(8 * Cells), Scenario::times(8, makeSymbol(Other)));
    S.addAccess(1, "stream", Scenario::n(), makeConst(0));
    S.addAccess(2, "random", Scenario::n(), makeConst(0)); // a gather
    S.addMisses(0, 0, 2560, 1);
    S.addMisses(0, 1, 2560, 1);
    S.forSymbol("particles=4004004");
    const Problem P = S.predict();
    EXPECT_NEAR(P.Instances[0].Bytes, 4 * 8008008, 64);
    EXPECT_NEAR(P.Instances[1].Bytes, 8 * Cells, 64) << Cells;
  }
}

/// The base object has 8 pages, so only every 32nd chunk has lines; of 256
/// units of 64 KiB on the target, each gets its part of them.
TEST(Extrapolate, FewPagesLieInAllChunks) {
  Scenario S(1, 5000);
  uint32_t A = S.addObject(1, 32768, Scenario::times(32.768, Scenario::n()));
  S.addAccess(1, "stream", Scenario::n());
  for (unsigned Page = 0; Page < 8; ++Page)
    S.addMisses(0, A, 64 * (Page + 1), 0.5, 0, 32 * Page, 32 * Page + 1);
  S.forSymbol("n=512000");
  Problem P = S.predict();
  ASSERT_EQ(P.Units.size(), 256u);
  std::vector<double> Lines(256);
  for (const UnitDemand &U : P.Phases[0].Tasks[0].Demand.Units)
    Lines[U.Unit] = U.ReadLines;
  for (unsigned U = 0; U < 256; ++U) {
    EXPECT_NEAR(Lines[U], 512 * 2. * (U / 32 + 1), 1e-6) << U;
  }
}

/// The base object has 400 pages, which lie in 256 chunks by one or two. Of a
/// static array the base input uses a 64th, four chunks, and a target all. What
/// is fetched of each page alike lies evenly on the target, one after the
/// other.
TEST(Extrapolate, PagesLieEvenly) {
  for (bool Static : {false, true}) {
    const unsigned All = Static ? 4096 : 400, Used = Static ? 64 : 400;
    Scenario S(1, 5000);
    uint32_t A =
        S.addObject(1, All * EK_PAGE,
                    Static ? nullptr : Scenario::times(1638.4, Scenario::n()));
    S.addAccess(1, "stream", Scenario::n());
    std::map<unsigned, unsigned> Pages; // by chunk
    for (unsigned Page = 0; Page < Used; ++Page)
      ++Pages[Page * EK_CHUNKS / All];
    double At = 0;
    for (auto [Chunk, N] : Pages) {
      S.addMisses(0, A, 64 * N, 0.5, 0, Chunk, Chunk + 1);
      Course When;
      When.add(64 * N, At, At + double(N) / Used);
      At += double(N) / Used;
      S.B.Misses.back().course = When.packed();
    }
    if (Static)
      S.F.Sites[0].Kind = "static";
    S.forSymbol("n=64000");
    Problem P = S.predict();
    std::map<unsigned, double> Lines;
    unsigned First = 0; // of those that are fetched in the first eighth
    for (const UnitDemand &U : P.Phases[0].Tasks[0].Demand.Units) {
      Lines[P.Units[U.Unit].From] += U.ReadLines;
      First += U.Course && U.Course < 1u << 8 ? 1 : 0;
    }
    EXPECT_EQ(Lines.size(), 256u) << Static;
    const double Each =
        total(P.Phases[0].Tasks[0].Demand).ReadLines / double(Lines.size());
    for (auto [From, N] : Lines)
      EXPECT_NEAR(N, Each, 0.02 * Each) << Static << " " << From;
    EXPECT_NEAR(First, 32, 2) << Static;
  }
}

/// Task 0's part stayed in its caches on the base input; on the target it
/// overlaps as that of its team does, not as in the other phase.
TEST(Extrapolate, OverlapOfTheTeam) {
  Scenario S(2, 5000);
  S.B.Phases.push_back({0x41, 1, 2});
  for (uint32_t T : {0u, 1u})
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 5000, 5000, 0});
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "stream", Scenario::n());
  S.addMisses(0, A, 0, 1);
  S.B.Accesses.back().reads = 100000;
  S.addMisses(1, A, 25600, 0.125);
  for (uint32_t T : {2u, 3u})
    S.addMisses(T, A, 25600, 1);
  S.forSymbol("n=4000");
  Problem P = S.predict();
  UnitDemand D = total(P.Phases[0].Tasks[0].Demand);
  EXPECT_GT(D.ReadLines, 0);
  EXPECT_NEAR(D.Exposed, 0.125 * D.ReadLines, 1e-3 * D.ReadLines);
}

/// Four threads walk through an object that fitted on the base input. What they
/// fetch of it on the target lies in their own parts, in the order of their
/// numbers; so does what fills up a part of which few lines were fetched. Where
/// chunks are dealt out round robin or on request, where each goes through all
/// of it, or through a small part of it, nobody has a part of their own.
TEST(Extrapolate, WalksKeepToTheirParts) {
  struct {
    const char *What;
    ExprRef Count; // of 8 bytes each
    uint64_t Places;
    bool Told, Rows;
  } const Cases[] = {
      {"static", makeOp("share", {Scenario::times(64, Scenario::n())}), 1, true,
       false},
      {"a few lines", makeOp("share", {Scenario::times(64, Scenario::n())}), 1,
       true, true},
      {"read and written",
       makeOp("share", {Scenario::times(128, Scenario::n())}), 2, true, false},
      {"round robin",
       makeOp("share", {Scenario::times(64, Scenario::n()), makeConst(16)}), 1,
       false, false},
      {"beside a loop that is not", nullptr, 1, false, false},
      {"on request", makeOp("evenly", {Scenario::times(64, Scenario::n())}), 1,
       false, false},
      {"each all of it", Scenario::times(64, Scenario::n()), 1, false, false},
      {"all, for each of its own",
       makeOp("share", {Scenario::times(256, Scenario::n())}), 1, false, false},
      {"half of it", makeOp("share", {Scenario::times(32, Scenario::n())}), 1,
       false, false},
  };
  for (const auto &C : Cases) {
    Scenario S(4, 5000);
    std::swap(S.B.Tasks[1], S.B.Tasks[3]); // rows are in no order
    uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
    S.addAccess(1, "stream",
                C.Count
                    ? C.Count
                    : makeOp("share", {Scenario::times(64, Scenario::n())}));
    S.F.Accesses.back().Places = C.Places;
    if (!C.Count) {
      S.addObject(2, 4096);
      S.addAccess(2, "stream", makeOp("evenly", {Scenario::n()}));
    }
    for (uint32_t T = 0; T < 4; ++T) {
      S.addMisses(T, A, C.Rows ? 4 : 0, 0.5, 0, 64 * S.B.Tasks[T].index,
                  64 * S.B.Tasks[T].index + (C.Rows ? 1 : 64));
      S.B.Accesses.back().reads = 16000;
      // What it comes to if no more than 64 KiB are held.
      ek_raw_mrc M = {};
      M.task = T;
      M.inst = A;
      M.reads[0] = 2000;
      S.B.Curves.push_back(M);
    }
    S.forSymbol("n=64000");
    Problem P = S.predict();
    for (uint32_t T = 0; T < 4; ++T) {
      const uint32_t Index = S.B.Tasks[T].index;
      double All = 0, Own = 0, First = 0;
      for (const UnitDemand &U : P.Phases[0].Tasks[T].Demand.Units) {
        const Unit &X = P.Units[U.Unit];
        All += U.ReadLines;
        Own +=
            X.From >= 64 * Index && X.To <= 64 * (Index + 1) ? U.ReadLines : 0;
        First += X.From == 64 * Index ? U.ReadLines : 0;
      }
      EXPECT_GT(All, 1000) << C.What;
      EXPECT_NEAR(Own / All, C.Told ? 1 : 0.25, 1e-6) << C.What << Index;
      EXPECT_NEAR(First / All, C.Told ? 1 / 64. : 1 / 256., 1e-6) << C.What;
    }
  }
}

/// A thread whose count is nothing has no part, and an object without bytes has
/// none: what is fetched all the same is a number, and all of it is somewhere.
TEST(Extrapolate, EmptyPartsAreNone) {
  for (uint64_t Bytes : {512000, 0}) {
    Scenario S(2, 5000);
    uint32_t A = S.addObject(1, Bytes, Scenario::times(512, Scenario::n()));
    S.addAccess(1, "stream", makeSymbol(0x34));
    S.addObject(2, 4096);
    S.addAccess(2, "stream", makeOp("share", {Scenario::n()}));
    for (uint32_t T : {0u, 1u}) {
      S.addSymbol(0x34, "f:count", "measured", T || !Bytes ? 0 : 64000, T);
      S.addMisses(T, A, 0, 0.5);
      S.B.Accesses.back().reads = 16000;
      ek_raw_mrc M = {};
      M.task = T;
      M.inst = A;
      M.reads[0] = 2000;
      S.B.Curves.push_back(M);
    }
    S.forSymbol("n=64000");
    const Problem P = S.predict();
    for (uint32_t T : {0u, 1u}) {
      const PredictedTask &X = P.Phases[0].Tasks[T];
      double Lines = 0;
      for (const Estimate &E : X.Estimates)
        Lines += E.Lines;
      EXPECT_TRUE(std::isfinite(total(X.Demand).Exposed)) << Bytes << T;
      EXPECT_NEAR(total(X.Demand).ReadLines, Lines, 1e-6 * Lines) << T;
    }
  }
}

/// n: 1000 -> 4000. Four times the bytes, accesses, lines and core time.
TEST(Extrapolate, StreamScalesWithItsFormula) {
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

/// A loop from 0 to n + d runs n + d times, unless that is below 0. Formulas
/// that do not say so hold where no part is.
TEST(Extrapolate, FormulasHoldFromTheirSymbolsLeastValuesOn) {
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

/// Counts apart from times, and whether they are more than an estimate.
TEST(Extrapolate, CountsAreToldApart) {
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

/// A task that accessed nothing on the base input may do anything on another.
TEST(Extrapolate, IdleTasksTellNothing) {
  Scenario S(2, 5000);
  uint32_t A = S.addObject(1, 4 * MiB, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "stream", Scenario::times(512, Scenario::n()));
  S.addMisses(0, A, 25600, 0.125);
  S.forSymbol("n=4000");
  const Problem P = S.predict();
  EXPECT_TRUE(P.Phases[0].Tasks[0].Determined);
  EXPECT_FALSE(P.Phases[0].Tasks[1].Determined);
}

/// What a task did not do on the base input, but others of its region do as
/// often as data say, it may do on another input: a thread whose share of a
/// frontier was empty. Where a formula tells how often, it is known.
TEST(Extrapolate, WhatOthersOfTheRegionDo) {
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

/// A static array of 64 MiB of which the base input uses the first 8: twice the
/// input uses 16, not the same 8 twice.
TEST(Extrapolate, FixedArraysAreUsedFurther) {
  auto Used = [](const char *Kind, const char *For, const char *Class) {
    Scenario S(1, 5000);
    uint32_t A = S.addObject(1, 64 * MiB);
    S.F.Sites.back().Kind = Kind;
    S.addAccess(1, Class, Scenario::n());
    S.addMisses(0, A, 32000, 0.25, 0, 0, 32);
    S.forSymbol(For);
    Problem P = S.predict();
    std::pair<unsigned, unsigned> Range{EK_CHUNKS, 0};
    for (const UnitDemand &D : P.Phases[0].Tasks[0].Demand.Units) {
      Range.first = std::min(Range.first, P.Units[D.Unit].From);
      Range.second = std::max(Range.second, P.Units[D.Unit].To);
    }
    EXPECT_EQ(Range.first, 0u);
    return Range.second;
  };
  EXPECT_EQ(Used("global", "n=2000", "stream"), 64u);
  EXPECT_EQ(Used("static", "n=500", "stream"), 16u);
  EXPECT_EQ(Used("global", "n=2000", "random"), 32u) << "anywhere";
  // There is no room for that: the same places are used more often.
  EXPECT_EQ(Used("global", "n=20000", "stream"), 32u);
}

/// What a hook sees is as good as what --for says, and truer.
TEST(Extrapolate, KnownSymbols) {
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
  // Another value, and none again: nothing of the last one stays.
  EXPECT_NEAR(Lines(Alone.predict({}, 0, {{Scenario::SymN, 3000}})), 7680, 1);
  EXPECT_NEAR(Lines(Alone.predict({})), 2560, 1e-6);
  S.forSymbol("n=2000");
  EXPECT_DOUBLE_EQ(Lines(TargetPredictor(S.R).predict({})), Twice);
  EXPECT_NEAR(
      Lines(TargetPredictor(S.R).predict({}, 0, {{Scenario::SymN, 1000}})),
      2560, 1);
}

/// The trip count of the base run scales with the number of strips, as far as
/// the code tells. That this is the same in the target does not make the trips
/// the same: they still grow with the data.
TEST(Extrapolate, KnownSymbolsThatDidNotChange) {
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

/// Of each phase's first task.
std::vector<double> linesByPhase(const Problem &P) {
  std::vector<double> Out;
  for (const PredictedPhase &H : P.Phases)
    Out.push_back(std::round(total(H.Tasks[0].Demand).ReadLines));
  return Out;
}

/// A captured value that differs from phase to phase: where a hook has seen it,
/// it counts; phases to come have grown like those seen, if all grew alike.
TEST(Extrapolate, ValuesOfSinglePhases) {
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
  EXPECT_EQ(Lines({{Depth, 768, 0}}), V({7680, 7680, 3840}));
  EXPECT_EQ(Lines({{Depth, 768, 0}, {Depth, 256, 1}})[1], 2560);
}

/// Parts of an array in turn, twice: where a part begins and ends is handed to
/// the region. What was handed to it for a part it is handed again. Of another
/// part it tells nothing: that the first part begins at 0 on both inputs does
/// not say where the next one does.
TEST(Extrapolate, PhasesThatAreHandedTheSame) {
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
  // All that began elsewhere than at 0 has grown alike.
  EXPECT_EQ(
      Lines({{From, 0, 0}, {To, 160, 0}, {From, 160, 1}, {To, 480, 1}})[3],
      8192);
  S.B.Phases[3].sync = 0x40;
  S.B.Phases[1].sync = 0x41;
  Known = {{From, 0, 0}, {To, 160, 0}, {From, 170, 2}, {To, 360, 2}};
  EXPECT_EQ(Lines(Known)[2], 4864) << "its own come first";
}

/// A block of 8 KiB, gone over a million times, gets smaller; the data twice as
/// large. The task's work follows the data.
TEST(Extrapolate, WorkFollowsDataNotBuffers) {
  Scenario S(1, 1000000);
  uint32_t Data = S.addObject(1, 4 * MiB), Block = S.addObject(2, 8192);
  S.addMisses(0, Data, 65536, 0.25);
  S.addMisses(0, Block, 256, 0.25);
  for (ek_raw_access &A : S.B.Accesses)
    A.reads = A.inst == Data ? 500000 : 1000000;
  for (uint32_t I : {Data, Block}) {
    PredictedInstance K;
    K.Site = S.B.Instances[I].site;
    K.Bytes = I == Data ? 8 * MiB : 4096;
    S.R.KnownSizes.push_back(K);
  }
  double Core = S.predict().Phases[0].Tasks[0].Demand.CoreSeconds;
  EXPECT_NEAR(Core, 2e-3, 1e-5); // at 1 GHz
}

/// How large a call's array on the stack is says nothing of how many calls
/// there will be, however much they use it.
TEST(Extrapolate, WorkFollowsDataNotTheStack) {
  Scenario S(1, 1000000);
  uint32_t Data = S.addObject(1, 4 * MiB), Own = S.addObject(2, 1 * MiB);
  S.F.Sites.back().Kind = "stack";
  S.addMisses(0, Data, 65536, 0.25);
  S.addMisses(0, Own, 256, 0.25);
  for (ek_raw_access &A : S.B.Accesses)
    A.reads = A.inst == Data ? 50000 : 1000000;
  for (uint32_t I : {Data, Own}) {
    PredictedInstance K;
    K.Site = S.B.Instances[I].site;
    K.Bytes = I == Data ? 8 * MiB : 1 * MiB;
    S.R.KnownSizes.push_back(K);
  }
  double Core = S.predict().Phases[0].Tasks[0].Demand.CoreSeconds;
  EXPECT_NEAR(Core, 2e-3, 1e-6); // at 1 GHz
}

/// What no task came by ran no time: a formula with such a branch is still one.
TEST(Extrapolate, CodeThatDidNotRun) {
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

/// share() deals 10 iterations to 4 threads as 3, 3, 2, 2 and 13 as 4, 3, 3, 3:
/// each task has a ratio of its own.
TEST(Extrapolate, EachTaskHasItsOwnRatio) {
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

/// A random object grows four times; the base run would have fetched 3 times
/// the lines with a quarter of the cache. 4 * 3 = 12.
TEST(Extrapolate, RandomFollowsTheMissRatioCurve) {
  Scenario S;
  uint32_t A =
      S.addObject(1, 1000 * 4096, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "random", Scenario::times(100, Scenario::n()));
  S.addMisses(0, A, 2560, 1);
  // Sizes 64K 128K 256K 512K 1M(Z) 2M 4M 8M.
  S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
  S.forSymbol("n=4000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 12 * 2560, 1e-6);
  EXPECT_EQ(P.Methods["cache: miss-ratio curve"], 1u);
}

/// Between two sizes the curve is linear in the logarithm: Z/sqrt(2)... from
/// 5000 at 512K to 2560 at 1M gives 3780 half way.
TEST(Extrapolate, CurveIsLogLinear) {
  Scenario S;
  S.B.Symbols[0].first = 1000000;
  uint32_t A = S.addObject(1, 4000000, Scenario::times(4, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.addMisses(0, A, 2560, 1);
  S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
  S.forSymbol("n=1414214");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 3780 * std::sqrt(2),
              0.01);
}

/// 32 times larger: Z/32 = 32 KiB lies below the smallest size; linear in the
/// size from (64K, 9000) and (128K, 8500): 9000 + 500/2.
TEST(Extrapolate, CurveBeyondItsEnd) {
  Scenario S;
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.addMisses(0, A, 2560, 1);
  S.B.Accesses[0].reads = 1 << 20;
  S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
  S.forSymbol("n=32000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 9250 * 32, 1e-6);
  EXPECT_EQ(P.Methods["cache: miss-ratio curve, beyond its end"], 1u);
}

/// Nothing missed on the base input, but the curve says what a cache an eighth
/// the size would have missed: never silently 0.
TEST(Extrapolate, FittedOnTheBaseInput) {
  Scenario S;
  uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
  S.addAccess(1, "stream", Scenario::n());
  S.B.Accesses.push_back({0, A, 100000, 0});
  S.B.Curves.push_back({0, A, {9000, 8000, 700, 0, 0, 0, 0, 0}});
  S.forSymbol("n=8000");
  Problem P = S.predict();
  UnitDemand D = total(P.Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 8000 * 8, 1e-6);
  EXPECT_NEAR(D.Exposed, 8000 * 8, 1e-6) << "nothing known: no overlap";
  EXPECT_EQ(P.Methods["cache: fitted on the base input, miss-ratio curve"], 1u);
}

/// The same with what the lines would have weighed without the caches: where
/// all of them are lost, as much; where 700 of 8,000 are, that much less of
/// what is known without.
TEST(Extrapolate, LostLinesWeighWhatTheyWouldHave) {
  for (double N : {8000, 4000}) {
    Scenario S;
    uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
    S.addAccess(1, "stream", Scenario::n());
    S.B.Accesses.push_back({0, A, 100000, 0});
    S.B.Curves.push_back({0, A, {9000, 8000, 700, 0, 0, 0, 0, 0}});
    S.B.Far.push_back({0, A, 8000, 2000});
    S.forSymbol("n=" + std::to_string(N));
    UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
    EXPECT_NEAR(D.ReadLines, N == 8000 ? 8 * 8000 : 4 * 700, 1e-6);
    EXPECT_NEAR(D.Exposed / D.ReadLines,
                N == 8000 ? 0.25 : 1 - 0.75 * 700 / 8000, 1e-9);
  }
}

/// Lines that even the smallest last level holds are never lost: the weights of
/// 16,000 lines count for as many as it lets through.
TEST(Extrapolate, FarLinesAreThoseThatCanBeLost) {
  for (uint64_t Reads : {8000, 16000}) {
    Scenario S;
    uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
    S.addAccess(1, "stream", Scenario::n());
    S.addMisses(0, A, 2560, 0.5);
    S.B.Accesses.back().reads = 100000;
    S.B.Curves.push_back({0, A, {8000, 8000, 8000, 8000, 2560, 2560, 0, 0}});
    S.B.Far.push_back({0, A, Reads, double(Reads) / 4});
    S.forSymbol("n=2000");
    UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
    EXPECT_NEAR(D.ReadLines, 2 * 8000, 1e-6);
    EXPECT_NEAR(D.Exposed, 2 * 8000 * 0.25, 1e-6) << Reads;
  }
}

/// Of each phase few lines are weighed, by chance dear ones or cheap ones.
/// Those of phases that end at the same sync point count together: 32,000 lines
/// weigh 0.25 each, of which 8,000 came and weighed 0.5.
TEST(Extrapolate, PhasesAtASyncPointAreWeighedTogether) {
  for (uint64_t Sync : {0x40, 0x41}) {
    Scenario S;
    S.B.Phases.push_back({Sync, 1, 1});
    S.B.Tasks.push_back({Scenario::Region, 1, 0, 0, 0, 1000, 1000, 0});
    uint32_t A = S.addObject(1, 1024000, Scenario::times(1024, Scenario::n()));
    S.addAccess(1, "stream", Scenario::n());
    for (uint32_t T : {0u, 1u}) {
      S.addMisses(T, A, 4000, 0.5);
      S.B.Accesses.back().reads = 100000;
      S.B.Curves.push_back(
          {T, A, {16000, 16000, 16000, 16000, 4000, 4000, 0, 0}});
    }
    S.B.Far.push_back({0, A, 16000, 5500});
    S.B.Far.push_back({1, A, 16000, 2500});
    S.forSymbol("n=2000");
    const Problem P = S.predict();
    double Each[2];
    for (uint32_t H : {0u, 1u}) {
      UnitDemand D = total(P.Phases[H].Tasks[0].Demand);
      Each[H] = D.Exposed / D.ReadLines;
    }
    if (Sync == 0x40) {
      EXPECT_NEAR(Each[0], Each[1], 1e-9);
      EXPECT_NEAR(Each[0], 0.25, 0.02);
    } else {
      EXPECT_GT(Each[0], 0.3);
      EXPECT_LT(Each[1], 0.2);
    }
  }
}

/// Blocks of 64 x 64 words: of runs of 8 lines, 2 (1 + 7 / 64) are not
/// prefetched. Twice as wide, of 16 lines, 2 (1 + 15 / 64) are not. Of blocks
/// of whose sides nothing is known, both double as accesses become four times
/// as many.
TEST(Extrapolate, LongerRunsAreBetterPrefetched) {
  constexpr uint64_t Wide = 0x61, High = 0x62;
  for (bool Known : {true, false}) {
    Scenario S;
    S.B.Config.prefetch_depth = 20;
    S.addSymbol(Wide, "main:wide", Known ? "given" : "derived", 64);
    S.addSymbol(High, "main:high", Known ? "given" : "derived", 64);
    const double U0 = 2 * (1 + 7. / 64) / 8, U1 = 2 * (1 + 15. / 64) / 16;
    const uint32_t A = S.addObject(1, 32768);
    S.addAccess(1, "stream", makeOp("*", {makeSymbol(Wide), makeSymbol(High)}));
    S.addMisses(0, A, 512, 1.0);
    for (ek_raw_miss &M : S.B.Misses)
      M.weight = double(M.reads) * ((1 - U0) / 20 + U0 * 0.5);
    S.B.Accesses.back().reads = 4096;
    double Lines = 1024;
    if (Known) {
      S.forSymbol("wide=128");
    } else {
      PredictedInstance K;
      K.Site = 1;
      K.Bytes = 4 * 32768;
      S.R.KnownSizes.push_back(K);
      Lines = 2048;
    }
    auto PerLine = [&] {
      UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
      EXPECT_NEAR(D.ReadLines, Lines, 1);
      return D.Exposed / D.ReadLines;
    };
    const double Before = (1 - U0) / 20 + U0 * 0.5;
    EXPECT_NEAR(PerLine(), Before, 1e-3) << "never jumps, or who knows when";
    S.F.Accesses[0].Run = makeSymbol(Wide);
    EXPECT_NEAR(PerLine(), (1 - U1) / 20 + U1 * 0.5, 1e-3) << Known;
    S.F.Accesses[0].Class = "random";
    EXPECT_NEAR(PerLine(), Before, 1e-3);
  }
}

/// A curve cannot bring more lines than there are accesses.
TEST(Extrapolate, LinesAreBoundedByAccesses) {
  Scenario S;
  uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.B.Accesses.push_back({0, A, 50, 0});
  S.B.Curves.push_back({0, A, {9000, 8000, 700, 0, 0, 0, 0, 0}});
  S.forSymbol("n=8000");
  EXPECT_NEAR(total(S.predict().Phases[0].Tasks[0].Demand).ReadLines, 400,
              1e-6);
}

/// 2^20 accesses of which none left the caches: on another input, twice as
/// long, one in 4096 is taken to, 512 lines. The base input itself is what it
/// was.
TEST(Extrapolate, UnseenMissesHaveAFloor) {
  Scenario S;
  uint32_t A = S.addObject(1, 512000, Scenario::times(512, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.B.Accesses.push_back({0, A, 1 << 19, 1 << 19});
  EXPECT_EQ(total(S.predict().Phases[0].Tasks[0].Demand).ReadLines, 0);
  PredictedInstance K;
  K.Site = 1;
  K.Bytes = 512000;
  S.R.KnownSizes = {K}; // a hook knows something of the target as well
  EXPECT_NEAR(total(S.predict().Phases[0].Tasks[0].Demand).ReadLines, 256,
              1e-9);
  S.R.KnownSizes.clear();
  S.forSymbol("n=2000");
  UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 512, 1e-9);
  EXPECT_NEAR(D.Exposed, 512, 1e-9) << "nothing known: no overlap";
  EXPECT_EQ(D.WriteLines, 0);
  // With lines fetched it is the larger of both, at their overlap.
  S.addMisses(0, A, 256, 0.5);
  S.B.Accesses.pop_back();
  D = total(S.predict().Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 512, 1e-9) << "2 * 256, the floor as well";
  EXPECT_NEAR(D.Exposed, 256, 1e-9);
  S.B.Accesses[0].reads <<= 1; // 1.5 * 2^20 accesses
  D = total(S.predict().Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 768, 1e-9);
  EXPECT_NEAR(D.Exposed, 384, 1e-9);
}

/// Write-backs follow the writes, fetched lines all accesses: reads 2n, writes
/// m; n x 3, m x 1.
TEST(Extrapolate, ReadsAndWritesApart) {
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

TEST(Extrapolate, MeasuredSymbolPerTask) {
  MeasuredScenario S;
  S.forSymbol("trips@0=400");
  S.forSymbol("trips@1=450");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 4, 1e-9);
  EXPECT_NEAR(S.lines(P, 1), 1.5, 1e-9);
  EXPECT_EQ(P.Methods["count: closed form, measured symbol given"], 2u);
}

TEST(Extrapolate, MeasuredSymbolScales) {
  MeasuredScenario S;
  S.F.Symbols.back().ScalesWith = makeOp("*", {Scenario::n(), Scenario::n()});
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 9, 1e-9);
  EXPECT_EQ(P.Methods["count: closed form, measured symbol scaled"], 2u);
}

/// What scales with a constant (threads of a team) is the same on every input,
/// so a formula that holds it is still closed.
TEST(Extrapolate, ScalesWithNothing) {
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

TEST(Extrapolate, ScalesWithItselfEnds) {
  MeasuredScenario S;
  S.F.Symbols.back().ScalesWith = makeSymbol(MeasuredScenario::Trips);
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 3, 1e-9) << "falls back to the size ratio";
}

/// Without any value: the object's size ratio, and it says so.
TEST(Extrapolate, MeasuredSymbolUnknown) {
  MeasuredScenario S;
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 1), 3, 1e-9);
  EXPECT_EQ(P.Methods["count: size ratio"], 2u);
}

/// No formula, no size: the program's closed-form work decides; without that
/// the base count is kept, and both are counted. Static arrays keep their size.
TEST(Extrapolate, NoFormulaNoSize) {
  Scenario S;
  uint32_t A = S.addObject(1, 8 * MiB), C = S.addObject(2, 8 * MiB);
  S.F.Sites[C].Kind = "static";
  S.addAccess(1, "stream", Scenario::n());
  S.addMisses(0, A, 2560, 1);
  S.addMisses(0, C, 2560, 1);
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_EQ(P.Methods["count: ratio of the program's work"], 1u);
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 6 * 2560, 1e-6);
  // Object 1 has no size formula; its accesses say how it grows.
  EXPECT_EQ(P.Instances[0].Bytes, 24. * MiB);
  EXPECT_EQ(P.Instances[0].Method, "scaled like its accesses");
  EXPECT_EQ(P.Instances[1].Method, "base size kept");
  S.F.Accesses.clear();
  P = S.predict();
  EXPECT_EQ(P.Methods["count: base count kept"], 2u);
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 2 * 2560, 1e-6);
}

/// A large block of the heap without a formula: grows like the data of known
/// sizes; where no size is known, like the program's work; where nothing is, it
/// stays. So does what is small.
TEST(Extrapolate, BlocksWithoutAFormulaGrowLikeTheOthers) {
  Scenario S;
  S.addObject(1, 8 * MiB);
  S.addObject(2, 65536);
  S.addObject(3, 4 * MiB);
  S.addObject(4, 32768);
  S.addAccess(1, "stream", Scenario::n());
  auto Sizes = [&] {
    std::vector<double> Out;
    for (const PredictedInstance &I : S.predict().Instances)
      Out.push_back(I.Bytes);
    return Out;
  };
  using List = std::vector<double>;
  EXPECT_EQ(Sizes(), (List{8. * MiB, 65536, 4. * MiB, 32768}));
  S.forSymbol("n=3000"); // 1000 on the base input; site 1 by its accesses
  EXPECT_EQ(Sizes(), (List{24. * MiB, 3 * 65536, 12. * MiB, 32768}));
  PredictedInstance Known;
  Known.Site = 3;
  Known.Bytes = 8. * MiB;
  S.R.KnownSizes = {Known};
  EXPECT_EQ(Sizes(), (List{24. * MiB, 2 * 65536, 8. * MiB, 32768}));
  EXPECT_EQ(S.predict().Instances[1].Method,
            "scaled like the data of known sizes");
}

/// Tasks that multiply M x K and K x N matrices, blocks of three shared objects
/// whose sizes are known, through a buffer of which nothing is. Tasks of many
/// sizes show that the buffer's accesses are the root of the product of the
/// other three; where all tasks differ in M alone, nothing is known of N and K.
TEST(Extrapolate, TasksOfOtherSizesTeach) {
  for (bool Differ : {true, false}) {
    constexpr uint32_t Tasks = 36;
    Scenario S(Tasks);
    uint32_t Objects[3];
    for (uint32_t I = 0; I < 3; ++I)
      Objects[I] = S.addObject(I + 1, 64 * MiB);
    const uint32_t Buffer = S.addObject(4, MiB);
    for (uint32_t T = 0; T < Tasks; ++T) {
      const uint64_t Rows = 64 + 32 * (T % 4),
                     Columns = Differ ? 80 + 16 * (T / 4 % 3) : 96,
                     Inner = Differ ? 48 + 16 * (T / 12) : 64;
      const uint64_t Blocks[] = {Rows * Inner, Inner * Columns, Rows * Columns};
      for (uint32_t I = 0; I < 3; ++I)
        S.B.Accesses.push_back({T, Objects[I], Blocks[I], 0});
      S.B.Accesses.push_back({T, Buffer, Rows * Columns * Inner, 0});
    }
    // Twice as many rows and three times as many columns.
    const double Growth[] = {2, 3, 6};
    for (uint32_t I = 0; I < 3; ++I) {
      PredictedInstance K;
      K.Site = I + 1;
      K.Bytes = Growth[I] * 64 * MiB;
      S.R.KnownSizes.push_back(K);
    }
    Problem P = S.predict();
    for (const Estimate &E : P.Phases[0].Tasks[5].Estimates) {
      if (E.Instance != Buffer)
        continue;
      EXPECT_EQ(E.Count == CountWay::PowerLaw, Differ);
      const double Is = 96. * 96 * (Differ ? 48 : 64);
      EXPECT_NEAR(E.Accesses, Differ ? 6 * Is : E.Accesses, 0.02 * 6 * Is);
    }
    EXPECT_EQ(P.Methods["count: as tasks or objects of other sizes teach"],
              Differ ? Tasks : 0u);
  }
}

/// Squares of several sizes, four times as large on the target: of some their
/// edges are accessed, which double, of others all that they have, of others
/// who knows what, and of others all but two points at each edge.
TEST(Extrapolate, ObjectsOfOtherSizesTeach) {
  constexpr uint32_t Tasks = 12;
  Scenario S(Tasks);
  std::vector<uint32_t> Objects[4];
  for (uint64_t Site = 1; Site <= 4; ++Site)
    for (uint32_t T = 0; T < Tasks; ++T) {
      const uint64_t Edge = 128 + 32 * T, All = Edge * Edge;
      const uint32_t I = S.addObject(Site, All * 8);
      S.B.Instances[I].ordinal = T;
      const uint64_t Counts[] = {4 * Edge, All, 1u << (T * 5 % 12),
                                 (Edge - 4) * (Edge - 4)};
      S.B.Accesses.push_back({T, I, Counts[Site - 1], 0});
      Objects[Site - 1].push_back(I);
      PredictedInstance K;
      K.Site = Site;
      K.Ordinal = T;
      K.Bytes = double(4 * All * 8);
      S.R.KnownSizes.push_back(K);
    }
  Problem P = S.predict();
  for (const Estimate &E : P.Phases[0].Tasks[5].Estimates) {
    const double Edge = 128 + 32 * 5;
    if (E.Instance == Objects[0][5])
      EXPECT_NEAR(E.Accesses, 2 * 4 * Edge, 0.01 * 8 * Edge);
    if (E.Instance == Objects[1][5])
      EXPECT_NEAR(E.Accesses, 4 * Edge * Edge, 1e-6);
    if (E.Instance == Objects[2][5])
      EXPECT_NEAR(E.Accesses, 4. * (1u << (5 * 5 % 12)), 1e-6);
    if (E.Instance == Objects[3][5])
      EXPECT_NEAR(E.Accesses, (2 * Edge - 4) * (2 * Edge - 4), 1);
  }
  EXPECT_EQ(P.Methods["count: as tasks or objects of other sizes teach"],
            2 * Tasks);
}

/// A block that is small on the base input, in a pool larger than it, and large
/// on the target is the same block; of two large ones who knows which.
TEST(Extrapolate, SmallBlocksBecomeLarge) {
  for (unsigned Large : {1u, 2u}) {
    Scenario S;
    const uint32_t A =
        S.addObject(1, 65536, Scenario::times(50, Scenario::n()));
    S.B.Instances[A].ordinal = EK_RAW_SMALL;
    S.B.Accesses.push_back({0, A, 1000, 0});
    for (unsigned K = 0; K < Large; ++K) {
      PredictedInstance I;
      I.Site = 1;
      I.Ordinal = K;
      I.AllocPhase = 0;
      I.Bytes = 200000;
      S.R.KnownSizes.push_back(I);
    }
    Problem P = S.predict();
    const PredictedInstance &Is = P.Instances[A];
    EXPECT_EQ(Is.Ordinal, Large == 1 ? 0 : EK_RAW_SMALL);
    EXPECT_EQ(Is.Bytes, Large == 1 ? 200000 : 65536);
    // 50 n are 50,000 bytes on the base input.
    EXPECT_NEAR(P.Phases[0].Tasks[0].Accesses, Large == 1 ? 4000 : 1000, 1e-6);
  }
}

/// The same, before one is seen: its formula says how large it will be.
TEST(Extrapolate, SmallBlocksWillBeLarge) {
  for (bool Large : {false, true}) {
    Scenario S;
    const uint32_t A =
        S.addObject(1, 65536, Scenario::times(50, Scenario::n()));
    S.B.Instances[A].ordinal = EK_RAW_SMALL;
    S.addAccess(1, "random", Scenario::n());
    S.B.Accesses.push_back({0, A, 1000, 0});
    S.forSymbol(Large ? "n=4000" : "n=1200"); // 1000 on the base input
    Problem P = S.predict();
    EXPECT_EQ(P.Instances[A].Ordinal, Large ? 0 : EK_RAW_SMALL);
    if (Large) {
      EXPECT_EQ(P.Instances[A].Bytes, 200000);
    }
    EXPECT_NEAR(P.Phases[0].Tasks[0].Accesses, Large ? 4000 : 1200, 1e-6);
  }
}

/// Of small blocks on both inputs both sizes are those of the pool, whatever a
/// formula says of one block.
TEST(Extrapolate, SmallBlocksStaySmall) {
  Scenario S;
  const uint32_t A = S.addObject(1, 65536, Scenario::times(1, Scenario::n()));
  S.B.Instances[A].ordinal = EK_RAW_SMALL;
  S.B.Accesses.push_back({0, A, 1000, 0});
  PredictedInstance I;
  I.Site = 1;
  I.Ordinal = EK_RAW_SMALL;
  I.AllocPhase = 0;
  I.Bytes = 65536;
  S.R.KnownSizes = {I};
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[A].Ordinal, EK_RAW_SMALL);
  EXPECT_NEAR(P.Phases[0].Tasks[0].Accesses, 1000, 1e-6);
}

/// A size formula that does not even give the base size is not believed.
TEST(Extrapolate, WrongSizeFormula) {
  Scenario S;
  S.addObject(1, 8 * MiB, Scenario::n());
  S.forSymbol("n=3000");
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 8. * MiB);
  EXPECT_EQ(P.Instances[0].Method, "base size kept");
}

/// Callers of a wrapper ask for different sizes: an instance has the formula
/// that gives its base size, if those that do agree on the target.
TEST(Extrapolate, SizesOfAWrappersCallers) {
  auto Predict = [](std::vector<ExprRef> Sizes) {
    Scenario S;
    S.addObject(1, 4000000, nullptr);
    S.F.Sites[0].Sizes = std::move(Sizes);
    S.forSymbol("n=2000"); // 1000 on the base input
    return S.predict();
  };
  ExprRef Linear = Scenario::times(4000, Scenario::n());
  ExprRef Square =
      Scenario::times(4, makeOp("*", {Scenario::n(), Scenario::n()}));
  ExprRef Other = Scenario::times(8, Scenario::n());
  Problem P = Predict({Other, Square});
  EXPECT_EQ(P.Instances[0].Bytes, 16000000);
  EXPECT_EQ(P.Instances[0].Method, "size formula");
  P = Predict({Linear, Square});
  EXPECT_EQ(P.Instances[0].Bytes, 4000000);
  EXPECT_EQ(P.Instances[0].Method, "base size kept");
  EXPECT_EQ(P.Methods["size: formulas of several callers fit and differ"], 1u);
}

/// Two calls of a wrapper asked for as many bytes on a square base input: the
/// profile says which call made which block, in whatever order.
TEST(Extrapolate, SizesOfContexts) {
  auto Predict = [](uint64_t First, uint64_t Second) {
    Scenario S;
    enum : uint64_t { Columns = 0x33 };
    S.addSymbol(Columns, "main:columns", "given", 1000);
    for (uint64_t Context : {First, Second})
      S.B.Instances[S.addObject(1, 8000000, nullptr)].context = Context;
    ExprRef Wide = Scenario::times(
        8, makeOp("*", {makeSymbol(Columns), makeSymbol(Columns)}));
    ExprRef High =
        Scenario::times(8, makeOp("*", {Scenario::n(), makeSymbol(Columns)}));
    SiteFact &Site = S.F.Sites[0];
    Site.Sizes = {High, Wide};
    Site.Contexts = {{0xa, {"m.c:10:3"}, Wide},
                     {0xb, {"m.c:9:30"}, High},
                     {0xc, {"m.c:1:1"}, nullptr}};
    S.forSymbol("n=3000");
    S.forSymbol("main:columns=2000");
    std::vector<double> Sizes;
    for (const PredictedInstance &I : S.predict().Instances)
      Sizes.push_back(I.Bytes / 8e6);
    return Sizes;
  };
  using Sizes = std::vector<double>;
  EXPECT_EQ(Predict(0xa, 0xb), (Sizes{4, 6}));
  EXPECT_EQ(Predict(0xb, 0xa), (Sizes{6, 4}));
  // Of a profile of before, or of a call of any size, nobody knows.
  EXPECT_EQ(Predict(0, 0), (Sizes{1, 1}));
  EXPECT_EQ(Predict(0xc, 0xd), (Sizes{1, 1}));
}

TEST(Extrapolate, SizesKnownAtTheHook) {
  Scenario S;
  uint32_t A = S.addObject(1, 8 * MiB);
  S.addMisses(0, A, 2560, 1);
  PredictedInstance K;
  K.Site = 1;
  K.Bytes = 16. * MiB;
  S.R.KnownSizes = {K};
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 16. * MiB);
  EXPECT_EQ(P.Instances[0].Method, "known at the hook");
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 2 * 2560, 1e-6);
}

/// `n` in two functions with the same base value is one quantity; with another
/// value it is not.
TEST(Extrapolate, NamesakesInherit) {
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

/// A loop whose iterations over the tasks of a phase add up to a quantity that
/// is given deals that quantity out: 900 + 1100 = 2000 entries, now 6000.
TEST(Extrapolate, LoopTotalsThatAreAGivenQuantity) {
  Scenario S(2);
  S.addSymbol(0x35, "main:a.entries#1", "given", 2000);
  S.addSymbol(0x36, "main:trips", "measured", 900, 0);
  S.addSymbol(0x36, "main:trips", "measured", 1100, 1);
  S.F.Symbols.back().ScalesWith = Scenario::n(); // weaker: n does not change
  uint32_t A = S.addObject(1, 8 * MiB);
  S.addAccess(1, "stream", makeSymbol(0x36));
  S.addMisses(0, A, 2560, 1);
  S.forSymbol("a.entries#1=6000");
  Problem P = S.predict();
  EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 3 * 2560, 1e-6);
}

/// A size whose symbols nothing given has to do with stays, although its
/// accesses grow: "n" and "a.n" are namesakes.
TEST(Extrapolate, SizesOfWhatIsNotGivenStay) {
  Scenario S;
  S.addSymbol(0x37, "f:entries", "given", 8388608);
  S.addSymbol(0x38, "f:a.n", "given", 1000);
  uint32_t A = S.addObject(1, 8 * MiB, makeSymbol(0x37));
  S.addAccess(1, "random", Scenario::times(7, makeSymbol(0x38)));
  S.addMisses(0, A, 2560, 1);
  S.forSymbol("main:n=3000");
  Problem P = S.predict();
  EXPECT_EQ(P.Instances[0].Bytes, 8. * MiB);
  EXPECT_EQ(P.Instances[0].Method,
            "base size: its formula names nothing given");
}

/// One value per task that nobody gives is unknown, not constant: heat's block
/// bounds. The size ratio takes over.
TEST(Extrapolate, TaskValuesAreNotConstants) {
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

/// Bounds of threads' parts do not stay next to an n that is known; what is the
/// same in all of a team (a block's length) does.
TEST(Extrapolate, BoundsOfPartsDoNotStay) {
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
TEST(Extrapolate, EachRankHasItsOwnPart) {
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
    F.Scope = "program";
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

/// Data say where a task gathers, and a value in turn which part of them: on
/// another input somewhere near there, among what is used at all. What is
/// walked through keeps its place, and so does what is not gathered in turns:
/// numbers of iterations never come again, and one part is no turn. Walks may
/// begin again and again where data say.
TEST(Extrapolate, GathersLieAbout) {
  for (auto [Class, Blocks] : {std::pair("random", ""),
                               {"stream", ""},
                               {"stream", "strided"},
                               {"stream", "random"}})
    for (std::vector<int> Parts :
         {std::vector<int>{0, 1, 0}, {0, 1, 2}, {0, 0, 0}})
      for (bool Same : {true, false}) {
        Scenario S(2, 5000);
        for (uint32_t H : {1u, 2u}) {
          S.B.Phases.push_back({0x40, 1, 2});
          for (uint32_t T : {0u, 1u})
            S.B.Tasks.push_back({Scenario::Region, H, T, T, 0, 5000, 5000, 0});
        }
        uint32_t A =
            S.addObject(1, 64 * MiB, Scenario::times(67108.864, Scenario::n()));
        S.addAccess(1, Class, Scenario::n());
        S.F.Accesses.back().Blocks = Blocks;
        const bool Told = Class[0] == 'r' || Blocks[0] == 'r';
        for (uint32_t T = 0; T < 6; ++T) {
          const bool Here = T % 2 == 0;
          S.addSymbol(0x31, "f:part", "given", Parts[T / 2], T);
          S.addMisses(T, A, Here ? 1000 : 2000, 0.5, Here ? 10 : 0,
                      Here ? 100 : 90, Here ? 101 : 132);
        }
        if (!Same)
          S.forSymbol("n=2000");
        Problem P = S.predict();
        const double Times = Same ? 1 : 2;
        const auto &Units = P.Phases[0].Tasks[0].Demand.Units;
        EXPECT_NEAR(total(P.Phases[0].Tasks[0].Demand).ReadLines, 1000 * Times,
                    1e-6);
        const bool Turns = Parts == std::vector<int>{0, 1, 0};
        for (const PredictedPhase &H : P.Phases)
          EXPECT_EQ(H.Scattered, Turns && Told ? std::vector<uint32_t>{A}
                                               : std::vector<uint32_t>());
        // Phases that are over count where they tell something.
        Expected<Problem> Over = TargetPredictor(S.R).predict({}, 2);
        ASSERT_TRUE(static_cast<bool>(Over));
        EXPECT_EQ(Over->Phases[0].Tasks.size(), Turns && Told ? 2u : 0u);
        if (Same || !Turns || !Told) {
          ASSERT_EQ(Units.size(), 1u);
          EXPECT_EQ(P.Units[Units[0].Unit].From, 100u);
          // Once a hook knows a size, it is another input.
          if (Same && Turns && Told) {
            TargetPredictor Hooks(S.R);
            ASSERT_TRUE(static_cast<bool>(Hooks.predict({})));
            PredictedInstance Known;
            Known.Site = 1;
            Known.Bytes = 128 * MiB;
            Expected<Problem> Q = Hooks.predict({Known});
            ASSERT_TRUE(static_cast<bool>(Q));
            EXPECT_EQ(Q->Phases[0].Tasks[0].Demand.Units.size(), 27u);
          }
          continue;
        }
        // Up to 16 chunks away; what would lie below 90 lies above it.
        ASSERT_EQ(Units.size(), 27u);
        for (const UnitDemand &U : Units) {
          const unsigned At = P.Units[U.Unit].From;
          EXPECT_NEAR(U.ReadLines, 1000 * Times / 33 * (At < 96 ? 2 : 1), 1e-6)
              << At;
          EXPECT_NEAR(U.Exposed, U.ReadLines / 2, 1e-6);
        }
        EXPECT_EQ(P.Units[Units.front().Unit].From, 90u);
        EXPECT_EQ(P.Units[Units.back().Unit].From, 116u);
      }
}

/// Chunks keep their relative place; a unit takes whole chunks.
TEST(Extrapolate, HistogramsStretch) {
  Scenario S;
  uint32_t A =
      S.addObject(1, 64 * MiB, Scenario::times(67108.864, Scenario::n()));
  S.addAccess(1, "random", Scenario::n());
  S.addMisses(0, A, 6400, 1, 0, 64, 128);
  S.forSymbol("n=2000");
  Problem P = S.predict();
  ASSERT_EQ(P.Units.size(), 256u);
  EXPECT_NEAR(P.Units[0].Bytes, 0.5 * MiB, 1);
  for (const UnitDemand &U : P.Phases[0].Tasks[0].Demand.Units) {
    EXPECT_GE(P.Units[U.Unit].From, 64u);
    EXPECT_LE(P.Units[U.Unit].To, 128u);
    EXPECT_NEAR(U.ReadLines, 200, 1e-9);
  }
}

TEST(Extrapolate, PeakCountsWhatLivesTogether) {
  Scenario S;
  S.B.Phases.push_back({0, 0, 1});
  S.addObject(1, 3000);
  S.addObject(2, 5000);
  S.B.Instances[0].free_phase = 0;
  S.B.Instances[1].alloc_phase = 1;
  S.R.Fast = "10%";
  Problem P = S.predict();
  EXPECT_EQ(P.PeakBytes, 5000);
  EXPECT_EQ(P.FastBytes, 500);
}

TEST(Extrapolate, DependencesStayWithinTheirPhase) {
  Scenario S(2);
  S.B.Phases.push_back({0, 1, 2});
  for (uint32_t I = 0; I < 3; ++I)
    S.B.Tasks.push_back({Scenario::Region, 1, I, 0, 1, 10, 10, 0});
  S.B.Deps = {{3, 2}, {2, 0}};
  Problem P = S.predict();
  ASSERT_EQ(P.Phases[1].Tasks.size(), 3u);
  EXPECT_EQ(P.Phases[1].Tasks[1].Preds, (std::vector<uint32_t>{0}));
  EXPECT_TRUE(P.Phases[1].Tasks[0].Preds.empty());
  EXPECT_EQ(P.Phases[1].Workers, 2u);
}

/// What a thread does behind a wait is a part of its task, with its share of
/// the team's iterations: of 10, the second of 4 threads has 3, of 14 it has 4.
TEST(Extrapolate, PartsHaveTheShareOfTheirTask) {
  Scenario S(4);
  S.B.Symbols.clear();
  S.addSymbol(Scenario::SymN, "main:n", "given", 10, 1);
  S.addSymbol(Scenario::SymN, "main:n", "given", 12, 2);
  S.B.Tasks.push_back({Scenario::Region, 0, 0, 1, 1, 1000, 1000, 0});
  S.B.Parts = {{4, 1}};
  uint32_t A = S.addObject(1, 4096);
  S.addAccess(1, "stream", makeOp("share", {Scenario::n()}));
  S.addMisses(4, A, 2560, 1);
  S.forSymbol("n=14");
  Problem P = S.predict();
  ASSERT_EQ(P.Phases[0].Tasks.size(), 5u);
  EXPECT_NEAR(total(P.Phases[0].Tasks[4].Demand).ReadLines, 2560 * 4. / 3, 1);
}

/// Of a taskloop's 10 iterations the first of 4 tasks has 3; of 14, it has 4.
TEST(Extrapolate, TasksOfALoopDealItOut) {
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

TEST(Extrapolate, Refusals) {
  Scenario S(2);
  S.addObject(1, 4096);
  S.forSymbol("zz=1");
  EXPECT_ERROR(predictTarget(S.R), "no symbol 'zz'");
  S.R.For.clear();
  S.forSymbol("n@5=1");
  EXPECT_ERROR(predictTarget(S.R), "threads");
  S.R.For.clear();
  S.R.Fast = "much";
  EXPECT_ERROR(predictTarget(S.R), "'much'");
  S.R.Fast = "1%";
  S.B.Role = "target";
  EXPECT_ERROR(predictTarget(S.R), "role 'target'");
  S.B.Role = "base";
  S.addSymbol(0x60, "main:omp_get_num_threads()", "derived", 2);
  S.forSymbol("omp_get_num_threads()=4");
  EXPECT_ERROR(predictTarget(S.R), "number of threads");
  S.R.For.clear();
  S.B.Tasks.clear();
  EXPECT_ERROR(predictTarget(S.R), "empty profile");
}

/// How often a line comes back does not follow from the class: streams may be
/// short and start anywhere. All classes have the curve of
/// RandomFollowsTheMissRatioCurve, and 12 times the lines.
TEST(Extrapolate, EveryClassFollowsTheMissRatioCurve) {
  for (const char *Class : {"stream", "strided", "stencil", "random", "chase",
                            "invariant", "unknown"}) {
    Scenario S;
    uint32_t A =
        S.addObject(1, 1000 * 4096, Scenario::times(4096, Scenario::n()));
    S.addAccess(1, Class, Scenario::times(100, Scenario::n()));
    S.addMisses(0, A, 2560, 1);
    S.B.Curves.push_back({0, A, {9000, 8500, 7680, 5000, 2560, 100, 0, 0}});
    S.forSymbol("n=4000");
    EXPECT_NEAR(total(S.predict().Phases[0].Tasks[0].Demand).ReadLines,
                12 * 2560, 1e-6)
        << Class;
  }
}

/// A region that only reads writes back what others left in the caches: as
/// much on the target as on the base input, though it reads four times more.
TEST(Extrapolate, ReadersKeepTheirWriteBacks) {
  Scenario S;
  uint32_t A =
      S.addObject(1, 1000 * 4096, Scenario::times(4096, Scenario::n()));
  S.addAccess(1, "stream", Scenario::n());
  S.addMisses(0, A, 2560, 1, 512);
  S.forSymbol("n=4000");
  UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 4 * 2560, 1e-6);
  EXPECT_NEAR(D.WriteLines, 512, 1e-6);
}

/// A task fills an object of 15,000 lines and writes nothing back, for its
/// caches hold 16,384; the next one reads another and pushes 10,000 of them
/// out. Of twice the object, all but a cacheful goes while it is filled, and
/// the next task pushes out as many as it fetches, though it fetched less
/// before.
TEST(Extrapolate, ACachefulIsWrittenBackLater) {
  Scenario S;
  S.B.Phases.push_back({0x41, 0, 1});
  S.B.Tasks.push_back({0x21, 1, 0, 0, 0, 1000, 1000, 0});
  uint32_t A = S.addObject(1, 15000 * 64, Scenario::times(960, Scenario::n()));
  uint32_t C =
      S.addObject(2, 11384 * 64, Scenario::times(728.576, Scenario::n()));
  S.addAccess(1, "stream", makeConst(0), Scenario::n());
  S.addAccess(2, "stream", Scenario::n());
  S.F.Accesses.back().Region = 0x21;
  S.B.Misses.push_back({0, A, 0, 0, 15000, 0, 15000, 0});
  S.B.Accesses.push_back({0, A, 0, 8 * 15000});
  S.B.Misses.push_back({1, C, 0, 0, 11384, 0, 11384, 0});
  S.B.Accesses.push_back({1, C, 8 * 11384, 0});
  S.B.Misses.push_back({1, A, 0, 0, 0, 10000, 0, 0});
  UnitDemand Fill = total(S.predict().Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(Fill.WriteLines, 0, 1e-6); // the same input
  S.forSymbol("n=2000");
  Problem P = S.predict();
  Fill = total(P.Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(Fill.ReadLines, 30000, 1e-6);
  EXPECT_NEAR(Fill.WriteLines, 30000 - 16384, 1e-6);
  UnitDemand Next = total(P.Phases[1].Tasks[0].Demand);
  EXPECT_NEAR(Next.ReadLines, 22768, 1e-6);
  EXPECT_NEAR(Next.WriteLines, 16384, 1e-6);
  // Until a cacheful was fetched, nothing of it goes; then of the next task
  // all that goes is what the first left.
  EXPECT_NEAR(P.Phases[0].Tasks[0].Demand.Opening, 16384. / 30000, 1e-6);
  EXPECT_NEAR(Fill.OpeningWrites, 0, 1e-6);
  EXPECT_NEAR(P.Phases[1].Tasks[0].Demand.Opening, 16384. / 22768, 1e-6);
  EXPECT_NEAR(Next.OpeningWrites, 16384, 1e-6);
}

/// A task fills an object of 12,000 lines, which is freed; the next one fills
/// another, of 8000, that lies where the first did, and pushes 3616 lines of
/// that out: what the caches do not hold. Of twice as much it pushes out all
/// that the first left, but for 384; of four times as much its own as well.
/// Where a third goes through so much in between that nothing is left, only its
/// own. So it is at a hook when the first are over.
TEST(Extrapolate, LinesOfFreedObjectsAreWrittenBackByOthers) {
  for (bool Between : {false, true})
    for (unsigned Times : {1, 2, 4}) {
      Scenario S;
      for (uint32_t H : {1, 2}) {
        S.B.Phases.push_back({0x40 + H, 0, 1});
        S.B.Tasks.push_back({0x20 + H, H, 0, 0, 0, 1000, 1000, 0});
      }
      auto Add = [&](uint64_t Site, uint64_t Lines) {
        return S.addObject(
            Site, Lines * 64,
            Scenario::times(0.064 * double(Lines), Scenario::n()));
      };
      const uint32_t Old = Add(1, 12000), New = Add(2, 8000);
      S.B.Instances[Old].free_phase = 0;
      S.B.Instances[New].alloc_phase = 2;
      S.addAccess(1, "stream", makeConst(0), Scenario::n());
      S.addAccess(2, "stream", makeConst(0), Scenario::n());
      S.F.Accesses.back().Region = 0x22;
      S.B.Misses.push_back({0, Old, 0, 0, 12000, 0, 12000, 0});
      S.B.Accesses.push_back({0, Old, 0, 8 * 12000});
      S.B.Misses.push_back({2, New, 0, 0, 8000, 3616, 8000, 0});
      S.B.Accesses.push_back({2, New, 0, 8 * 8000});
      if (Between) { // it fits on the base input
        const uint32_t Z =
            S.addObject(3, 16000 * 64, Scenario::times(1024, Scenario::n()));
        S.addAccess(3, "stream", Scenario::n());
        S.F.Accesses.back().Region = 0x21;
        S.B.Misses.push_back({1, Z, 0, 0, 20, 0, 20, 0});
        S.B.Accesses.push_back({1, Z, 128000, 0});
        S.B.Curves.push_back(
            {1, Z, {16000, 16000, 16000, 16000, 20, 20, 20, 20}});
      }
      S.forSymbol("n=" + std::to_string(1000 * Times));
      for (uint32_t From : {0, 2}) {
        Expected<Problem> P = TargetPredictor(S.R).predict({}, From);
        ASSERT_TRUE(static_cast<bool>(P));
        const UnitDemand D = total(P->Phases[2].Tasks[0].Demand);
        EXPECT_NEAR(D.ReadLines, 8000 * Times, 1e-6);
        const double Left = Times == 1   ? 3616
                            : Between    ? 0
                            : Times == 2 ? 16000
                                         : 16384;
        // A few of Z's come again, as of whatever is accessed so often.
        EXPECT_NEAR(D.WriteLines, Left + std::max(0.0, 8000. * Times - 16384),
                    16)
            << Between << " " << Times << " from " << From;
      }
    }
}

/// No more than they left, nothing of objects that lay there before, and not of
/// those that are freed later.
TEST(Extrapolate, WhatFreedObjectsLeftIsBounded) {
  auto Written = [](uint32_t Allocated, uint32_t Freed, uint64_t OnBase) {
    Scenario S;
    for (uint32_t H : {1, 2})
      S.B.Phases.push_back({0x40 + H, 0, 1});
    S.B.Tasks.push_back({0x21, 2, 0, 0, 0, 1000, 1000, 0});
    const uint32_t Old =
        S.addObject(1, 12000 * 64, Scenario::times(768, Scenario::n()));
    const uint32_t New =
        S.addObject(2, 8000 * 64, Scenario::times(512, Scenario::n()));
    S.B.Instances[Old].free_phase = Freed;
    S.B.Instances[New].alloc_phase = Allocated;
    S.addAccess(1, "stream", makeConst(0), Scenario::n());
    S.addAccess(2, "stream", makeConst(0), Scenario::n());
    S.F.Accesses.back().Region = 0x21;
    S.B.Misses.push_back({0, Old, 0, 0, 12000, 0, 12000, 0});
    S.B.Accesses.push_back({0, Old, 0, 8 * 12000});
    S.B.Misses.push_back({1, New, 0, 0, 8000, OnBase, 8000, 0});
    S.B.Accesses.push_back({1, New, 0, 8 * 8000});
    S.forSymbol("n=2000");
    return total(S.predict().Phases[2].Tasks[0].Demand).WriteLines;
  };
  EXPECT_NEAR(Written(2, 1, 3616), 16000, 1e-6);
  EXPECT_NEAR(Written(2, 1, 5000), 16000 + 2 * (5000 - 3616), 1e-6);
  EXPECT_NEAR(Written(0, 1, 3616), 2 * 3616, 1e-6) << "lies elsewhere";
  EXPECT_NEAR(Written(2, 2, 3616), 2 * 3616 + 16000, 1e-6) << "both live";
}

/// A walk through twice as much as the caches hold has written back its first
/// half when it ends; the next walk of the same writes the other half back in
/// its opening, and again its first half.
TEST(Extrapolate, AWalkWritesItsFirstLinesBack) {
  Scenario S;
  S.B.Phases.push_back({0x41, 0, 1});
  S.B.Tasks.push_back({0x20, 1, 0, 0, 0, 1000, 1000, 0});
  uint32_t A =
      S.addObject(1, 16384 * 64, Scenario::times(1048.576, Scenario::n()));
  S.addAccess(1, "stream", makeConst(0), Scenario::n());
  for (uint32_t T : {0, 1})
    S.B.Accesses.push_back({T, A, 0, 8 * 16384});
  for (uint32_t Chunk = 0; Chunk < 256; ++Chunk)
    S.B.Misses.push_back({0, A, Chunk, 0, 64, 0, 64, 0});
  S.B.Misses.push_back({1, A, 0, 0, 0, 0, 0, 0});
  S.forSymbol("n=2000");
  Problem P = S.predict();
  const std::vector<UnitDemand> &U = P.Phases[0].Tasks[0].Demand.Units;
  ASSERT_EQ(U.size(), 32u);
  for (size_t K = 0; K < U.size(); ++K)
    EXPECT_NEAR(U[K].WriteLines, K < 16 ? 1024 : 0, 1e-6) << K;
}

/// On the base input, the caches held three quarters of units 4 to 7 of 16. On
/// one twice as large they hold nothing, and what is walked through comes
/// evenly; of what is not, nobody knows which lines they held. Ends of a walk
/// may be parts of units.
TEST(Extrapolate, LinesThatNoLongerFitAreThoseThatWereHeld) {
  for (bool Walked : {true, false}) {
    Scenario S;
    const uint32_t A =
        S.addObject(1, 1 << 20, Scenario::times(1048.576, Scenario::n()));
    S.addAccess(1, Walked ? "stream" : "random", Scenario::n());
    double Lines = 0;
    for (uint32_t C = 0; C < 256; ++C) {
      const uint64_t Its = C / 64 == 1 ? 16 : C == 0 ? 48 : 64;
      S.B.Misses.push_back({0, A, C, 0, Its, 0, double(Its) / 2, 0});
      Lines += double(Its);
    }
    S.B.Accesses.push_back({0, A, 131072, 0});
    for (uint32_t &Size : S.B.Config.llc_sizes)
      Size = uint32_t(65536) << (&Size - S.B.Config.llc_sizes);
    S.B.Config.llc_share_bytes = 1 << 20;
    const auto L = uint64_t(Lines);
    S.B.Curves.push_back({0, A, {16368, 16368, 16368, 16368, L, 0, 0, 0}});
    S.forSymbol("n=2000");
    const Problem P = S.predict();
    const auto &Units = P.Phases[0].Tasks[0].Demand.Units;
    ASSERT_EQ(Units.size(), 32u);
    const double Times = 2 * 16368 / Lines; // lines over the base's
    for (size_t K = 0; K < 32; ++K) {
      const double Base = K / 8 == 1 ? 128 : K == 0 ? 496 : 512;
      const double Full = K == 0 ? 2 * 496 : 1024;
      EXPECT_NEAR(Units[K].ReadLines, Walked ? Full : Base * Times, 1e-6) << K;
    }
  }
}

/// What a base task fetched when, it fetches then on the target, with the units
/// that its chunks have become; of an object of two pages as well, whose chunks
/// between are empty. Where most lines are new, nobody knows.
TEST(Extrapolate, CoursesOfUnits) {
  for (uint64_t Bytes : {uint64_t(1) << 20, uint64_t(8192)})
    for (bool New : {false, true}) {
      Scenario S;
      const uint32_t A =
          S.addObject(1, Bytes, Scenario::times(Bytes / 1000., Scenario::n()));
      S.addAccess(1, "stream", Scenario::n());
      const bool Pages = Bytes == 8192;
      for (uint32_t C = 0; C < 256; C += Pages ? 128 : 1)
        S.B.Misses.push_back(
            {0, A, C, 0, 64, 0, 64, uint64_t(0xf) << 4 * (C / 16)});
      const double Lines = Pages ? 128 : 256 * 64;
      S.B.Accesses.push_back({0, A, uint64_t(100 * Lines), 0});
      if (New) { // the smallest last level holds a tenth of what the next does
        for (uint32_t &Size : S.B.Config.llc_sizes)
          Size = uint32_t(2 * Bytes) << (&Size - S.B.Config.llc_sizes);
        S.B.Config.llc_share_bytes = uint32_t(4 * Bytes);
        const auto L = uint64_t(Lines);
        S.B.Curves.push_back({0, A, {20 * L, L, 0, 0, 0, 0, 0, 0}});
      }
      S.forSymbol("n=2000");
      const Problem P = S.predict();
      const auto &Units = P.Phases[0].Tasks[0].Demand.Units;
      ASSERT_EQ(Units.size(), P.Units.size());
      EXPECT_EQ(total(P.Phases[0].Tasks[0].Demand).ReadLines,
                New ? 40 * Lines : 2 * Lines);
      for (size_t K = 0; K < Units.size(); ++K) {
        const size_t Sixteenth = K * 16 / Units.size();
        EXPECT_EQ(Units[K].Course, New     ? 0
                                   : Pages ? 0x0000000f0000000f
                                           : uint64_t(0xf) << 4 * Sixteenth)
            << Bytes << " " << K;
      }
    }
}

/// A task pushes out 1,000 lines that others left of an object that it does not
/// touch. How many they leave does not grow with the input.
TEST(Extrapolate, LinesThatOthersLeftDoNotGrow) {
  Scenario S(2);
  uint32_t A = S.addObject(1, 15000 * 64, Scenario::times(960, Scenario::n()));
  uint32_t C = S.addObject(2, 15000 * 64, Scenario::times(960, Scenario::n()));
  for (uint64_t Site : {1, 2})
    S.addAccess(Site, "stream", Scenario::n());
  S.B.Misses.push_back({0, A, 0, 0, 15000, 0, 1875, 0});
  S.B.Misses.push_back({0, C, 0, 0, 0, 1000, 0, 0});
  S.B.Accesses.push_back({0, A, 120000, 0});
  S.forSymbol("n=2000");
  UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 30000, 1e-6);
  EXPECT_NEAR(D.WriteLines, 1000, 1e-6);
}

/// A task adds to each element of an object that lay in its caches on the base
/// input; of twice the object, what does not fit is written back, too.
TEST(Extrapolate, WhatFittedIsWrittenBackWhereItDoesNot) {
  Scenario S;
  uint32_t A = S.addObject(1, 16000 * 64, Scenario::times(1024, Scenario::n()));
  S.addAccess(1, "stream", Scenario::n(), Scenario::n());
  S.B.Misses.push_back({0, A, 0, 0, 20, 0, 20, 0});
  S.B.Accesses.push_back({0, A, 128000, 128000});
  S.B.Curves.push_back({0, A, {16000, 16000, 16000, 16000, 20, 20, 20, 20}});
  S.forSymbol("n=4000");
  UnitDemand D = total(S.predict().Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 64000, 1000);
  EXPECT_NEAR(D.WriteLines, D.ReadLines - 16384, 100);
}

/// The same where the second task did not push anything out on the base input.
TEST(Extrapolate, WriteBacksOfWhatTheTaskDoesNotTouch) {
  Scenario S;
  S.B.Phases.push_back({0x41, 0, 1});
  S.B.Tasks.push_back({0x21, 1, 0, 0, 0, 1000, 1000, 0});
  uint32_t A = S.addObject(1, 5000 * 64, Scenario::times(320, Scenario::n()));
  uint32_t C = S.addObject(2, 8000 * 64, Scenario::times(512, Scenario::n()));
  S.addAccess(1, "stream", makeConst(0), Scenario::n());
  S.addAccess(2, "stream", Scenario::n());
  S.F.Accesses.back().Region = 0x21;
  S.B.Misses.push_back({0, A, 0, 0, 5000, 0, 5000, 0});
  S.B.Accesses.push_back({0, A, 0, 8 * 5000});
  S.B.Misses.push_back({1, C, 0, 0, 8000, 0, 8000, 0});
  S.B.Accesses.push_back({1, C, 8 * 8000, 0});
  S.forSymbol("n=2000");
  Problem P = S.predict();
  UnitDemand Next = total(P.Phases[1].Tasks[0].Demand);
  EXPECT_NEAR(Next.ReadLines, 16000, 1e-6);
  EXPECT_NEAR(Next.WriteLines, 16000 + 10000 - 16384, 1e-6);
}

/// What fits on the base input, but for a few lines that conflict, and no
/// longer on the target: its demand there. \p Lines of \p Each overlap; others
/// stream an object like it with \p Others.
UnitDemand demandOfOddLines(uint64_t Lines, double Each, double Others) {
  Scenario S(2);
  uint32_t A = S.addObject(1, 10000 * 64, Scenario::times(640, Scenario::n()));
  uint32_t C = S.addObject(2, 10000 * 64, Scenario::times(640, Scenario::n()));
  for (uint64_t Site : {1, 2})
    S.addAccess(Site, "stream", Scenario::times(80, Scenario::n()));
  S.B.Misses.push_back({0, A, 0, 0, Lines, 0, double(Lines) * Each, 0});
  S.B.Accesses.push_back({0, A, 80000, 0});
  S.B.Curves.push_back(
      {0, A, {10000, 10000, 10000, 10000, Lines, Lines, Lines, Lines}});
  S.addMisses(1, C, 10240, Others);
  S.forSymbol("n=2000");
  return total(S.predict().Phases[0].Tasks[0].Demand);
}

/// It overlaps there as others do that stream, not one by one.
TEST(Extrapolate, OddLinesDoNotTellOverlap) {
  UnitDemand D = demandOfOddLines(20, 1, 0.125);
  EXPECT_GT(D.ReadLines, 10000);
  EXPECT_LT(D.Exposed, 0.2 * D.ReadLines);
}

/// Odd lines have little around them to overlap with: where they overlap more
/// than others do that stream, so do the lines that come after them.
TEST(Extrapolate, OddLinesTellTheMost) {
  UnitDemand D = demandOfOddLines(200, 0.1, 0.5);
  EXPECT_GT(D.ReadLines, 10000);
  EXPECT_LT(D.Exposed, 0.2 * D.ReadLines);
}

/// The second task computes for a million instructions and makes 10 accesses,
/// of which the formula knows; what it computes has none. It is taken to grow
/// as the program does, and is an estimate.
TEST(Extrapolate, TasksThatHardlyAccessAnything) {
  for (uint64_t Instructions : {1000, 1000000}) {
    Scenario S(2);
    S.B.Tasks[1].region = 0x21;
    S.B.Tasks[1].instructions = Instructions;
    uint32_t A = S.addObject(1, 8000, Scenario::times(8, Scenario::n()));
    uint32_t C = S.addObject(2, 80, Scenario::times(0.08, Scenario::n()));
    S.addAccess(
        1, "stream",
        Scenario::times(0.001, makeOp("*", {Scenario::n(), Scenario::n()})));
    S.addAccess(2, "stream", Scenario::times(0.01, Scenario::n()));
    S.F.Accesses.back().Region = 0x21;
    S.B.Accesses.push_back({0, A, 1000, 0});
    S.B.Accesses.push_back({1, C, 10, 0});
    S.forSymbol("n=2000");
    PredictedTask T = S.predict().Phases[0].Tasks[1];
    const double Base = 1e-6;
    const bool Computes = Instructions > 1000;
    EXPECT_NEAR(T.Demand.CoreSeconds, Base * (Computes ? 4020. / 1010 : 2),
                Base * 1e-6);
    EXPECT_EQ(T.Determined, !Computes);
  }
}

/// Fetched more often than 1.25 times the 1024 lines it has: per phase, over
/// its tasks, and per object. Not what one task walks through again and again,
/// nor what each walks through once.
TEST(Extrapolate, GatheredObjects) {
  Scenario S(2);
  S.B.Phases.push_back({0x41, 1, 2});
  for (uint32_t T = 0; T < 2; ++T)
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 1000, 1000, 0});
  for (uint64_t Site : {1, 2, 3})
    S.addObject(Site, 65536);
  S.addMisses(0, 0, 1280, 1); // 1280 in phase 0: just 1.25 times
  S.addMisses(0, 1, 768, 1);  // 768 + 768
  S.addMisses(1, 1, 768, 1);
  S.addMisses(2, 1, 768, 1); // once in phase 1
  S.addMisses(3, 2, 2560, 1);
  for (uint64_t Site : {4, 5, 6}) {
    S.addObject(Site, 65536);
    S.addAccess(Site, "stream", Scenario::n());
  }
  S.addMisses(2, 3, 2560, 1); // one task
  for (uint32_t T : {2u, 3u}) {
    S.addMisses(T, 4, T == 2 ? 768 + 256 : 1024, 1); // each once
    S.addMisses(T, 5, 1280, 1);                      // and some twice
  }
  Problem P = S.predict();
  EXPECT_EQ(P.Phases[0].Gathered, (std::vector<uint32_t>{1}));
  EXPECT_EQ(P.Phases[1].Gathered, (std::vector<uint32_t>{2, 5}));
}

/// A loop counted in 0x50 (1000 and 3000 iterations) and a second phase of two
/// tasks in another region. Object 1 has 4000 elements of 8 bytes.
struct LoopScenario : Scenario {
  static constexpr uint64_t Trips = 0x50, Twin = 0x51, Region2 = 0x21;
  LoopScenario() : Scenario(2) {
    addSymbol(Trips, "main:trips", "measured", 1000, 0);
    addSymbol(Trips, "main:trips", "measured", 3000, 1);
    F.Regions.push_back({Region2, "parallel", "a.c:30:1", "main"});
    B.Phases.push_back({0x41, 1, 2});
    for (uint32_t T = 0; T < 2; ++T)
      B.Tasks.push_back({Region2, 1, T, T, 0, 1000, 1000, 0});
    addObject(1, 32000);
  }
  static ExprRef trips() { return makeSymbol(Trips); }
  /// Symbol 0x51, with these values in the second phase.
  void addTwin(double First, double Second) {
    addSymbol(Twin, "main:twin", "measured", First, 2);
    addSymbol(Twin, "main:twin", "measured", Second, 3);
  }
  /// Object \p Site of no known size, walked in the second phase.
  void addWalk(uint64_t Site, ExprRef Reads) {
    uint32_t I = addObject(Site, 8 * MiB);
    addAccess(Site, "stream", std::move(Reads));
    F.Accesses.back().Region = Region2;
    addMisses(2, I, 2560, 1);
    addMisses(3, I, 2560, 1);
  }
  void know(double Bytes) {
    PredictedInstance K;
    K.Site = 1;
    K.Bytes = Bytes;
    R.KnownSizes = {K};
  }
  static double lines(const Problem &P, uint32_t T) {
    return total(P.Phases[1].Tasks[T].Demand).ReadLines / 2560;
  }
};

/// 1000 and 3000 iterations again in the next phase: the same rows. Task 0 gets
/// 4 times as many, task 1 twice.
TEST(Extrapolate, LikeMeasuredSymbolsInherit) {
  LoopScenario S;
  S.addTwin(1000, 3000);
  S.addWalk(2, makeSymbol(LoopScenario::Twin));
  S.forSymbol("trips@0=4000");
  S.forSymbol("trips@1=6000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 4, 1e-9);
  EXPECT_NEAR(S.lines(P, 1), 2, 1e-9);
  EXPECT_EQ(
      P.Methods["count: closed form, measured symbol taken from its like"], 2u);
}

/// One task that differs makes another quantity of it; so do equal values
/// everywhere, which tell nothing apart.
TEST(Extrapolate, OtherMeasuredSymbolsDoNotInherit) {
  for (bool Equal : {false, true}) {
    LoopScenario S;
    S.addTwin(1000, Equal ? 1000 : 3001);
    if (Equal) // the given loop as well
      for (ek_raw_symbol &V : S.B.Symbols)
        if (V.symbol == LoopScenario::Trips)
          V.sum = 1000;
    S.addWalk(2, makeSymbol(LoopScenario::Twin));
    S.forSymbol("trips@0=4000");
    S.forSymbol("trips@1=6000");
    Problem P = S.predict();
    EXPECT_NEAR(S.lines(P, 0), 1, 1e-9) << Equal;
    EXPECT_NEAR(S.lines(P, 1), 1, 1e-9) << Equal;
    EXPECT_EQ(P.Methods["count: base count kept"], 2u) << Equal;
  }
}

/// Eight threads exchange Faces in a phase and walk through Rows in the next;
/// each face is exchanged once or twice. Both are of object 0, by one formula.
struct FacesScenario : Scenario {
  static constexpr uint64_t Rows = 0x51, Faces = 0x52, Other = 0x53;
  const std::vector<double> Walked = {816, 496, 816, 656, 1312, 800, 656, 1616};
  std::vector<double> Exchanged = {816, 496, 1632, 832, 2128, 1600, 1136, 2112};
  std::vector<double> Others;

  /// Threads 0 and 1 of the target do what the other one did, if \p Swapped.
  void build(bool Swapped = false) {
    B.Phases.push_back({0x41, 1, uint32_t(Walked.size())});
    addObject(1, 1 << 20);
    addAccess(1, "stream", makeOp("+", {makeSymbol(Rows), makeSymbol(Faces)}));
    for (uint32_t T = 0; T < 8; ++T)
      B.Tasks.push_back({Region, 1, T, T, 0, 1000, 1000, 0});
    for (uint32_t T = 0; T < 8; ++T) {
      addMisses(T, 0, 2560, 1);
      addMisses(8 + T, 0, 2560, 1);
      addSymbol(Faces, "main:faces", "measured", Exchanged[T], T);
      addSymbol(Rows, "main:rows", "measured", Walked[T], 8 + T);
      if (!Others.empty())
        addSymbol(Other, "main:others", "measured", Others[T], 8 + T);
      const double Growth = T == 5 ? 3 : 4;
      forSymbol("rows@" + std::to_string(Swapped && T < 2 ? 1 - T : T) + "=" +
                std::to_string(Growth * Walked[T]));
      if (!Others.empty())
        forSymbol("others@" + std::to_string(T) + "=" +
                  std::to_string(std::llround(2 * Others[T])));
    }
  }
  FacesScenario() : Scenario(8) {}
  static double growth(const Problem &P, uint32_t Phase, uint32_t T) {
    return total(P.Phases[Phase].Tasks[T].Demand).ReadLines / 2560;
  }
};

/// Faces go up and down with rows from thread to thread, and so they grow. What
/// a thread does in one phase says nothing of its loops in the other.
TEST(Extrapolate, TotalsThatGoWithOthersGrowAsTheyDo) {
  FacesScenario S;
  S.build();
  Problem P = S.predict();
  for (uint32_t T = 0; T < 8; ++T) {
    EXPECT_NEAR(S.growth(P, 0, T), T == 5 ? 3 : 4, 1e-6) << T;
    EXPECT_NEAR(S.growth(P, 1, T), T == 5 ? 3 : 4, 1e-6) << T;
  }
  EXPECT_EQ(P.Methods["count: closed form, measured symbol scaled"], 8u);
  EXPECT_EQ(P.Methods["count: closed form, measured symbol given"], 8u);

  // By those who have the objects now.
  FacesScenario Z;
  Z.build(true);
  TargetPredictor Predictor(Z.R);
  EXPECT_TRUE(Predictor.learn({{{0, 1}, {1, 0}}, {0}}));
  EXPECT_FALSE(Predictor.learn({{{0, 1}, {1, 0}}, {0}}));
  Expected<Problem> Now = Predictor.predict({});
  ASSERT_TRUE(static_cast<bool>(Now)) << Now.message();
  for (uint32_t H : {0u, 1u})
    for (uint32_t T = 0; T < 8; ++T)
      EXPECT_NEAR(Z.growth(*Now, H, T), T == 5 ? 3 : 4, 1e-6) << T;
}

/// Threads that are alike, totals that go with none, and such as go with two
/// that grow differently tell nothing; where one of the two is much the better,
/// it does. What a total is said to scale with comes first.
TEST(Extrapolate, TotalsThatGoWithNothing) {
  for (unsigned Case = 0; Case < 7; ++Case) {
    FacesScenario S;
    if (Case == 0)
      S.Exchanged.assign(8, 1000);
    for (uint32_t T = 0; T < 8 && Case == 5; ++T) {
      S.Exchanged[T] = 1000 + 10 * T;
      S.Others.push_back(2000 + 21 * T);
    }
    for (uint32_t T = 0; T < 8 && Case == 6; ++T) { // of each alike
      S.Exchanged[T] = 2 * S.Walked[T];
      S.Others.push_back(6 * S.Walked[T]);
    }
    if (Case == 1)
      S.Exchanged = {1632, 496, 400, 2112, 832, 1600, 2128, 500};
    for (uint32_t T = 0; T < 8 && Case / 2 == 1; ++T)
      S.Others.push_back(S.Exchanged[T] * (Case == 2 ? 1
                                           : T % 2   ? 1.25
                                                     : 0.8) +
                         (T % 2 ? 50 : -50));
    S.build();
    if (Case == 4) {
      for (SymbolFact &F : S.F.Symbols)
        if (F.Id == FacesScenario::Faces)
          F.ScalesWith = Scenario::n();
      S.forSymbol("n=5000");
    }
    Problem P = S.predict();
    const auto Scaled =
        P.Methods.count("count: closed form, measured symbol scaled");
    EXPECT_EQ(Scaled, Case == 2 || Case == 4 ? 1u : 0u) << Case;
    if (Scaled)
      EXPECT_NEAR(S.growth(P, 0, 3), Case == 2 ? 2 : 5, 1e-6) << Case;
  }
}

/// 1000 + 3000 iterations fill 4000 elements: 4000 + 5000 fill 72000 bytes. Its
/// accesses alone (12000 -> 17000, with 4000 reads that stay in each task)
/// would say 45333.
TEST(Extrapolate, FillGivesTheSize) {
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

/// 1000 + 3000 rounds, and one more write for each of n = 2000 words, fill
/// 6000 elements. Of 12000, n words being 3000, 9000 are left for the rounds.
TEST(Extrapolate, JointFills) {
  for (unsigned Case = 0; Case < 4; ++Case) {
    LoopScenario S;
    S.B.Instances[0].bytes = 48000;
    S.addSymbol(0x39, "main:m", "given", 2000);
    S.addAccess(1, "random", makeConst(0), S.trips());
    S.addAccess(1, "random", makeConst(0),
                Case == 1 ? makeSymbol(0x39)
                          : makeOp("share", {makeSymbol(0x39)}));
    for (AccessFact &A : S.F.Accesses)
      A.Class = "random";
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

/// Of two counts that are measured the one is what the other leaves whose
/// values differ at least four times as much; 1000 and 3000 do, over their mean
/// of 2000, than two values a fifth apart, not than two a third apart.
TEST(Extrapolate, JointFillsOfTwoMeasured) {
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

/// A fill is a stream, whole, once, and of the one instance of its site; and
/// every part of it must be known.
TEST(Extrapolate, NotAFill) {
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
  EXPECT_EQ(Method([](LoopScenario &S) { S.F.Accesses[0].Class = "random"; }),
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

/// A loop over a symbol that keeps its base value fills as much as before only
/// if nothing is known to change; object 1's other accesses say twice as much.
TEST(Extrapolate, KeptSymbolsDoNotFill) {
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

/// Counts below 1000 agree by chance: 3 elements of 8 bytes are not the fill of
/// 64 bytes.
TEST(Extrapolate, SmallFillsTellNothing) {
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

/// At a hook, 12000 elements are there: three times the iterations, though the
/// loop's own n says twice. The loop's like in the next phase gets them too.
TEST(Extrapolate, SizeGivesTheFill) {
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

/// A size formula does the same: n alone makes 2000 and 6000 iterations, but
/// m = 2000 asks for 16000 elements; shared out 1 : 3 they are 4000 and 12000.
TEST(Extrapolate, SizeGivesTheFillByFormula) {
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

/// Where nothing else is known of the loop, its tasks keep the parts they had:
/// 3000 and 9000 of 12000. Object 2 is read 1000 times more in each task.
TEST(Extrapolate, SizeAloneGivesTheFill) {
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

/// A value that is given for the loop itself stays.
TEST(Extrapolate, GivenIterationsBeatTheSize) {
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

/// The second phase reads 4000 elements once, as 1000 and 3000 iterations that
/// were told to grow with n; the array's size is known to be twice as large, so
/// that is how often they iterate. One that is read twice over is not such.
TEST(Extrapolate, WhatIsReadThroughTellsByItsSize) {
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

/// Two objects of one site, one read n times by one row, the other m times by
/// another: each goes by its own row. Where their counts do not tell, both go
/// by both.
TEST(Extrapolate, RowsOfOneObjectOfASite) {
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

/// Nothing given, no hook: a fill of a known formula is no news.
TEST(Extrapolate, FillsOfTheSameInputTellNothing) {
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

/// Zero counts, zero sizes, empty phases: finite numbers everywhere.
TEST(Extrapolate, Degenerate) {
  Scenario S(2, 0);
  uint32_t A = S.addObject(1, 0, Scenario::times(0, Scenario::n()));
  S.B.Phases.push_back({0, 1, 0});
  S.addAccess(1, "random", makeConst(0), makeConst(0));
  S.B.Accesses.push_back({0, A, 0, 0});
  S.B.Misses.push_back({0, A, 0, 0, 0, 0, 0, 0});
  S.B.Curves.push_back({0, A, {0, 0, 0, 0, 0, 0, 0, 0}});
  S.B.Config.llc_share_bytes = 0;
  S.forSymbol("n=2000");
  Problem P = S.predict();
  for (const PredictedTask &T : P.Phases[0].Tasks) {
    EXPECT_TRUE(std::isfinite(T.Demand.CoreSeconds));
    for (const UnitDemand &U : T.Demand.Units)
      EXPECT_TRUE(std::isfinite(U.ReadLines) && std::isfinite(U.Exposed));
  }
}

static void learnStepByStep(bool Given) {
  constexpr uint64_t From = 0x31, To = 0x32, Step = 0x33, Trip = 0x34,
                     Whole = 0x35, Part = 0x36, Pace = 0x37;
  constexpr uint32_t Phases = 6;
  Scenario S(2, 5000);
  const ExprRef Length =
      makeOp("+", {makeSymbol(To), Scenario::times(-1, makeSymbol(From))});
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  uint32_t C = S.addObject(2, 80000, Scenario::times(80, makeSymbol(Step)));
  S.addAccess(1, "stream", Scenario::times(10, Length));
  S.addAccess(2, "random", makeOp("*", {makeSymbol(Trip), makeSymbol(Step)}));
  uint32_t D = S.addObject(3, 120000, Scenario::times(120, Scenario::n()));
  S.addAccess(3, "random", Scenario::times(2, makeSymbol(Part)));
  for (uint32_t H = 0; H < Phases; ++H) {
    if (H)
      S.B.Phases.push_back({H % 3 ? 0x40u : 0x41u, 1, 2});
    for (uint32_t T : {0u, 1u}) {
      const uint32_t Row = 2 * H + T;
      if (H)
        S.B.Tasks.push_back({Scenario::Region, H, T, T, 0, 5000, 5000, 0});
      S.addSymbol(From, "f:from", "derived", H % 2 ? 100 : 0, Row);
      S.addSymbol(To, "f:to", "derived", H % 2 ? 300 : 100, Row);
      S.addSymbol(Trip, "f:trip", "measured", H % 2 ? 20 + T : 0, Row);
      S.addMisses(Row, A, H % 2 ? 5120 : 2560, 0.5);
      if (H % 2)
        S.addMisses(Row, C, 700 + 10 * T, 0.4);
      if (H == 2) {
        S.addSymbol(Part, "f:part", "measured", T ? 3100 : 1900, Row);
        S.addMisses(Row, D, 1000 + 100 * T, 0.4);
      }
    }
  }
  S.addSymbol(Step, "main:step", "given", 10);
  for (SymbolFact &X : S.F.Symbols)
    if (X.Id == Trip)
      X.ScalesWith = makeOp("*", {makeSymbol(Pace), Length});
  S.addSymbol(Whole, "main:whole", "given", 5000);
  S.addSymbol(Pace, "main:pace", "given", 7);
  if (Given)
    S.forSymbol("n=2000");
  std::mt19937 Random(7);
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  TargetPredictor Shared(S.R);
  std::vector<KnownSymbol> Known;
  std::set<std::vector<double>> Seen;
  for (unsigned Hook = 0; Hook < 300; ++Hook) {
    for (size_t Most = Below(4) ? 0 : Below(8); Most && !Known.empty(); --Most)
      Known.erase(Known.begin() + Below(unsigned(Known.size())));
    const uint32_t H = Below(Phases), Twice = 1 + Below(3);
    std::vector<KnownSymbol> New;
    switch (Below(6)) {
    case 0:
      New = {{From, H % 2 ? 100.0 * Twice : 0, H},
             {To, (H % 2 ? 300.0 : 100.0) * Twice, H}};
      break;
    case 1:
      New = {{From, double(Below(50)), H}, {To, 60.0 + Below(500), H}};
      break;
    case 2:
      New = {{Step, 10.0 + Below(3), EK_NO_TASK}};
      break;
    case 3:
      New = {{Whole, 6000.0 + Below(3), EK_NO_TASK}};
      break;
    case 4:
      New = {{Pace, 8.0 + Below(3), EK_NO_TASK}};
      break;
    }
    for (const KnownSymbol &K : New) {
      auto Old = std::find_if(Known.begin(), Known.end(), [&](auto &O) {
        return O.Symbol == K.Symbol && O.Phase == K.Phase;
      });
      if (Old == Known.end())
        Known.push_back(K);
      else
        *Old = K;
    }
    std::vector<PredictedInstance> Sizes(Below(2));
    for (PredictedInstance &I : Sizes) {
      I.Site = 2;
      I.Bytes = 80000 + 8000 * Below(3);
    }
    Expected<Problem> Again = Shared.predict(Sizes, 0, Known);
    Expected<Problem> One = TargetPredictor(S.R).predict(Sizes, 0, Known);
    ASSERT_TRUE(Again && One);
    ASSERT_EQ(linesByPhase(*Again), linesByPhase(*One)) << Hook;
    ASSERT_EQ(Again->Methods, One->Methods) << Hook;
    for (uint32_t P = 0; P < Phases; ++P)
      for (uint32_t T : {0u, 1u}) {
        const PredictedTask &X = Again->Phases[P].Tasks[T];
        const PredictedTask &Y = One->Phases[P].Tasks[T];
        ASSERT_EQ(X.Demand.CoreSeconds, Y.Demand.CoreSeconds) << Hook;
        ASSERT_EQ(X.Accesses, Y.Accesses) << Hook;
        ASSERT_EQ(X.Determined, Y.Determined) << Hook;
      }
    Seen.insert(linesByPhase(*One));
  }
  EXPECT_GT(Seen.size(), 100u) << "what is known matters";
}

/// A predictor to which values become known, of phases and of the program, come
/// to be others and are unknown again, says what a new one would.
TEST(Extrapolate, OnePredictorLearnsAsNewOnesDo) {
  for (bool Given : {true, false})
    learnStepByStep(Given);
}

/// A predictor that is asked again and again says what a new one would.
TEST(Extrapolate, OnePredictorForAllHooks) {
  Scenario S(2, 5000);
  S.B.Phases.push_back({0x41, 1, 2});
  for (uint32_t T : {0u, 1u})
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 5000, 5000, 0});
  uint32_t A = S.addObject(1, 4 * MiB, Scenario::times(4096, Scenario::n()));
  uint32_t C = S.addObject(2, MiB);
  S.addAccess(1, "random", Scenario::n(), Scenario::n());
  S.addAccess(2, "stream", Scenario::times(3, Scenario::n()));
  for (uint32_t T = 0; T < 4; ++T) {
    S.addMisses(T, A, 100000 * (T + 1), 0.5, 256);
    S.addMisses(T, C, 700, 0.1 * T, 30, 8, 9);
  }
  auto Known = [](uint64_t Site, double Bytes) {
    PredictedInstance K;
    K.Site = Site;
    K.Bytes = Bytes;
    return K;
  };
  TargetPredictor Shared(S.R);
  const std::vector<std::vector<PredictedInstance>> Hooks = {
      {},
      {Known(1, 8 * MiB)},
      {Known(1, 8 * MiB), Known(2, 300000)},
      {Known(2, MiB / 2)},
      {}};
  for (size_t H = 0; H < Hooks.size(); ++H) {
    S.R.KnownSizes = Hooks[H];
    Problem One = S.predict();
    Expected<Problem> Again = Shared.predict(Hooks[H]);
    ASSERT_TRUE(static_cast<bool>(Again));
    EXPECT_EQ(Again->Methods, One.Methods) << H;
    EXPECT_EQ(Again->FastBytes, One.FastBytes) << H;
    ASSERT_EQ(Again->Phases.size(), 2u);
    for (unsigned F = 0; F < 2; ++F)
      for (unsigned T = 0; T < 2; ++T) {
        const TaskDemand &X = One.Phases[F].Tasks[T].Demand;
        const TaskDemand &Y = Again->Phases[F].Tasks[T].Demand;
        EXPECT_EQ(X.CoreSeconds, Y.CoreSeconds);
        ASSERT_EQ(X.Units.size(), Y.Units.size());
        for (size_t U = 0; U < X.Units.size(); ++U) {
          EXPECT_EQ(X.Units[U].ReadLines, Y.Units[U].ReadLines);
          EXPECT_EQ(X.Units[U].WriteLines, Y.Units[U].WriteLines);
          EXPECT_EQ(X.Units[U].Exposed, Y.Units[U].Exposed);
        }
      }
  }
  // What is over stays only where measured times are compared with it.
  Expected<Problem> Rest = Shared.predict({Known(2, MiB)}, 1);
  ASSERT_TRUE(static_cast<bool>(Rest));
  EXPECT_EQ(Rest->Phases[0].Tasks.size(),
            Rest->Phases[0].Gathered.empty() ? 0u : 2u);
  EXPECT_EQ(Rest->Phases[1].Tasks.size(), 2u);
}

} // namespace
