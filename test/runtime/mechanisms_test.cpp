//===- mechanisms_test.cpp - how the kernel shows touched pages -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the choice of a mechanism; each one on memory of its own, where this
// kernel offers it (else the test is skipped, by name); and what the kernel's
// files say, with files made by hand.
//===----------------------------------------------------------------------===//
#include "format/ek_touches.h"
#include "touches/mechanisms/idle.h"
#include "touches/mechanisms/mechanism.h"
#include "touches/mechanisms/soft_dirty.h"
#include "touches/mechanisms/watch.h"
#include "touches/mechanisms/writes.h"

#include <cstdio>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

uint32_t Offers, Tried; // of the kernel that `offered` stands for

uint32_t offered(uint32_t Asked) {
  Tried |= Asked;
  return Offers & Asked;
}

uint32_t chosen(uint32_t Of, uint32_t Asked = 0) {
  Offers = Of;
  Tried = 0;
  return ek_touch_choose(Asked, offered);
}

constexpr uint32_t All = EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_WRITES |
                         EK_TOUCH_BY_SOFT_DIRTY | EK_TOUCH_BY_IDLE;

/// Writable memory that is not of huge pages, each page written once.
struct Pages {
  static constexpr size_t Count = 64;
  const size_t Page = size_t(sysconf(_SC_PAGESIZE));
  volatile char *const P;
  const uintptr_t From = reinterpret_cast<uintptr_t>(P),
                  To = From + Page * Count;
  Pages()
      : P(static_cast<volatile char *>(
            mmap(nullptr, Page * Count, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    madvise(const_cast<char *>(P), Page * Count, MADV_NOHUGEPAGE);
    for (size_t I = 0; I < Count; ++I)
      P[I * Page] = 1;
  }
  ~Pages() { munmap(const_cast<char *>(P), Page * Count); }
  void readAll() {
    for (size_t I = 0; I < Count; ++I)
      (void)P[I * Page];
  }
  size_t writeSome() {
    size_t N = 0;
    for (size_t I = 1; I < Count; I += 3, ++N)
      P[I * Page] = 2;
    return N;
  }
};

/// A file of words, as the kernel's files are; words that are not set are 0.
struct Words {
  FILE *const F = tmpfile();
  int fd() const { return fileno(F); }
  void set(uint64_t At, uint64_t Word) const {
    ASSERT_EQ(pwrite(fd(), &Word, 8, off_t(At * 8)), 8);
  }
  uint64_t at(uint64_t At) const {
    uint64_t Word = 0;
    return pread(fd(), &Word, 8, off_t(At * 8)) == 8 ? Word : 0;
  }
  ~Words() { fclose(F); }
};

constexpr uint64_t Present = uint64_t(1) << 63, Dirty = uint64_t(1) << 55;

} // namespace

TEST(Mechanism, TheBestThatIsOffered) {
  EXPECT_EQ(chosen(All), EK_TOUCH_BY_ACCESSED);
  EXPECT_EQ(Tried, EK_TOUCH_BY_ACCESSED); // the others are not even tried
  EXPECT_EQ(chosen(All & ~EK_TOUCH_BY_ACCESSED), EK_TOUCH_BY_WRITES);
  EXPECT_EQ(chosen(EK_TOUCH_BY_SOFT_DIRTY | EK_TOUCH_BY_IDLE),
            EK_TOUCH_BY_SOFT_DIRTY);
  EXPECT_EQ(chosen(EK_TOUCH_BY_IDLE), EK_TOUCH_BY_IDLE);
  EXPECT_EQ(chosen(0), 0u);
}

TEST(Mechanism, WhatIsAskedOrNone) {
  const uint32_t Both = EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_SOFT_DIRTY;
  EXPECT_EQ(chosen(All, Both), Both);
  EXPECT_EQ(chosen(All, EK_TOUCH_BY_IDLE), EK_TOUCH_BY_IDLE);
  EXPECT_EQ(chosen(EK_TOUCH_BY_ACCESSED, Both), 0u);
  EXPECT_EQ(chosen(EK_TOUCH_BY_ACCESSED, EK_TOUCH_BY_WRITES), 0u);
}

TEST(Mechanism, NamesAreThoseOfTheFormat) {
  std::set<uint32_t> Seen;
#define EK_SEEN(Text, Bits)                                                    \
  EXPECT_EQ(ek_touch_named(Text), Bits);                                       \
  EXPECT_STREQ(ek_touch_name(Bits), Text);                                     \
  EXPECT_TRUE(Seen.insert(Bits).second) << Text;
  EK_TOUCH_MECHANISMS(EK_SEEN)
#undef EK_SEEN
  EXPECT_EQ(ek_touch_named("accessed"), 0u);
  EXPECT_EQ(ek_touch_named(""), 0u);
  EXPECT_STREQ(ek_touch_name(0), "");
  EXPECT_STREQ(ek_touch_name(EK_TOUCH_BY_WRITES | EK_TOUCH_BY_IDLE), "");
}

/* --- on this kernel ---------------------------------------------------------
 */

TEST(WriteProtect, CountsThePagesThatAreWritten) {
  if (!ek_writes_offered())
    GTEST_SKIP() << "kernel: no protection of pages without a handler";
  Pages M;
  const long Uffd = ek_writes_open();
  const int Map = open("/proc/self/pagemap", O_RDONLY);
  ASSERT_TRUE(Uffd >= 0 && Map >= 0);
  ASSERT_GE(ek_writes_protect(Uffd, Map, M.From, M.To), 0);
  EXPECT_EQ(ek_writes_count(Map, M.From, M.To, M.Page), 0);
  M.readAll(); // is not seen
  const size_t N = M.writeSome();
  EXPECT_EQ(ek_writes_count(Map, M.From, M.To, M.Page), long(N));
  close(int(Uffd)); // ends the protection
  EXPECT_LT(ek_writes_count(Map, M.From, M.To, M.Page), 0);
  close(Map);
}

TEST(SoftDirty, CountsThePagesThatAreWritten) {
  if (!ek_soft_dirty_offered())
    GTEST_SKIP() << "kernel: no soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)";
  Pages M;
  const int Map = open("/proc/self/pagemap", O_RDONLY),
            Clear = open("/proc/self/clear_refs", O_WRONLY);
  ASSERT_TRUE(Map >= 0 && Clear >= 0);
  EXPECT_EQ(ek_soft_dirty_count(Map, M.From, M.To, M.Page), long(M.Count));
  ek_soft_dirty_clear(Clear);
  EXPECT_EQ(ek_soft_dirty_count(Map, M.From, M.To, M.Page), 0);
  M.readAll(); // is not seen
  const size_t N = M.writeSome();
  EXPECT_EQ(ek_soft_dirty_count(Map, M.From, M.To, M.Page), long(N));
  close(Map);
  close(Clear);
}

// The bits of accessed-bits are others.
TEST(SoftDirty, LeavesAccessedBitsAlone) {
  if (ek_touch_offered(EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_SOFT_DIRTY) !=
      (EK_TOUCH_BY_ACCESSED | EK_TOUCH_BY_SOFT_DIRTY))
    GTEST_SKIP() << "kernel: no soft-dirty bits (CONFIG_MEM_SOFT_DIRTY)";
  Pages M;
  auto Referenced = [&] {
    static ek_smaps S;
    std::map<uintptr_t, uint64_t> By;
    ek_smaps_start(
        &S,
        [](const ek_mapping *X, void *To) {
          (*static_cast<std::map<uintptr_t, uint64_t> *>(To))[X->from] =
              X->referenced;
        },
        &By);
    FILE *F = fopen("/proc/self/smaps", "r");
    char Text[4096];
    while (const size_t N = fread(Text, 1, sizeof Text, F))
      ek_smaps_feed(&S, Text, N);
    fclose(F);
    return (--By.upper_bound(M.From))->second;
  };
  const int Clear = open("/proc/self/clear_refs", O_WRONLY);
  const uint64_t Before = Referenced(); // each page has been written
  EXPECT_GE(Before, M.Page * M.Count);
  ek_soft_dirty_clear(Clear);
  EXPECT_EQ(Referenced(), Before);
  close(Clear);
}

TEST(IdlePages, CountsThePagesThatAreTouched) {
  if (!ek_idle_offered())
    GTEST_SKIP() << "kernel: no idle page tracking "
                    "(CONFIG_IDLE_PAGE_TRACKING, and the rights of root)";
  Pages M;
  ek_idle I;
  ASSERT_TRUE(ek_idle_open(&I));
  mlock(const_cast<char *>(M.P), M.Page); // lists the new pages
  ASSERT_EQ(ek_idle_mark(&I, M.From, M.To, M.Page), long(M.Count));
  const long Before = ek_idle_count(&I, M.From, M.To, M.Page);
  EXPECT_LT(Before, long(M.Count));
  M.readAll();
  EXPECT_EQ(ek_idle_count(&I, M.From, M.To, M.Page), long(M.Count));
  ek_idle_close(&I);
}

/* --- with files made by hand ------------------------------------------------
 */

TEST(SoftDirty, BitsOfPagemap) {
  Words Map;
  const uintptr_t Page = 4096, From = 5 * Page;
  for (uint64_t I = 0; I < 1200; ++I) // more than a batch
    Map.set(5 + I, Present | (I % 4 ? 0 : Dirty));
  EXPECT_EQ(ek_soft_dirty_count(Map.fd(), From, From + 1200 * Page, Page), 300);
  EXPECT_EQ(ek_soft_dirty_count(Map.fd(), From + Page, From + 4 * Page, Page),
            0);
  // The file ends before the range does.
  EXPECT_EQ(ek_soft_dirty_count(Map.fd(), From, From + 9999 * Page, Page), 300);
  EXPECT_EQ(ek_soft_dirty_count(Map.fd(), From, From, Page), 0);
  EXPECT_LT(ek_soft_dirty_count(-1, From, From + Page, Page), 0);
}

TEST(SoftDirty, AMappingThatHasGrownIsNotKnown) {
  ASSERT_TRUE(ek_watch_open(EK_TOUCH_BY_SOFT_DIRTY, 4096));
  Pages M;
  ek_mapping X = {};
  X.from = M.From;
  X.to = M.To;
  X.writable = true;
  X.fresh = true;
  ek_watch_begin();
  EXPECT_EQ(ek_watch_found(&X).written, EK_TOUCH_UNKNOWN);
  EXPECT_EQ(ek_watch_found(&X).touched, EK_TOUCH_UNKNOWN);
  X.fresh = false;
  EXPECT_NE(ek_watch_found(&X).written, EK_TOUCH_UNKNOWN);
  X.writable = false;
  EXPECT_EQ(ek_watch_found(&X).written, EK_TOUCH_UNKNOWN);
  // The words of a reservation would take seconds to read.
  X.writable = true;
  X.to = X.from + (uintptr_t(1) << 40);
  X.resident = M.Page;
  ek_watch_range(X.from, X.to, X.resident, true);
  EXPECT_EQ(ek_watch_found(&X).written, EK_TOUCH_UNKNOWN);
  ek_watch_end();
}

TEST(IdlePages, BitsOfFrames) {
  Words Map, Bitmap, Flags;
  const ek_idle I = {Map.fd(), Bitmap.fd(), Flags.fd()};
  const uintptr_t Page = 4096, From = 3 * Page, To = From + 8 * Page;
  // Scattered frames, one page that is not present, one that is swapped out.
  const std::vector<uint64_t> Frames = {70, 71, 64, 130, 0, 5000, 129, 0};
  for (size_t N = 0; N < Frames.size(); ++N)
    Map.set(3 + N, Frames[N] ? Present | Dirty | Frames[N] : 0);
  Map.set(10, uint64_t(1) << 62 | 77);
  EXPECT_EQ(ek_idle_mark(&I, From, To, Page), 6);
  EXPECT_EQ(Bitmap.at(1), 0xc1u); // frames side by side: one write
  EXPECT_EQ(Bitmap.at(78), uint64_t(1) << 8);
  Bitmap.set(2, 1 << 1 | 1 << 2); // the kernel keeps bits that were set
  EXPECT_EQ(ek_idle_count(&I, From, To, Page), 0);
  Bitmap.set(1, 1);  // 70 and 71 were touched
  Bitmap.set(78, 0); // and 5000
  EXPECT_EQ(ek_idle_count(&I, From, To, Page), 3);
}

// Only the first frame of a page made of many has a bit.
TEST(IdlePages, OneBitForAPageOfMany) {
  Words Map, Bitmap, Flags;
  const ek_idle I = {Map.fd(), Bitmap.fd(), Flags.fd()};
  const uintptr_t Page = 4096, From = 512 * Page, To = From + 8 * Page;
  for (uint64_t N = 0; N < 8; ++N) {
    Map.set(512 + N, Present | (1024 + N));
    Flags.set(1024 + N, N % 4 ? uint64_t(1) << 16 : uint64_t(1) << 15);
  }
  Bitmap.set(16, 1 | 1 << 4); // both are idle
  EXPECT_EQ(ek_idle_count(&I, From, To, Page), 0);
  Bitmap.set(16, 1 << 4); // the first one was touched
  EXPECT_EQ(ek_idle_count(&I, From, To, Page), 4);
  // Frames that follow each other by chance are pages of their own.
  Flags.set(1024 + 5, 0);
  EXPECT_EQ(ek_idle_count(&I, From, To, Page), 7);
}
