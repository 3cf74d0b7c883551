//===- insides_test.cpp - extents, map, walk, tiers, plan -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime's internal headers; linked with its objects, not with the
// shared library. Runs with EVENKEEL_TIERS=fast=1MiB,slow=1GiB.
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

const bool Reserved = ek_start() && ek_reserve();

/// Plans are also made because of sizes that make the rest of the run longer.
TEST(Events, APromiseMayBeBelowNothing) { ek_probe_look(true, 0.5, -0.0081); }

TEST(Options, Sizes) {
  uint64_t N = 0;
  EXPECT_EQ(ek_parse_size("4096", &N), 0);
  EXPECT_EQ(N, 4096u);
  EXPECT_EQ(ek_parse_size("1.5GiB", &N), 0);
  EXPECT_EQ(N, 3u << 29);
  EXPECT_EQ(ek_parse_size("2MB", &N), 0);
  EXPECT_EQ(N, 2000000u);
  for (const char *Bad :
       {"", "x", "-1", "4 KiB", "4kib", "1e30", "nan", "0x10B", "1e3", "1.5.2"})
    EXPECT_EQ(ek_parse_size(Bad, &N), -1) << Bad;
}

/// An object of \p Bytes, placed by \p Entry.
ek_object objectOf(ek_plan_object &Entry, size_t Bytes) {
  ek_object O{};
  O.base = Page * 100;
  O.bytes = Bytes;
  O.percent = EK_NO_FAST;
  O.plan = &Entry;
  return O;
}

TEST(Walk, RangesPageByPage) {
  // 256 chunks of two pages each.
  ek_plan_range Ranges[] = {{0, 2, 1}, {10, 12, 0.5}, {250, 256, 1}};
  ek_plan_object Entry{};
  Entry.ranges = Ranges;
  Entry.range_count = 3;
  const ek_object O = objectOf(Entry, 512 * Page);
  ek_walk W;
  ek_walk_start(&W, &O);
  uintptr_t At;
  bool Fast;
  size_t I = 0;
  for (; ek_walk_next(&W, &At, &Fast); ++I) {
    EXPECT_EQ(At, O.base + I * Page);
    bool Want = I < 4 || I == 20 || I == 22 || I >= 500;
    EXPECT_EQ(Fast, Want) << "page " << I;
  }
  EXPECT_EQ(I, 512u);
}

TEST(Walk, SharesAreExactToHalfAPage) {
  for (size_t Bytes : {size_t(65536), size_t(100001), size_t(12345678)})
    for (double Share : {0.0, 0.001, 0.1, 0.37, 0.5, 0.999, 1.0})
      for (bool Spread : {false, true}) {
        ek_plan_range Range{0, 256, Share};
        ek_plan_object Entry{};
        Entry.share = Share;
        Entry.ranges = &Range;
        Entry.range_count = Spread;
        const ek_object O = objectOf(Entry, Bytes);
        ek_walk W;
        ek_walk_start(&W, &O);
        uintptr_t At;
        bool Fast;
        double Given = 0;
        size_t Pages = 0;
        while (ek_walk_next(&W, &At, &Fast))
          if (Fast) {
            ++Pages;
            Given += static_cast<double>(
                std::min<uintptr_t>(Page, O.base + Bytes - At));
          }
        const size_t Wished = ek_walk_wished(&O);
        EXPECT_LE(Pages, Wished + 1);
        EXPECT_LE(Wished, Pages + 1);
        EXPECT_NEAR(Given, Share * static_cast<double>(Bytes), Page / 2 + 1)
            << Bytes << " " << Share << " " << Spread;
      }
}

/// Halves of a page that add up exactly count, however shares round: compared
/// with integers in thousandths of a byte.
TEST(Walk, TiesDoNotDependOnRounding) {
  for (uint64_t Chunk : {4096u, 8192u})
    for (uint64_t Share = 1; Share < 1000; ++Share) {
      ek_plan_range Range{0, 256, double(Share) / 1000};
      ek_plan_object Entry{};
      Entry.ranges = &Range;
      Entry.range_count = 1;
      const ek_object O = objectOf(Entry, 256 * Chunk);
      ek_walk W;
      ek_walk_start(&W, &O);
      uintptr_t At;
      bool Fast;
      int64_t Given = 0;
      while (ek_walk_next(&W, &At, &Fast)) {
        const uint64_t To = At + Page - O.base;
        const auto Asked = int64_t(To / Chunk * Chunk * Share +
                                   std::min(To % Chunk * 1000, Chunk * Share));
        const bool Want = Asked - Given >= int64_t(Page) * 500;
        Given += Want ? int64_t(Page) * 1000 : 0;
        ASSERT_EQ(Fast, Want) << Chunk << " " << Share << " " << At;
      }
    }
}

