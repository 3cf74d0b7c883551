//===- touches_test.cpp - parts of the page watcher -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the pace with a made-up clock, the reader of smaps with text cut
// anywhere, where chunks begin, and the table of blocks.
//===----------------------------------------------------------------------===//
#include "core/tuning.h"
extern "C" {
#include "touches/base/arena.h"
#include "touches/blocks.h"
#include "touches/chunks.h"
}
#include "touches/base/smaps.h"
#include "touches/pace.h"
#include "touches/split.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr uint64_t Second = 1000000000;

/// A program with so many resident pages, of which a window sees a share
/// touched; passes cost what the figures of tuning.def say, times Slower.
struct Program {
  ek_pace Pace;
  uint64_t Cpu = 0, Pages = 65536, Passes = 0;
  double Touched = 0.3, Slower = 1;

  explicit Program(double Overhead, uint64_t Window = 0) {
    ek_pace_start(&Pace, Overhead, Window, 0);
  }
  void runFor(uint64_t Ns) {
    for (const uint64_t End = Cpu + Ns; Cpu < End;) {
      ek_pace_resident(&Pace, Pages);
      if (const uint64_t Sleep = ek_pace_sleep(ek_pace_due(&Pace), Cpu, 1)) {
        Cpu += Sleep;
        continue;
      }
      ++Passes;
      const double Own =
          (double(Pages) * EK_ENTRY_NS + double(Pace.chunks) * EK_MAPPING_NS) *
          Slower;
      const ek_pace_seen Seen = {
          uint64_t(Own), Pages, 0, Pages, uint64_t(Touched * double(Pages)),
          Pace.chunks,   0};
      ek_pace_passed(&Pace, &Seen);
      Cpu += Pace.window_ns;
    }
  }
  double overhead() const { return double(Pace.spent_ns) / double(Cpu); }
};

} // namespace

TEST(Pace, KeepsTheLimit) {
  for (double Limit : {0.002, 0.01, 0.05}) {
    Program P(Limit);
    P.runFor(100 * Second);
    EXPECT_GT(P.Passes, 5u) << Limit;
    EXPECT_LE(P.overhead(), Limit * 1.001) << Limit;
    EXPECT_GE(P.overhead(), Limit * 0.6) << Limit;
  }
}

TEST(Pace, KeepsTheLimitWherePassesCostMoreThanExpected) {
  Program P(0.01);
  P.Slower = 3;
  P.runFor(100 * Second);
  EXPECT_LE(P.overhead(), 0.0101);
  EXPECT_GT(P.Passes, 5u);
}

TEST(Pace, NoPassBeforeItIsPaidFor) {
  Program P(0.01);
  const uint64_t Cost =
      uint64_t(65536 * (EK_ENTRY_NS + EK_WALK_NS) * EK_FIRST_PASS_MARGIN);
  P.runFor(Cost * 100 - Second / 10);
  EXPECT_EQ(P.Passes, 0u);
  P.runFor(Second);
  EXPECT_EQ(P.Passes, 1u);
}

TEST(Pace, MemoryThatGrowsMakesTheNextPassDearer) {
  Program P(0.01);
  P.Pages = 1000;
  P.runFor(2 * Second);
  const uint64_t Due = ek_pace_due(&P.Pace);
  ek_pace_resident(&P.Pace, 100000);
  EXPECT_GT(ek_pace_due(&P.Pace), Due);
  P.Pages = 100000;
  P.runFor(30 * Second);
  EXPECT_LE(P.overhead(), 0.0101);
}

TEST(Pace, ChunksCostAtMostTheirShare) {
  Program Large(0.01), Small(0.01);
  Small.Pages = 2000;
  Large.runFor(300 * Second);
  Small.runFor(300 * Second);
  EXPECT_GT(Large.Pace.chunks, Small.Pace.chunks);
  EXPECT_EQ(Small.Pace.chunks, unsigned(EK_FEWEST_CHUNKS));
  const double Mappings = double(Large.Pace.chunks) * EK_MAPPING_NS;
  EXPECT_LE(Mappings, double(Large.Pace.last_ns) * EK_MAPPINGS_SHARE * 2);
}

