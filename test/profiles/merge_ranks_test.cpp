//===- merge_ranks_test.cpp - one record of many ranks --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TempDir.h"
#include "format/profile/MergeRanks.h"
#include <gtest/gtest.h>

using namespace evenkeel;

namespace {

/// Serial up to a collective, with \p Between phases before it, then serial.
MissRecord rankOf(uint32_t Rank, uint32_t Between, uint64_t Cycles) {
  MissRecord R;
  R.Mode = "misses";
  R.Rank = Rank;
  R.Config.workers = Between > 1 ? 2 : 1;
  R.Config.quantum_cycles = 1000;
  R.Config.tracked_accesses = 10;
  R.Instances = {{5, 0, 0, 0, 8192, 0, EK_NO_TASK, 0, 0},
                 {9, 0, 0, 0, 4096, Between, Between, 0, 0}};
  for (uint32_t P = 0; P < Between; ++P)
    R.Phases.push_back({P + 1 == Between ? 77u : 0u,
                        P + 1 == Between ? 2u : P % 2, P % 2 ? 2u : 1u});
  R.Phases.push_back({0, 0, 1});
  for (uint32_t P = 0; P <= Between; ++P)
    for (uint32_t T = 0; T < R.Phases[P].width; ++T) {
      uint32_t Task = uint32_t(R.Tasks.size());
      R.Tasks.push_back({3, P, T, T, 0, Cycles + P, 1, 0});
      R.Pages.push_back({Task, 0, 0, 1, 4 + Rank, 0, 1, 0});
      R.Accesses.push_back({Task, 0, 100 * (Rank + 1), 0});
    }
  R.Symbols = {{1, EK_NO_TASK, 0, 1, 7 + Rank, 7 + Rank, 7 + Rank, 7 + Rank,
                double(7 + Rank)},
               {2, 0, 0, 1, 4, 4, 4, 4, 4},
               {3, EK_NO_TASK, 0, 2, 5, 6, 5, 6, 11}};
  return R;
}

TEST(MergeRanks, OneRankIsLeftAlone) {
  auto M = mergeRanks({rankOf(0, 1, 10)});
  ASSERT_TRUE(bool(M));
  EXPECT_EQ(M->Phases[0].kind, 2u);
}

TEST(MergeRanks, RanksAreWorkersAndPhasesEndAtCollectives) {
  auto M = mergeRanks({rankOf(0, 1, 10), rankOf(1, 1, 20), rankOf(2, 1, 30)});
  ASSERT_TRUE(bool(M)) << M.message();
  EXPECT_EQ(M->Config.workers, 3u);
  EXPECT_EQ(M->Config.tracked_accesses, 30u);
  ASSERT_EQ(M->Phases.size(), 2u);
  EXPECT_EQ(M->Phases[0].sync, 77u);
  EXPECT_EQ(M->Phases[0].width, 3u);
  EXPECT_EQ(M->Phases[0].kind, 1u);
  ASSERT_EQ(M->Tasks.size(), 6u);
  for (uint32_t I = 0; I < 6; ++I) {
    EXPECT_EQ(M->Tasks[I].phase, I / 3);
    EXPECT_EQ(M->Tasks[I].index, I % 3);
    EXPECT_EQ(M->Tasks[I].worker, I % 3);
    EXPECT_EQ(M->Tasks[I].core_cycles, 10 * (I % 3 + 1) + I / 3);
  }
  // The rank of each creator is kept in the profile.
  EXPECT_EQ(M->Ranks, (std::vector<uint32_t>{0, 1, 2}));
  TempDir D;
  M->Role = "base";
  ASSERT_FALSE(writeProfile(D.path("p.ekdb"), *M));
  Expected<Profile> Read = readProfile(D.path("p.ekdb"));
  ASSERT_TRUE(static_cast<bool>(Read)) << Read.message();
  EXPECT_EQ(Read->Ranks, M->Ranks);
  // Objects by site, then rank; rows follow their task and object.
  ASSERT_EQ(M->Instances.size(), 6u);
  EXPECT_EQ(M->Instances[1].site, 5u);
  EXPECT_EQ(M->Instances[1].creator, 1u);
  EXPECT_EQ(M->Instances[5].alloc_phase, 1u);
  ASSERT_EQ(M->Pages.size(), 6u);
  for (const ek_raw_page &P : M->Pages) {
    EXPECT_EQ(P.inst, P.task % 3);
    EXPECT_EQ(P.reads, 4 + P.task % 3);
  }
  // Values of the program that are equal in all ranks become one value; others
  // are kept per rank, by its first task. Values of tasks are kept.
  ASSERT_EQ(M->Symbols.size(), 7u);
  for (uint32_t Rank : {0u, 1u, 2u}) {
    const ek_raw_symbol &S = M->Symbols[Rank];
    EXPECT_EQ(S.symbol, 1u);
    EXPECT_EQ(S.task, Rank);
    EXPECT_EQ(S.first, 7 + Rank);
    EXPECT_EQ(S.times, 1u);
  }
  EXPECT_EQ(M->Symbols[5].symbol, 2u);
  EXPECT_EQ(M->Symbols[5].task, 2u);
  const ek_raw_symbol &Alike = M->Symbols[6];
  EXPECT_EQ(Alike.symbol, 3u);
  EXPECT_EQ(Alike.task, EK_NO_TASK);
  EXPECT_EQ(Alike.times, 6u);
  EXPECT_EQ(Alike.first, 5);
  EXPECT_EQ(Alike.last, 6);
  EXPECT_EQ(Alike.sum, 33);
}

/// A rank that did not reach it has no value.
TEST(MergeRanks, QuantaAreAsLongAsThoseOfTheLargestRank) {
  MissRecord Small = rankOf(0, 1, 10), Large = rankOf(1, 1, 20);
  Large.Config.quantum_cycles = 4000; // it had to join its quanta
  Small.Pages = {{0, 0, 0, 1, 4, 1, 1, 0},
                 {0, 3, 0, 1, 2, 0, 0.5, 1},
                 {0, 4, 0, 1, 8, 0, 1, 0},
                 {1, 2, 0, 1, 3, 0, 1, 0}};
  Expected<MissRecord> M = mergeRanks({Small, Large});
  ASSERT_TRUE(bool(M)) << M.message();
  EXPECT_EQ(M->Config.quantum_cycles, 4000u);
  std::vector<std::pair<uint32_t, uint32_t>> Reads; // by quantum, of rank 0
  for (const ek_raw_page &P : M->Pages)
    if (M->Tasks[P.task].worker == 0)
      Reads.emplace_back(P.quantum, P.reads);
  EXPECT_EQ(Reads, (std::vector<std::pair<uint32_t, uint32_t>>{
                       {0, 6}, {1, 8}, {0, 3}}));
  Small.Config.quantum_cycles = 3000; // no power of two apart
  EXPECT_ERROR(mergeRanks({Small, Large}), "different settings");
}

TEST(MergeRanks, RanksWithoutAValue) {
  std::vector<MissRecord> Ranks = {rankOf(0, 1, 10), rankOf(1, 1, 20),
                                   rankOf(2, 1, 30)};
  Ranks[0].Symbols = {{1, EK_NO_TASK, 0, 0, 0, 0, 0, 0, 0}};
  Ranks[2].Symbols = Ranks[0].Symbols;
  auto M = mergeRanks(std::move(Ranks));
  ASSERT_TRUE(bool(M)) << M.message();
  ASSERT_EQ(M->Symbols.size(), 3u);
  EXPECT_EQ(M->Symbols[0].task, EK_NO_TASK);
  EXPECT_EQ(M->Symbols[0].times, 1u);
  EXPECT_EQ(M->Symbols[0].first, 8);
}

TEST(MergeRanks, LastPhasesBeforeACollectiveMeet) {
  // Rank 0: serial, team of two, serial; rank 1: serial.
  auto M = mergeRanks({rankOf(0, 3, 10), rankOf(1, 1, 20)});
  ASSERT_TRUE(bool(M)) << M.message();
  ASSERT_EQ(M->Phases.size(), 4u);
  EXPECT_EQ(M->Config.workers, 3u);
  EXPECT_EQ(M->Phases[1].width, 2u);
  EXPECT_EQ(M->Phases[2].sync, 77u);
  std::vector<std::pair<uint32_t, uint32_t>> Of; // phase, index
  for (const ek_raw_task &T : M->Tasks)
    Of.push_back({T.phase, T.index});
  EXPECT_EQ(Of, (std::vector<std::pair<uint32_t, uint32_t>>{
                    {0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 2}, {3, 0}, {3, 2}}));
}

/// Rank 0 ended after the first collective, the others met at one more.
TEST(MergeRanks, RanksThatEndEarlierHaveNoTasksFromThereOn) {
  std::vector<MissRecord> Ranks;
  for (uint32_t R = 0; R < 3; ++R) {
    Ranks.push_back(rankOf(R, 1, 10));
    if (!R)
      continue;
    Ranks[R].Phases[1] = {88, 2, 1};
    Ranks[R].Phases.push_back({0, 0, 1});
    Ranks[R].Tasks.push_back({3, 2, 0, 0, 0, 10, 1, 0});
  }
  EXPECT_EQ(earlyRanks(Ranks),
            "ended before the last of 2 collectives: rank 0 after 1");
  for (bool First : {true, false}) { // whichever comes first
    std::vector<MissRecord> Some = Ranks;
    if (!First)
      std::swap(Some[0], Some[2]);
    auto M = mergeRanks(Some);
    ASSERT_TRUE(bool(M)) << M.message();
    ASSERT_EQ(M->Phases.size(), 3u);
    EXPECT_EQ(M->Phases[0].sync, 77u);
    EXPECT_EQ(M->Phases[1].sync, 88u);
    EXPECT_EQ(M->Phases[2].sync, 0u);
    std::vector<uint32_t> Tasks(3);
    for (const ek_raw_task &T : M->Tasks)
      ++Tasks[T.phase];
    EXPECT_EQ(Tasks, (std::vector<uint32_t>{3, 3, 2}));
  }
  Ranks.erase(Ranks.begin());
  EXPECT_EQ(earlyRanks(Ranks), "");
}

TEST(MergeRanks, WhatDoesNotFitIsRefused) {
  MissRecord Other = rankOf(1, 1, 20);
  Other.Config.llc_share_bytes = 5;
  EXPECT_NE(mergeRanks({rankOf(0, 1, 10), Other})
                .message()
                .find("different settings"),
            std::string::npos);
}

} // namespace
