//===- LaneTest.cpp - the cache and overlap model, closed forms -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: access patterns whose misses can be computed by hand.
//===----------------------------------------------------------------------===//
#include "record/caches/Lane.h"
#include "record/caches/LoopWalk.h"
#include "record/caches/PackedCache.h"
#include "record/caches/Sampling.h"
#include "record/races/RowMask.h"
#include "record/tasks/Frame.h"
#include <algorithm>
#include <bitset>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

using namespace ekrec;

namespace {

struct Events {
  struct Fetch {
    uint64_t Line;
    double Weight;
    bool Dependent;
  };
  std::vector<Fetch> Fetched;
  std::vector<uint64_t> Written;
  uint64_t Curves[LlcSizes] = {};
  uint64_t Stalled = 0;
  unsigned FarLines = 0;
  double FarWeight = 0;

  void fetch(uint64_t L, double W, bool D) { Fetched.push_back({L, W, D}); }
  void expect(uint64_t) {}
  void writeBack(uint64_t L) { Written.push_back(L); }
  uint32_t Owner = 0;
  uint64_t Owned[3] = {}; // of the largest size, by owner
  uint32_t owner(uint64_t) const { return Owner; }
  void curve(uint32_t Of, unsigned Sizes, unsigned Times) {
    for (unsigned I = 0; I < LlcSizes; ++I)
      Curves[I] += Sizes >> I & 1 ? Times : 0;
    Owned[Of] += Sizes >> (LlcSizes - 1) & 1 ? Times : 0;
  }
  void far(uint32_t, double W, unsigned Times) {
    FarLines += Times;
    FarWeight += W * Times;
  }
  void stall(uint64_t C) { Stalled += C; }
  double weight() const {
    double Sum = 0;
    for (const Fetch &F : Fetched)
      Sum += F.Weight;
    return Sum;
  }
};

// 8 lines in L1, 32 in L2, 128 in the last level, in one or several sets.
Options tiny() {
  Options O;
  O.L1Bytes = 8 * 64;
  O.L1Ways = 2;
  O.L2Bytes = 32 * 64;
  O.L2Ways = 4;
  O.LlcBytes = 128 * 64;
  O.LlcWays = 8;
  O.PrefetchDepth = 0;
  O.normalise();
  return O;
}

constexpr uint64_t First = (1ull << 45) / 64; // where canonical lines begin

class LaneTest : public ::testing::Test {
protected:
  Options O = tiny();
  Events E;
  uint64_t Position = 0;

  void walk(Lane &L, uint64_t Begin, uint64_t Lines, bool Write = false,
            uint64_t Stride = 1, uint64_t Distance = 1000,
            bool Dependent = false) {
    for (uint64_t I = 0; I < Lines; ++I)
      L.access(Begin + I * Stride, Write, Dependent, Position += Distance, E);
  }
};

} // namespace

TEST_F(LaneTest, StreamFetchesItsFootprintOnce) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  walk(L, First, 1000);
  L.flush(E);
  EXPECT_EQ(E.Fetched.size(), 1000u);
  EXPECT_TRUE(E.Written.empty());
  // Every miss is alone in its window: it costs a whole latency.
  EXPECT_DOUBLE_EQ(E.weight(), 1000.0);
}

TEST_F(LaneTest, FootprintBelowTheCacheMissesOnlyOnce) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  for (int Round = 0; Round < 5; ++Round)
    walk(L, First, 128);
  L.flush(E);
  EXPECT_EQ(E.Fetched.size(), 128u);
}

TEST_F(LaneTest, CyclicWalkAboveTheCacheAlwaysMisses) {
  // LRU keeps nothing of a cyclic walk that is one way too long.
  Lane L;
  ASSERT_TRUE(L.init(O));
  for (int Round = 0; Round < 5; ++Round)
    walk(L, First, 128 + 16);
  L.flush(E);
  EXPECT_EQ(E.Fetched.size(), 5u * (128 + 16));
}

TEST_F(LaneTest, StrideOfTwoUsesHalfTheSets) {
  // 16 sets: even lines fill 8 of them, so half the lines fit.
  Lane L;
  ASSERT_TRUE(L.init(O));
  for (int Round = 0; Round < 3; ++Round)
    walk(L, First, 64, false, 2);
  L.flush(E);
  EXPECT_EQ(E.Curves[4], 64u);
  for (int Round = 0; Round < 3; ++Round)
    walk(L, First + 10000, 72, false, 2);
  L.flush(E);
  EXPECT_EQ(E.Curves[4], 64u + 3 * 72);
}

