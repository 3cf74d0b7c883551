//===- LaneTest.cpp - the cache and overlap model, closed forms -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: access patterns whose misses can be counted by hand.
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
  // They are told some lines late; memory may have changed hands meanwhile.
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
  // For most lines nothing is told.
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

// A size below L2 stands for a machine all of whose caches are that small.
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

TEST(StepCurve, HoldsCurvesOfOneStepAndNoOthers) {
  const std::vector<std::vector<uint64_t>> Short = {
      {7, 7, 7, 7, 7, 7, 7, 7},
      {256, 256, 256, 0, 0, 0, 0, 0},
      {9, 0, 0, 0, 0, 0, 0, 0},
      {1, 1, 1, 1, 1, 1, 1, UINT32_MAX}};
  const std::vector<std::vector<uint64_t>> Others = {
      {9, 8, 7, 7, 7, 7, 7, 7},
      {9, 8, 9, 9, 9, 9, 9, 9},
      {1ull << 32, 0, 0, 0, 0, 0, 0, 0},
      {1ull << 32, 1ull << 32, 1ull << 32, 1ull << 32, 1ull << 32, 1ull << 32,
       1ull << 32, 1ull << 32}};
  auto Row = [](const std::vector<uint64_t> &Reads) {
    ek_raw_mrc C = {3, 5, {}};
    std::copy(Reads.begin(), Reads.end(), C.reads);
    return C;
  };
  StepCurve S;
  for (const auto &Reads : Short) {
    const ek_raw_mrc C = Row(Reads);
    ASSERT_TRUE(S.set(C));
    const ek_raw_mrc Again = S.curve();
    EXPECT_EQ(std::memcmp(&Again, &C, sizeof C), 0);
  }
  for (const auto &Reads : Others)
    EXPECT_FALSE(S.set(Row(Reads)));
}

/// As Prefetcher, searched one by one.
struct PlainPrefetcher {
  struct Stream {
    uint64_t Page, Last, Used;
    int Direction, Steps;
  } Table[16] = {};
  uint64_t Clock = 0;

  bool observe(uint64_t Line) {
    ++Clock;
    Stream *Oldest = Table;
    for (Stream &S : Table) {
      if (S.Used && S.Page == Line >> 6) {
        const int Step = Line == S.Last + 1 ? 1 : Line + 1 == S.Last ? -1 : 0;
        const bool Early = Step && Step == S.Direction && S.Steps;
        S = {S.Page, Line, Clock, Step, Step != 0};
        return Early;
      }
      if (S.Used < Oldest->Used)
        Oldest = &S;
    }
    *Oldest = {Line >> 6, Line, Clock, 0, 0};
    return false;
  }
};

