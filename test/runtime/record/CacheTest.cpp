//===- CacheTest.cpp - caches, samples and masks of the recorder ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: each is compared with a simple implementation of the same.
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

constexpr uint64_t First = (1ull << 45) / 64; // where canonical lines begin

/// Like Prefetcher, with a linear search.
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

// A walk down a column accesses one line number in each page: of N pages,
// nearly an N/64th is sampled there, whatever the distance between the rows (an
// eighth more or less if it is 5 pages, less otherwise).
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

// A loop's description has the same effect as its accesses one by one.
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
          // Steps of half a page and more are reported one by one.
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