TEST_F(LaneTest, LeastRecentlyUsedGoesFirst) {
  Cache C;
  uint64_t Out = 0;
  ASSERT_TRUE(C.init(3 * 64, 3, 64));
  for (uint64_t Line : {1, 2, 3})
    EXPECT_FALSE(C.access(C.placeOf(Line), Line == 2, Out));
  EXPECT_TRUE(C.access(C.placeOf(1), false, Out)); // order now 1 3 2
  EXPECT_FALSE(C.access(C.placeOf(4), false, Out));
  EXPECT_EQ(Out, 2u << 1 | 1); // the dirty one
  EXPECT_FALSE(C.access(C.placeOf(5), false, Out));
  EXPECT_EQ(Out, 3u << 1);
  EXPECT_TRUE(C.access(C.placeOf(1), false, Out));
}

TEST_F(LaneTest, DirtyLinesAreWrittenBackOnceWhenTheyLeave) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  walk(L, First, 1000, /*Write=*/true);
  L.flush(E);
  // Write-allocate: each is fetched; what the last level cannot hold was
  // written. A store never waits for its line.
  EXPECT_EQ(E.Fetched.size(), 1000u);
  std::set<uint64_t> Lines(E.Written.begin(), E.Written.end());
  EXPECT_EQ(Lines.size(), E.Written.size());
  EXPECT_EQ(E.Written.size(), 1000u - 128);
  EXPECT_NEAR(E.weight(), 1000.0 / O.FillBuffers, 1e-9);
  // A clean walk drives out the rest.
  walk(L, First + 100000, 1000);
  EXPECT_EQ(E.Written.size(), 1000u);
}

TEST_F(LaneTest, CurvesAreOfThoseWhoseLinesTheyWereThen) {
  // They are reported some lines later; the memory may have another owner then.
  for (bool FewSets : {true, false}) {
    O = FewSets ? tiny() : Options();
    O.normalise();
    E = Events();
    Lane L;
    ASSERT_TRUE(L.init(O));
    walk(L, First, 3 * 64); // whole pages
    E.Owner = 1;
    walk(L, First + 16 * 64, 64);
    E.Owner = 2;
    L.endTask(E);
    EXPECT_EQ(E.Owned[0], 3 * 64u);
    EXPECT_EQ(E.Owned[1], 64u);
    EXPECT_EQ(E.Owned[2], 0u);
  }
}

TEST_F(LaneTest, FarIsWhatLinesWouldWeighWithoutTheCachesBehind) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  // 16 lines do not fit in L1, but in L2; four at once.
  for (unsigned Round = 0; Round < 10; ++Round)
    for (unsigned K = 0; K < 16; ++K)
      L.access(First + K * 5, false, false, Position += K % 4 ? 10 : 1000, E);
  L.endTask(E);
  EXPECT_EQ(E.Fetched.size(), 16u);
  // Of the first lines only; as if all of them were eight times as many.
  EXPECT_EQ(E.FarLines, 8 * 160u);
  EXPECT_DOUBLE_EQ(E.FarWeight, 8 * 40);
  // For most lines nothing is reported.
  for (unsigned K = 0; K < 3000; ++K)
    L.access(First + K, false, false, Position += 1000, E);
  L.endTask(E);
  EXPECT_EQ(E.FarLines, 8 * 512u);
}

TEST_F(LaneTest, CurvesCountWhatEachSizeWouldFetch) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  // Sizes are 8, 16, 32, ... 1024 lines.
  for (int Round = 0; Round < 4; ++Round)
    walk(L, First, 200);
  L.flush(E);
  EXPECT_EQ(E.Curves[4], 800u); // 128 lines
  EXPECT_EQ(E.Curves[4], E.Fetched.size());
  EXPECT_EQ(E.Curves[5], 200u); // 256 lines
  EXPECT_EQ(E.Curves[7], 200u);
}