TEST(Pace, TheWindowShrinksWhereAllIsTouchedAndGrowsWhereNothingIs) {
  Program All(0.05), Nothing(0.05), Fixed(0.05, 7000000);
  All.Touched = 1;
  Nothing.Touched = 0;
  Fixed.Touched = 1;
  for (Program *P : {&All, &Nothing, &Fixed})
    P->runFor(30 * Second);
  EXPECT_EQ(All.Pace.window_ns, uint64_t(EK_LEAST_WINDOW_NS));
  EXPECT_EQ(Nothing.Pace.window_ns, uint64_t(EK_LONGEST_WINDOW_NS));
  EXPECT_EQ(Fixed.Pace.window_ns, 7000000u);
}

TEST(Pace, CountsWhatTheProgramWaits) {
  // One thread that does nothing but wait, and one that goes on.
  EXPECT_EQ(ek_pace_waited(1000, 0, 1, true), 1000u);
  EXPECT_EQ(ek_pace_waited(1000, 1000, 1, true), 0u);
  EXPECT_EQ(ek_pace_waited(1000, 3000, 4, true), 1000u);
  EXPECT_EQ(ek_pace_waited(1000, 1200, 1, true), 0u);
  // Another program had the processor.
  EXPECT_EQ(ek_pace_waited(1000, 0, 1, false), 0u);
  ek_pace P;
  ek_pace_start(&P, 0.01, 0, 0);
  ek_pace_seen Seen = {1000, 0, 0, 10, 1, 64, 40000};
  ek_pace_passed(&P, &Seen);
  EXPECT_EQ(P.spent_ns, 41000u);
}

TEST(Pace, SleepsLessWhereManyThreadsRun) {
  ek_pace P;
  ek_pace_start(&P, 0.01, 0, 0);
  P.next_ns = 1000000; // due after 100 ms of CPU time
  EXPECT_EQ(ek_pace_sleep(ek_pace_due(&P), 0, 1), 100000000u);
  EXPECT_EQ(ek_pace_sleep(ek_pace_due(&P), 0, 10), 10000000u);
  EXPECT_EQ(ek_pace_sleep(ek_pace_due(&P), 0, 0),
            uint64_t(EK_LONGEST_SLEEP_NS));
  EXPECT_EQ(ek_pace_sleep(ek_pace_due(&P), 100000000, 1), 0u);
}

TEST(Pace, ChunkSizesArePowersOfTwo) {
  EXPECT_EQ(ek_pace_chunk_bytes(1, 100), uint64_t(EK_LEAST_CHUNK));
  EXPECT_EQ(ek_pace_chunk_bytes(uint64_t(1) << 30, 1024), 1u << 20);
  EXPECT_EQ(ek_pace_chunk_bytes((uint64_t(1) << 30) + 1, 1024), 2u << 20);
}

/* --- smaps -----------------------------------------------------------------
 */

namespace {

const std::string Text =
    "55d0-55d8 r-xp 00000000 fe:00 1234                       /usr/bin/my app\n"
    "Size:                  8 kB\nRss:                   8 kB\n"
    "Referenced:            4 kB\nTHPeligible:           0\n"
    "VmFlags: rd ex mr mw me \n"
    "7f0000000000-7f0000400000 rw-p 00000000 00:00 0 \n"
    "Rss:                4096 kB\nReferenced:         2048 kB\n"
    "AnonHugePages:      2048 kB\nTHPeligible:           1\n"
    "VmFlags: rd wr mr mw me ac dd \n"
    "7ffd0000-7ffe0000 rw-p 00000000 00:00 0                  [stack]\n"
    "Rss:                  12 kB\nReferenced:           12 kB\n"
    "VmFlags: rd wr mr mw me gd ac sd \n"
    "7fff0000-7fff1000 rw-s 00000000 00:05 77         /dev/shm/x (deleted)\n"
    "Rss:                   0 kB\nReferenced:            0 kB\n"
    "VmFlags: rd wr sh mr mw me ms \n";

std::vector<ek_mapping> mappings(const std::string &Of, size_t Piece) {
  std::vector<ek_mapping> Found;
  static ek_smaps S;
  ek_smaps_start(
      &S,
      [](const ek_mapping *M, void *Data) {
        static_cast<std::vector<ek_mapping> *>(Data)->push_back(*M);
      },
      &Found);
  for (size_t I = 0; I < Of.size(); I += Piece)
    ek_smaps_feed(&S, Of.data() + I, std::min(Piece, Of.size() - I));
  return Found;
}

} // namespace

