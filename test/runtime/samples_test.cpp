//===- samples_test.cpp - rings of samples, made by hand --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: records as the kernel writes them, whole, wrapped around the end of
// the ring, lost, of kinds that were not requested, and invalid ones; and the
// files by which units are found.
//===----------------------------------------------------------------------===//
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "loads/unit.h"
#include "objects/object.h"
#include "observe/samples.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace {

constexpr uint64_t Ram = PERF_MEM_S(LVL, LOC_RAM) | PERF_MEM_S(LVL, HIT),
                   Cache = PERF_MEM_S(LVL, L2) | PERF_MEM_S(LVL, HIT),
                   Cxl = uint64_t(0x9) << PERF_MEM_LVLNUM_SHIFT,
                   Buffer = uint64_t(PERF_MEM_LVLNUM_LFB)
                            << PERF_MEM_LVLNUM_SHIFT;

struct Ring {
  std::vector<unsigned char> Records;
  perf_event_mmap_page Head{};
  explicit Ring(size_t Bytes = 4096, uint64_t At = 0) : Records(Bytes, 0xee) {
    Head.data_head = Head.data_tail = At;
  }
  void add(const void *P, size_t Bytes) {
    for (size_t I = 0; I < Bytes; ++I)
      Records[(Head.data_head + I) % Records.size()] =
          static_cast<const unsigned char *>(P)[I];
    Head.data_head += Bytes;
  }
  void add(uint32_t Type, const std::vector<uint64_t> &Body) {
    perf_event_header H{Type, 0, uint16_t(8 + 8 * Body.size())};
    add(&H, sizeof H);
    add(Body.data(), 8 * Body.size());
  }
  void sample(const void *P, uint64_t Source, uint64_t Cycles = 100) {
    add(PERF_RECORD_SAMPLE,
        {0, reinterpret_cast<uintptr_t>(P), Cycles, Source});
  }
  void take() {
    ek_samples_take_ring(&Head, Records.data(), Records.size());
    EXPECT_EQ(Head.data_tail, Head.data_head);
  }
};

ek_sample_sum sumOf(uint64_t Site) {
  ek_sample_sum *All, Found{};
  const size_t Count = ek_samples_sums(&All);
  for (size_t I = 0; I < Count; ++I) {
    EXPECT_TRUE(!I || All[I - 1].site < All[I].site);
    if (All[I].site == Site)
      Found = All[I];
  }
  free(All);
  return Found;
}

uint64_t lost() { return ek_get(why[EK_WHY_sample_lost]); }

TEST(Samples, AreSummedBySite) {
  auto *A = static_cast<char *>(ek_malloc(0xa1, 1 << 20));
  auto *B = static_cast<char *>(ek_malloc(0xb1, 1 << 20));
  int Local;
  const uint64_t Others = sumOf(0).samples;
  Ring R;
  R.sample(A, Ram, 300);
  R.sample(A + (1 << 20) - 1, Cxl, 500);
  R.sample(A + 4096, Cache, 12);
  R.sample(B + 5, Buffer, 40);
  R.add(PERF_RECORD_COMM, {1, 2, 3}); // a kind that was not requested
  R.sample(&Local, Ram, 90);
  R.take();
  EXPECT_EQ(sumOf(0xa1).samples, 3u);
  EXPECT_EQ(sumOf(0xa1).memory, 2u);
  EXPECT_EQ(sumOf(0xa1).memory_cycles, 800u);
  EXPECT_EQ(sumOf(0xb1).samples, 1u);
  EXPECT_EQ(sumOf(0xb1).memory, 0u);
  EXPECT_EQ(sumOf(0).samples, Others + 1);
  ek_free(A);
  ek_free(B);
}

// At every position of the ring's end, within heads and bodies.
TEST(Samples, WrapAround) {
  void *A = ek_malloc(0xa2, 1 << 20);
  unsigned Count = 0;
  for (uint64_t Before = 8; Before < 96; Before += 8) {
    Ring R(4096, (uint64_t(1) << 40) - Before);
    for (int I = 0; I < 3; ++I, ++Count)
      R.sample(A, Ram);
    R.take();
  }
  EXPECT_EQ(sumOf(0xa2).samples, Count);
  ek_free(A);
}