TEST(Prefetcher, FindsAsAPlainSearchDoes) {
  std::mt19937_64 Random(5);
  Prefetcher P;
  PlainPrefetcher Q;
  unsigned Early = 0;
  uint64_t Line = 0;
  for (unsigned I = 0; I < 200000; ++I) {
    const uint64_t What = Random() % 8;
    // Pages in and out of the sixteen, some of which are 2^32 apart.
    const uint64_t Page = Random() % 20 | (Random() % 2) << 32;
    Line = What < 3   ? Page << 6 | Random() % 64
           : What < 4 ? Line - 1
                      : Line + 1;
    const bool Is = P.observe(Line);
    ASSERT_EQ(Is, Q.observe(Line)) << I;
    Early += Is;
  }
  EXPECT_GT(Early, 10000u);
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

TEST(RowMaskTest, CoversWhatEachAccessOfARowTouches) {
  for (uint64_t Bytes : {1, 2, 4, 8, 10, 16, 32, 64})
    for (uint64_t Apart = 0; Apart + Bytes <= 64; ++Apart)
      for (uint64_t N : {1ull, 2ull, 3ull, 5ull, 7ull, 31ull, 1ull << 33})
        for (uint64_t From = 0; From + Apart + Bytes <= 64; ++From) {
          std::bitset<64> Touched;
          const uint64_t Steps = std::min(N, Apart);
          for (uint64_t I = 0; I <= Steps; ++I)
            for (uint64_t B = 0; B < Bytes; ++B)
              Touched.set(From + (Steps ? Apart * I / Steps : 0) + B);
          ASSERT_EQ(rowMask(From, Apart, N, Bytes), Touched.to_ullong())
              << From << " " << Apart << " " << N << " " << Bytes;
        }
  EXPECT_EQ(rowMask(0, 8, 1, 0), 0u);
  EXPECT_EQ(rowMask(33, 24, 1, 8), 0u); // into the next line
}

// Against lists in order of use, of sets of fewer, as many and more ways than
// are compared at once. LineOf makes one of about 500 lines of a number.
template <typename Lines, typename F>
static void compareWithLists(uint32_t NumSets, F LineOf) {
  for (uint32_t Ways : {3u, 11u, 16u, 20u, 64u}) {
    PackedCache<Lines> C, Clean;
    HitCache<Lines> Hits;
    Lines Index;
    const uint64_t Bytes = uint64_t(NumSets) * Ways * 64;
    ASSERT_TRUE(C.init(Bytes, Ways, 64));
    ASSERT_TRUE(Clean.init(Bytes, Ways, 64));
    ASSERT_TRUE(Hits.init(Bytes, Ways, 64));
    unsigned Mistaken = 0;
    Index.init(Bytes, Ways, 64);
    std::vector<std::vector<uint64_t>> Lists(Index.size());
    std::mt19937_64 Random(Ways);
    for (unsigned I = 0; I < 200000; ++I) {
      const uint64_t Line = LineOf(Random());
      const bool Write = Random() % 4 == 0;
      const auto Place = C.placeOf(Line);
      std::vector<uint64_t> &L = Lists[Place.Set];
      auto At = std::find_if(L.begin(), L.end(),
                             [&](uint64_t E) { return E >> 1 == Line; });
      const bool Held = At != L.end();
      if (Random() % 8 == 0) {
        ASSERT_EQ(C.markDirty(Line), Held);
        if (Held)
          *At |= 1;
        continue;
      }
      uint64_t Entry = Line << 1 | Write | (Held ? *At & 1 : 0), Out = 0;
      uint64_t Evicted = 0;
      if (Held)
        L.erase(At);
      L.insert(L.begin(), Entry);
      if (L.size() > Index.waysOf(Place.Set)) {
        Evicted = L.back() & 1 ? L.back() : 0;
        L.pop_back();
      }
      ASSERT_EQ(C.access(Place, Write, Out), Held);
      ASSERT_EQ(Clean.access(Place), Held);
      Mistaken += Hits.access(Hits.placeOf(Line)) != Held;
      ASSERT_EQ(Out, Evicted);
      ASSERT_TRUE(C.hitsFirst(Line, false));
    }
    EXPECT_LT(Mistaken, 200u); // its tags have 16 bits
  }
}

TEST(PackedCacheTest, HoldsWhatListsOfWaysHoldOfSampledLines) {
  compareWithLists<SampledLines>(300, [](uint64_t N) {
    return sampledLineOf((1ull << 33) + N % 499) / 64;
  });
}

TEST(PackedCacheTest, HoldsWhatListsOfWaysHoldOfAllLines) {
  // The upper halves differ, too, and so do lines that share a set: few of the
  // sets are used.
  for (uint32_t NumSets : {128u, 139u, 1024u})
    compareWithLists<AllLines>(NumSets, [NumSets](uint64_t N) {
      const uint64_t Upper = N % 64, Times = N / 64 % 97, Next = N / 8192 % 3;
      const uint64_t Lower = uint32_t((Times << 20) * NumSets + Next);
      return First + (Upper << 32) + Lower;
    });
}

TEST(PackedCacheTest, TagsTellAllLinesOfASet) {
  for (uint32_t NumSets : {128u, 139u, 17754u}) {
    AllLines Lines;
    Lines.init(uint64_t(NumSets) * 11 * 64, 11, 64);
    Sets Whole;
    Whole.init(uint64_t(NumSets) * 11 * 64, 11, 64);
    std::mt19937_64 Random(NumSets);
    const uint64_t Ends[] = {0, (1ull << 32) - 1, 1ull << 32, (1ull << 38) - 1};
    for (unsigned I = 0; I < 100000; ++I) {
      const uint64_t N = I < 4 ? Ends[I] : Random() % (1ull << 38);
      uint32_t Set = 0, Tag = 0;
      Lines.locate(First + N, Set, Tag);
      ASSERT_EQ(Set, Whole.of(First + N));
      ASSERT_NE(Tag, 0u);
      ASSERT_EQ(Lines.lineOf(Set, Tag, First), First + N);
    }
  }
}

// A block of columns uses a part of each page only: the sets that it takes from
// others are those that it takes in full.
TEST_F(SampledLaneTest, PartsOfPagesTakeTheirShareOfACache) {
  const uint64_t Resident = First, Columns = First + (1 << 20);
  double Lost[2];
  for (uint32_t Rate : {1u, uint32_t(SampledRate)}) {
    O.Rate = Rate;
    O.LlcBytes = 64 * 11 * 64; // next to nothing: what leaves L2 is fetched
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

// A sampled run's caches hold what a full run's hold of the sampled lines: of
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

// A described loop tells how many lines it comes by in a window.
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

TEST(SamplingTest, OneLineOfEachPage) {
  for (uint64_t Page : {0ull, 1ull, 1ull << 33, (1ull << 33) + 12345}) {
    unsigned Lines = 0;
    for (uint64_t A = Page << 12; A < (Page + 1) << 12; A += 64)
      Lines += sampled(A) && sampled(A + 63);
    EXPECT_EQ(Lines, 1u);
    EXPECT_TRUE(sampled(sampledLineOf(Page)));
  }
}

TEST(SamplingTest, LinesAreCountedFromThePagesSampledOne) {
  for (uint64_t Page : {0ull, 5ull, 1ull << 33, (1ull << 33) + 12345}) {
    std::set<uint64_t> Seen;
    for (uint64_t Line = Page * 64; Line < Page * 64 + 64; ++Line) {
      const uint64_t T = turned(Line);
      EXPECT_EQ(T / 64, Page);
      EXPECT_EQ(T % 64 == 0, sampled(Line * 64));
      EXPECT_EQ(turnedBack(T), Line);
      Seen.insert(T);
    }
    EXPECT_EQ(Seen.size(), 64u);
  }
}

// A walk down a column meets one line number in each page: of N pages, nearly
// an N/64th is sampled there, whatever the distance between the rows (an eighth
// more or less where it is 5 pages, less elsewhere).
TEST(SamplingTest, StridedWalksAreSampledEvenly) {
  for (uint64_t Pages : {1, 2, 3, 5, 16, 100, 1024}) {
    for (uint64_t Offset : {0, 64, 2048, 4032}) {
      unsigned Lines = 0;
      for (uint64_t I = 0; I < 64 * 100; ++I)
        Lines += sampled((1ull << 45) + I * Pages * 4096 + Offset);
      EXPECT_NEAR(Lines, 100, Pages == 5 ? 13 : 8)
          << Pages << " pages apart, at " << Offset;
    }
  }
}

// What a loop's description says is what its accesses say one by one.
TEST(LoopWalkTest, DescribedLoopsAreWalkedAsWritten) {
  struct Access {
    uint64_t Start;
    int64_t Step;
    uint64_t Bytes;
  };
  const uint64_t A = 1ull << 45;
  const std::vector<std::vector<Access>> Loops = {
      {{A, 8, 8}},
      {{A + 24, 8, 8}, {A + 100000, 8, 8}, {A + 100008, 8, 8}},
      {{A + 90000, -8, 8}, {A + 16, 4, 4}},
      {{A, 0, 8}, {sampledLineOf(A >> 12) + 8, 0, 8}},
      {{A + 60, 24, 16}, {A + 200000, -40, 8}},
      {{A, 64, 64}, {A + 32, 72, 8}, {A, 128, 8}},
      {{A, 1000, 8}, {A + 700000, -1000, 8}, {A, 2047, 3}},
      {{A, 4096, 8}, {A + (1 << 24), -4096, 100}, {A, 5000, 8}, {A, 1, 1}},
  };
  for (const std::vector<Access> &Loop : Loops)
    for (uint64_t Trips : {0, 1, 2, 7, 64, 1000, 4097}) {
      // (iteration, stream, line) of first accesses, and how many follow.
      std::map<std::tuple<uint64_t, unsigned, uint64_t>, uint64_t> Want, Got;
      std::vector<std::pair<uint64_t, uint64_t>> Last(Loop.size(), {0, 0});
      for (uint64_t I = 0; I < Trips; ++I)
        for (unsigned S = 0; S < Loop.size(); ++S) {
          uint64_t At = Loop[S].Start + static_cast<uint64_t>(Loop[S].Step) * I;
          for (uint64_t Line = At / 64; Line <= (At + Loop[S].Bytes - 1) / 64;
               ++Line) {
            if (!sampled(Line * 64))
              continue;
            if (Last[S].first != Line)
              Last[S] = {Line, I};
            ++Want[{Last[S].second, S, Line}];
          }
        }
      LoopWalk W;
      W.begin(Trips);
      for (const Access &X : Loop)
        W.add(X.Start, X.Step, X.Bytes);
      LoopWalk::Event E;
      uint64_t Before = 0;
      for (uint64_t End : {Trips / 3, Trips})
        while (W.next(End, E)) {
          EXPECT_GE(E.Iteration, Before);
          EXPECT_LT(E.Iteration, End);
          Before = E.Iteration;
          EXPECT_TRUE(sampled(E.Address));
          // Steps of half a page and more are told one by one.
          Got[{E.Iteration, E.Stream, E.Address / 64}] += E.Times;
        }
      EXPECT_EQ(Want, Got) << "loop " << &Loop - Loops.data() << ", " << Trips;
    }
}

TEST(OptionsTest, SizesAreWholeSets) {
  Options O;
  O.normalise();
  EXPECT_EQ(O.LlcBytes % (64 * 11 * 64), 0u); // 64 equal parts of whole sets
  EXPECT_GE(O.LlcBytes, 1562166u);
  EXPECT_LT(O.LlcBytes, 1562166u + 64 * 11 * 64);
  EXPECT_EQ(O.LlcSize[4], O.LlcBytes);
  EXPECT_NEAR(double(O.LlcSize[0]) * 16, O.LlcBytes, 16 * CurveSets * 11 * 64);
  for (uint32_t Size : O.LlcSize)
    EXPECT_EQ(Size % (CurveSets * 11 * 64), 0u);
  EXPECT_EQ(O.LlcSize[7] / 8, O.LlcBytes);
}