// One set in eight stands for all. Half of the lines come from a part that the
// larger sizes hold.
TEST_F(LaneTest, CurvesOfFullRunsAreThoseOfAllSets) {
  O = Options();
  O.normalise();
  Lane L;
  ASSERT_TRUE(L.init(O));
  FullCache Whole[LlcSizes];
  for (unsigned I = 0; I < LlcSizes; ++I)
    ASSERT_TRUE(Whole[I].init(O.LlcSize[I], O.LlcWays, LineBytes));
  uint64_t Expected[LlcSizes] = {};
  std::mt19937_64 Random(1);
  for (unsigned K = 0; K < 1000000; ++K) {
    const uint64_t N = Random();
    const uint64_t Line = First + N / 2 % (N % 2 ? 1 << 15 : 1 << 18);
    const bool Missed = L.access(Line, false, false, Position += 1000, E);
    for (unsigned I = 0; I < LlcSizes; ++I)
      if (O.LlcSize[I] <= O.L2Bytes || Missed)
        Expected[I] += !Whole[I].access(Whole[I].placeOf(turned(Line)));
  }
  L.flush(E);
  EXPECT_EQ(E.Curves[4], E.Fetched.size()); // of the last level itself: all
  for (unsigned I = 0; I < LlcSizes; ++I)
    EXPECT_NEAR(double(E.Curves[I]), double(Expected[I]), 0.02 * Expected[I])
        << I;
  EXPECT_LT(E.Curves[7], E.Curves[0] * 2 / 3);
}

// A size below L2 represents a machine whose caches are all that small.
TEST_F(LaneTest, SmallSizesAreNotFilteredByL2) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  for (int Round = 0; Round < 4; ++Round)
    walk(L, First, 24); // three times L1, within L2
  L.flush(E);
  EXPECT_EQ(E.Fetched.size(), 24u);
  EXPECT_EQ(E.Curves[1], 96u); // 16 lines
  EXPECT_EQ(E.Curves[2], 24u); // 32 lines: as L2
  EXPECT_EQ(E.Curves[4], 24u);
}

TEST_F(LaneTest, MissesOfOneWindowShareOneLatency) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  // 56 instructions apart: four in a window of 224.
  walk(L, First, 400, false, 1, 56);
  L.flush(E);
  EXPECT_EQ(E.Fetched.size(), 400u);
  EXPECT_NEAR(E.weight(), 100.0, 1e-9);
}

TEST_F(LaneTest, FillBuffersBoundTheGroup) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  walk(L, First, 1200, false, 1, 1);
  L.flush(E);
  EXPECT_NEAR(E.weight(), 100.0, 1e-9);
}

TEST_F(LaneTest, DependentMissesDoNotOverlap) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  walk(L, First, 300, false, 7, 1, /*Dependent=*/true);
  L.flush(E);
  EXPECT_NEAR(E.weight(), 300.0, 1e-9);
  for (const auto &F : E.Fetched)
    EXPECT_TRUE(F.Dependent);
}

TEST_F(LaneTest, PrefetcherHidesTheRestOfAPage) {
  O.PrefetchDepth = 20;
  Lane L;
  ASSERT_TRUE(L.init(O));
  ASSERT_EQ(First % 64, 0u);
  walk(L, First, 64 * 10);
  L.flush(E);
  // Per page two training misses; 62 lines cost a twentieth.
  EXPECT_EQ(E.Fetched.size(), 640u);
  EXPECT_NEAR(E.weight(), 10 * (2 + 62 / 20.0), 1e-9);
}

TEST_F(LaneTest, PrefetcherFollowsDescendingLinesButNotJumps) {
  O.PrefetchDepth = 20;
  Lane L;
  ASSERT_TRUE(L.init(O));
  for (uint64_t I = 64; I-- > 0;)
    L.access(First + I, false, false, Position += 1000, E);
  L.flush(E);
  EXPECT_NEAR(E.weight(), 2 + 62 / 20.0, 1e-9);
  Events Jumps;
  for (uint64_t I : {0, 5, 1, 9, 3, 20, 13})
    L.access(First + 6400 + I, false, false, Position += 1000, Jumps);
  L.flush(Jumps);
  EXPECT_NEAR(Jumps.weight(), 7.0, 1e-9);
}

