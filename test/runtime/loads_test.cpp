//===- loads_test.cpp - rings of sampled loads ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a ring that a kernel has written (Inputs/rings/README.md), rings made
// by hand, the samples of a window by page, and a real ring of page faults,
// which every processor samples.
//===----------------------------------------------------------------------===//
#include "loads/ring.h"
#include "loads/unit.h"
#include "touches/mechanisms/loads.h"
extern "C" {
#include "touches/base/arena.h"
}

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

struct Read {
  std::vector<ek_load> Loads;
  ek_load_gaps Gaps = {};
  uint64_t Tail = 0;

  Read(const std::string &Ring, uint64_t From, uint64_t To) {
    Tail = ek_load_ring(
        reinterpret_cast<const unsigned char *>(Ring.data()), Ring.size(), From,
        To,
        [](const ek_load *L, void *Data) {
          static_cast<Read *>(Data)->Loads.push_back(*L);
        },
        this, &Gaps);
  }
};

template <typename T> std::string bytesOf(const T &X) {
  return {reinterpret_cast<const char *>(&X), sizeof X};
}

std::string record(uint32_t Type, const std::string &Body) {
  return bytesOf(perf_event_header{Type, 0, uint16_t(8 + Body.size())}) + Body;
}

std::string sample(uint64_t Address) {
  return record(PERF_RECORD_SAMPLE, bytesOf(ek_load{7, 8, Address, 9, 0}));
}

std::string words(std::initializer_list<uint64_t> All) {
  std::string Text;
  for (uint64_t W : All)
    Text += bytesOf(W);
  return Text;
}

/// \p Text in a ring of 512 bytes, from position \p At on.
Read inRing(const std::string &Text, uint64_t At = 0) {
  std::string Ring(512, '\xee');
  for (size_t I = 0; I < Text.size(); ++I)
    Ring[(At + I) % Ring.size()] = Text[I];
  return {Ring, At, At + Text.size()};
}

} // namespace

TEST(LoadRing, AsAKernelHasWrittenIt) {
  std::ifstream In(EK_RINGS "/faults.ring", std::ios::binary);
  const std::string All{std::istreambuf_iterator<char>(In), {}};
  ASSERT_EQ(All.size(), 16u + 4096);
  uint64_t Tail, Head;
  std::memcpy(&Tail, All.data(), 8);
  std::memcpy(&Head, All.data() + 8, 8);
  ASSERT_LT(Tail, 4096u); // it wraps around
  ASSERT_GT(Head, 4096u);
  const Read R(All.substr(16), Tail, Head);
  EXPECT_EQ(R.Tail, Head);
  EXPECT_EQ(R.Gaps.lost, 239u);
  EXPECT_EQ(R.Gaps.damaged, 0u);
  ASSERT_EQ(R.Loads.size(), 92u);
  const uint64_t Base = 0x600000000000;
  for (uint64_t I = 0; I < R.Loads.size(); ++I) {
    EXPECT_EQ(R.Loads[I].address, Base + (I < 72 ? 89 + I : 328 + I) * 4096);
    EXPECT_EQ(R.Loads[I].pid, R.Loads[I].tid);
    EXPECT_EQ(R.Loads[I].pid, R.Loads[0].pid);
  }
}

TEST(LoadRing, WrapsAroundAnywhere) {
  const std::string Text = sample(0x1000) + sample(0x2000) + sample(0x3000);
  for (uint64_t At = 0; At < 1024; At += 8) {
    const Read R = inRing(Text, At);
    ASSERT_EQ(R.Loads.size(), 3u) << At;
    EXPECT_EQ(R.Loads[2].address, 0x3000u);
    EXPECT_EQ(R.Tail, At + Text.size());
  }
  // The position itself is at its end.
  EXPECT_EQ(inRing(Text, UINT64_MAX - 63).Loads.size(), 3u);
}

TEST(LoadRing, WhatIsMissing) {
  const Read R =
      inRing(record(PERF_RECORD_LOST, words({1, 41})) + sample(0x1000) +
             record(PERF_RECORD_LOST_SAMPLES, words({5})) +
             record(PERF_RECORD_THROTTLE, words({1, 2, 3})) +
             record(PERF_RECORD_UNTHROTTLE, words({1, 2, 3})) +
             record(PERF_RECORD_EXIT, words({1, 2, 3})) + sample(0x2000));
  EXPECT_EQ(R.Loads.size(), 2u);
  EXPECT_EQ(R.Gaps.lost, 46u);
  EXPECT_EQ(R.Gaps.throttled, 1u);
  EXPECT_EQ(R.Gaps.damaged, 0u);
}

