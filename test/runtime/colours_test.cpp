//===- colours_test.cpp - where blocks start --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the runtime's internal headers; linked with its objects. Runs with one
// tier and with two, with and without retained pages, and where memory is
// limited.
//===----------------------------------------------------------------------===//
#include "core/state.h"
#include "evenkeel/ek.h"
#include "objects/colour.h"
#include "objects/extent.h"
#include "objects/object.h"
#include "placement/kept.h"
#include "providers/provider.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <malloc.h>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr size_t KiB = 1 << 10, MiB = 1 << 20, Page = EK_PAGE_BYTES;

const bool Reserved = ek_start() && ek_reserve();

uintptr_t at(const void *P) { return reinterpret_cast<uintptr_t>(P); }

/// Ways to allocate a block that may start at any line.
const std::map<std::string, std::function<void *(size_t)>> Ways = {
    {"malloc", [](size_t N) { return ek_malloc(1, N); }},
    {"calloc", [](size_t N) { return ek_calloc(1, 1, N); }},
    {"realloc", [](size_t N) { return ek_realloc(1, nullptr, N); }},
    {"aligned_alloc", [](size_t N) { return ek_aligned_alloc(1, 64, N); }},
    {"malloc_at", [](size_t N) { return ek_malloc_at(1, EK_FAST(50), N); }},
};

std::vector<void *> several(const std::function<void *(size_t)> &Make,
                            size_t Count, size_t Bytes) {
  std::vector<void *> All;
  for (size_t I = 0; I < Count; ++I)
    All.push_back(Make(Bytes));
  return All;
}

void freeAll(const std::vector<void *> &All) {
  for (void *P : All)
    ek_free(P);
}

/// How many of the blocks have their first \p Unit bytes in the same place of a
/// cache with \p Places such places in each way.
size_t mostInOne(const std::vector<void *> &All, size_t Unit, size_t Places) {
  std::vector<size_t> Number(Places);
  for (void *P : All)
    ++Number[at(P) / Unit % Places];
  return *std::max_element(Number.begin(), Number.end());
}

/// Blocks of this size start at any line of a page: where plans fill tiers by
/// sizes, no block has an additional page because of its colour.
bool startAtLines(size_t Bytes) {
  return ek_tier_count == 1 ||
         ek_page_span(EK_MOST_IN_PAGE, Bytes) == ek_page_span(0, Bytes);
}

TEST(Colours, AreFoundFromTheAddress) {
  for (unsigned C = 0; C < 2 * EK_PAGE_COLOURS; ++C) {
    const size_t Bytes = ek_colour_bytes(C);
    EXPECT_LT(Bytes, EK_GRANULE);
    EXPECT_EQ(Bytes % EK_LINE_BYTES, 0u);
    EXPECT_LE(Bytes % Page, EK_MOST_IN_PAGE);
    const unsigned Found = ek_colour_of(64 * EK_GRANULE + Bytes);
    EXPECT_LT(Found, 1u << EK_COLOUR_BITS);
    EXPECT_EQ(ek_colour_bytes(Found), Bytes) << C;
  }
}

TEST(Colours, AlikeBlocksStartInOtherSets) {
  for (const auto &[Name, Make] : Ways)
    for (size_t Bytes : {64 * KiB, 100 * KiB, 256 * KiB, MiB,
                         2 * MiB - 64 * KiB, 2 * MiB, 3 * MiB + 4160}) {
      const std::vector<void *> All = several(Make, 16, Bytes);
      if (startAtLines(Bytes)) {
        EXPECT_LE(mostInOne(All, 64, 64), 2u) << Name << " " << Bytes;
      }
      EXPECT_LE(mostInOne(All, Page, 16), 2u) << Name << " " << Bytes;
      freeAll(All);
    }
}

/// A program that allocates so many arrays for each part of its data: fewer of
/// one kind start in the same place than small caches have ways.
TEST(Colours, NoPeriodGivesAllTheSame) {
  for (size_t Period = 2; Period <= 32; ++Period) {
    const std::vector<void *> All =
        several(Ways.at("malloc"), 16 * Period, MiB - 3000);
    for (size_t Which = 0; Which < Period; ++Which) {
      std::vector<void *> Same;
      for (size_t I = Which; I < All.size(); I += Period)
        Same.push_back(All[I]);
      EXPECT_LT(mostInOne(Same, 64, 64), 8u) << Period << " " << Which;
    }
    freeAll(All);
  }
}

