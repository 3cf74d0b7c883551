//===- pools_test.cpp - allocators of a required tier ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what holds for every pool under random requests, what each one does
// with a few, fragmentation, and the size that a pool needs.
//===----------------------------------------------------------------------===//
#include "required/pools/Fragmentation.h"
#include "required/pools/Pool.h"
#include "required/pools/Sizing.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

using namespace evenkeel;
using namespace evenkeel::required;

namespace {

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;

uint64_t total(const std::vector<uint64_t> &Blocks) {
  return std::accumulate(Blocks.begin(), Blocks.end(), uint64_t(0));
}

struct Case {
  PoolKind Kind;
  uint64_t Capacity, MostBytes, Reclaimed;
  size_t WholeBlocks; // once everything is freed
};

class EveryPool : public ::testing::TestWithParam<Case> {};

TEST_P(EveryPool, KeepsBlocksApartAndInside) {
  const Case &C = GetParam();
  for (unsigned Seed = 0; Seed < 20; ++Seed) {
    std::mt19937 Random(Seed);
    auto P = makePool(C.Kind, C.Capacity, C.Reclaimed);
    std::map<uint64_t, uint64_t> Used;
    unsigned Refused = 0;
    auto FreeOne = [&] {
      auto It = std::next(Used.begin(), long(Random() % Used.size()));
      P->free(It->first);
      Used.erase(It);
    };
    for (unsigned Turn = 0; Turn < 2000; ++Turn) {
      if (!Used.empty() && Random() % 5 < 2) {
        FreeOne();
      } else {
        Request R{1 + Random() % C.MostBytes, Mobility(Random() % 3),
                  unsigned(1 + Random() % 4)};
        if (R.Kind == Mobility::Reclaimed)
          R.Bytes = 1 + R.Bytes / 64;
        auto At = P->allocate(R);
        if (!At) {
          ++Refused;
          if (!Used.empty())
            FreeOne();
          continue;
        }
        ASSERT_LE(*At + R.Bytes, C.Capacity) << poolName(C.Kind);
        auto Next = Used.lower_bound(*At);
        ASSERT_TRUE(Next == Used.end() || *At + R.Bytes <= Next->first);
        ASSERT_TRUE(Next == Used.begin() ||
                    std::prev(Next)->first + std::prev(Next)->second <= *At);
        Used[*At] = R.Bytes;
      }
      uint64_t Asked = 0;
      for (auto [Offset, Bytes] : Used)
        Asked += Bytes;
      ASSERT_GE(P->usedBytes(), Asked);
      ASSERT_LE(P->usedBytes() + total(P->freeBlocks()), C.Capacity);
      ASSERT_LE(P->spareBytes(), total(P->freeBlocks()));
    }
    EXPECT_GT(Refused, 0u) << "the requests are more than there is room";
    while (!Used.empty())
      FreeOne();
    EXPECT_EQ(P->usedBytes(), 0u);
    EXPECT_EQ(P->freeBlocks().size(), C.WholeBlocks) << poolName(C.Kind);
    EXPECT_EQ(total(P->freeBlocks()), C.Capacity);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, EveryPool,
    ::testing::Values(Case{PoolKind::Gtbm, 1000000, 200000, 0, 1},
                      Case{PoolKind::Gtbm, 1000000, 200000, 5000, 2},
                      Case{PoolKind::BestFit, 1000000, 200000, 0, 1},
                      Case{PoolKind::Buddy, 1 << 20, 200000, 0, 1},
                      Case{PoolKind::Buddy, (1 << 20) + (1 << 18), 200000, 0,
                           2},
                      Case{PoolKind::Caching, 64 * MiB, 12 * MiB, 0, 1}),
    [](const auto &I) {
      std::string Name = poolName(I.param.Kind);
      std::replace(Name.begin(), Name.end(), '-', '_');
      return Name + std::to_string(I.index);
    });

TEST(Gtbm, EachKindHasItsPlace) {
  auto P = makePool(PoolKind::Gtbm, 1000, 100);
  EXPECT_EQ(*P->allocate({100, Mobility::Movable}), 0u);
  EXPECT_EQ(*P->allocate({200, Mobility::Temporary, 3}), 700u);
  EXPECT_EQ(*P->allocate({50, Mobility::Temporary, 2}), 650u);
  EXPECT_EQ(*P->allocate({30, Mobility::Reclaimed}), 900u);
  EXPECT_EQ(*P->allocate({40, Mobility::Reclaimed}), 930u);
  EXPECT_EQ(P->spareBytes(), 550u);
  // Reclaimed blocks that do not fit above are placed like temporary ones.
  EXPECT_EQ(*P->allocate({31, Mobility::Reclaimed}), 619u);
  // A hole below another reclaimed block opens with it.
  P->free(900);
  EXPECT_EQ(*P->allocate({30, Mobility::Reclaimed}), 970u);
  P->free(930);
  P->free(970);
  EXPECT_EQ(*P->allocate({100, Mobility::Reclaimed}), 900u);
  // Movable blocks fill the smallest hole.
  EXPECT_EQ(*P->allocate({60, Mobility::Movable}), 100u);
  EXPECT_EQ(*P->allocate({10, Mobility::Movable}), 160u);
  P->free(100);
  EXPECT_EQ(*P->allocate({55, Mobility::Movable}), 100u);
}

TEST(BestFit, TakesTheSmallestHole) {
  auto P = makePool(PoolKind::BestFit, 1000);
  EXPECT_EQ(*P->allocate({300}), 0u);
  EXPECT_EQ(*P->allocate({10}), 300u);
  EXPECT_EQ(*P->allocate({100}), 310u);
  EXPECT_EQ(*P->allocate({10}), 410u);
  P->free(0);
  P->free(310);
  EXPECT_EQ(*P->allocate({90}), 310u);
  EXPECT_FALSE(P->allocate({590}));
  EXPECT_EQ(P->spareBytes(), 580u);
}

TEST(Buddy, SplitsAndJoins) {
  auto P = makePool(PoolKind::Buddy, 1024);
  EXPECT_EQ(*P->allocate({200}), 0u);
  EXPECT_EQ(*P->allocate({257}), 512u);
  EXPECT_EQ(*P->allocate({256}), 256u);
  EXPECT_EQ(P->usedBytes(), 1024u);
  EXPECT_FALSE(P->allocate({1}));
  P->free(0);
  P->free(512);
  EXPECT_EQ(P->freeBlocks(), (std::vector<uint64_t>{256, 512}));
  P->free(256);
  EXPECT_EQ(P->freeBlocks(), (std::vector<uint64_t>{1024}));
}

TEST(Caching, KeepsSegmentsUntilNothingFits) {
  auto P = makePool(PoolKind::Caching, 46 * MiB);
  EXPECT_EQ(*P->allocate({100}), 0u); // in a segment of 2 MiB
  EXPECT_EQ(P->usedBytes(), 512u);
  EXPECT_EQ(*P->allocate({3 * MiB}), 2 * MiB); // in one of 20 MiB
  EXPECT_EQ(*P->allocate({5 * MiB}), 5 * MiB);
  EXPECT_EQ(*P->allocate({23 * MiB}), 22 * MiB); // one of its own, 24 MiB
  EXPECT_FALSE(P->allocate({13 * MiB})) << "12 MiB are cached, none is behind";
  P->free(22 * MiB);
  EXPECT_EQ(*P->allocate({2 * MiB}), 10 * MiB) << "the cache comes first";
  EXPECT_EQ(*P->allocate({11 * MiB}), 22 * MiB) << "a whole cached segment";
}

TEST(Fragmentation, IsTheShareInBlocksThatAreTooSmall) {
  EXPECT_EQ(unusableShare({}, 4), 0);
  EXPECT_EQ(unusableShare({1024}, 1024), 0);
  EXPECT_EQ(unusableShare({1024}, 1025), 1);
  // k_8 = 2, k_9 = 1, k_10 = 1: U_f(9) = (2048 - 1536) / 2048.
  EXPECT_EQ(unusableShare({256, 512, 1024, 256}, 512), 0.25);
}

TEST(Sizing, TakesAwayWhatWasSpareAndAddsBeta) {
  std::vector<uint64_t> Asked;
  auto Needs = [&](uint64_t Least) {
    return [&Asked, Least](uint64_t Bytes) {
      Asked.push_back(Bytes);
      return TrialRun{Bytes >= Least, 400};
    };
  };
  auto S = sizePool(1000, 50, Needs(620));
  ASSERT_TRUE(bool(S));
  EXPECT_EQ(S->Bytes, 650u);
  EXPECT_EQ(S->Failures, 0u);
  EXPECT_EQ(Asked, (std::vector<uint64_t>{1000, 650}));
  S = sizePool(1000, 50, Needs(720));
  EXPECT_EQ(S->Bytes, 750u);
  EXPECT_EQ(S->Failures, 2u);
  S = sizePool(1000, 300, Needs(990));
  EXPECT_EQ(S->Bytes, 1000u);
  EXPECT_NE(sizePool(1000, 50, Needs(1001)).message().find("does not fit"),
            std::string::npos);
  EXPECT_NE(sizePool(1000, 0, Needs(1)).message().find("beta"),
            std::string::npos);
}

} // namespace
