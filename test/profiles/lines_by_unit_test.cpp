//===- lines_by_unit_test.cpp - distribution of lines in objects ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the places in objects of the lines that tasks fetch.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"
#include "format/Course.h"
#include "predict/TargetPredictor.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

constexpr uint64_t MiB = 1 << 20;

/// The base object has 8 pages, so only every 32nd chunk has lines; of 256
/// units of 64 KiB on the target, each gets its share of them.
TEST(LinesByUnit, FewPagesLieInAllChunks) {
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

/// The base object has 400 pages, one or two in each of 256 chunks. Of a static
/// array the base input uses a 64th, four chunks, and the target all. Lines
/// fetched equally of each page are evenly distributed on the target.
TEST(LinesByUnit, PagesLieEvenly) {
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

/// Four threads walk through an object that fitted in the caches on the base
/// input. The lines that they fetch on the target lie in their own address
/// ranges, in the order of the threads; so do the lines added to a range of
/// which few lines were fetched. If chunks are distributed round robin or on
/// demand, or each thread walks through all of it or a small part of it, no
/// thread has a range of its own.
TEST(LinesByUnit, WalksKeepToTheirParts) {
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
    std::swap(S.B.Tasks[1], S.B.Tasks[3]); // rows are not sorted
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
      // The result if no more than 64 KiB are held.
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

/// A thread with a count of zero has no range, and neither has an object
/// without bytes: results are finite, and all fetched lines are in some unit.
TEST(LinesByUnit, EmptyPartsAreNone) {
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

/// A static array of 64 MiB of which the base input uses the first 8: twice the
/// input uses 16, not the same 8 twice.
TEST(LinesByUnit, FixedArraysAreUsedFurther) {
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

/// Data decide where a task gathers, and a value that takes turns decides which
/// part: on another input it gathers near there, within the used part. Walks
/// keep their place, and so do gathers without turns: iteration numbers never
/// repeat, and a single part does not alternate. Walks may restart where data
/// decide.
TEST(LinesByUnit, GathersLieAbout) {
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
        if (*Blocks)
          S.F.Accesses.back().Blocks =
              Scenario::valueOf<AccessFact::ClassType>(Blocks);
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
        // Finished phases count if they provide information.
        Expected<Problem> Over = TargetPredictor(S.R).predict({}, 2);
        ASSERT_TRUE(static_cast<bool>(Over));
        EXPECT_EQ(Over->Phases[0].Tasks.size(), Turns && Told ? 2u : 0u);
        if (Same || !Turns || !Told) {
          ASSERT_EQ(Units.size(), 1u);
          EXPECT_EQ(P.Units[Units[0].Unit].From, 100u);
          // Once a hook knows a size, the target is another input.
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
        // At a distance of up to 16 chunks; places below 90 are mirrored.
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
TEST(LinesByUnit, HistogramsStretch) {
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

/// After a wait, a thread continues its task, with its share of the team's
/// iterations: of 10, the second of 4 threads has 3, of 14 it has 4.
TEST(LinesByUnit, PartsHaveTheShareOfTheirTask) {
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

/// On the base input, the caches held three quarters of units 4 to 7 of 16. On
/// an input twice as large they hold nothing, and walks fetch all units evenly;
/// for other accesses it is not known which lines were held. The ends of a walk
/// may be partial units.
TEST(LinesByUnit, LinesThatNoLongerFitAreThoseThatWereHeld) {
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

/// The times at which a base task fetched lines are kept on the target, for the
/// units that correspond to its chunks; also for an object of two pages, with
/// empty chunks between them. If most lines are new, the times are not known.
TEST(LinesByUnit, CoursesOfUnits) {
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

/// A quarter of the lines in each quarter of the object; on the target twice as
/// far in, because the array is used twice as far.
TEST(LinesByUnit, StageOfShapes) {
  std::vector<ek_raw_miss> Rows;
  for (unsigned C = 0; C < EK_CHUNKS / 2; ++C)
    Rows.push_back({0, 0, C, 0, 10, 1, 5.0, 0});
  BaseDemand Q;
  for (const ek_raw_miss &M : Rows)
    Q.Rows.push_back(&M);
  auto Lines = [&](double Stretch) {
    std::vector<double> Out(4);
    for (const UnitDemand &U :
         shapeOf(Q, 64 * MiB, {0, EK_CHUNKS / 2 - 1}, {4, Stretch, false}))
      Out[U.Unit] = std::round(U.ReadLines);
    return Out;
  };
  EXPECT_EQ(Lines(1), std::vector<double>({640, 640, 0, 0}));
  EXPECT_EQ(Lines(2), std::vector<double>({320, 320, 320, 320}));
}

/// Loose lines lie as far as 16 chunks to either side of their own.
TEST(LinesByUnit, StageOfLooseShapes) {
  const ek_raw_miss Row = {0, 0, 128, 0, 3300, 0, 0, 0};
  BaseDemand Q;
  Q.Rows = {&Row};
  const auto Loose = shapeOf(Q, 64 * MiB, {100, 160}, {EK_CHUNKS, 1, true});
  ASSERT_EQ(Loose.size(), 33u);
  EXPECT_EQ(Loose.front().Unit, 112u);
  EXPECT_NEAR(Loose.front().ReadLines, 100, 1e-6);
}

/// Of a walk, new lines go where the caches held them; of another access, where
/// its other lines are.
TEST(LinesByUnit, StageOfNewLines) {
  std::vector<UnitDemand> Shape(8);
  for (unsigned K = 0; K < 8; ++K)
    Shape[K] = {K, K == 3 ? 40.0 : 100.0, 0, 0, 0, 0};
  BaseDemand Q;
  Q.Walked = true;
  const std::vector<double> Walk = newLines(Q, Shape, 8, 1, 60);
  EXPECT_EQ(Walk, std::vector<double>({0, 0, 0, 60, 0, 0, 0, 0}));
  Q.Walked = false;
  EXPECT_NEAR(newLines(Q, Shape, 8, 1, 74)[3], 74 * 40 / 740., 1e-9);
  EXPECT_NEAR(newLines(Q, Shape, 8, 1, 74)[4], 74 * 100 / 740., 1e-9);
}

} // namespace
