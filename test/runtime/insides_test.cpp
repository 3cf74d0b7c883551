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

constexpr size_t MiB = 1 << 20, Page = EK_PAGE_BYTES;

const bool Reserved = ek_start() && ek_reserve();

std::vector<int> tiersOf(void *P, size_t Bytes) {
  std::vector<void *> Pages;
  for (size_t At = 0; At < Bytes; At += Page)
    Pages.push_back(static_cast<char *>(P) + At);
  std::vector<int> Tiers(Pages.size(), -2);
  ek_provider_now->query(Pages.data(), Pages.size(), Tiers.data());
  return Tiers;
}

size_t inFast(void *P, size_t Bytes) {
  size_t N = 0;
  for (int T : tiersOf(P, Bytes))
    N += T == 0;
  return N * Page;
}

/// Plans are made for sizes, too, that make the rest of the run longer.
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

TEST(Extents, CoalesceAndReuse) {
  size_t Free0, Count0, Top0, Free1, Count1, Top1;
  ek_extents_state(&Free0, &Count0, &Top0);
  bool Zero;
  void *P[64];
  for (void *&E : P)
    E = ek_extent_alloc(3 * EK_GRANULE - 5, 1, &Zero);
  // Odd ones first: nothing to merge with; then even ones: one extent remains.
  for (int I = 1; I < 64; I += 2)
    ek_extent_free(P[I], 3 * EK_GRANULE - 5, false);
  ek_extents_state(&Free1, &Count1, &Top1);
  EXPECT_GE(Count1, Count0 + 30);
  for (int I = 0; I < 64; I += 2)
    ek_extent_free(P[I], 3 * EK_GRANULE - 5, false);
  ek_extents_state(&Free1, &Count1, &Top1);
  EXPECT_LE(Count1, Count0 + 1);
  EXPECT_EQ(Top1 - Free1, Top0 - Free0); // as much in use as before
}

TEST(Extents, RandomAgainstAModel) {
  struct Block {
    unsigned char *P;
    size_t Bytes;
    unsigned char Mark;
  };
  std::vector<Block> Live;
  unsigned Random = 1;
  size_t Free0, Count, Top0, Free1, Top1;
  ek_extents_state(&Free0, &Count, &Top0);
  for (int I = 0; I < 4000; ++I) {
    Random = Random * 1664525u + 1013904223u;
    if (Live.size() < 50 && (Random >> 28) < 9) {
      size_t Bytes = 1 + (Random >> 8) % (10 * EK_GRANULE);
      size_t Align = size_t(1) << ((Random >> 4) % 21);
      bool Zero;
      auto *P =
          static_cast<unsigned char *>(ek_extent_alloc(Bytes, Align, &Zero));
      ASSERT_NE(P, nullptr);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(P) % Align, 0u);
      if (Zero)
        for (size_t At = 0; At < Bytes; At += 512)
          ASSERT_EQ(P[At], 0);
      memset(P, I & 255, Bytes);
      Live.push_back({P, Bytes, static_cast<unsigned char>(I & 255)});
    } else if (!Live.empty()) {
      size_t At = (Random >> 8) % Live.size();
      Block &B = Live[At];
      if (Random & 64) { // change its size
        size_t Bytes = 1 + (Random >> 9) % (12 * EK_GRANULE);
        if (Bytes > B.Bytes) {
          if (ek_extent_grow(B.P, B.Bytes, Bytes)) {
            memset(B.P + B.Bytes, B.Mark, Bytes - B.Bytes);
            B.Bytes = Bytes;
          }
        } else {
          ek_extent_shrink(B.P, B.Bytes, Bytes, Random & 128);
          B.Bytes = Bytes;
        }
        continue;
      }
      for (size_t K = 0; K < B.Bytes; K += 61)
        ASSERT_EQ(B.P[K], B.Mark); // nobody else wrote there
      ek_extent_free(B.P, B.Bytes, Random & 128);
      Live[At] = Live.back();
      Live.pop_back();
    }
  }
  for (Block &B : Live)
    ek_extent_free(B.P, B.Bytes, false);
  ek_extents_state(&Free1, &Count, &Top1);
  EXPECT_EQ(Top1 - Free1, Top0 - Free0);
}