TEST(Place, PlanRangesLieWhereAskedFor) {
  std::vector<ek_plan_range> Ranges = {{0, 64, 1}, {192, 256, 0.5}};
  ScopedPlan Plan(2000, 0.375, Ranges);
  void *P = ek_malloc(2000, MiB); // 256 pages, one per chunk
  std::vector<int> T = tiersOf(P, MiB);
  for (size_t I = 0; I < 256; ++I)
    EXPECT_EQ(T[I], I < 64 || (I >= 192 && I % 2 == 0) ? 0 : 1) << I;
  ek_where W;
  ASSERT_TRUE(ek_object_find(P, &W));
  // Growth: the chunks stretch; contents stay.
  memset(P, 9, MiB);
  P = realloc(P, 2 * MiB);
  EXPECT_EQ(static_cast<char *>(P)[MiB - 1], 9);
  T = tiersOf(P, 2 * MiB);
  for (size_t I = 0; I < 128; ++I)
    EXPECT_EQ(T[I], 0) << I;
  for (size_t I = 128; I < 384; ++I)
    EXPECT_EQ(T[I], 1) << I;
  free(P);
  EXPECT_EQ(ek_use[0].live, 0u);
}

TEST(Place, PinsWinOverThePlan) {
  ScopedPlan Plan(2090, 0);
  void *P = ek_malloc_at(2090, EK_PINNED(25), MiB);
  EXPECT_EQ(inFast(P, MiB), MiB / 4);
  EXPECT_EQ(ek_get(pinned), 1u);
  ek_free(P);
}

TEST(Place, CallSaysWhereThePlanIsSilent) {
  void *P = ek_malloc_at(2100, EK_FAST(25), MiB);
  EXPECT_EQ(inFast(P, MiB), MiB / 4);
  EXPECT_EQ(tiersOf(P, MiB)[0], 0); // its first part
  free(P);
  ScopedPlan Plan(2100, 0.5);
  P = ek_malloc_at(2100, EK_FAST(25), MiB); // the plan wins
  EXPECT_EQ(inFast(P, MiB), MiB / 2);
  void *Q = ek_malloc(2101, MiB); // not in the plan: slow
  EXPECT_EQ(inFast(Q, MiB), 0u);
  free(P);
  free(Q);
}

TEST(Place, WithoutAnyWordFirstTouch) {
  void *P = ek_malloc(2150, MiB - 64 * Page), *Q = ek_malloc(2151, MiB);
  EXPECT_EQ(inFast(P, MiB - 64 * Page), MiB - 64 * Page);
  EXPECT_EQ(inFast(Q, MiB), 64 * Page); // the rest of the tier
  free(P);
  free(Q);
}

TEST(Place, TierFullIsCountedAndCaughtUpAtAHook) {
  uint64_t Full = ek_get(why[EK_WHY_tier_full]);
  uint64_t SlowBefore = ek_use[1].live;
  void *P = ek_malloc_at(2200, EK_FAST(100), MiB);
  void *Q = ek_malloc_at(2201, EK_FAST(100), MiB);
  EXPECT_EQ(inFast(P, MiB), MiB);
  EXPECT_EQ(inFast(Q, MiB), 0u);
  EXPECT_EQ(ek_get(why[EK_WHY_tier_full]) - Full, MiB);
  ek_sync(1, EK_SERIAL); // nothing was freed: nothing moves
  EXPECT_EQ(inFast(Q, MiB), 0u);
  uint64_t Moved = ek_get(moved_pages);
  free(P);
  ek_sync(1, EK_SERIAL);
  EXPECT_EQ(inFast(Q, MiB), MiB);
  EXPECT_EQ(ek_get(moved_pages) - Moved, MiB / Page);
  EXPECT_EQ(ek_use[0].live, MiB);
  EXPECT_EQ(ek_use[1].live, SlowBefore);
  free(Q);
  EXPECT_EQ(ek_use[0].live, 0u);
}

