//===- policies_test.cpp - policies for a required tier -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what each policy decides on training-like graphs, and that ours is
// never slower than dymem in replay.
//===----------------------------------------------------------------------===//
#include "required/policies/Policy.h"
#include "required/policies/Steps.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace evenkeel;
using namespace evenkeel::required;

namespace {

/// Layers forward, then backward, each of which needs its forward input: cheap
/// and heavy ones in turn. With \p Branches, each layer is that many, joined.
TaskGraph training(uint32_t Layers, uint32_t Branches = 1) {
  TaskGraph G;
  std::vector<uint32_t> Kept; // results of the layers
  uint32_t Last = G.datum("input", 1000), LastStep = ~0u;
  std::vector<std::vector<uint32_t>> Inner(Layers);
  auto After = [&] {
    return LastStep == ~0u ? std::vector<uint32_t>{}
                           : std::vector<uint32_t>{LastStep};
  };
  for (uint32_t L = 0; L < Layers; ++L) {
    const std::string N = std::to_string(L);
    Kept.push_back(Last);
    std::vector<uint32_t> Ends;
    for (uint32_t B = 0; B < Branches; ++B) {
      Inner[L].push_back(G.datum("r" + N + "." + std::to_string(B), 1000));
      Ends.push_back(G.step("f" + N + "." + std::to_string(B),
                            L % 2 ? 3000 : 500, {Last}, {Inner[L].back()},
                            After()));
    }
    Last = G.datum("o" + N, 1000);
    LastStep = G.step("join" + N, 10, Inner[L], {Last}, Ends);
  }
  uint32_t Gradient = G.datum("g", 1000);
  LastStep = G.step("loss", 10, {Last}, {Gradient}, {LastStep});
  for (uint32_t L = Layers; L-- > 0;) {
    const std::string N = std::to_string(L);
    std::vector<uint32_t> Reads = Inner[L];
    Reads.push_back(Gradient);
    Reads.push_back(Kept[L]);
    Gradient = G.datum("g" + N, 1000);
    LastStep =
        G.step("b" + N, L % 2 ? 6000 : 1000, Reads, {Gradient}, {LastStep});
  }
  return G;
}

FastMemory fast(uint64_t Bytes) { return {Bytes, {1e-9, 1e-9, 0}, 1}; }

PolicyRun at(const char *Name, const TaskGraph &G, uint64_t Bytes,
             const Settings &Set = {}) {
  return runAtBest(**copyPolicy(Name), G, fast(Bytes), Set);
}

TEST(Policies, AreFoundByName) {
  EXPECT_EQ(copyPolicies().size(), 4u);
  auto P = copyPolicy("first-touch");
  EXPECT_EQ(P.message(), "unknown policy 'first-touch' for a machine with a "
                         "required tier; its policies are vdnn, superneurons, "
                         "dymem, balanced");
}

TEST(Policies, NothingIsCopiedOutWhereAllFits) {
  const TaskGraph G = training(6, 2);
  const uint64_t Peak = peakBytes(G, breadthFirst(G));
  for (const CopyPolicy &P : copyPolicies()) {
    const PolicyRun R = at(P.Name, G, Peak);
    ASSERT_FALSE(R.Result.failed()) << P.Name;
    EXPECT_EQ(R.Result.OutBytes, 0u) << P.Name;
    EXPECT_EQ(R.Result.InBytes, 1000u) << "the input";
  }
}

TEST(Policies, OursIsNeverSlowerAndAllKeepTheCapacity) {
  for (uint32_t Branches : {1u, 3u}) {
    const TaskGraph G = training(8, Branches);
    const uint64_t Peak = peakBytes(G, breadthFirst(G));
    uint64_t Largest = 0;
    double Work = 0;
    for (uint32_t S = 0; S < G.Steps.size(); ++S) {
      Largest = std::max(Largest, G.bytesOf(S));
      Work += G.Steps[S].Seconds;
    }
    for (unsigned Share : {30, 50, 70, 90}) {
      const uint64_t Bytes = std::max(Largest, Peak * Share / 100);
      double Dymem = 0;
      for (const CopyPolicy &P : copyPolicies()) {
        const PolicyRun R = at(P.Name, G, Bytes);
        ASSERT_FALSE(R.Result.failed()) << P.Name << R.Result.Failure;
        EXPECT_LE(R.Result.PeakBytes, Bytes);
        EXPECT_GE(R.Result.Seconds, Work);
        EXPECT_LE(R.Result.Seconds, R.Result.secondsWithoutOverlap() * 1.0001);
        EXPECT_TRUE(isOrder(G, R.Decided.Steps));
        if (R.Name == "dymem")
          Dymem = R.Result.Seconds;
        if (R.Name == "balanced")
          EXPECT_LE(R.Result.Seconds, Dymem) << Share;
      }
    }
  }
}

TEST(Policies, OursIsNeverSlowerOnRandomGraphs) {
  for (unsigned Seed = 0; Seed < 40; ++Seed) {
    std::mt19937 Random(Seed);
    TaskGraph G;
    for (uint32_t D = 0; D < 10; ++D)
      G.datum("d" + std::to_string(D), 100 * (1 + Random() % 9),
              Random() % 4 == 0);
    for (uint32_t S = 0; S < 25; ++S) {
      std::vector<uint32_t> Reads, Writes{uint32_t(Random() % 10)}, Waits;
      for (uint32_t D = 0; D < 10; ++D)
        if (Random() % 5 == 0)
          Reads.push_back(D);
      if (S)
        Waits.push_back(Random() % 2 ? S - 1 : uint32_t(Random() % S));
      G.step("s" + std::to_string(S), double(Random() % 900), Reads, Writes,
             Waits);
    }
    uint64_t Largest = 0;
    for (uint32_t S = 0; S < G.Steps.size(); ++S)
      Largest = std::max(Largest, G.bytesOf(S));
    const PolicyRun Theirs = at("dymem", G, Largest + Random() % 500),
                    Ours = at("balanced", G, Largest + 500, {{"tries", 50}});
    ASSERT_FALSE(Theirs.Result.failed());
    ASSERT_FALSE(Ours.Result.failed());
    const PolicyRun Same = at("balanced", G, Largest, {{"tries", 50}});
    EXPECT_FALSE(isBetter(at("dymem", G, Largest).Result, Same.Result)) << Seed;
  }
}

TEST(Policies, DymemCopiesInForTwoHeavyStepsAhead) {
  TaskGraph G;
  for (uint32_t S = 0; S < 8; ++S)
    G.step("s" + std::to_string(S), S % 2 ? 100 : 1,
           {G.datum("d" + std::to_string(S), 10)}, {});
  const Schedule S = makeDymem(G, fast(40), {});
  // Heavy: 1, 3, 5, 7. The data of 5 may come once 1 has started, that of the
  // cheap step 6 with it, that of 7 once 3 has.
  EXPECT_EQ(S.After, (std::vector<uint32_t>{0, 0, 0, 0, 0, 2, 2, 4}));
  EXPECT_FALSE(S.Barrier);
  EXPECT_EQ(S.Pool, PoolKind::Gtbm);
}

TEST(Policies, VdnnWaitsForAllCopiesAtEachStep) {
  const TaskGraph G = training(6);
  const uint64_t Bytes = peakBytes(G, depthFirst(G)) / 2;
  const PolicyRun V = at("vdnn", G, Bytes), D = at("dymem", G, Bytes);
  EXPECT_TRUE(V.Decided.Barrier);
  EXPECT_GT(V.Result.OutBytes, 0u);
  EXPECT_GT(V.Result.Seconds, D.Result.Seconds);
}

TEST(Policies, SuperNeuronsCopiesOutResultsOfHeavySteps) {
  const TaskGraph G = training(6);
  const Schedule S =
      makeSuperNeurons(G, fast(peakBytes(G, asWritten(G)) / 2), {{"heavy", 1}});
  const std::vector<bool> Heavy = heavySteps(G, 1);
  const LiveRanges Live = liveRanges(G, S.Steps);
  unsigned Leaving = 0;
  for (uint32_t P = 0; P < S.Steps.size(); ++P)
    for (uint32_t I = 0; I < S.Leaves[P].size(); ++I)
      if (S.Leaves[P][I]) {
        const uint32_t D = G.Steps[S.Steps[P]].Uses[I].Datum;
        const UseInOrder &First = Live.OfDatum[D][0];
        EXPECT_TRUE(Heavy[S.Steps[First.Position]]) << G.Data[D].Name;
        ++Leaving;
      }
  EXPECT_GT(Leaving, 0u);
}

} // namespace
