//===- streams_test.cpp - steps and copies beside each other --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: small schedules whose times can be counted on fingers (a byte takes a
// second in and two out), and what holds for random graphs under all pools.
//===----------------------------------------------------------------------===//
#include "required/Streams.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace evenkeel;
using namespace evenkeel::required;

namespace {

FastMemory fast(uint64_t Bytes, unsigned Workers = 1) {
  return {Bytes, {1e-9, 0.5e-9, 0}, Workers};
}

TEST(Streams, ContentsThatAreThereAreNotCopied) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 4), B = G.datum("b", 4);
  G.step("make", 10, {}, {A});
  G.step("use", 5, {A}, {B}, {0});
  const Replayed R = replayStreams(G, oneAhead(G, asWritten(G)), fast(8));
  ASSERT_FALSE(R.failed()) << R.Failure;
  EXPECT_EQ(R.Seconds, 15);
  EXPECT_EQ(R.CopySeconds, 0);
  EXPECT_EQ(R.hiddenShare(), 1);
  EXPECT_EQ(R.PeakBytes, 8u);
}

TEST(Streams, ACopyInHidesBehindTheStepBefore) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 4), B = G.datum("b", 7);
  G.step("first", 5, {A}, {});
  G.step("second", 10, {B}, {});
  Schedule S = oneAhead(G, asWritten(G));
  Replayed R = replayStreams(G, S, fast(11));
  // a 0-4, first 4-9, b 4-11, second 11-21.
  EXPECT_EQ(R.Seconds, 21);
  EXPECT_EQ(R.Starts, (std::vector<double>{4, 11}));
  EXPECT_EQ(R.CopySeconds, 11);
  EXPECT_EQ(R.ExposedSeconds, 6);
  EXPECT_EQ(R.hiddenSeconds(), 5);
  EXPECT_EQ(R.secondsWithoutOverlap(), 26);
  EXPECT_EQ(R.InBytes, 11u);
  EXPECT_EQ(R.OutBytes, 0u) << "the backing objects have the contents";
  // Without room for both, b comes once a has left.
  R = replayStreams(G, S, fast(10));
  EXPECT_EQ(R.Seconds, 26);
  EXPECT_EQ(R.PeakBytes, 7u);
}

TEST(Streams, WhatIsOnlyReadLeavesWhileTheStepRuns) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 3), B = G.datum("b", 3);
  G.step("make", 1, {}, {A});
  G.step("read", 10, {A}, {}, {0});
  G.step("other", 4, {}, {B}, {1});
  G.step("again", 1, {A}, {}, {2});
  Schedule S = oneAhead(G, asWritten(G));
  S.Leaves[1][0] = true;
  Replayed R = replayStreams(G, S, fast(3));
  // make 0-1, read 1-11 and a out 1-7, other 11-15, a in 15-18, again 18-19.
  ASSERT_FALSE(R.failed()) << R.Failure;
  EXPECT_EQ(R.Seconds, 19);
  EXPECT_EQ(R.PeakBytes, 3u);
  EXPECT_EQ(R.ExposedSeconds, 3);
  EXPECT_EQ(R.Evictions, 0u);
  // Undecided, it is evicted when the next step finds no room: 11-17.
  R = replayStreams(G, oneAhead(G, asWritten(G)), fast(3));
  EXPECT_EQ(R.Evictions, 1u);
  EXPECT_EQ(R.Seconds, 25);
}

TEST(Streams, WhatAStepWritesLeavesAfterIt) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 3), B = G.datum("b", 3);
  G.step("make", 2, {}, {A});
  G.step("other", 4, {}, {B}, {0});
  G.step("again", 1, {A}, {}, {1});
  Schedule S = oneAhead(G, asWritten(G));
  S.Leaves[0][0] = true;
  const Replayed R = replayStreams(G, S, fast(6));
  // make 0-2, a out 2-8, other 2-6: again finds a still here.
  ASSERT_FALSE(R.failed()) << R.Failure;
  EXPECT_EQ(R.Seconds, 8);
  EXPECT_EQ(R.Starts.back(), 6);
  EXPECT_EQ(R.InBytes, 0u);
}

TEST(Streams, ABarrierWaitsForAllCopies) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 3), B = G.datum("b", 3);
  G.step("make", 1, {}, {A});
  G.step("read", 2, {A}, {}, {0});
  G.step("other", 4, {}, {B}, {1});
  G.step("again", 1, {A}, {}, {2});
  Schedule S = oneAhead(G, asWritten(G));
  S.Leaves[1][0] = true;
  S.Barrier = true;
  Replayed R = replayStreams(G, S, fast(6));
  // make 0-1, read 1-3, a out 1-7, other 7-11, a in 7-10, again 11-12.
  EXPECT_EQ(R.Seconds, 12);
  S.Barrier = false;
  // other 3-7 claims room beside a; a out 1-7; again 7-8.
  EXPECT_EQ(replayStreams(G, S, fast(6)).Seconds, 8);
}

TEST(Streams, OutputsAreCopiedOutAtTheEnd) {
  TaskGraph G;
  G.step("make", 2, {}, {G.datum("a", 3, true)});
  const Replayed R = replayStreams(G, oneAhead(G, asWritten(G)), fast(3));
  EXPECT_EQ(R.Seconds, 8);
  EXPECT_EQ(R.OutBytes, 3u);
}

TEST(Streams, FreshDataIsNotCopiedIn) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 3);
  G.Data[A].Fresh = true;
  G.step("part", 2, {A}, {A}); // writes a part of it
  G.step("rest", 2, {A}, {A}, {0});
  EXPECT_EQ(replayStreams(G, oneAhead(G, asWritten(G)), fast(3)).InBytes, 0u);
  G.Data[A].Fresh = false;
  EXPECT_EQ(replayStreams(G, oneAhead(G, asWritten(G)), fast(3)).InBytes, 3u);
}