TEST(Map, FindsTheObjectOfAnyAddress) {
  void *P = ek_malloc(1000, MiB), *Q = ek_malloc(1000, 100000);
  ek_where W;
  for (size_t At : {size_t(0), size_t(70000), MiB - 1}) {
    ASSERT_TRUE(ek_object_find(static_cast<char *>(P) + At, &W));
    EXPECT_EQ(W.site, 1000u);
    EXPECT_EQ(W.base, P);
    EXPECT_EQ(W.bytes, MiB);
    EXPECT_EQ(W.ordinal, 0u);
  }
  ASSERT_TRUE(ek_object_find(static_cast<char *>(Q) + 99999, &W));
  EXPECT_EQ(W.ordinal, 1u);
  EXPECT_FALSE(ek_object_find(static_cast<char *>(Q) + 100000, &W));
  EXPECT_FALSE(ek_object_find(&W, &W));
  free(P);
  EXPECT_FALSE(ek_object_find(P, &W));
  Q = realloc(Q, 3 * MiB); // keeps its identity
  ASSERT_TRUE(ek_object_find(static_cast<char *>(Q) + 3 * MiB - 1, &W));
  EXPECT_EQ(W.ordinal, 1u);
  free(Q);
}

char Globals[5][100000];

TEST(Map, Globals) {
  ScopedPlan Plan(1, 0); // not named: they leave the fast tier to other tests
  ek_where W;
  for (int I : {3, 0, 4, 1})
    ek_global(1100 + static_cast<uint64_t>(I), Globals[I], sizeof Globals[I]);
  for (int I : {0, 1, 3, 4}) {
    ASSERT_TRUE(ek_object_find(&Globals[I][99999], &W));
    EXPECT_EQ(W.site, 1100u + static_cast<unsigned>(I));
  }
  EXPECT_FALSE(ek_object_find(&Globals[2][5], &W));
}

// Parts of a mapping go, the rest keeps its identity; a new one in the same
// place is another object.
TEST(Map, MappingsComeAndGo) {
  ScopedPlan Plan(1, 0);
  const int Access = PROT_READ | PROT_WRITE, Kind = MAP_PRIVATE | MAP_ANONYMOUS;
  ek_where W;
  auto *P =
      static_cast<char *>(ek_mmap(1150, nullptr, MiB, Access, Kind, -1, 0));
  ASSERT_NE(P, MAP_FAILED);
  ASSERT_TRUE(ek_object_find(P + MiB - 1, &W));
  EXPECT_EQ(W.site, 1150u);
  EXPECT_EQ(W.ordinal, 0u);
  // By the plain name, too: other units do not know of us.
  ASSERT_EQ(munmap(P, MiB / 4), 0);
  EXPECT_FALSE(ek_object_find(P, &W));
  ASSERT_TRUE(ek_object_find(P + MiB / 4, &W));
  EXPECT_EQ(W.bytes, MiB - MiB / 4);
  ASSERT_EQ(ek_munmap(P + MiB / 2, Page), 0); // from within: one end stays
  ASSERT_TRUE(ek_object_find(P + MiB - 1, &W));
  EXPECT_FALSE(ek_object_find(P + MiB / 4, &W));
  void *Q = mremap(P + MiB / 2 + Page, MiB / 2 - Page, 2 * MiB, MREMAP_MAYMOVE);
  ASSERT_NE(Q, MAP_FAILED);
  ASSERT_TRUE(ek_object_find(static_cast<char *>(Q) + 2 * MiB - 1, &W));
  EXPECT_EQ(W.site, 1150u);
  EXPECT_EQ(W.bytes, 2 * MiB);
  ASSERT_EQ(munmap(Q, 2 * MiB), 0);
  ASSERT_EQ(munmap(P + MiB / 4, MiB / 4), 0);
  EXPECT_FALSE(ek_object_find(Q, &W));
  // Neither files nor reservations are objects; errors are the system's.
  void *R = ek_mmap(1151, nullptr, MiB, PROT_NONE, Kind, -1, 0);
  EXPECT_FALSE(ek_object_find(R, &W));
  EXPECT_EQ(munmap(R, MiB), 0);
  EXPECT_EQ(ek_mmap(1151, nullptr, 0, Access, Kind, -1, 0), MAP_FAILED);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(munmap(P + 1, Page), -1);
  EXPECT_EQ(errno, EINVAL);
}

