//===- insides_kept_test.cpp - pages of freed objects -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime's internal headers, as insides_test.cpp does.
//===----------------------------------------------------------------------===//
#include "calls/context.h"
#include "calls/placed.h"
#include "core/options.h"
#include "core/probes.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "insides.h"
#include "objects/extent.h"
#include "objects/object.h"
#include "placement/moves/migrate.h"
#include "placement/place.h"
#include "placement/plan.h"
#include "providers/provider.h"
#include "scoped_plan.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

/// Static storage of earlier tests may lie in the fast tier for ever.
struct Kept : ::testing::Test {
  size_t Static = (ek_kept_drop_all(), ek_use[0].live);
};

TEST_F(Kept, TheNextObjectLikeItHasThePages) {
  ScopedPlan Plan(2900, 0.25);
  void *P = ek_malloc(2900, MiB - 5);
  memset(P, 7, MiB - 5);
  const std::vector<int> Tiers = tiersOf(P, MiB);
  const uint64_t Taken = ek_get(kept_taken);
  free(P);
  EXPECT_EQ(ek_use[0].live, Static); // of objects
  EXPECT_EQ(ek_kept_bytes(0), MiB / 4);
  ek_where W;
  EXPECT_FALSE(ek_object_find(P, &W));
  void *Other = ek_malloc(2900, MiB / 2); // its quarter is elsewhere
  EXPECT_NE(Other, P);
  EXPECT_EQ(inFast(Other, MiB / 2), MiB / 8);
  EXPECT_EQ(ek_get(kept_taken), Taken);
  void *Aligned = ek_aligned_alloc(2900, 64 * MiB, MiB - 5);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(Aligned) % (64 * MiB), 0u);
  free(Aligned);
  auto *Q = static_cast<char *>(ek_calloc(2900, 1, MiB - 5));
  EXPECT_GT(ek_get(kept_taken), Taken);
  EXPECT_EQ(tiersOf(Q, MiB), Tiers);
  for (size_t I = 0; I < MiB - 5; ++I)
    ASSERT_EQ(Q[I], 0) << I;
  ASSERT_TRUE(ek_object_find(Q + MiB / 2, &W));
  EXPECT_EQ(W.ordinal, 3u);
  EXPECT_EQ(W.bytes, MiB - 5);
  free(Q);
  free(Other);
}

TEST_F(Kept, ItMakesRoom) {
  void *P = ek_malloc_at(2910, EK_FAST(100), MiB - Static); // all
  free(P);
  EXPECT_EQ(ek_kept_bytes(0), MiB - Static);
  const uint64_t Full = ek_get(why[EK_WHY_tier_full]);
  void *Q = ek_malloc_at(2911, EK_FAST(100), MiB / 2 + Page);
  EXPECT_EQ(inFast(Q, MiB / 2 + Page), MiB / 2 + Page);
  EXPECT_EQ(ek_get(why[EK_WHY_tier_full]), Full);
  EXPECT_EQ(ek_kept_bytes(0), 0u);
  EXPECT_EQ(tiersOf(P, Page)[0], reinterpret_cast<void *>(P) == Q ? 0 : -1);
  // Nor is it withheld from an object that waits for it.
  void *R = ek_malloc_at(2912, EK_FAST(100), MiB);
  EXPECT_GT(ek_get(why[EK_WHY_tier_full]), Full);
  free(Q);
  EXPECT_EQ(ek_kept_bytes(0), 0u);
  free(R);
}

