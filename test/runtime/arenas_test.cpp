//===- arenas_test.cpp - small blocks by site -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime's internal headers, and Inputs/arenas/plan.json, which the
// environment names: site 1 has a fast arena, 2 a slow one, 3 one of half each.
// Not here: threads, fork and the program's plain calls (arenas.test).
//===----------------------------------------------------------------------===//
#include "calls/interpose.h"
#include "core/reserved.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "insides.h"
#include "objects/object.h"
extern "C" {
#include "arenas/arena.h"
#include "placement/walk.h"
}

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <malloc.h>
#include <set>
#include <vector>

namespace {

bool isOurs(const void *P) { return ek_in_reserved(P); }

/// The share of the pages of \p Blocks that lies in fast memory.
double fastShare(const std::vector<char *> &Blocks) {
  std::set<uintptr_t> Pages;
  for (const char *P : Blocks)
    Pages.insert(reinterpret_cast<uintptr_t>(P) & ~(uintptr_t(Page) - 1));
  size_t Fast = 0;
  for (uintptr_t P : Pages)
    Fast += inFast(reinterpret_cast<void *>(P), 1) / Page;
  return double(Fast) / double(Pages.size());
}

std::vector<char *> blocksOf(uint64_t Site, size_t Count, size_t Bytes) {
  std::vector<char *> Out;
  for (size_t I = 0; I < Count; ++I) {
    Out.push_back(static_cast<char *>(ek_malloc(Site, Bytes)));
    std::memset(Out.back(), int(I), Bytes);
  }
  return Out;
}

void freeAll(const std::vector<char *> &Blocks) {
  for (char *P : Blocks)
    ek_free(P);
}

TEST(Arenas, BlocksLieInTheirTierAndKnowTheirSite) {
  const auto Hot = blocksOf(1, 20000, 100), Cold = blocksOf(2, 20000, 100);
  for (size_t I = 0; I < Hot.size(); I += 7) {
    ASSERT_TRUE(isOurs(Hot[I]) && isOurs(Cold[I]));
    EXPECT_EQ(ek_object_site(Hot[I]), 1u);
    EXPECT_EQ(ek_object_site(Cold[I] + 99), 2u);
  }
  EXPECT_EQ(fastShare(Hot), 1);
  EXPECT_EQ(fastShare(Cold), 0);
  const ek_object *O = ek_arena_of(Hot[0]);
  ASSERT_NE(O, nullptr);
  EXPECT_EQ(O->range, EK_SMALLS);
  EXPECT_EQ(O->fast_pages * Page, O->bytes);
  EXPECT_GE(O->bytes, 20000u * 112);
  freeAll(Hot);
  freeAll(Cold);
}

TEST(Arenas, AShareIsThatOfEveryPartHoweverFarItGrows) {
  const auto All = blocksOf(3, 50000, 200);
  EXPECT_NEAR(fastShare(All), 0.5, 0.06); // of some ten parts of a MiB
  std::vector<int> Before;
  for (char *P : All)
    Before.push_back(tiersOf(P, 1)[0]);
  const auto More = blocksOf(3, 50000, 200);
  EXPECT_NEAR(fastShare(More), 0.5, 0.06);
  for (size_t I = 0; I < All.size(); ++I)
    ASSERT_EQ(tiersOf(All[I], 1)[0], Before[I]);
  freeAll(All);
  freeAll(More);
}

TEST(Arenas, OtherSitesAndLargeBlocksHaveNone) {
  void *Other = ek_malloc(9, 100), *None = ek_malloc(1, 0);
  EXPECT_FALSE(isOurs(Other));
  EXPECT_FALSE(isOurs(None));
  void *Large = ek_malloc(1, 1 << 20);
  ASSERT_TRUE(isOurs(Large));
  EXPECT_EQ(ek_arena_of(Large), nullptr);
  EXPECT_EQ(inFast(Large, 1 << 20), 0u); // the entry of large blocks
  ek_free(Other);
  ek_free(None);
  ek_free(Large);
}

TEST(Arenas, ZeroedAlignedAndSized) {
  for (size_t N = 1; N < 65536; N += 397) {
    auto *P = static_cast<unsigned char *>(ek_malloc(1, N));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % 16, 0u);
    std::memset(P, 255, N);
    EXPECT_GE(ek_usable_size(P), N);
    EXPECT_EQ(ek_any_usable_size(P), ek_usable_size(P));
    ek_free(P);
    P = static_cast<unsigned char *>(ek_calloc(1, N, 1));
    for (size_t I = 0; I < N; ++I)
      ASSERT_EQ(P[I], 0);
    ek_any_free(P);
  }
  for (size_t Align = 16; Align <= 4096; Align *= 2) {
    void *P = ek_aligned_alloc(1, Align, 3 * Align);
    EXPECT_TRUE(isOurs(P));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % Align, 0u);
    ek_free(P);
  }
  const uint64_t Left = ek_get(why[EK_WHY_arenas_left]);
  void *P = ek_memalign(1, 1 << 20, 1000);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % (1 << 20), 0u);
  EXPECT_FALSE(isOurs(P));
  EXPECT_EQ(ek_get(why[EK_WHY_arenas_left]), Left + 1);
  ek_free(P);
}

TEST(Arenas, SizesChangeAcrossAllKinds) {
  // Of the C library, of the arena, large, and back.
  auto *P = static_cast<unsigned char *>(malloc(8));
  std::memset(P, 7, 8);
  size_t Kept = 8;
  for (const size_t N : {24, 5000, 300000, 40000, 70000, 100, 1}) {
    P = static_cast<unsigned char *>(ek_realloc(2, P, N));
    ASSERT_NE(P, nullptr);
    Kept = std::min(Kept, N);
    for (size_t I = 0; I < Kept; ++I)
      ASSERT_EQ(P[I], 7);
  }
  EXPECT_EQ(ek_realloc(2, P, 0), nullptr);
  // A plain realloc keeps the site.
  P = static_cast<unsigned char *>(ek_any_realloc(ek_malloc(1, 50), 1000));
  EXPECT_EQ(ek_object_site(P), 1u);
  P = static_cast<unsigned char *>(ek_any_realloc(P, 100000));
  EXPECT_EQ(ek_object_site(P), 1u);
  EXPECT_EQ(ek_arena_of(P), nullptr);
  errno = 5;
  ek_free(P);
  EXPECT_EQ(errno, 5);
}

TEST(Arenas, OrdinalsOfLargeBlocksCountNoArenas) {
  freeAll(blocksOf(2, 1000, 1000));
  void *Large[] = {ek_malloc(2, 1 << 20), ek_malloc(2, 1 << 20)};
  ek_where First, Second;
  ASSERT_TRUE(ek_object_find(Large[0], &First));
  ASSERT_TRUE(ek_object_find(Large[1], &Second));
  EXPECT_EQ(Second.ordinal, First.ordinal + 1);
  EXPECT_LT(First.ordinal, 4u);
  ek_free(Large[0]);
  ek_free(Large[1]);
}

} // namespace