TEST_F(LaneTest, LastLevelHitsCostCoreTimeOncePerGroup) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  walk(L, First, 64);
  L.flush(E);
  E = Events();
  walk(L, First, 64, false, 1, 56); // beyond L2, within the last level
  L.flush(E);
  EXPECT_TRUE(E.Fetched.empty());
  EXPECT_EQ(E.Stalled, 16u * O.LlcCycles);
}

// Sampled: a line in each page; caches have a 64th of the lines.
class SampledLaneTest : public LaneTest {
protected:
  void SetUp() override {
    O = Options();
    O.LlcBytes = 1024 * 11 * 64;
    O.Rate = SampledRate;
    O.PrefetchDepth = 0;
    O.normalise();
  }
  /// The sampled lines of pages from the one of line \p From on.
  void walkPages(Lane &L, uint64_t From, uint64_t Pages) {
    for (uint64_t Page = From / 64; Page < From / 64 + Pages; ++Page)
      walk(L, sampledLineOf(Page) / 64, 1);
  }
};

TEST_F(SampledLaneTest, CachesAreScaled) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  // 1024 * 11 lines in full: 176 sampled ones.
  for (int Round = 0; Round < 3; ++Round)
    walkPages(L, First, 176);
  EXPECT_EQ(E.Fetched.size(), 176u);
  for (int Round = 0; Round < 3; ++Round)
    walkPages(L, First + 6400000, 2 * 176);
  EXPECT_EQ(E.Fetched.size(), 176u + 3 * 2 * 176);
}

// A block of columns uses only a part of each page: it takes the same sets from
// others as in a full run.
TEST_F(SampledLaneTest, PartsOfPagesTakeTheirShareOfACache) {
  const uint64_t Resident = First, Columns = First + (1 << 20);
  double Lost[2];
  for (uint32_t Rate : {1u, uint32_t(SampledRate)}) {
    O.Rate = Rate;
    O.LlcBytes = 64 * 11 * 64; // tiny: lines that leave L2 are fetched again
    O.normalise();
    Lane L;
    ASSERT_TRUE(L.init(O));
    auto Touch = [&](uint64_t Line) {
      if (Rate == 1 || sampled(Line * 64))
        L.access(Line, false, false, Position += 1000, E);
    };
    auto Read = [&] { // half of L2
      for (uint64_t I = 0; I < 8192; ++I)
        Touch(Resident + I);
    };
    Read();
    for (uint64_t Row = 0; Row < 512; ++Row)
      for (uint64_t I = 0; I < 32; ++I)
        Touch(Columns + Row * 256 + I); // half a page in four
    L.flush(E);
    E = Events();
    Read();
    L.flush(E);
    Lost[Rate > 1] = double(E.Fetched.size()) * Rate;
  }
  EXPECT_NEAR(Lost[0], 2048, 1e-9); // a quarter of the sets: one page in four
  EXPECT_NEAR(Lost[1], Lost[0], 65);
}

// A sampled run's caches hold the same of the sampled lines as a full run's: of
// dense memory that nearly fits, of columns, of rows powers of two apart.
TEST_F(SampledLaneTest, SampledRunsAreAPartOfFullOnes) {
  std::vector<uint64_t> Fetched[2], Written[2];
  for (uint32_t Rate : {1u, uint32_t(SampledRate)}) {
    O = Options();
    O.L1Bytes = 64; // just the last line: hits there are hits in L2
    O.L1Ways = 1;
    O.PrefetchDepth = 0;
    O.Rate = Rate;
    O.normalise();
    EXPECT_EQ(O.LlcBytes / (11 * 64) % 64, 0u);
    Lane L;
    ASSERT_TRUE(L.init(O));
    E = Events();
    auto Touch = [&](uint64_t Line, bool Write) {
      if (Rate == 1 || sampled(Line * 64))
        L.access(Line, Write, false, Position += 1000, E);
    };
    std::mt19937_64 Random(1);
    for (unsigned Round = 0; Round < 4; ++Round) {
      // From two places that are 2^38 bytes apart and more.
      const uint64_t Begin = First + (Round % 2 * 5ull << 32);
      for (uint64_t I = 0; I < 24000; ++I) // the last level has 24640
        Touch(Begin + I, Round == 1);
      for (uint64_t Row = 0; Row < 4000; ++Row)
        for (uint64_t I = 0; I < 5; ++I)
          Touch(Begin + 100000 + Row * 48 + I, Row % 3 == 0);
      for (uint64_t Column = 0; Column < 16; ++Column)
        for (uint64_t Row = 0; Row < 2048; ++Row)
          Touch(Begin + 1000000 + Row * 1024 + Column, Round == 2);
      for (unsigned I = 0; I < 100000; ++I)
        Touch(Begin + Random() % 40000, I % 4 == 0);
    }
    L.flush(E);
    for (const Events::Fetch &F : E.Fetched)
      if (sampled(F.Line * 64))
        Fetched[Rate > 1].push_back(F.Line);
    for (uint64_t Line : E.Written)
      if (sampled(Line * 64))
        Written[Rate > 1].push_back(Line);
    EXPECT_NEAR(double(Fetched[Rate > 1].size()) * 64,
                double(E.Fetched.size()) * Rate, E.Fetched.size() * Rate * .01);
  }
  for (auto *Lines : {Fetched, Written}) {
    std::sort(Lines[0].begin(), Lines[0].end());
    std::sort(Lines[1].begin(), Lines[1].end());
    EXPECT_FALSE(Lines[0].empty());
    EXPECT_EQ(Lines[0], Lines[1]);
  }
}