TEST(Samples, WhatIsLostIsSaid) {
  void *A = ek_malloc(0xa3, 1 << 20);
  const uint64_t Before = lost();
  Ring R;
  R.add(PERF_RECORD_LOST, {7, 41});
  R.sample(A, Ram);
  R.take();
  EXPECT_EQ(lost() - Before, 41u);
  EXPECT_EQ(sumOf(0xa3).samples, 1u);
  ek_free(A);
}

// Reading stops at an invalid record, and never leaves the ring.
TEST(Samples, NonsenseEndsARing) {
  void *A = ek_malloc(0xa4, 1 << 20);
  for (uint16_t Size : {0, 7, 4000, 65535}) {
    const uint64_t Before = lost();
    Ring R;
    R.sample(A, Ram);
    perf_event_header H{PERF_RECORD_SAMPLE, 0, Size};
    R.add(&H, sizeof H);
    R.take();
    EXPECT_EQ(lost() - Before, 1u) << Size;
  }
  EXPECT_EQ(sumOf(0xa4).samples, 4u);
  // Too short for a sample; and a head beyond the ring.
  Ring Short;
  Short.add(PERF_RECORD_SAMPLE, {0, reinterpret_cast<uintptr_t>(A)});
  Short.add(PERF_RECORD_LOST, {});
  Short.take();
  Ring Away;
  Away.Head.data_head = uint64_t(1) << 50;
  Away.take();
  EXPECT_EQ(sumOf(0xa4).samples, 4u);
  std::mt19937 Random(7);
  for (int I = 0; I < 2000; ++I) {
    Ring Noise(256, Random());
    unsigned char Bytes[200];
    for (unsigned char &B : Bytes)
      B = Random() % 4 ? Random() % 64 : uint8_t(Random());
    Noise.add(Bytes, 8 + Random() % 190);
    ek_samples_take_ring(&Noise.Head, Noise.Records.data(), 256);
    EXPECT_LE(Noise.Head.data_head - Noise.Head.data_tail, 7u); // half a head
  }
  ek_free(A);
}

TEST(Samples, MoreSitesThanAreKept) {
  void *A = ek_malloc(0xa5, 1 << 20);
  std::vector<void *> All;
  const uint64_t Before = lost();
  for (uint64_t Site = 0x10000; Site < 0x10000 + 4200; ++Site) {
    All.push_back(ek_malloc(Site, 64 << 10));
    Ring R;
    R.sample(All.back(), Ram);
    R.take();
  }
  EXPECT_GT(lost() - Before, 100u);
  Ring R; // known sites are still counted
  R.sample(All.front(), Ram);
  R.take();
  EXPECT_EQ(sumOf(0x10000).samples, 2u);
  for (void *P : All)
    ek_free(P);
  ek_free(A);
}

struct Units {
  std::string Folder = testing::TempDir() + "units";
  Units() { std::filesystem::remove_all(Folder); }
  ~Units() { std::filesystem::remove_all(Folder); }
  void write(const std::string &Name, const char *Text) {
    const auto Path = std::filesystem::path(Folder) / Name;
    std::filesystem::create_directories(Path.parent_path());
    std::ofstream(Path) << Text;
  }
};

TEST(Samples, UnitsOfProcessors) {
  perf_event_attr A{};
  Units U;
  EXPECT_FALSE(ek_load_unit(U.Folder.c_str(), &A));
  U.write("cpu/type", "4\n"); // no event: a virtual machine
  EXPECT_FALSE(ek_load_unit(U.Folder.c_str(), &A));
  U.write("ibs_op/type", "11\n");
  ASSERT_TRUE(ek_load_unit(U.Folder.c_str(), &A));
  EXPECT_EQ(A.type, 11u);
  EXPECT_EQ(A.sample_period % 16, 0u);
  A = {};
  U.write("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n");
  ASSERT_TRUE(ek_load_unit(U.Folder.c_str(), &A));
  EXPECT_EQ(A.type, 4u);
  EXPECT_EQ(A.config, 0x1cdu);
  EXPECT_GT(A.config1, 3u);
  EXPECT_GE(A.precise_ip, 2u);
  A = {};
  U.write("cpu/events/mem-loads", "something else\n");
  ASSERT_TRUE(ek_load_unit(U.Folder.c_str(), &A));
  EXPECT_EQ(A.type, 11u);
}

} // namespace