TEST(Smaps, ReadsMappingsInPiecesOfAnySize) {
  for (size_t Piece = 1; Piece <= Text.size(); Piece += 7) {
    const std::vector<ek_mapping> M = mappings(Text, Piece);
    ASSERT_EQ(M.size(), 4u) << Piece;
    EXPECT_EQ(M[0].from, 0x55d0u);
    EXPECT_EQ(M[0].to, 0x55d8u);
    EXPECT_TRUE(M[0].file && !M[0].writable && !M[0].huge);
    EXPECT_STREQ(M[0].name, "/usr/bin/my app");
    EXPECT_EQ(M[0].referenced, 4096u);
    EXPECT_TRUE(!M[1].file && M[1].writable && M[1].not_dumped && M[1].huge);
    EXPECT_EQ(M[1].huge_bytes, 2u << 20);
    EXPECT_EQ(M[1].resident, 4u << 20);
    EXPECT_STREQ(M[1].name, "");
    EXPECT_STREQ(M[2].name, "[stack]");
    EXPECT_FALSE(M[2].not_dumped);
    EXPECT_TRUE(M[2].fresh && !M[1].fresh);
    EXPECT_TRUE(M[3].shared && M[3].file);
  }
}

TEST(Smaps, OtherTextAndCutTextGiveNoMappingOfTheirOwn) {
  EXPECT_TRUE(mappings("no smaps\nRss: 1 kB\nVmFlags: rd\n", 5).empty());
  EXPECT_TRUE(mappings("7f00-6f00 rw-p 0 0 0\nVmFlags: rd\n", 5).empty());
  EXPECT_TRUE(mappings("7f00-\nVmFlags: rd\n", 5).empty());
  for (size_t Cut = 0; Cut < Text.size(); ++Cut)
    EXPECT_LE(mappings(Text.substr(0, Cut), 64).size(), 4u);
  EXPECT_EQ(mappings(Text + std::string(5000, 'x') + "\n" + Text, 64).size(),
            8u);
}

/* --- chunks ----------------------------------------------------------------
 */

TEST(Split, AtMultiplesAndBordersOfObjects) {
  const uintptr_t Page = 4096, Chunk = 65536, Far = uintptr_t(1) << 40;
  EXPECT_EQ(ek_split_next(0x10000, 0x90000, Far, Chunk, false, Page), 0x20000u);
  EXPECT_EQ(ek_split_next(0x12000, 0x90000, Far, Chunk, false, Page), 0x20000u);
  EXPECT_EQ(ek_split_next(0x10000, 0x90000, 0x11001, Chunk, false, Page),
            0x12000u);
  EXPECT_EQ(ek_split_next(0x10000, 0x18000, Far, Chunk, false, Page), 0x18000u);
}

TEST(Split, NeverInsideAHugePage) {
  const uintptr_t Huge = EK_HUGE_PAGE, To = 16 * Huge;
  std::mt19937 Random(7);
  for (int I = 0; I < 1000; ++I) {
    const uintptr_t At = Random() % 8 * Huge, End = At + Random() % (4 * Huge);
    const uintptr_t Next = ek_split_next(At, To, End, 65536, true, 4096);
    EXPECT_EQ(Next % Huge, 0u);
    EXPECT_GT(Next, At);
  }
}

