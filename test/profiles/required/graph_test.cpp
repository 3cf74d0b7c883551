//===- graph_test.cpp - task graphs, live ranges and orders ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: graphs made by hand: what is live when, and which order needs how
// much.
//===----------------------------------------------------------------------===//
#include "required/LiveRanges.h"
#include "required/Order.h"
#include <gtest/gtest.h>
#include <random>

using namespace evenkeel;
using namespace evenkeel::required;

namespace {

/// A fork into \p Branches chains of two steps, and a join: each branch makes a
/// large datum and reduces it to a small one.
TaskGraph forkAndJoin(uint32_t Branches) {
  TaskGraph G;
  const uint32_t In = G.datum("in", 10);
  const uint32_t Fork = G.step("fork", 1, {}, {In});
  std::vector<uint32_t> Large, Small, Ends;
  for (uint32_t B = 0; B < Branches; ++B) {
    const std::string N = std::to_string(B);
    Large.push_back(G.datum("large" + N, 100));
    Small.push_back(G.datum("small" + N, 1));
    const uint32_t Make = G.step("make" + N, 1, {In}, {Large.back()}, {Fork});
    Ends.push_back(
        G.step("reduce" + N, 1, {Large.back()}, {Small.back()}, {Make}));
  }
  G.step("join", 1, Small, {G.datum("out", 5, true)}, Ends);
  return G;
}

TEST(Orders, DepthFirstFinishesABranch) {
  const TaskGraph G = forkAndJoin(3);
  ASSERT_FALSE(checkGraph(G));
  EXPECT_EQ(breadthFirst(G), (Order{0, 1, 3, 5, 2, 4, 6, 7}));
  EXPECT_EQ(depthFirst(G), (Order{0, 1, 2, 3, 4, 5, 6, 7}));
  // All three large ones, or one beside the small ones before it.
  EXPECT_EQ(peakBytes(G, breadthFirst(G)), 310u);
  EXPECT_EQ(peakBytes(G, depthFirst(G)), 112u);
  EXPECT_LE(peakBytes(G, leastLive(G)), 112u);
}

TEST(Orders, AChainHasOnlyOne) {
  TaskGraph G;
  uint32_t Last = G.datum("d0", 10);
  for (uint32_t I = 1; I < 6; ++I) {
    const uint32_t Next = G.datum("d" + std::to_string(I), 10);
    G.step("s" + std::to_string(I), 1, {Last}, {Next},
           I > 1 ? std::vector<uint32_t>{I - 2} : std::vector<uint32_t>{});
    Last = Next;
  }
  EXPECT_EQ(depthFirst(G), breadthFirst(G));
  EXPECT_EQ(leastLive(G), asWritten(G));
  EXPECT_EQ(peakBytes(G, asWritten(G)), 20u);
}

TEST(Orders, KeepPredecessorsFirst) {
  for (unsigned Seed = 0; Seed < 50; ++Seed) {
    std::mt19937 Random(Seed);
    TaskGraph G;
    for (uint32_t S = 0; S < 40; ++S) {
      std::vector<uint32_t> Waits;
      for (uint32_t P = 0; P < S; ++P)
        if (Random() % 10 == 0)
          Waits.push_back(P);
      const uint32_t D = G.datum("d" + std::to_string(S), 1 + Random() % 9);
      G.step("s" + std::to_string(S), 1, Waits, {D}, Waits);
    }
    ASSERT_FALSE(checkGraph(G));
    for (const Order &O :
         {breadthFirst(G), depthFirst(G), leastLive(G), asWritten(G)})
      EXPECT_TRUE(isOrder(G, O)) << Seed;
  }
  EXPECT_FALSE(isOrder(forkAndJoin(1), {1, 0, 2, 3}));
  EXPECT_FALSE(isOrder(forkAndJoin(1), {0, 1, 2, 2}));
  EXPECT_FALSE(isOrder(forkAndJoin(1), {0, 1, 2}));
}

TEST(LiveRanges, OverwrittenContentsAreDead) {
  TaskGraph G;
  const uint32_t D = G.datum("d", 8), E = G.datum("e", 4, true);
  G.step("write", 1, {}, {D});
  G.step("read", 1, {D}, {});
  G.step("overwrite", 1, {}, {D}, {1});
  G.step("change", 1, {D}, {D, E}, {2});
  const Order O = asWritten(G);
  const LiveRanges L = liveRanges(G, O);
  const auto &Of = L.OfDatum[D];
  ASSERT_EQ(Of.size(), 4u);
  EXPECT_TRUE(Of[0].LiveAfter);
  EXPECT_EQ(Of[0].NextUse, 1u);
  EXPECT_EQ(Of[0].UsesLeft, 3u);
  EXPECT_FALSE(Of[1].LiveAfter) << "all of it is overwritten next";
  EXPECT_EQ(Of[1].NextUse, 2u);
  EXPECT_TRUE(Of[2].LiveAfter);
  EXPECT_FALSE(Of[3].LiveAfter) << "nobody wants it at the end";
  EXPECT_EQ(Of[3].NextUse, Never);
  EXPECT_TRUE(L.OfDatum[E][0].LiveAfter) << "an output";
  EXPECT_EQ(peakBytes(G, O), 12u);
}

TEST(Checks, NameWhatIsWrong) {
  auto Says = [](const MaybeError &E, const char *Text) {
    return E && E->Message.find(Text) != std::string::npos;
  };
  TaskGraph G = forkAndJoin(2);
  EXPECT_FALSE(checkFits(G, 110));
  EXPECT_TRUE(Says(checkFits(G, 109), "task-too-large: make0 accesses 110 B"));
  EXPECT_TRUE(Says(checkFits(G, 109), "give at least 110B"));
  G.Steps[1].Waits = {4};
  EXPECT_TRUE(Says(checkGraph(G), "'make0' waits for a step"));
  G = forkAndJoin(2);
  G.Steps[1].Uses.push_back(G.Steps[1].Uses[0]);
  EXPECT_TRUE(Says(checkGraph(G), "uses 'in' twice"));
  G = forkAndJoin(2);
  G.Steps[1].Uses[0].Datum = 99;
  EXPECT_TRUE(Says(checkGraph(G), "uses datum 99"));
  G = forkAndJoin(2);
  G.Data[0].Bytes = 0;
  EXPECT_TRUE(Says(checkGraph(G), "'in' has no bytes"));
  G = forkAndJoin(2);
  G.Steps[0].Seconds = -1;
  EXPECT_TRUE(Says(checkGraph(G), "'fork' has a time"));
}

} // namespace