// What another library allocates between the calls, evaluated once.
TEST(Map, MemoryOfOtherLibraries) {
  ScopedPlan Plan(1160, 0.5);
  ek_where W;
  char *P = nullptr;
  int Sizes = 0;
  auto Lend = [&](size_t N, void *Out) {
    return posix_memalign(static_cast<void **>(Out), Page, N);
  };
  // By pointer: no annotated MPI_Alloc_mem, which is what the rewriter takes a
  // call by name for.
  auto *const Given = ek_given;
  EXPECT_EQ(Given(1160, EK_NO_FAST,
                  Lend(ek_given_size((++Sizes, MiB)), ek_given_pointer(&P))),
            0);
  EXPECT_EQ(Sizes, 1);
  ASSERT_TRUE(ek_object_find(P + MiB / 2, &W));
  EXPECT_EQ(W.site, 1160u);
  EXPECT_EQ(inFast(P, MiB), MiB / 2);
  EXPECT_EQ(ek_forget(P), P);
  EXPECT_FALSE(ek_object_find(P, &W));
  free(P);
  EXPECT_EQ(Given(1160, EK_NO_FAST, 7), 7); // failed: nothing to register
}

TEST(Map, ReadersAmongWriters) {
  std::atomic<bool> Stop{false};
  std::atomic<int> Wrong{0};
  void *Fixed = ek_malloc(1200, MiB);
  std::thread Reader([&] {
    ek_where W;
    while (!Stop)
      if (!ek_object_find(static_cast<char *>(Fixed) + 500000, &W) ||
          W.site != 1200 || W.base != Fixed)
        ++Wrong;
  });
  for (int I = 0; I < 2000; ++I)
    free(ek_malloc(1201, 100000 + static_cast<size_t>(I) * 64));
  Stop = true;
  Reader.join();
  EXPECT_EQ(Wrong, 0);
  free(Fixed);
}

/// An object of \p Bytes that lies as \p Entry says.
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
        while (ek_walk_next(&W, &At, &Fast))
          if (Fast)
            Given += static_cast<double>(
                std::min<uintptr_t>(Page, O.base + Bytes - At));
        EXPECT_NEAR(Given, Share * static_cast<double>(Bytes), Page / 2 + 1)
            << Bytes << " " << Share << " " << Spread;
      }
}

/// Halves of a page that come together exactly count, however shares round:
/// compared with whole numbers, thousandths of a byte.
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
  void *Q = ek_malloc(2101, MiB); // not named: slow
  EXPECT_EQ(inFast(Q, MiB), 0u);
  free(P);
  free(Q);
}

