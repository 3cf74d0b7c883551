//===- moves_test.cpp - policies that move watched memory -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the policies decide, compared with a plain retelling of
// SHAMBLES' plugins; the account of fast memory, which other processes share;
// and chunks of blocks on emulated tiers, whose addresses are made up.
//===----------------------------------------------------------------------===//
#include "chunks/ek_swaps.h"
extern "C" {
#include "touches/base/arena.h"
#include "touches/blocks.h"
#include "touches/places.h"
#include "touches/placing/account.h"
#include "touches/placing/charge.h"
#include "touches/placing/initial.h"
#include "touches/stream.h"
}

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr uint64_t MiB = 1 << 20;
constexpr uint64_t Limit = 8 * MiB;

/* --- decisions --------------------------------------------------------------
 */

/// The plugins as their source tells it: sorted lists and counts.
struct Plugin {
  ek_swap_rule Rule;
  size_t Window;
  std::vector<ek_chunk_heat> Chunks;
  std::deque<size_t> Last;
  uint64_t Samples = 0;
  int64_t Room = 0;

  void sample(size_t At) {
    ek_chunk_heat &C = Chunks[At];
    C.last_sample = ++Samples;
    ++C.in_window;
    Last.push_back(At);
    if (Last.size() > Window) {
      --Chunks[Last.front()].in_window;
      Last.pop_front();
    }
    if (C.fast)
      return;
    std::vector<size_t> Out;
    for (size_t I = 0; I < Chunks.size(); ++I)
      if (Chunks[I].fast &&
          (Rule == EK_SWAP_LRU || Chunks[I].in_window < C.in_window))
        Out.push_back(I);
    auto Key = [&](size_t I) {
      return std::pair(
          Rule == EK_SWAP_LRU ? Chunks[I].last_sample : Chunks[I].in_window, I);
    };
    std::sort(Out.begin(), Out.end(),
              [&](size_t A, size_t B) { return Key(A) < Key(B); });
    int64_t Free = Room;
    size_t Needed = 0;
    for (; Free < int64_t(C.bytes) && Needed < Out.size(); ++Needed)
      Free += int64_t(Chunks[Out[Needed]].bytes);
    if (Free < int64_t(C.bytes))
      return;
    for (size_t I = 0; I < Needed; ++I)
      Chunks[Out[I]].fast = false;
    C.fast = true;
    Room = Free - int64_t(C.bytes);
  }
};

ek_chunk_heat *at(void *Data, size_t I) {
  return &static_cast<ek_chunk_heat *>(Data)[I];
}

void compare(ek_swap_rule Rule, unsigned Seed) {
  std::mt19937 Random(Seed);
  const size_t Count = 1 + Random() % 40, Window = 1 + Random() % 50;
  Plugin P{Rule, Window, {}, {}, 0, int64_t(Random() % 20)};
  for (size_t I = 0; I < Count; ++I)
    P.Chunks.push_back({1 + Random() % 9, 0, 0, false, 0});
  std::vector<ek_chunk_heat> Ours = P.Chunks;
  std::vector<uint64_t> Keys(Window);
  ek_swap_window W{Keys.data(), Window, 0, 0};
  int64_t Room = P.Room;
  for (int I = 0; I < 400; ++I) {
    const size_t At =
        Random() % 3 ? Random() % Count : Random() % (Count / 4 + 1);
    P.sample(At);
    Ours[At].last_sample = P.Samples;
    ++Ours[At].in_window;
    uint64_t Left = 0;
    if (ek_swap_enter(&W, At, &Left))
      --Ours[Left].in_window;
    if (!Ours[At].fast &&
        ek_swap_choose(Rule, &Ours[At], Room, Count, at, Ours.data())) {
      for (ek_chunk_heat &C : Ours)
        if (C.leaves) {
          C.fast = false;
          Room += int64_t(C.bytes);
        }
      Ours[At].fast = true;
      Room -= int64_t(Ours[At].bytes);
    }
    ASSERT_EQ(Room, P.Room);
    for (size_t C = 0; C < Count; ++C)
      ASSERT_EQ(Ours[C].fast, P.Chunks[C].fast) << "chunk " << C;
  }
}

} // namespace

TEST(Swaps, DecideAsThePluginsDo) {
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    compare(EK_SWAP_LRU, Seed);
    compare(EK_SWAP_WINDOW, Seed);
  }
}

TEST(Swaps, TheWindowKeepsTheLastKeys) {
  uint64_t Keys[3], Left = 0;
  ek_swap_window W{Keys, 3, 0, 0};
  for (uint64_t I = 1; I <= 3; ++I)
    EXPECT_FALSE(ek_swap_enter(&W, I, &Left));
  for (uint64_t I = 4; I <= 9; ++I) {
    EXPECT_TRUE(ek_swap_enter(&W, I, &Left));
    EXPECT_EQ(Left, I - 3);
  }
}