TEST(Streams, WorkersRunStepsThatNeedNotWait) {
  TaskGraph G;
  for (int I = 0; I < 4; ++I)
    G.step("s" + std::to_string(I), 6, {},
           {G.datum("d" + std::to_string(I), 2)});
  EXPECT_EQ(replayStreams(G, oneAhead(G, asWritten(G)), fast(8)).Seconds, 24);
  EXPECT_EQ(replayStreams(G, oneAhead(G, asWritten(G)), fast(8, 2)).Seconds,
            12);
  EXPECT_EQ(replayStreams(G, oneAhead(G, asWritten(G)), fast(2, 4)).Seconds, 24)
      << "there is room for one";
}

TEST(Streams, FreeRoomInPiecesIsFlushed) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 3), B = G.datum("b", 3), C = G.datum("c", 3),
                 D = G.datum("d", 6);
  G.step("three", 1, {}, {A, B, C});
  G.step("a", 1, {A}, {}, {0});
  G.step("c", 1, {C}, {}, {1});
  // b lies between two holes of 3 bytes.
  G.step("both", 1, {B}, {D}, {2});
  Schedule S = oneAhead(G, asWritten(G));
  S.Pool = PoolKind::BestFit;
  const Replayed R = replayStreams(G, S, fast(9));
  ASSERT_FALSE(R.failed()) << R.Failure;
  EXPECT_EQ(R.Flushes, 1u);
  EXPECT_EQ(R.WorstFragmentation, 0) << "of requests that were served";
  // three 0-1, a 1-2, c 2-3, b out 3-9, in 9-12, both 12-13.
  EXPECT_EQ(R.Seconds, 13);
}

TEST(Streams, FailuresAreNamed) {
  TaskGraph G;
  const uint32_t A = G.datum("a", 300), B = G.datum("b", 300);
  G.step("both", 1, {}, {A, B});
  Schedule S = oneAhead(G, asWritten(G));
  EXPECT_EQ(replayStreams(G, S, fast(599)).Failure.rfind("task-too-large: ", 0),
            0u);
  EXPECT_FALSE(replayStreams(G, S, fast(600)).failed());
  // 512 + 512 bytes in blocks of powers of two.
  S.Pool = PoolKind::Buddy;
  const Replayed R = replayStreams(G, S, fast(1000));
  EXPECT_EQ(R.Failure.rfind("out-of-room: both needs a block of 300 B", 0), 0u)
      << R.Failure;
  EXPECT_FALSE(replayStreams(G, S, fast(1024)).failed());
}

TaskGraph randomGraph(std::mt19937 &Random) {
  TaskGraph G;
  const uint32_t Data = 8;
  for (uint32_t D = 0; D < Data; ++D) {
    G.datum("d" + std::to_string(D), 256 * (1 + Random() % 20),
            Random() % 4 == 0);
    G.Data[D].Fresh = Random() % 2;
  }
  for (uint32_t S = 0; S < 30; ++S) {
    std::vector<uint32_t> Waits, Reads, Writes;
    if (S)
      Waits.push_back(Random() % 3 ? S - 1 : uint32_t(Random() % S));
    for (uint32_t D = 0; D < Data; ++D) {
      if (Random() % 6 == 0)
        Reads.push_back(D);
      if (Random() % 8 == 0)
        Writes.push_back(D);
    }
    G.step("s" + std::to_string(S), double(Random() % 5000), Reads, Writes,
           Waits);
  }
  return G;
}

TEST(Streams, CapacityHoldsForAnySchedule) {
  for (unsigned Seed = 0; Seed < 300; ++Seed) {
    std::mt19937 Random(Seed);
    const TaskGraph G = randomGraph(Random);
    uint64_t Least = 0;
    double Work = 0;
    for (uint32_t S = 0; S < G.Steps.size(); ++S) {
      Least = std::max(Least, G.bytesOf(S));
      Work += G.Steps[S].Seconds;
    }
    for (const Order &O : {depthFirst(G), breadthFirst(G), leastLive(G)})
      for (PoolKind Kind : AllPools) {
        Schedule S = oneAhead(G, O);
        for (uint32_t P = 0; P < O.size(); ++P) {
          S.After[P] = uint32_t(Random() % (P + 1));
          for (size_t I = 0; I < S.Leaves[P].size(); ++I)
            S.Leaves[P][I] = Random() % 2;
        }
        S.Pool = Kind;
        S.Barrier = Random() % 3 == 0;
        const FastMemory Fast = fast(Least + Random() % 8192, 1 + Random() % 3);
        const Replayed R = replayStreams(G, S, Fast);
        if (Kind == PoolKind::Gtbm || Kind == PoolKind::BestFit)
          ASSERT_FALSE(R.failed()) << Seed << ' ' << R.Failure;
        if (R.failed())
          continue;
        ASSERT_EQ(R.Starts.size(), G.Steps.size());
        ASSERT_LE(R.PeakBytes, Fast.Bytes);
        ASSERT_GE(R.Seconds * Fast.Workers, Work - 1e-6) << Seed;
        ASSERT_LE(R.ExposedSeconds, R.CopySeconds + 1e-6);
        std::vector<double> EndOf(G.Steps.size());
        for (uint32_t P = 0; P < O.size(); ++P) {
          for (uint32_t W : G.Steps[O[P]].Waits)
            ASSERT_GE(R.Starts[P], EndOf[W] - 1e-6);
          EndOf[O[P]] = R.Starts[P] + G.Steps[O[P]].Seconds;
        }
      }
  }
}

} // namespace