TEST(Place, WithoutAnyWordFirstTouch) {
  void *P = ek_malloc(2150, MiB - 64 * Page), *Q = ek_malloc(2151, MiB);
  EXPECT_EQ(inFast(P, MiB - 64 * Page), MiB - 64 * Page);
  EXPECT_EQ(inFast(Q, MiB), 64 * Page); // what was left
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
    bool Swap = Worth == 2; // clearly more
    EXPECT_EQ(inFast(A, MiB), Swap ? 0 : MiB);
    EXPECT_EQ(inFast(B, MiB), Swap ? MiB : 0);
    EXPECT_EQ(ek_get(demoted_pages) - Demoted, Swap ? MiB / Page : 0);
    EXPECT_EQ(ek_get(moved_pages) - Moved, Swap ? 2 * MiB / Page : 0);
    EXPECT_EQ(ek_use[0].live, MiB);
    Moved = ek_get(moved_pages);
    ek_sync(1, EK_SERIAL); // there is no way back
    EXPECT_EQ(ek_get(moved_pages), Moved);
    EXPECT_EQ(ek_migrate_pending, 0);
    EXPECT_EQ(A[MiB - 1] + B[MiB - 1], 3);
    free(B);
    ek_sync(1, EK_SERIAL); // what had to go may come back
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

// Threads make, grow and free objects while the helper moves them to and fro;
// in the end the books are empty, and so is the page table of the tiers.
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

/// Static storage of tests before may lie in the fast tier for ever.
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
  void *Other = ek_malloc(2900, MiB / 2); // its quarter is another
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
  // Nor is it kept from who waits for it.
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
  // The youngest are there.
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

// Whatever was freed, moved or demoted before: a new object's pages lie as its
// plan says, as far as there is room; and nothing is charged twice.
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

/// The plan with these objects and changes; it lives as long as the process.
/// Null, and a failure, if it cannot be read.
ek_plan *planOf(const std::string &Entries) {
  const char *Path = "insides-plan.json";
  std::ofstream(Path) << R"({"schema":"evenkeel.plan/1",
    "program":"0000000000000000","planner":"p","model":"m","machine":"x",
    "fast_bytes":8388608,"base_input":"i",)"
                      << Entries << R"(,
    "predicted":{"makespan_s":0,"phases":[]},"replan":{},"assumed":[]})";
  char Why[256] = "";
  ek_plan *P = ek_plan_read(Path, Why, sizeof Why);
  unlink(Path);
  EXPECT_NE(P, nullptr) << Why;
  return P;
}

ek_plan_object *entryOf(const ek_plan *P, const ek_instance &O) {
  return ek_plan_find(P, &O);
}

// An entry for several objects speaks of each, by its ordinal, and of those of
// a context by their order among the site's where that is not known.
TEST(Plan, OneEntryForAlikeObjects) {
  static ek_plan *P; // plans live as long as the process
  P = planOf(R"("objects":[
    {"site":"0000000000000abc","creator":null,"ordinal":null,"share":0.1,
     "ranges":[]},
    {"site":"0000000000000abc","creator":1,"ordinal":10,"alike":5,"share":0.2,
     "ranges":[]},
    {"site":"0000000000000abc","creator":1,"ordinal":15,"share":0.3,
     "ranges":[]},
    {"site":"0000000000000abd","creator":1,"ordinal":0,"alike":3,"share":0.4,
     "context":"00000000000000f0","ordinal_of_site":4,"ranges":[]}])");
  ASSERT_NE(P, nullptr);
  EXPECT_EQ(P->count, 4u);
  auto Share = [](const ek_instance &O) { return entryOf(P, O)->share; };
  EXPECT_EQ(Share({0xabc, 0, 1, 9, 9}), 0.1);
  for (uint32_t I = 10; I < 15; ++I)
    EXPECT_EQ(Share({0xabc, 0, 1, I, I}), 0.2);
  EXPECT_EQ(Share({0xabc, 0, 2, 12, 12}), 0.1);
  EXPECT_EQ(Share({0xabc, 0, 1, 15, 15}), 0.3);
  EXPECT_EQ(Share({0xabc, 0, 1, 16, 16}), 0.1);
  for (uint32_t I = 0; I < 3; ++I) {
    EXPECT_EQ(Share({0xabd, 0xf0, 1, I + 4, I}), 0.4);
    EXPECT_EQ(Share({0xabd, 0, 1, I + 4, I + 4}), 0.4);
  }
  EXPECT_EQ(entryOf(P, {0xabd, 0xf0, 1, 7, 3}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabd, 0, 1, 3, 3}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabd, 0, 1, 7, 7}), nullptr);
}

// Counted where an object is none of those that its entry was made for.
TEST(Plan, OtherSizesAreCounted) {
  ScopedPlan Plan(2950, 0.25);
  Plan.Object.least_bytes = MiB;
  Plan.Object.most_bytes = 2.0 * MiB;
  const uint64_t Before = ek_get(why[EK_WHY_other_size]);
  for (size_t Bytes : {MiB, MiB - 4096, 2 * MiB})
    ek_free(ek_malloc(2950, Bytes));
  EXPECT_EQ(ek_get(why[EK_WHY_other_size]), Before);
  for (size_t Bytes : {MiB / 2, 3 * MiB})
    ek_free(ek_malloc(2950, Bytes));
  EXPECT_EQ(ek_get(why[EK_WHY_other_size]), Before + 2);
}