TEST(Initial, OnlyListedStacksAreFast) {
  const std::string Path =
      testing::TempDir() + "ek-initial." + std::to_string(getpid());
  ASSERT_TRUE(ek_arena_start());
  EXPECT_TRUE(ek_initial_start(nullptr));
  EXPECT_TRUE(ek_initial_fast(7));
  EXPECT_TRUE(ek_initial_fast_unknown());
  FILE *F = fopen(Path.c_str(), "w");
  fputs("0000000000000007\n00000000000000ff\nfedcba9876543210\n", F);
  fclose(F);
  EXPECT_EXIT(
      {
        if (!ek_initial_start(Path.c_str()))
          _exit(2);
        for (uint64_t Hash :
             {UINT64_C(7), UINT64_C(255), UINT64_C(0xfedcba9876543210)})
          if (!ek_initial_fast(Hash) || ek_initial_fast(Hash + 1))
            _exit(3);
        _exit(ek_initial_fast_unknown() ? 4 : 0);
      },
      testing::ExitedWithCode(0), "");
  unlink(Path.c_str());
  EXPECT_EXIT(_exit(ek_initial_start(Path.c_str()) || ek_initial_fast(7)),
              testing::ExitedWithCode(0), "");
}

/* --- blocks on emulated tiers -----------------------------------------------
 */

namespace {

bool never() { return false; }
uint64_t noTime() { return 0; }

/// Started once: the parts have one state per process.
class Moves : public testing::Test {
protected:
  static inline uintptr_t Page = 4096, Next = uintptr_t(1) << 40;
  static inline std::string Account;
  ek_touch_moves Figures{};
  std::vector<ek_block> Blocks;

  static void SetUpTestSuite() {
    Page = uintptr_t(sysconf(_SC_PAGESIZE));
    Account = testing::TempDir() + "ek-moves." + std::to_string(getpid());
    const ek_places_options Options = {false, EK_SWAP_WINDOW, 100000, 200};
    ASSERT_TRUE(ek_arena_start() && ek_stream_start());
    ASSERT_TRUE(ek_account_start(Account.c_str(), Limit));
    ek_charge_start(MiB, Page);
    ASSERT_TRUE(ek_places_start(&Options, Page));
    ASSERT_TRUE(ek_blocks_start(65536, "none"));
  }
  static void TearDownTestSuite() { unlink(Account.c_str()); }
  void SetUp() override { ek_blocks_earn(1000000); }
  void TearDown() override {
    ek_blocks_cut(0, UINTPTR_MAX);
    look();
    EXPECT_EQ(ek_account_room(), Limit) << "not all was given back";
  }

  uintptr_t make(uint64_t Bytes) {
    const uintptr_t At = Next, Slot = 0;
    Next += (Bytes + 4 * MiB) / MiB * MiB;
    ek_blocks_add(reinterpret_cast<void *>(At), Bytes, EK_TOUCH_MAP, &Slot);
    return At;
  }
  void look() {
    Blocks.resize(1000);
    Blocks.resize(ek_blocks_live(Blocks.data(), Blocks.size()));
    ek_places_begin(Blocks.data(), Blocks.size());
  }
  /// A pass that sees all pages of some chunks touched, and then all moves.
  void pass(const std::vector<uintptr_t> &Touched, uint64_t Ns = 40000000) {
    look();
    for (uintptr_t At : Touched)
      ek_places_touched(At, At + MiB, MiB / Page);
    ek_places_decide(Ns, &Figures);
    for (int I = 0; ek_places_pending(); ++I) {
      ASSERT_LT(I, 10000);
      ek_places_move(&Figures, noTime, never);
      ASSERT_LE(fast(), Limit);
    }
  }
  static uint64_t fast() { return Limit - ek_account_room(); }
  uint64_t fastShare(uintptr_t From, uint64_t Bytes) {
    const uint64_t Touched = Figures.touched, Fast = Figures.fast_touched;
    look();
    for (uintptr_t At = From; At < From + Bytes; At += MiB)
      ek_places_touched(At, At + MiB, MiB / Page);
    ek_places_decide(0, &Figures); // no samples
    return 100 * (Figures.fast_touched - Fast) / (Figures.touched - Touched);
  }
  static std::vector<uintptr_t> chunks(uintptr_t From, uint64_t Bytes) {
    std::vector<uintptr_t> Out;
    for (uintptr_t At = From; At < From + Bytes; At += MiB)
      Out.push_back(At);
    return Out;
  }
};

} // namespace

TEST_F(Moves, NewBlocksTakeFastMemoryInOrder) {
  const uintptr_t One = make(5 * MiB), Two = make(5 * MiB);
  EXPECT_EQ(fast(), Limit);
  EXPECT_EQ(fastShare(One, 5 * MiB), 100u);
  EXPECT_EQ(fastShare(Two, 3 * MiB), 100u);
  EXPECT_EQ(fastShare(Two + 3 * MiB, 2 * MiB), 0u);
}