/// How many blocks of each \p Period, from any block on, have different
/// colours.
size_t differInARow(const std::vector<unsigned> &Colours, size_t Period) {
  size_t Least = EK_PAGE_COLOURS;
  for (size_t From = 0; From + EK_PAGE_COLOURS * Period < Colours.size();
       ++From) {
    std::vector<bool> Seen(EK_PAGE_COLOURS);
    size_t N = 0;
    for (size_t I = From; N < Least && !Seen[Colours[I]]; I += Period, ++N)
      Seen[Colours[I]] = true;
    Least = std::min(Least, N);
  }
  return Least;
}

/// Arrays that are allocated in pairs, or four at a time: those of one kind
/// differ for about as long as consecutive blocks do.
TEST(Colours, ThoseOfPairsDifferForLong) {
  std::vector<unsigned> Colours;
  for (size_t I = 0; I < 2048; ++I)
    Colours.push_back(ek_colour_next(1));
  for (auto [Period, Least] : std::vector<std::array<size_t, 2>>{
           {1, 11}, {2, 11}, {3, 9}, {4, 15}, {8, 15}, {16, 16}})
    EXPECT_GE(differInARow(Colours, Period), Least) << Period;
  for (size_t Period = 1; Period <= 32; ++Period)
    for (size_t From = 0; From < Colours.size() - 16 * Period; ++From) {
      std::array<size_t, EK_PAGE_COLOURS> Number{};
      for (size_t I = 0; I < 16; ++I)
        ++Number[Colours[From + I * Period]];
      ASSERT_LE(*std::max_element(Number.begin(), Number.end()), 4u) << Period;
    }
}

/// Least recently used replacement; no other property of the machine's caches.
struct Cache {
  size_t Sets, Ways;
  std::vector<std::vector<uintptr_t>> Lines =
      std::vector<std::vector<uintptr_t>>(Sets);
  size_t Misses = 0;
  void read(uintptr_t Address) {
    const uintptr_t Line = Address / 64;
    std::vector<uintptr_t> &Set = Lines[Line % Sets];
    auto Found = std::find(Set.begin(), Set.end(), Line);
    if (Found == Set.end())
      ++Misses;
    else
      Set.erase(Found);
    Set.insert(Set.begin(), Line);
    if (Set.size() > Ways)
      Set.pop_back();
  }
};

/// A loop over equal arrays side by side reads each line of them once.
TEST(Colours, ArraysReadSideBySideKeepTheirLines) {
  for (Cache C : {Cache{64, 8}, Cache{1024, 8}}) {
    const size_t Arrays = 20;
    const size_t Bytes = startAtLines(2 * MiB) ? 2 * MiB : 2 * MiB - 2048;
    const std::vector<void *> All = several(Ways.at("malloc"), Arrays, Bytes);
    for (size_t At = 0; At < Bytes; At += 8)
      for (void *P : All)
        C.read(at(P) + At);
    EXPECT_LE(C.Misses, Arrays * Bytes / 64 * 101 / 100) << C.Sets;
    freeAll(All);
  }
}

TEST(Colours, AlignmentHolds) {
  for (size_t Align = 1; Align <= 4 * MiB; Align *= 2)
    for (size_t Bytes : {64 * KiB, 2 * MiB, 2 * MiB + 100}) {
      const size_t Least = std::max(Align, sizeof(void *));
      std::vector<void *> All = several(
          [=](size_t N) { return ek_aligned_alloc(2, Align, N); }, 17, Bytes);
      if (Align <= Page) {
        EXPECT_LE(mostInOne(All, Page, 16), 2u) << Align;
      }
      All.push_back(ek_memalign(2, Align, Bytes));
      All.push_back(ek_mm_malloc(2, Bytes, Align));
      void *P = nullptr;
      EXPECT_EQ(ek_posix_memalign(2, &P, Least, Bytes), 0);
      All.push_back(P);
      for (void *Q : All)
        EXPECT_EQ(at(Q) % Align, 0u) << Align << " " << Bytes;
      freeAll(All);
    }
  for (int I = 0; I < 17; ++I) {
    void *P = ek_valloc(2, 2 * MiB), *Q = ek_pvalloc(2, 2 * MiB - 5);
    EXPECT_EQ((at(P) | at(Q)) % Page, 0u);
    EXPECT_EQ(ek_usable_size(Q), 2 * MiB);
    freeAll({P, Q});
  }
}