TEST_F(Kept, NoMoreThanIsAllowed) {
  const uint64_t Retain = ek_opt.retain, Returned = ek_get(kept_returned);
  ek_opt.retain = 8 * MiB;
  std::vector<void *> All;
  for (size_t I = 0; I < 40; ++I)
    All.push_back(ek_malloc_at(2920, EK_FAST(0), MiB - I * EK_GRANULE / 8));
  void *Huge = ek_malloc_at(2920, EK_FAST(0), 9 * MiB);
  for (void *P : All)
    free(P);
  EXPECT_LE(ek_kept_bytes(1), 8 * MiB);
  EXPECT_GT(ek_kept_bytes(1), 6 * MiB);
  EXPECT_GT(ek_get(kept_returned), Returned);
  const uint64_t Before = ek_kept_bytes(1);
  free(Huge); // would not fit
  EXPECT_EQ(ek_kept_bytes(1), Before);
  // The most recent ones are there.
  const uint64_t Taken = ek_get(kept_taken);
  free(ek_malloc_at(2920, EK_FAST(0), MiB - 39 * EK_GRANULE / 8));
  EXPECT_EQ(ek_get(kept_taken), Taken + 1);
  ek_place_plan(nullptr); // another plan: other wishes
  EXPECT_EQ(ek_kept_bytes(1), 0u);
  ek_opt.retain = 0;
  free(ek_malloc_at(2920, EK_FAST(0), MiB));
  EXPECT_EQ(ek_kept_bytes(1), 0u);
  ek_opt.retain = Retain;
}

// Whatever was freed, moved or demoted before: a new object's pages lie where
// its plan puts them, as far as there is room; and nothing is charged twice.
TEST_F(Kept, PagesAlwaysLieAsAskedFor) {
  std::vector<ek_plan_range> Ranges = {{0, 64, 1}, {192, 256, 0.5}};
  ScopedPlan Plan(2930, 0.1, Ranges);
  struct Live {
    void *P;
    size_t Bytes;
  };
  std::vector<Live> All;
  size_t Fast = Static;
  unsigned Random = 7;
  for (int Round = 0; Round < 800; ++Round) {
    Random = Random * 1664525u + 1013904223u;
    if (All.size() < 6 && Random >> 31) {
      const size_t Bytes =
          (2 + (Random >> 9) % 4) * EK_GRANULE - (Random >> 20) % 3 * 100;
      const unsigned How = (Random >> 12) % 5;
      const uint64_t Full = ek_get(why[EK_WHY_tier_full]);
      void *P = How == 0 ? ek_malloc(2930, Bytes)
                : How == 1
                    ? ek_malloc(2931, Bytes)
                    : ek_malloc_at(2932, EK_PINNED(How * 25 - 25), Bytes);
      std::vector<bool> Wish;
      ek_object O{};
      O.base = reinterpret_cast<uintptr_t>(P);
      O.bytes = Bytes;
      O.plan = How == 0 ? &Plan.Object : nullptr;
      O.percent = How > 1 ? static_cast<uint8_t>(How * 25 - 25)
                          : static_cast<uint8_t>(EK_NO_FAST);
      ek_walk W;
      ek_walk_start(&W, &O);
      uintptr_t At;
      bool IsFast;
      const std::vector<int> T = tiersOf(P, Bytes);
      for (size_t I = 0; ek_walk_next(&W, &At, &IsFast); ++I)
        if (ek_get(why[EK_WHY_tier_full]) == Full)
          ASSERT_EQ(T[I], IsFast ? 0 : 1) << Round << " " << How << " " << I;
      memset(P, 1, Bytes);
      All.push_back({P, Bytes});
    } else if (!All.empty()) {
      const size_t I = (Random >> 8) % All.size();
      free(All[I].P);
      All[I] = All.back();
      All.pop_back();
    }
    if (Random % 7 == 0)
      ek_sync(1, EK_SERIAL);
    Fast = Static;
    for (const Live &L : All)
      Fast += inFast(L.P, L.Bytes);
    ASSERT_EQ(ek_use[0].live, Fast) << Round;
    ASSERT_LE(ek_use[0].live + ek_kept_bytes(0), MiB);
  }
  EXPECT_GT(ek_get(kept_taken), 100u);
  for (const Live &L : All)
    free(L.P);
}

} // namespace