TEST_F(Moves, TheLastChunkMayFitWhereOthersDoNot) {
  make(7 * MiB + MiB / 2);
  make(2 * MiB + MiB / 4); // none, none, the last
  EXPECT_EQ(fast(), 7 * MiB + MiB / 2 + MiB / 4);
}

TEST_F(Moves, PhasesAreFollowedAfterOnePass) {
  const uintptr_t At[3] = {make(6 * MiB), make(6 * MiB), make(6 * MiB)};
  for (int Phase = 0; Phase < 9; ++Phase) {
    const uintptr_t Hot = At[Phase % 3];
    pass(chunks(Hot, 6 * MiB));
    EXPECT_EQ(fastShare(Hot, 6 * MiB), 100u) << Phase;
  }
  EXPECT_GE(Figures.up_bytes, 8 * 4 * MiB);
  EXPECT_EQ(Figures.waiting_bytes, 0u);
  EXPECT_EQ(Figures.refused, 0u);
}

TEST_F(Moves, FewSamplesMoveFewChunks) {
  const uintptr_t Cold = make(8 * MiB), Hot = make(8 * MiB);
  pass(chunks(Hot, 8 * MiB), 300000); // three samples
  EXPECT_EQ(Figures.samples, 3u);
  EXPECT_EQ(Figures.up_bytes, 3 * MiB);
  EXPECT_EQ(fastShare(Cold, 8 * MiB), 62u);
}

TEST_F(Moves, FreedAndShortenedBlocksGiveTheirMemoryBack) {
  const uintptr_t One = make(4 * MiB), Two = make(4 * MiB);
  EXPECT_TRUE(ek_blocks_remove(reinterpret_cast<void *>(One)));
  EXPECT_EQ(fast(), 4 * MiB);
  ek_blocks_cut(Two, Two + MiB);
  ek_blocks_cut(Two + 3 * MiB, Two + 4 * MiB);
  look();
  EXPECT_EQ(fast(), 2 * MiB);
}

TEST_F(Moves, WhatMovesToAnotherBlockIsCountedOnce) {
  const uintptr_t One = make(6 * MiB);
  const uint64_t Taken = ek_blocks_take_over(reinterpret_cast<void *>(One));
  EXPECT_EQ(Taken, 6 * MiB);
  EXPECT_TRUE(ek_blocks_remove(reinterpret_cast<void *>(One)));
  EXPECT_EQ(fast(), 6 * MiB);
  const uintptr_t Slot = 0;
  ek_blocks_add_moved(reinterpret_cast<void *>(Next), 7 * MiB, EK_TOUCH_MAP,
                      &Slot, Taken);
  EXPECT_EQ(fast(), 7 * MiB);
  Next += 8 * MiB;
}

TEST_F(Moves, TheLimitHoldsWhateverHappens) {
  std::mt19937 Random(7);
  std::vector<std::pair<uintptr_t, uint64_t>> Live;
  for (int I = 0; I < 3000; ++I) {
    switch (Live.empty() ? 0 : Random() % 4) {
    case 0: {
      const uint64_t Bytes = (1 + Random() % 40) * 65536;
      Live.push_back({make(Bytes), Bytes});
      break;
    }
    case 1: {
      const size_t At = Random() % Live.size();
      ek_blocks_remove(reinterpret_cast<void *>(Live[At].first));
      Live.erase(Live.begin() + ptrdiff_t(At));
      break;
    }
    case 2: {
      auto &[Base, Bytes] = Live[Random() % Live.size()];
      const uintptr_t From = Base + Random() % Bytes / Page * Page;
      ek_blocks_cut(From, Base + Bytes);
      if (From > Base)
        Bytes = From - Base;
      break;
    }
    default: {
      const auto &[Base, Bytes] = Live[Random() % Live.size()];
      pass(chunks(Base, Bytes), 1000000);
    }
    }
    ASSERT_LE(fast(), Limit);
  }
}

TEST_F(Moves, AChildTakesItsOwnAndWhatEndedProcessesTookComesBack) {
  const uintptr_t One = make(5 * MiB);
  pass({One});
  const pid_t Child = fork();
  if (Child == 0) {
    ek_account_forked();
    ek_blocks_forked();
    ek_places_forked();
    make(6 * MiB); // three fit
    const bool Full = ek_account_room() == 0;
    pass({One}); // shared with the parent: charged if it moves
    _exit(Full && ek_account_room() == 0 ? 0 : 1);
  }
  int Status = 1;
  waitpid(Child, &Status, 0);
  EXPECT_EQ(Status, 0);
  EXPECT_EQ(ek_account_room(), 0u); // until somebody needs it
  make(3 * MiB);
  EXPECT_EQ(fast(), 8 * MiB);
}
