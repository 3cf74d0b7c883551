//===- look_test.cpp - a system that puts pages into another tier ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a provider whose answers the tests set: which pages were touched, and
// where they lie. Runs with EVENKEEL_TIERS=fast=64MiB,slow=1GiB.
//===----------------------------------------------------------------------===//
#include "core/options.h"
#include "core/stats.h"
#include "core/tuning.h"
#include "evenkeel/ek.h"
#include "objects/extent.h"
#include "placement/look.h"
#include "placement/moves/migrate.h"
#include "placement/own.h"
#include "placement/place.h"
#include "providers/provider.h"
#include "scoped_plan.h"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace {

constexpr size_t MiB = 1 << 20, Page = EK_PAGE_BYTES;

/// Pages of one object: those before Touched were touched, and of them those in
/// [From, To) lie in the slow tier.
struct Kernel {
  static inline Kernel *Now;
  ek_provider Table = *ek_provider_now;
  const ek_provider *Real = ek_provider_now;
  uintptr_t Base = 0;
  size_t Touched = 0, From = 0, To = 0, Asked = 0;

  Kernel() {
    Now = this;
    Table.moves_at_once = false;
    Table.query = [](void **Pages, size_t Count, int *Tiers) {
      Now->Asked += Count;
      for (size_t I = 0; I < Count; ++I) {
        const size_t At = (uintptr_t(Pages[I]) - Now->Base) / Page;
        Tiers[I] = At >= Now->Touched                ? -1
                   : At >= Now->From && At < Now->To ? 1
                                                     : 0;
      }
    };
    Table.move = [](void **, size_t Count, unsigned, int *Status) {
      for (size_t I = 0; I < Count; ++I)
        Status[I] = ENOMEM;
      return size_t(0);
    };
    ek_opt.helper = 0;
    ek_provider_now = &Table;
  }
  ~Kernel() { ek_provider_now = Real; }
  void hook() { ek_sync(1, EK_SERIAL); }
};

struct Counters {
  uint64_t NotThere = ek_get(why[EK_WHY_not_there]);
  uint64_t notThere() const { return ek_get(why[EK_WHY_not_there]) - NotThere; }
};

// The first hooks run before the data is touched; later ones look again, less
// and less often.
TEST(Look, PagesTouchedLaterAreLookedAtAgain) {
  Kernel K;
  ScopedPlan Plan(10, 1);
  const uint64_t Live = ek_use[0].live;
  void *P = ek_malloc(10, 4 * MiB);
  K.Base = uintptr_t(P);
  const Counters Was;
  size_t Looks = 0;
  for (int I = 0; I < 100; ++I) {
    const size_t Before = K.Asked;
    K.hook();
    Looks += K.Asked != Before;
  }
  EXPECT_GE(Looks, 5u);
  EXPECT_LE(Looks, 8u);
  EXPECT_EQ(Was.notThere(), 0u);
  EXPECT_EQ(ek_use[0].live - Live, 4 * MiB);
  K.Touched = 1024, K.From = 924, K.To = 1024;
  for (int I = 0; I < 100; ++I)
    K.hook();
  EXPECT_EQ(Was.notThere(), 100u);
  EXPECT_EQ(ek_use[0].live - Live, 924 * Page); // the accounts follow
  ek_free(P);
  EXPECT_EQ(ek_use[0].live, Live);
}

// Half of it is touched, and some of these pages are in the other tier; then
// the rest.
TEST(Look, EveryPageIsCountedOnce) {
  Kernel K;
  ScopedPlan Plan(11, 1);
  void *P = ek_malloc(11, 4 * MiB);
  K.Base = uintptr_t(P);
  const Counters Was;
  K.Touched = 512, K.From = 500, K.To = 600;
  for (int I = 0; I < 20; ++I)
    K.hook();
  EXPECT_EQ(Was.notThere(), 12u);
  K.Touched = 1024;
  for (int I = 0; I < 80; ++I)
    K.hook();
  EXPECT_EQ(Was.notThere(), 100u);
  ek_free(P);
}

// Of a large object some pages are examined; where one is in the other tier,
// all are.
TEST(Look, ManyPagesAreSampled) {
  Kernel K;
  ScopedPlan Plan(12, 0.75);
  void *P = ek_malloc(12, 48 * MiB);
  K.Base = uintptr_t(P);
  K.Touched = 12288;
  K.hook();
  EXPECT_LE(K.Asked, size_t(EK_LOOK_PAGES));
  EXPECT_GE(K.Asked, size_t(EK_LOOK_PAGES) / 2);
  ek_free(P);
  const Counters Was;
  P = ek_malloc(12, 48 * MiB);
  K.Base = uintptr_t(P);
  K.From = 9000, K.To = 12288; // pages beyond 9216 are not fast by the plan
  K.hook();
  EXPECT_EQ(Was.notThere(), 216u);
  ek_free(P);
}

std::string printed() {
  char Text[512] = "";
  FILE *F = fmemopen(Text, sizeof Text, "w");
  ek_look_print(F);
  fclose(F);
  return Text;
}

// No hook ran: the end of the program looks.
TEST(Look, TheEndTells) {
  Kernel K;
  ScopedPlan Plan(13, 1);
  void *Freed = ek_malloc(13, MiB);
  K.Base = uintptr_t(Freed);
  ek_free(Freed);
  void *P = ek_malloc(13, 4 * MiB);
  K.Base = uintptr_t(P);
  K.Touched = 1000, K.From = 800, K.To = 900;
  const Counters Was;
  ek_look_end();
  EXPECT_EQ(Was.notThere(), 100u);
  EXPECT_NE(
      printed().find("at the end 900 of 1024 were in the fast tier, 24 not "
                     "touched; 256 were freed before"),
      std::string::npos)
      << printed();
  ek_free(P);
}

// Threads, records and page tables take their part of the free memory.
TEST(Room, TheHomeTierIsNotAllForData) {
  setenv("OMP_NUM_THREADS", "16,2", 1);
  const uint64_t All = ek_tiers[0].capacity;
  ASSERT_EQ(All, 64 * MiB);
  EXPECT_EQ(ek_own_bytes(1), 3 * MiB + 16 * (64 << 10));
  EXPECT_EQ(ek_own_bytes(3), 8 * MiB);
  ek_place_start();
  EXPECT_EQ(ek_place_capacity(0), All);
  ek_tiers[0].home = true;
  ek_place_start();
  EXPECT_EQ(ek_place_capacity(0), All - 4 * MiB);
  {
    ScopedPlan Plan(14, 1);
    Plan.Plan.data_bytes = 512 * MiB;
    ek_place_start();
    EXPECT_EQ(ek_place_capacity(0), All - 5 * MiB);
    Plan.Plan.fast_bytes = 8 * MiB; // less than there is
    ek_place_start();
    EXPECT_EQ(ek_place_capacity(0), 8 * MiB);
  }
  // Page tables of data that no plan predicted.
  ek_place_start();
  ScopedPlan Slow(15, 0);
  void *P = ek_malloc(15, 512 * MiB);
  EXPECT_EQ(ek_place_take(0, All), All - 5 * MiB);
  ek_place_give(0, All - 5 * MiB);
  ek_free(P);
  ek_tiers[0].home = false;
  ek_place_start();
}

} // namespace
