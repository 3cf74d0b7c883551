//===- write_backs_test.cpp - lines that tasks write back -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which lines tasks write back on the target.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"
#include "predict/TargetPredictor.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

/// A region that only reads writes back lines that others left in the caches:
/// as many on the target as on the base input, though it reads four times as
/// much.
TEST(WriteBacks, ReadersKeepTheirWriteBacks) {
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
TEST(WriteBacks, ACachefulIsWrittenBackLater) {
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
  // Until a cacheful has been fetched, none of its lines are written back; then
  // the next task writes back only what the first left.
  EXPECT_NEAR(P.Phases[0].Tasks[0].Demand.Opening, 16384. / 30000, 1e-6);
  EXPECT_NEAR(Fill.OpeningWrites, 0, 1e-6);
  EXPECT_NEAR(P.Phases[1].Tasks[0].Demand.Opening, 16384. / 22768, 1e-6);
  EXPECT_NEAR(Next.OpeningWrites, 16384, 1e-6);
}

/// A walk through twice as much as the caches hold has written back its first
/// half when it ends; the next walk of the same writes the other half back in
/// its opening, and again its first half.
TEST(WriteBacks, AWalkWritesItsFirstLinesBack) {
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

/// A task pushes out 1,000 lines that others left of an object that it does not
/// touch. How many they leave does not grow with the input.
TEST(WriteBacks, LinesThatOthersLeftDoNotGrow) {
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
TEST(WriteBacks, WhatFittedIsWrittenBackWhereItDoesNot) {
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
TEST(WriteBacks, WriteBacksOfWhatTheTaskDoesNotTouch) {
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

/// Caches of 100 lines: a task that fetches 150, all of them dirty, has 50
/// written back; the next one the rest, as far as it fetches.
TEST(WriteBacks, StageOfDirtyCaches) {
  DirtyCaches Caches(100);
  std::unordered_map<uint32_t, DirtyCaches::Back> First, Second;
  EXPECT_NEAR(Caches.run(0, {{7, 150, 150}}, First), 100 / 150., 1e-12);
  EXPECT_NEAR(First[7].Lines, 50, 1e-9);
  EXPECT_NEAR(First[7].Own, 50, 1e-9);
  EXPECT_EQ(Caches.run(0, {{8, 60, 0}}, Second), 1);
  EXPECT_NEAR(Second[7].Lines, 60, 1e-9);
  EXPECT_EQ(Second[7].Own, 0);
  std::unordered_map<uint32_t, DirtyCaches::Back> Other;
  Caches.run(1, {{8, 60, 0}}, Other);
  EXPECT_TRUE(Other.empty()) << "another worker's caches";
}

/// A task that writes all that it fetches makes all of it dirty; one that only
/// reads makes nothing dirty.
TEST(WriteBacks, StageOfDirtyLines) {
  Scenario S(2);
  const uint32_t A = S.addObject(1, 64 * 1000), C = S.addObject(2, 64 * 1000);
  S.B.Misses = {{0, A, 0, 0, 1000, 900, 0, 0}, {1, C, 0, 0, 1000, 0, 0, 0}};
  S.B.Accesses = {{0, A, 0, 8000}, {1, C, 8000, 0}};
  const Stages Of(S);
  EXPECT_EQ(Of.Tables->Demands.Of[0][0].Dirty, 1);
  EXPECT_EQ(Of.Tables->Demands.Of[1][0].Dirty, 0);
}

} // namespace