TEST(Place, BudgetPerHook) {
  uint64_t Budget = ek_opt.migrate;
  ek_opt.migrate = 64 * Page;
  void *P = ek_malloc_at(2300, EK_FAST(100), MiB);
  void *Q = ek_malloc_at(2301, EK_FAST(100), MiB);
  free(P);
  ek_sync(1, EK_SERIAL);
  EXPECT_EQ(inFast(Q, MiB), 64 * Page);
  ek_sync(1, EK_SERIAL);
  EXPECT_EQ(inFast(Q, MiB), 128 * Page);
  ek_opt.migrate = Budget;
  free(Q);
}

TEST(Place, RefusedPagesStayAndAreCounted) {
  static ek_provider Stubborn = *ek_provider_now; // moves even pages only
  static const ek_provider *Real = ek_provider_now;
  Stubborn.move = [](void **Pages, size_t N, unsigned Tier, int *Status) {
    size_t Moved = 0;
    for (size_t I = 0; I < N; ++I) {
      bool Even = reinterpret_cast<uintptr_t>(Pages[I]) / Page % 2 == 0;
      Status[I] = 16;
      if (Even)
        Moved += Real->move(Pages + I, 1, Tier, Status + I);
    }
    return Moved;
  };
  void *P = ek_malloc_at(2400, EK_FAST(100), MiB);
  void *Q = ek_malloc_at(2401, EK_FAST(100), MiB);
  memset(Q, 5, MiB);
  uint64_t Refused = ek_get(why[EK_WHY_move_busy]);
  free(P);
  ek_provider_now = &Stubborn;
  ek_sync(1, EK_SERIAL);
  ek_provider_now = Real;
  EXPECT_EQ(inFast(Q, MiB), MiB / 2);
  EXPECT_EQ(ek_get(why[EK_WHY_move_busy]) - Refused, MiB / Page / 2);
  EXPECT_EQ(ek_use[0].live, MiB / 2);
  EXPECT_EQ(static_cast<char *>(Q)[MiB - 1], 5);
  free(Q);
}

/// Two sites, each of whose objects wants all of the fast tier.
struct TwoSites {
  std::vector<ek_plan_object> Objects{2};
  ek_plan Plan{};
  TwoSites(double WorthA, double WorthB) {
    for (size_t I = 0; I < 2; ++I) {
      Objects[I].site = 2600 + I;
      Objects[I].creator = Objects[I].ordinal = EK_ANY;
      Objects[I].share = 1;
      Objects[I].group.worth = I ? WorthB : WorthA;
      Objects[I].gain_s = Objects[I].group.worth * MiB;
    }
    Plan.objects = Objects.data();
    Plan.count = 2;
    ek_place_plan(&Plan);
  }
  ~TwoSites() { ek_place_plan(nullptr); }
};

TEST(Place, WhatIsWorthLessMakesRoom) {
  for (double Worth : {1.0, 1.1, 2.0}) {
    TwoSites Plan(1, Worth);
    uint64_t Demoted = ek_get(demoted_pages), Moved = ek_get(moved_pages);
    auto *A = static_cast<char *>(ek_malloc(2600, MiB));
    auto *B = static_cast<char *>(ek_malloc(2601, MiB));
    memset(A, 1, MiB);
    memset(B, 2, MiB);
    EXPECT_EQ(inFast(A, MiB), MiB);
    ek_sync(1, EK_SERIAL);
    bool Swap = Worth == 2; // clearly a higher worth
    EXPECT_EQ(inFast(A, MiB), Swap ? 0 : MiB);
    EXPECT_EQ(inFast(B, MiB), Swap ? MiB : 0);
    EXPECT_EQ(ek_get(demoted_pages) - Demoted, Swap ? MiB / Page : 0);
    EXPECT_EQ(ek_get(moved_pages) - Moved, Swap ? 2 * MiB / Page : 0);
    EXPECT_EQ(ek_use[0].live, MiB);
    Moved = ek_get(moved_pages);
    ek_sync(1, EK_SERIAL); // it does not return
    EXPECT_EQ(ek_get(moved_pages), Moved);
    EXPECT_EQ(ek_migrate_pending, 0);
    EXPECT_EQ(A[MiB - 1] + B[MiB - 1], 3);
    free(B);
    ek_sync(1, EK_SERIAL); // the demoted object may return
    EXPECT_EQ(inFast(A, MiB), MiB);
    free(A);
    EXPECT_EQ(ek_use[0].live, 0u);
  }
}