// Whoever has no entry although the plan has its site is counted, with its
// bytes, and so is who is found by order where calls would tell.
TEST(Plan, SaysWhatItIsNotSureOf) {
  struct Counts {
    uint64_t Unplanned = ek_get(why[EK_WHY_context_unplanned]),
             UnplannedBytes = ek_get(why_bytes[EK_WHY_context_unplanned]),
             Exceeded = ek_get(why[EK_WHY_order_exceeded]),
             Unknown = ek_get(why[EK_WHY_context_unknown]),
             Cut = ek_get(why[EK_WHY_context_cut]);
  };
  auto Make = [](std::initializer_list<uint64_t> Calls) {
    const void *Frame = __builtin_frame_address(0);
    for (uint64_t Id : Calls)
      ek_context_push(Id, ~0u, EK_CALL, Frame, nullptr);
    ek_free(ek_malloc(2952, MiB));
    for (uint64_t Id : Calls)
      ek_context_pop(Id, Frame, nullptr);
  };
  {
    ScopedPlan Plan(2952, 0.25);
    Plan.Object.ordinal = 1000000; // none that is made here
    Counts Before;
    Make({});
    Make({71});
    Counts After;
    EXPECT_EQ(After.Exceeded, Before.Exceeded + 2);
    EXPECT_EQ(After.Unplanned, Before.Unplanned);
    Plan.Object.context = 0xf0; // another one
    Make({71});
    EXPECT_EQ(Counts().Exceeded, After.Exceeded);
    EXPECT_EQ(Counts().Unplanned, After.Unplanned + 1);
    EXPECT_EQ(Counts().UnplannedBytes, After.UnplannedBytes + MiB);
    EXPECT_EQ(Counts().Unknown, Before.Unknown);
    ek_free(ek_malloc(2953, MiB)); // another site
    EXPECT_EQ(Counts().Exceeded, After.Exceeded);
  }
  {
    ScopedPlan Plan(2954, 0.25);
    Counts Before;
    ek_free(ek_malloc(2954, MiB)); // all of the site are meant
    Make({71, 72, 73, 74, 75, 76, 77, 78});
    EXPECT_EQ(Counts().Cut, Before.Cut);
    Make({71, 72, 73, 74, 75, 76, 77, 78, 79});
    EXPECT_EQ(Counts().Cut, Before.Cut + 1);
    EXPECT_EQ(Counts().Unknown, Before.Unknown);
  }
}

// What a wrapper maps has its caller's context, like what it allocates.
TEST(Plan, FindsContextsOfMappings) {
  ScopedPlan Plan(2951, 0.25);
  const void *Frame = __builtin_frame_address(0);
  ek_context_push(77, ~0u, EK_CALL, Frame, nullptr);
  Plan.Object.context = ek_context_of(2951);
  ASSERT_NE(Plan.Object.context, 0u);
  void *P = ek_mmap(2951, nullptr, MiB, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ek_context_pop(77, Frame, nullptr);
  ASSERT_NE(P, MAP_FAILED);
  EXPECT_TRUE(Plan.Object.used);
  ek_munmap(P, MiB);
}

// By the calls of wrappers, whatever else their site makes; where nobody tells
// them, by the order.
TEST(Plan, FindsContexts) {
  static ek_plan *P = planOf(R"("objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f0",
      "calls":["a.c:7:1"],"creator":null,"ordinal":null,"ordinal_of_site":0,
      "share":0.1,"ranges":[]},
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f1",
      "calls":["a.c:8:1"],"creator":0,"ordinal":0,"ordinal_of_site":1,
      "share":0.2,"ranges":[],"predicted_bytes":70000},
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f1",
      "calls":["a.c:8:1"],"creator":0,"ordinal":1,"ordinal_of_site":2,
      "share":0.3,"ranges":[]}],
    "changes":[{"phase":3,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f0",
      "creator":1,"ordinal":2,"share":0.9,"ranges":[]}]}])");
  ASSERT_NE(P, nullptr);
  // Site, context, creator, ordinal of the site and in the context.
  EXPECT_EQ(entryOf(P, {0xabc, 0xf0, 0, 5, 3})->share, 0.1);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 5, 0})->share, 0.2);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 6, 1})->share, 0.3);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 7, 2}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabc, 0xee, 0, 1, 0}), nullptr) << "another call";
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 1, 1})->share, 0.2);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 3, 3}), nullptr);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 0, 1, 0})->most_bytes, 70000);
  // What a later phase names lies where the context's entry says until then.
  EXPECT_EQ(entryOf(P, {0xabc, 0xf0, 1, 9, 2})->share, 0.1);
}

