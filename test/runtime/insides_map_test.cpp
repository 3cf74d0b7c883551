//===- insides_map_test.cpp - extents and the object map --------*- C++ -*-===//
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

char Globals[5][100000];

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
  EXPECT_EQ(Top1 - Free1, Top0 - Free0); // the same amount in use as before
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

// Parts of a mapping are unmapped, the rest keeps its identity; a new mapping
// in the same place is another object.
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
  // By the plain name, too: other units are not rewritten.
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

// Memory that another library allocates between the calls, evaluated once.
TEST(Map, MemoryOfOtherLibraries) {
  ScopedPlan Plan(1160, 0.5);
  ek_where W;
  char *P = nullptr;
  int Sizes = 0;
  auto Lend = [&](size_t N, void *Out) {
    return posix_memalign(static_cast<void **>(Out), Page, N);
  };
  // Through a pointer: the rewriter would annotate a call by name as
  // MPI_Alloc_mem.
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

} // namespace