TEST(Place, PhasesChangeThePlan) {
  TwoSites Plan(1, 1);
  Plan.Objects[1].share = 0;
  uint32_t Next = ek_phase_now + 1;
  ek_plan_range Half{0, 256, 0.5};
  ek_plan_change Changes[] = {
      {Next, &Plan.Objects[0], 0, 1, 1e-6, nullptr, 0},
      {Next, &Plan.Objects[1], 0.5, 1, 1e-6, &Half, 1},
      {Next + 2, &Plan.Objects[0], 0.25, 1, 1e-6, nullptr, 0}};
  Plan.Plan.changes = Changes;
  Plan.Plan.change_count = 3;
  void *A = ek_malloc(2600, MiB), *B = ek_malloc(2601, MiB);
  EXPECT_EQ(inFast(A, MiB), MiB);
  EXPECT_EQ(inFast(B, MiB), 0u);
  uint64_t Moved = ek_get(moved_pages);
  ek_sync(1, EK_SERIAL | EK_PARTIAL); // no phase ends
  EXPECT_EQ(inFast(A, MiB), MiB);
  ek_sync(1, EK_SERIAL);
  EXPECT_EQ(inFast(A, MiB), 0u);
  std::vector<int> T = tiersOf(B, MiB); // a page a chunk
  for (size_t I = 0; I < 256; ++I)
    EXPECT_EQ(T[I], I % 2) << I;
  EXPECT_EQ(ek_get(moved_pages) - Moved, 256u + 128u);
  ek_sync(1, EK_SERIAL);
  EXPECT_EQ(inFast(A, MiB), 0u);
  void *C = ek_malloc(2600, MiB); // made under the plan of now
  EXPECT_EQ(inFast(C, MiB), 0u);
  ek_sync(1, EK_SERIAL);
  EXPECT_EQ(inFast(A, MiB), MiB / 4);
  EXPECT_EQ(inFast(C, MiB), MiB / 4);
  EXPECT_EQ(ek_use[0].live, MiB);
  for (void *P : {A, B, C})
    free(P);
  EXPECT_EQ(ek_use[0].live, 0u);
}

/// Two objects leave and two come: each takes the room of one that has just
/// left, so that the first gains before the last has left.
TEST(Place, WhatComesAlternatesWithWhatLeaves) {
  static ek_provider Watched = *ek_provider_now;
  static const ek_provider *Real = ek_provider_now;
  static std::vector<unsigned> To;
  Watched.move = [](void **Pages, size_t N, unsigned Tier, int *Status) {
    To.push_back(Tier);
    return Real->move(Pages, N, Tier, Status);
  };
  TwoSites Plan(1, 1);
  Plan.Objects[1].share = 0;
  ek_plan_change Changes[] = {
      {ek_phase_now + 1, &Plan.Objects[0], 0, 1, 1e-6, nullptr, 0},
      {ek_phase_now + 1, &Plan.Objects[1], 1, 1, 1e-6, nullptr, 0}};
  Plan.Plan.changes = Changes;
  Plan.Plan.change_count = 2;
  void *All[] = {ek_malloc(2600, MiB / 2), ek_malloc(2600, MiB / 2),
                 ek_malloc(2601, MiB / 2), ek_malloc(2601, MiB / 2)};
  ek_provider_now = &Watched;
  ek_sync(1, EK_SERIAL);
  ek_provider_now = Real;
  ASSERT_GE(To.size(), 4u);
  EXPECT_EQ(std::vector(To.begin(), To.begin() + 4),
            (std::vector<unsigned>{1, 0, 1, 0}));
  EXPECT_EQ(inFast(All[2], MiB / 2) + inFast(All[3], MiB / 2), MiB);
  EXPECT_EQ(ek_use[0].live, MiB);
  for (void *P : All)
    free(P);
  EXPECT_EQ(ek_use[0].live, 0u);
}