TEST_F(SampledLaneTest, LastLevelsOf4To32MegabytesAtOnce) {
  EXPECT_NEAR(O.LlcSize[3], O.LlcBytes, 0);
  for (unsigned I = 4; I < 8; ++I) {
    EXPECT_EQ(O.LlcSize[I] / (11 * 64) % 64, 0u);
    EXPECT_GE(O.LlcSize[I], 1u << (18 + I));
    EXPECT_LT(O.LlcSize[I], (1u << (18 + I)) + 64 * 11 * 64);
  }
  Lane L;
  ASSERT_TRUE(L.init(O));
  // 6 MiB, twice: the 4 MiB level loses most of them, 8 MiB holds them.
  for (int Round = 0; Round < 2; ++Round)
    walkPages(L, First, (6 << 20) / 4096);
  L.flush(E);
  EXPECT_GE(E.Curves[4], 1536u + 1400u);
  EXPECT_EQ(E.Curves[5], 1536u);
  EXPECT_EQ(E.Curves[7], 1536u);
}

// 6400 instructions from one sampled miss to the next are 100 from miss to
// miss: two more fit behind the one that opens a window of 224.
TEST_F(SampledLaneTest, DensityTellsOverlap) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  walk(L, First, 1000, false, 64, 6400);
  EXPECT_NEAR(E.weight(), 1000 / 3.24, 10);
  E = Events();
  walk(L, First + 640000, 1000, false, 64, 6400, /*Dependent=*/true);
  EXPECT_NEAR(E.weight(), 1000, 1e-9);
  E = Events();
  walk(L, First + 1280000, 1000, true, 64, 6400);
  EXPECT_NEAR(E.weight(), 1000.0 / O.FillBuffers, 1e-9);
}

// A described loop determines how many lines it passes in a window.
TEST_F(SampledLaneTest, LoopsTellOverlap) {
  Lane L;
  ASSERT_TRUE(L.init(O));
  auto Line = [&](uint64_t I) { return sampledLineOf(First / 64 + I) / 64; };
  for (uint64_t I = 0; I < 100; ++I)
    EXPECT_TRUE(
        L.access(Line(I), false, false, Position += 1 << 20, E, {false, 5}));
  EXPECT_FALSE(L.access(Line(0), false, false, Position, E, {false, 5}));
  EXPECT_NEAR(E.weight(), 20, 1e-9);
}

TEST_F(SampledLaneTest, WalksInOrderAreTakenForPrefetched) {
  O.PrefetchDepth = 20;
  Lane L;
  ASSERT_TRUE(L.init(O));
  for (uint64_t I = 0; I < 100; ++I)
    L.access(First + 64 * I, false, false, Position += 6400, E,
             {/*InOrder=*/true, 1});
  EXPECT_NEAR(E.weight(), 100 / 20.0, 1e-9);
  walk(L, First + 64000, 1, false, 1, 1 << 20);
  EXPECT_NEAR(E.weight(), 100 / 20.0 + 1, 0.01);
}