TEST(LoadRing, RecordsThatAreCut) {
  const std::string Text = sample(0x1000) + sample(0x2000);
  for (size_t Cut = 0; Cut < Text.size(); ++Cut) {
    const Read R = inRing(Text.substr(0, Cut));
    const size_t Whole = Cut / sample(0).size(),
                 Rest = Cut - Whole * sample(0).size();
    EXPECT_EQ(R.Loads.size(), Whole) << Cut;
    EXPECT_EQ(R.Gaps.damaged, Rest >= 8 ? 1u : 0u) << Cut;
    // Less than a header may be the beginning of one.
    EXPECT_EQ(R.Tail, Rest < 8 ? Cut - Rest : Cut) << Cut;
  }
  // Bodies that are too short say nothing.
  EXPECT_TRUE(inRing(record(PERF_RECORD_SAMPLE, words({1, 2}))).Loads.empty());
  EXPECT_EQ(inRing(record(PERF_RECORD_LOST, words({1}))).Gaps.lost, 0u);
  EXPECT_EQ(inRing(record(PERF_RECORD_LOST_SAMPLES, "")).Gaps.lost, 0u);
  // More than the ring holds.
  const Read Far(std::string(64, 0), 0, 65);
  EXPECT_EQ(Far.Gaps.damaged, 1u);
  EXPECT_EQ(Far.Tail, 65u);
}

class Loads : public testing::Test {
protected:
  static void SetUpTestSuite() { ASSERT_TRUE(ek_arena_start()); }
  void SetUp() override {
    perf_event_attr Faults{};
    Faults.type = PERF_TYPE_SOFTWARE;
    Faults.config = PERF_COUNT_SW_PAGE_FAULTS;
    Faults.sample_period = 1;
    ASSERT_TRUE(ek_loads_start(&Faults, int(sysconf(_SC_NPROCESSORS_CONF))));
    Opened = ek_loads_open(Page);
  }
  void TearDown() override { ek_loads_close(); }
  const uintptr_t Page = uintptr_t(sysconf(_SC_PAGESIZE));
  const uint32_t Own = uint32_t(getpid());
  bool Opened = false;
};

TEST_F(Loads, OfAWindowByPage) {
  ek_loads_begin();
  for (uint64_t At : {7, 3, 3, 9, 3, 7})
    ek_loads_add(Own, At * Page + At);
  ek_loads_add(Own + 1, 3 * Page); // of a child
  ek_loads_sort();
  EXPECT_EQ(ek_loads_count(), 6u);
  const auto In = [&](uintptr_t From, uintptr_t To) {
    const ek_loads_seen S = ek_loads_in(From * Page, To * Page);
    return std::pair(S.pages, S.samples);
  };
  EXPECT_EQ(In(0, 100), std::pair(3u, 6u));
  EXPECT_EQ(In(3, 4), std::pair(1u, 3u));
  EXPECT_EQ(In(4, 7), std::pair(0u, 0u));
  EXPECT_EQ(In(4, 9), std::pair(1u, 2u));
  EXPECT_EQ(In(9, 10), std::pair(1u, 1u));
}

TEST_F(Loads, MoreThanThereIsRoomFor) {
  ek_loads_begin();
  for (uint64_t I = 0; I < (1 << 16) + 5; ++I)
    ek_loads_add(Own, I * Page);
  ek_loads_sort();
  EXPECT_EQ(ek_loads_count(), 1u << 16);
  EXPECT_EQ(ek_loads_lost(), 5u);
}

TEST_F(Loads, OfAKernelsRings) {
  if (!Opened)
    GTEST_SKIP() << "kernel: perf_event_open is not permitted";
  const size_t Count = 50;
  auto *P = static_cast<volatile char *>(
      mmap(nullptr, 2 * Count * Page, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  madvise(const_cast<char *>(P), 2 * Count * Page, MADV_NOHUGEPAGE);
  const auto From = reinterpret_cast<uintptr_t>(P), Mid = From + Count * Page,
             To = Mid + Count * Page;
  for (size_t I = 0; I < Count; ++I)
    P[I * Page] = 1; // before the window
  for (int Window = 0; Window < 2; ++Window) {
    ek_loads_begin();
    for (size_t I = 0; I < Count; ++I)
      if (int(I % 2) == Window)
        P[(Count + I) * Page] = 1;
    ek_loads_end();
    EXPECT_EQ(ek_loads_in(From, Mid).samples, 0u);
    EXPECT_EQ(ek_loads_in(Mid, To).samples, Count / 2);
    EXPECT_EQ(ek_loads_in(Mid, To).pages, Count / 2);
  }
  EXPECT_EQ(ek_loads_lost(), 0u);
  munmap(const_cast<char *>(P), 2 * Count * Page);
}
