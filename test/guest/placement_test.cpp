//===- placement_test.cpp - every form of placement, page by page -*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs in the guest: node 0 is fast and has the processors, node 1 is slow.
// Where pages lie is the kernel's word (Pages.h), never the runtime's.
//===----------------------------------------------------------------------===//
#include "Pages.h"
#include "calls/placed.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "providers/provider.h"
#include "scoped_plan.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <thread>

namespace {

TEST(Tiers, ByMemoryAttributes) {
  ASSERT_STREQ(ek_provider_now->name, "numa");
  ASSERT_EQ(ek_tier_count, 2u);
  EXPECT_STREQ(ek_tiers[0].name, "node0");
  EXPECT_STREQ(ek_tiers[1].name, "node1");
  EXPECT_EQ(ek_get(why[EK_WHY_attributes_unavailable]), 0u);
  // What is free, not what there is.
  EXPECT_LT(ek_tiers[0].capacity, 340 * MiB);
  EXPECT_GT(ek_tiers[0].capacity, 100 * MiB);
}

/// Every page of an object lies where \p Fast says, by its index.
template <class F> void expectPages(const void *P, size_t Bytes, F Fast) {
  std::vector<int> Nodes = nodesOf(P, Bytes);
  size_t Wrong = 0, First = 0;
  for (size_t I = 0; I < Nodes.size(); ++I)
    if (Nodes[I] != (Fast(I) ? 0 : 1) && !Wrong++)
      First = I;
  EXPECT_GE(Nodes.size(), (Bytes - Page) / Page);
  EXPECT_EQ(Wrong, 0u) << "of " << Nodes.size() << " pages; the first is "
                       << First << ", on " << Nodes[First];
}

// First: memory that held small pages gets no huge ones at once.
TEST(HugePages, StayButForBorders) {
  const size_t N = 8 * MiB;
  auto *P = static_cast<char *>(ek_aligned_alloc(110, 2 * MiB, N));
  memset(P, 7, N);
  ASSERT_EQ(hugeBytes(P, N), N) << "no huge pages to begin with";
  ScopedPlan Plan(110, 0.5 + 1.0 / 32); // two huge pages and 64 pages
  ek_object *O = ek_object_at(P);
  ASSERT_NE(O, nullptr);
  ek_unplace(O);
  O->plan = &Plan.Object;
  O->range = EK_OTHER; // touched
  ek_place_moved(O);
  O->range = EK_OWN;
  expectPages(P, N, [](size_t I) { return I < 1024 + 64; });
  EXPECT_EQ(hugeBytes(P, N), N - 2 * MiB);
  for (size_t I = 0; I < N; ++I)
    ASSERT_EQ(P[I], 7);
  ek_free(P);
}

TEST(Placement, WholeObjectsFastAndSlow) {
  for (double Share : {1.0, 0.0}) {
    ScopedPlan Plan(100, Share);
    void *P = ek_malloc(100, 4 * MiB);
    memset(P, 1, 4 * MiB);
    expectPages(P, 4 * MiB, [&](size_t) { return Share == 1; });
    ek_free(P);
  }
}

TEST(Placement, FractionIsTheFirstPart) {
  ScopedPlan Plan(101, 0.37);
  void *P = ek_malloc(101, 4 * MiB);
  memset(P, 1, 4 * MiB);
  expectPages(P, 4 * MiB, [](size_t I) { return I < 379; }); // 378.88
  ek_free(P);
}

TEST(Placement, RangesOfPages) {
  ScopedPlan Plan(102, 0.25, {{16, 48, 1}, {240, 256, 0.5}});
  void *P = ek_malloc(102, 4 * MiB); // four pages a chunk
  memset(P, 1, 4 * MiB);
  expectPages(P, 4 * MiB, [](size_t I) {
    return (I >= 64 && I < 192) || (I >= 960 && I % 4 < 2);
  });
  ek_free(P);
}

TEST(Placement, WeightedInterleaveInEveryChunk) {
  ScopedPlan Plan(103, 0.75, {{0, 256, 0.75}});
  void *P = ek_malloc(103, 4 * MiB);
  memset(P, 1, 4 * MiB);
  expectPages(P, 4 * MiB, [](size_t I) { return I % 4 < 3; });
  ek_free(P);
}

TEST(Placement, EveryAllocationCall) {
  ScopedPlan Plan(104, 0.5);
  const size_t N = MiB;
  void *Memalign = nullptr;
  ASSERT_EQ(ek_posix_memalign(104, &Memalign, 4096, N), 0);
  void *All[] = {ek_malloc(104, N),
                 ek_calloc(104, N / 8, 8),
                 ek_aligned_alloc(104, 4096, N),
                 ek_realloc(104, nullptr, N),
                 Memalign,
                 ek_mmap(104, nullptr, N, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                 new (ek::site(104)) char[N]};
  for (void *P : All) {
    memset(P, 1, N);
    expectPages(P, N, [](size_t I) { return I < 128; });
    if (P == All[5])
      ek_munmap(P, N);
    else
      ek_free(P);
  }
}

alignas(4096) char Static[2 * MiB];
TEST(Placement, StaticArraysTouchedBefore) {
  memset(Static, 3, sizeof Static / 2);
  ScopedPlan Plan(105, 0.75);
  ek_global(105, Static, sizeof Static);
  memset(Static + MiB, 3, MiB); // the other half is touched afterwards
  expectPages(Static, sizeof Static, [](size_t I) { return I < 384; });
  for (char C : Static)
    ASSERT_EQ(C, 3);
}

TEST(Placement, ReallocKeepsTheShare) {
  ScopedPlan Plan(106, 0.25);
  auto *P = static_cast<char *>(ek_malloc(106, MiB));
  memset(P, 5, MiB);
  expectPages(P, MiB, [](size_t I) { return I < 64; });
  for (size_t N : {4 * MiB, 2 * MiB}) {
    P = static_cast<char *>(ek_realloc(106, P, N));
    EXPECT_EQ(P[MiB - 1], 5);
    memset(P, 5, N);
    expectPages(P, N, [&](size_t I) { return I < N / Page / 4; });
  }
  ek_free(P);
}

// Both policies are in use when the mapping moves: for the program it is one.
TEST(Placement, MremapKeepsTheShare) {
  ScopedPlan Plan(107, 0.5);
  for (size_t Start : {MiB, 3 * MiB, 5 * MiB}) {
    size_t N = Start + 2 * MiB;
    void *P = ek_mmap(107, nullptr, Start, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(P, 6, Start);
    expectPages(P, Start, [&](size_t I) { return I < Start / Page / 2; });
    void *Q = mremap(P, Start, N, MREMAP_MAYMOVE);
    ASSERT_NE(Q, MAP_FAILED) << strerror(errno);
    memset(static_cast<char *>(Q) + Start, 6, 2 * MiB);
    for (size_t I = 0; I < N; ++I)
      ASSERT_EQ(static_cast<char *>(Q)[I], 6);
    expectPages(Q, N, [&](size_t I) { return I < N / Page / 2; });
    munmap(Q, N);
  }
}

TEST(Placement, FirstTouchIsLeftAlone) {
  {
    ScopedPlan Plan(108, 0);
    Plan.Plan.keeps_first_touch = true;
    void *P = ek_malloc(108, 2 * MiB);
    memset(P, 1, 2 * MiB);
    EXPECT_EQ(pagesOn(0, P, 2 * MiB), 512u); // the node of the processors
    EXPECT_EQ(numaMaps(P, 2 * MiB).Policies.find("prefer"), std::string::npos);
    ek_free(P);
  }
  void *P = ek_malloc(109, 2 * MiB); // no plan at all
  memset(P, 1, 2 * MiB);
  EXPECT_EQ(pagesOn(0, P, 2 * MiB), 512u);
  ek_free(P);
}

} // namespace
