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
    for (const UnitDemand &U : shapeOf(Q, 64 * MiB, {4, Stretch}))
      Out[U.Unit] = std::round(U.ReadLines);
    return Out;
  };
  EXPECT_EQ(Lines(1), std::vector<double>({640, 640, 0, 0}));
  EXPECT_EQ(Lines(2), std::vector<double>({320, 320, 320, 320}));
}

/// Of a walk, new lines go where the caches held them; of another access, where
/// its other lines are.
TEST(LinesByUnit, StageOfNewLines) {
  std::vector<UnitDemand> Shape(8);
  for (unsigned K = 0; K < 8; ++K)
    Shape[K] = {K, K == 3 ? 40.0 : 100.0, 0, 0, 0, 0};
  const std::vector<double> Walk = newLines(Shape, 1, 60, true);
  EXPECT_EQ(Walk, std::vector<double>({0, 0, 0, 60, 0, 0, 0, 0}));
  EXPECT_NEAR(newLines(Shape, 1, 74, false)[3], 74 * 40 / 740., 1e-9);
  EXPECT_NEAR(newLines(Shape, 1, 74, false)[4], 74 * 100 / 740., 1e-9);
}

} // namespace