/// The model of a block.
struct Block {
  unsigned char *P = nullptr;
  size_t Bytes = 0;
  unsigned char Mark = 0;

  void fill(unsigned char With) { memset(P, Mark = With, Bytes); }
  void holds(size_t Count) const {
    for (size_t I = 0; I < Count; I += I + 97 < Count ? 97 : 1)
      ASSERT_EQ(P[I], Mark) << I;
  }
  uintptr_t firstPage() const { return ek_first_page(at(P)); }
  uintptr_t lastPage() const { return ek_first_page(at(P) + Bytes - 1); }
};

struct Model : ::testing::Test {
  std::vector<Block> Live;
  unsigned Random = 3;

  unsigned next() { return (Random = Random * 1664525u + 1013904223u) >> 8; }
  size_t size() { return 64 * KiB + next() % (next() % 4 ? MiB / 2 : 5 * MiB); }

  void check(const Block &B) {
    ek_where W;
    for (size_t In : {size_t(0), B.Bytes / 2, B.Bytes - 1}) {
      ASSERT_TRUE(ek_object_find(B.P + In, &W)) << In;
      ASSERT_EQ(W.base, B.P);
      ASSERT_EQ(W.bytes, B.Bytes);
    }
    for (const unsigned char *Out : {B.P - 1, B.P + B.Bytes})
      ASSERT_FALSE(ek_object_find(Out, &W) && W.base == B.P);
    ASSERT_EQ(ek_object_at(B.P)->base, at(B.P));
    ASSERT_EQ(ek_object_at(B.P + 64), nullptr);
    ASSERT_EQ(ek_usable_size(B.P), B.Bytes);
    if (ek_tier_count > 1) {
      ASSERT_EQ(ek_page_span(at(B.P), B.Bytes), ek_page_span(0, B.Bytes));
    }
    for (const Block &Other : Live)
      ASSERT_TRUE(Other.P == B.P || Other.lastPage() < B.firstPage() ||
                  B.lastPage() < Other.firstPage());
  }

  void make() {
    Block B;
    B.Bytes = size();
    const size_t Align = next() % 3 ? 1 : size_t(1) << next() % 18;
    const bool Zero = Align == 1 && next() % 2;
    const unsigned Fast = unsigned(next() % 5 * 25);
    B.P = static_cast<unsigned char *>(
        Zero        ? ek_calloc_at(3, EK_FAST(Fast), 1, B.Bytes)
        : Align > 1 ? ek_memalign_at(3, EK_FAST(Fast), Align, B.Bytes)
                    : ek_malloc_at(3, EK_FAST(Fast), B.Bytes));
    ASSERT_NE(B.P, nullptr);
    ASSERT_EQ(at(B.P) % Align, 0u);
    if (Zero)
      B.holds(B.Bytes);
    Live.push_back(B);
    check(B);
    Live.back().fill(static_cast<unsigned char>(next()));
  }

  void resize(Block &B) {
    const size_t Old = B.Bytes;
    B.P = static_cast<unsigned char *>(ek_realloc(3, B.P, B.Bytes = size()));
    ASSERT_NE(B.P, nullptr);
    check(B);
    B.holds(std::min(Old, B.Bytes));
    B.fill(static_cast<unsigned char>(next()));
  }

  void drop(Block &B) {
    B.holds(B.Bytes);
    ek_free(B.P);
    B = Live.back();
    Live.pop_back();
  }
};

TEST_F(Model, BlocksAreMadeResizedAndFreed) {
  size_t Free, Count, Top, Used;
  ek_kept_drop_all();
  ek_extents_state(&Free, &Count, &Top);
  Used = Top - Free;
  for (int I = 0; I < 3000 && !HasFatalFailure(); ++I)
    if (Live.size() < 40 && next() % 16 < 9)
      make();
    else if (!Live.empty())
      next() % 2 ? resize(Live[next() % Live.size()])
                 : drop(Live[next() % Live.size()]);
  while (!Live.empty())
    drop(Live.back());
  ek_kept_drop_all();
  ek_extents_state(&Free, &Count, &Top);
  EXPECT_EQ(Top - Free, Used);
}

} // namespace