/// What comes into room that another has left may itself have pages to leave:
/// the same pass visits it all the same.
TEST(Place, WhatCameEarlyIsVisited) {
  constexpr size_t Quarter = MiB / 4; // 64 pages
  ek_plan_range Front{0, 128, 1}, Back{96, 256, 1};
  TwoSites Plan(1, 1);
  Plan.Objects[1].ranges = &Front;
  Plan.Objects[1].range_count = 1;
  ek_plan_change Change{
      ek_phase_now + 1, &Plan.Objects[1], 0.625, 1, 1e-6, &Back, 1};
  Plan.Plan.changes = &Change;
  Plan.Plan.change_count = 1;
  std::vector<void *> All;
  for (int I = 0; I < 6; ++I) // room for a few that come at a time
    All.push_back(ek_malloc(2601, Quarter));
  ek_sync(1, EK_SERIAL);
  for (size_t I = 0; I < All.size(); ++I) {
    const std::vector<int> T = tiersOf(All[I], Quarter);
    for (size_t K = 0; K < T.size(); ++K)
      EXPECT_EQ(T[K], K < 24) << "object " << I << ", page " << K;
  }
  EXPECT_EQ(ek_use[0].live, 6 * 40 * Page);
  for (void *P : All)
    free(P);
  EXPECT_EQ(ek_use[0].live, 0u);
}

// Threads allocate, grow and free objects while the helper moves them to and
// fro; at the end the accounts and the page table of the tiers are empty.
TEST(Place, MigrationAmongAllocations) {
  static ek_provider Slow = *ek_provider_now;
  static const ek_provider *Real = ek_provider_now;
  Slow.moves_at_once = false;
  Slow.move = [](void **Pages, size_t N, unsigned Tier, int *Status) {
    usleep(20);
    size_t Moved = Real->move(Pages, N, Tier, Status);
    for (size_t I = 0; I < N; ++I) // some are refused
      if (reinterpret_cast<uintptr_t>(Pages[I]) / Page % 29 == 7 &&
          Status[I] == 0) {
        Real->move(Pages + I, 1, 1 - Tier, Status + I);
        Status[I] = EBUSY;
        --Moved;
      }
    return Moved;
  };
  TwoSites Plan(1, 4);
  std::vector<ek_plan_change> Changes;
  uint32_t Phase = ek_phase_now;
  for (unsigned I = 0; I < 300; ++I)
    Changes.push_back({Phase + 1 + I / 2, &Plan.Objects[I % 2],
                       (I * 7 % 5) / 4.0, 1, 1e-6 * (1 + I % 3), nullptr, 0});
  Plan.Plan.changes = Changes.data();
  Plan.Plan.change_count = Changes.size();
  uint64_t Base = ek_use[0].live, Base1 = ek_use[1].live;
  uint64_t Passes = ek_get(move_passes);
  ek_provider_now = &Slow;
  std::atomic<bool> Stop{false};
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T < 3; ++T)
    Threads.emplace_back([&Stop, T] {
      unsigned Random = T + 1;
      std::vector<std::pair<unsigned char *, size_t>> Live;
      auto Next = [&] {
        return (Random = Random * 1664525u + 1013904223u) >> 8;
      };
      while (!Stop) {
        size_t Bytes = 65536 + Next() % (MiB / 2);
        if (Live.size() < 6) {
          auto *P =
              static_cast<unsigned char *>(ek_malloc(2600 + T % 2, Bytes));
          memset(P, int(Bytes & 255), Bytes);
          Live.emplace_back(P, Bytes);
          continue;
        }
        auto &[P, N] = Live[Next() % Live.size()];
        for (size_t At = 0; At < N; At += 997)
          ASSERT_EQ(P[At], N & 255);
        if (Next() % 2) {
          P = static_cast<unsigned char *>(ek_realloc(2600, P, Bytes));
          N = Bytes;
          memset(P, int(N & 255), N);
        } else {
          ek_free(P);
          std::swap(Live.back().first, P);
          std::swap(Live.back().second, N);
          Live.pop_back();
        }
      }
      for (auto &B : Live)
        ek_free(B.first);
    });
  // As long as it takes the helper to have moved something (beside_ns) on a
  // busy computer.
  for (unsigned I = 0; I < 200 || (I < 60000 && !ek_get(beside_ns)); ++I) {
    ek_sync(1, EK_SERIAL);
    usleep(500);
  }
  Stop = true;
  for (std::thread &T : Threads)
    T.join();
  ek_migrate_wait();
  ek_provider_now = Real;
  EXPECT_GT(ek_get(move_passes), Passes);
  EXPECT_GT(ek_get(beside_ns), 0u);
  EXPECT_EQ(ek_use[0].live, Base);
  EXPECT_EQ(ek_use[1].live, Base1);
}