namespace {

/// The mappings of [From, To), from the process's own smaps.
size_t mappingsIn(uintptr_t From, uintptr_t To, bool Add) {
  FILE *F = fopen("/proc/self/smaps", "r");
  std::string All;
  char Buffer[4096];
  while (size_t N = fread(Buffer, 1, sizeof Buffer, F))
    All.append(Buffer, N);
  fclose(F);
  size_t Count = 0;
  if (Add)
    ek_chunks_read_again();
  for (const ek_mapping &M : mappings(All, 4096)) {
    if (M.from < From || M.to > To)
      continue;
    ++Count;
    if (Add)
      ek_chunks_add(&M);
  }
  return Count;
}

/// Memory between inaccessible pages, so that it is one mapping.
struct Island {
  uintptr_t From, To;
  explicit Island(size_t Bytes) {
    auto *P = static_cast<char *>(mmap(nullptr, Bytes + 131072, PROT_NONE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(P + 65536, Bytes, PROT_READ | PROT_WRITE);
    madvise(P + 65536, Bytes, MADV_NOHUGEPAGE);
    From = reinterpret_cast<uintptr_t>(P) + 65536;
    To = From + Bytes;
  }
  void touch(size_t Bytes) { memset(reinterpret_cast<void *>(From), 1, Bytes); }
};

} // namespace

class Chunks : public testing::Test {
protected:
  static void SetUpTestSuite() {
    ASSERT_TRUE(ek_arena_start());
    ASSERT_TRUE(ek_chunks_start(10000));
    ASSERT_TRUE(ek_blocks_start(65536, "/bin/test"));
  }
};

TEST_F(Chunks, AreMappingsThatCanBeJoinedAgain) {
  Island I(4 << 20);
  I.touch(1 << 20); // the rest stays untouched
  for (int Round = 0; Round < 3; ++Round) {
    mappingsIn(I.From, I.To, true);
    EXPECT_EQ(ek_chunks_cut(65536, nullptr, 0, 4096), 0u);
    EXPECT_EQ(mappingsIn(I.From, I.To, false), 64u + (I.From % 65536 ? 1 : 0));
  }
  // Pieces join where they are moved in one call.
  ek_chunks_join(I.From + (2 << 20), I.To);
  EXPECT_LT(mappingsIn(I.From, I.To, false), 40u);
  ek_chunks_join(0, UINTPTR_MAX);
  EXPECT_EQ(mappingsIn(I.From, I.To, false), 1u);
}

TEST_F(Chunks, UntouchedMemoryStaysWhole) {
  Island I(1 << 20);
  mappingsIn(I.From, I.To, true);
  ek_chunks_cut(65536, nullptr, 0, 4096);
  EXPECT_EQ(mappingsIn(I.From, I.To, false), 1u);
}

TEST_F(Chunks, FlagsOfTheProgramStay) {
  Island I(1 << 20);
  I.touch(1 << 20);
  madvise(reinterpret_cast<void *>(I.From), 1 << 20, MADV_DONTDUMP);
  mappingsIn(I.From, I.To, true);
  ek_chunks_cut(65536, nullptr, 0, 4096);
  ek_chunks_join(0, UINTPTR_MAX);
  EXPECT_EQ(mappingsIn(I.From, I.To, true), 1u);
  size_t Count;
  EXPECT_TRUE(ek_chunks_maps(&Count)[0].flagged);
}

TEST_F(Chunks, ObjectsHaveBordersOfTheirOwn) {
  Island I(1 << 20);
  I.touch(1 << 20);
  ek_block B = {};
  B.base = I.From + 65536 + 4096;
  B.bytes = 8192;
  mappingsIn(I.From, I.To, true);
  ek_chunks_cut(1 << 20, &B, 1, 4096);
  EXPECT_GE(mappingsIn(I.From, I.To, false), 3u);
  ek_chunks_join(0, UINTPTR_MAX);
}

static volatile int Handled;

// A handler may fork, which needs the locks.
TEST_F(Chunks, HandlersRunOnceTheLocksAreFree) {
  struct sigaction Old, Now = {};
  Now.sa_handler = [](int) { Handled = Handled + 1; };
  sigaction(SIGUSR1, &Now, &Old);
  Handled = 0;
  ek_blocks_lock();
  raise(SIGUSR1);
  EXPECT_EQ(Handled, 0);
  ek_blocks_unlock();
  EXPECT_EQ(Handled, 1);
  ek_chunks_lock();
  ek_blocks_lock();
  raise(SIGUSR1);
  ek_blocks_unlock();
  EXPECT_EQ(Handled, 1);
  ek_chunks_unlock();
  EXPECT_EQ(Handled, 2);
  sigaction(SIGUSR1, &Old, nullptr);
}

TEST_F(Chunks, BlocksAreFoundUntilTheyAreGone) {
  ek_blocks_earn(100000);
  std::mt19937 Random(3);
  std::vector<uintptr_t> Live;
  uintptr_t Slot = 0;
  for (int I = 0; I < 20000; ++I) {
    if (Live.empty() || Random() % 3) {
      const uintptr_t At = uintptr_t(1 + I) << 20;
      ek_blocks_add(reinterpret_cast<void *>(At), 100000, EK_TOUCH_BLOCK,
                    &Slot);
      Live.push_back(At);
    } else {
      std::swap(Live[Random() % Live.size()], Live.back());
      EXPECT_TRUE(ek_blocks_remove(reinterpret_cast<void *>(Live.back())));
      EXPECT_FALSE(ek_blocks_remove(reinterpret_cast<void *>(Live.back())));
      Live.pop_back();
    }
  }
  std::sort(Live.begin(), Live.end());
  std::vector<ek_block> Copy(Live.size() + 10);
  ASSERT_EQ(ek_blocks_live(Copy.data(), Copy.size()), Live.size());
  for (size_t I = 0; I < Live.size(); ++I)
    EXPECT_EQ(Copy[I].base, Live[I]);
  for (uintptr_t At : Live)
    EXPECT_TRUE(ek_blocks_remove(reinterpret_cast<void *>(At)));
  EXPECT_FALSE(ek_blocks_any());
}

TEST_F(Chunks, MappingsAreCutShort) {
  ek_blocks_earn(10);
  uintptr_t Slot = 0;
  const uintptr_t At = uintptr_t(1) << 40;
  ek_blocks_add(reinterpret_cast<void *>(At), 1 << 20, EK_TOUCH_MAP, &Slot);
  ek_blocks_cut(At, At + 4096);
  ek_blocks_cut(At + (1 << 19), At + (1 << 20));
  ek_block Copy[4];
  ASSERT_EQ(ek_blocks_live(Copy, 4), 1u);
  EXPECT_EQ(Copy[0].base, At + 4096);
  EXPECT_EQ(Copy[0].bytes, (1u << 19) - 4096);
  ek_blocks_cut(0, UINTPTR_MAX);
  EXPECT_EQ(ek_blocks_live(Copy, 4), 0u);
}

TEST_F(Chunks, MappingsGivenBackFromTheFrontKeepTheirPlace) {
  ek_blocks_earn(10);
  std::mt19937 Random(1);
  uintptr_t Slot = 0;
  const uintptr_t Begin = uintptr_t(1) << 40,
                  End = Begin + (uintptr_t(1) << 38);
  ek_blocks_add(reinterpret_cast<void *>(Begin), End - Begin, EK_TOUCH_MAP,
                &Slot);
  uintptr_t At = Begin;
  for (int I = 0; I < 4000000; ++I) { // many times the places of the table
    const uintptr_t Next = At + (1 + Random() % 8) * 4096;
    ek_blocks_cut(At, Next);
    At = Next;
  }
  // The search for a block that is not there ends.
  for (uintptr_t I = 1; I < 100; ++I)
    EXPECT_FALSE(ek_blocks_remove(reinterpret_cast<void *>(I << 30)));
  ek_block Copy[4];
  ASSERT_EQ(ek_blocks_live(Copy, 4), 1u);
  EXPECT_EQ(Copy[0].base, At);
  EXPECT_EQ(Copy[0].bytes, End - At);
  EXPECT_EQ(Copy[0].begin, Begin);
  ek_blocks_cut(0, UINTPTR_MAX);
}

TEST_F(Chunks, WithoutCreditABlockIsCountedInstead) {
  ek_touch_notes Before = {}, After = {};
  uintptr_t Slot = 0;
  ek_block Copy[4];
  ek_blocks_notes(&Before);
  for (int I = 0; I < 400000 && After.not_named == Before.not_named; ++I) {
    ek_blocks_add(reinterpret_cast<void *>(uintptr_t(4) << 30), 100000,
                  EK_TOUCH_BLOCK, &Slot);
    ek_blocks_notes(&After);
  }
  EXPECT_EQ(After.not_named, Before.not_named + 1);
  EXPECT_TRUE(ek_blocks_remove(reinterpret_cast<void *>(uintptr_t(4) << 30)));
  EXPECT_EQ(ek_blocks_live(Copy, 4), 0u);
}