TEST(Plan, FindsTheMostSpecificEntry) {
  char Path[] = "/tmp/ek-plan-XXXXXX";
  close(mkstemp(Path));
  std::ofstream(Path) << R"({"schema":"evenkeel.plan/1","program":"00",
    "planner":"p","model":"m","machine":"x","fast_bytes":8388608,
    "keeps_first_touch":false,"base_input":"",
    "objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":null,
      "share":0.1,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":2,
      "share":0.2,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":1,"ordinal":null,
      "share":0.3,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":1,"ordinal":2,
      "share":0.4,"ranges":[[0,128,0.8]],"predicted_bytes":1,"gain_s":2,
      "reason":"r"},
     {"site":"0000000000000abc","at":"a.c:1:1","context":"00000000000000f0",
      "share":0.5,"ranges":[],"predicted_bytes":1,"gain_s":0,"reason":"r"}],
    "predicted":{"makespan_s":0,"phases":[]},"replan":{},"assumed":[]})";
  char Why[256] = "";
  static ek_plan *P; // plans live as long as the process
  P = ek_plan_read(Path, Why, sizeof Why);
  ASSERT_NE(P, nullptr) << Why;
  EXPECT_EQ(P->fast_bytes, 8u * MiB);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 0, 0})->share, 0.1);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 0, 2, 2})->share, 0.2);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 1, 0, 0})->share, 0.3);
  ek_plan_object *O = entryOf(P, {0xabc, 0, 1, 2, 2});
  EXPECT_EQ(O->share, 0.4);
  ASSERT_EQ(O->range_count, 1u);
  EXPECT_EQ(O->ranges[0].to, 128u);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf0, 1, 2, 2})->share, 0.5);
  EXPECT_EQ(entryOf(P, {0xabc, 0xf1, 1, 2, 2})->share, 0.4);
  EXPECT_EQ(entryOf(P, {0xabd, 0, 0, 0, 0}), nullptr);
  std::ofstream(Path) << R"({"schema":"evenkeel.plan/99"})";
  EXPECT_EQ(ek_plan_read(Path, Why, sizeof Why), nullptr);
  EXPECT_NE(Why[0], 0);
  unlink(Path);
  EXPECT_EQ(ek_plan_read(Path, Why, sizeof Why), nullptr);
}

// What a change names first lies, until then, where entries for more objects
// put it, and takes those along that an entry for any creator speaks of.
TEST(Plan, ChangesOfWhatWiderEntriesSpeakOf) {
  static ek_plan *P = planOf(R"("objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":null,
      "share":0.1,"ranges":[]},
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":2,
      "share":0.2,"ranges":[]}],
    "changes":[{"phase":3,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":5,"ordinal":null,
      "share":0.9,"ranges":[]}]}])");
  ASSERT_NE(P, nullptr);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 0, 0})->share, 0.1);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 2, 2})->share, 0.2);
  ASSERT_EQ(P->change_count, 1u);
  EXPECT_TRUE(ek_plan_change_now(&P->changes[0]));
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 0, 0})->share, 0.9);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 5, 2, 2})->share, 0.9);
  EXPECT_EQ(entryOf(P, {0xabc, 0, 6, 2, 2})->share, 0.2);
}