// Pages never touched cannot be told apart: they are not counted twice.
TEST(Place, UntouchedPagesAreChargedOnce) {
  static ek_provider Blind = *ek_provider_now;
  static const ek_provider *Real = ek_provider_now;
  Blind.query = [](void **, size_t N, int *Tiers) {
    std::fill(Tiers, Tiers + N, -1);
  };
  uint64_t Slow = ek_use[1].live;
  void *P = ek_malloc_at(2700, EK_FAST(100), MiB / 2);
  void *Q = ek_malloc_at(2701, EK_FAST(100), MiB); // half of it falls short
  free(P);
  EXPECT_EQ(ek_use[0].live, MiB / 2);
  ek_provider_now = &Blind;
  ek_sync(1, EK_SERIAL);
  ek_provider_now = Real;
  EXPECT_LE(ek_use[0].live, MiB);
  EXPECT_EQ(ek_use[0].live + ek_use[1].live - Slow, MiB);
  free(Q);
  EXPECT_EQ(ek_use[0].live, 0u);
  EXPECT_EQ(ek_use[1].live, Slow);
}

TEST(Place, SlowFullSpillsAndIsCounted) {
  uint64_t Slow = ek_get(why[EK_WHY_slow_full]);
  uint64_t Over = ek_get(why[EK_WHY_over_capacity]);
  size_t Room = (size_t(1) << 30) - ek_use[1].live;
  void *P = ek_malloc_at(2500, EK_FAST(0), Room);
  void *Q = ek_malloc_at(2501, EK_FAST(0), 2 * MiB);
  EXPECT_EQ(ek_get(why[EK_WHY_slow_full]) - Slow, MiB);
  EXPECT_EQ(ek_get(why[EK_WHY_over_capacity]) - Over, MiB);
  free(P);
  free(Q);
}

TEST(Numa, RealCallsOnTheNodesThereAre) {
  ek_tier Tiers[EK_MAX_TIERS];
  unsigned Count = 0;
  ek_provider_config Config = {"", 0, nullptr};
  if (const char *Why = ek_provider_numa.init(&Config, Tiers, &Count))
    GTEST_SKIP() << Why;
  ASSERT_GE(Count, 1u);
  void *P = aligned_alloc(Page, 16 * Page);
  EXPECT_EQ(ek_provider_numa.place(P, 16 * Page, Count - 1), 0);
  memset(P, 1, 16 * Page);
  void *Pages[16];
  int Where[16];
  for (int I = 0; I < 16; ++I)
    Pages[I] = static_cast<char *>(P) + static_cast<size_t>(I) * Page;
  ek_provider_numa.query(Pages, 16, Where);
  for (int T : Where)
    EXPECT_EQ(T, static_cast<int>(Count) - 1);
  EXPECT_EQ(ek_provider_numa.move(Pages, 16, 0, Where), 16u);
  ek_provider_numa.query(Pages, 16, Where);
  for (int T : Where)
    EXPECT_EQ(T, 0);
  ek_provider_numa.release(P, 16 * Page);
  free(P);
}

// Last, as static storage stays. Only whole pages of static storage are placed:
// other variables share the rest.
alignas(4096) char Static[40 * 4096];

// However many objects come and go, no more is placed in a tier than it has.
TEST(Place, PlacedIsWithinTheCapacity) {
  ScopedPlan Plan(2121, 1);
  const uint64_t Before = ek_use[0].placed;
  for (int I = 0; I < 5; ++I) {
    void *P = ek_malloc(2121, MiB), *Q = ek_malloc(2121, MiB);
    free(P);
    free(Q);
  }
  EXPECT_GE(ek_use[0].placed - Before, 5 * MiB);
  EXPECT_LE(ek_use[0].most, ek_place_capacity(0));
  EXPECT_EQ(ek_use[0].most, MiB);
}

TEST(Place, StaticStorageByItsInnerPages) {
  {
    ScopedPlan Plan(2120, 0.5);
    Static[100] = 1; // touched before it is known
    ek_global(2120, Static + 100, 32 * Page);
    std::vector<int> T = tiersOf(Static, 40 * Page);
    EXPECT_EQ(T[0], -1);
    for (size_t I = 1; I < 32; ++I)
      EXPECT_EQ(T[I], I < 17 ? 0 : 1) << I;
    EXPECT_EQ(T[32], -1);
    EXPECT_EQ(ek_use[0].live, 16 * Page);
  }
  EXPECT_EQ(Static[100], 1);
  ek_where W;
  ASSERT_TRUE(ek_object_find(Static + 100, &W));
  EXPECT_EQ(W.site, 2120u);
}

} // namespace