// The same for objects that have entries of their own, because a later phase
// names them.
TEST(Plan, ChangesTakeAlongWhatLaterPhasesName) {
  static ek_plan *P = planOf(R"("objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":null,"ordinal":2,
      "share":0.2,"ranges":[]}],
    "changes":[{"phase":3,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":5,"ordinal":null,
      "share":0.9,"ranges":[]}]},
     {"phase":4,"objects":[
     {"site":"0000000000000abc","at":"a.c:1:1","creator":5,"ordinal":2,
      "share":0.6,"ranges":[]}]}])");
  ASSERT_NE(P, nullptr);
  ASSERT_EQ(P->change_count, 3u);
  auto share = [](uint64_t Creator, uint32_t Ordinal) {
    return entryOf(P, {0xabc, 0, Creator, Ordinal, Ordinal})->share;
  };
  EXPECT_EQ(share(5, 0), 0);
  EXPECT_EQ(share(5, 2), 0.2);
  EXPECT_EQ(P->changes[1].phase, 3u);
  ek_plan_change_now(&P->changes[0]);
  ek_plan_change_now(&P->changes[1]);
  EXPECT_EQ(share(5, 0), 0.9);
  EXPECT_EQ(share(5, 2), 0.9);
  ek_plan_change_now(&P->changes[2]);
  EXPECT_EQ(share(5, 2), 0.6);
  EXPECT_EQ(share(6, 2), 0.2);
}

// A run that planned again is not one of another program, because the last plan
// has not named an object yet.
TEST(Plan, UsedIsWhatWasUsedBefore) {
  ek_plan_object Entry{}, Next{};
  ek_plan Old{}, New{};
  Old.objects = &Entry;
  New.objects = &Next;
  Old.count = New.count = 1;
  New.older = &Old;
  EXPECT_FALSE(ek_plan_was_used(&New));
  Entry.used = true;
  EXPECT_TRUE(ek_plan_was_used(&New));
  Next.used = true;
  Entry.used = false;
  EXPECT_TRUE(ek_plan_was_used(&New));
  EXPECT_FALSE(ek_plan_was_used(&Old));
}

/// Seconds that a plan of \p Count instances and as many changes takes to read.
static double readingTime(size_t Count) {
  const char *Path = "insides-large.json";
  std::ofstream Out(Path);
  auto object = [&](const char *Comma, std::string Creator,
                    std::string Ordinal) {
    Out << Comma << R"({"site":"0000000000000abc","at":"a.c:1:1","creator":)"
        << Creator << ",\"ordinal\":" << Ordinal
        << R"(,"share":0.5,"ranges":[]})";
  };
  Out << R"({"schema":"evenkeel.plan/1","program":"00","planner":"p","model":"m",
    "machine":"x","fast_bytes":8388608,"base_input":"i","objects":[)";
  for (size_t I = 0; I < Count; ++I)
    object(I ? "," : "", "null", std::to_string(I));
  Out << R"(],"changes":[)";
  for (size_t I = 0; I < Count; ++I) {
    Out << (I ? "," : "") << "{\"phase\":" << I << ",\"objects\":[";
    object("", std::to_string(I), "null");
    object(",", std::to_string(I), std::to_string(I));
    Out << "]}";
  }
  Out << R"(],"predicted":{"makespan_s":0,"phases":[]},"replan":{},"assumed":[]})";
  Out.close();
  char Why[256] = "";
  // They live as long as the process; so does what holds them.
  static auto &Plans = *new std::vector<ek_plan *>;
  timespec From, To;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &From);
  Plans.push_back(ek_plan_read(Path, Why, sizeof Why));
  for (uint32_t I = 0; I < Count; ++I)
    EXPECT_NE(entryOf(Plans.back(), {0xabc, 0, I, I, I}), nullptr);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &To);
  unlink(Path);
  return static_cast<double>(To.tv_sec - From.tv_sec) +
         static_cast<double>(To.tv_nsec - From.tv_nsec) * 1e-9;
}

// Reading takes as long as there are entries, whatever names what.
TEST(Plan, ThousandsOfEntriesAndChanges) {
  readingTime(100);
  const double Few = readingTime(1000);
  EXPECT_LT(readingTime(8000), 32 * Few);
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

// Last: static storage stays. Only whole pages of static storage are placed:
// others share the rest.
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
