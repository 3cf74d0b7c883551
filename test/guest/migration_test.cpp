//===- migration_test.cpp - pages that move, while they are in use -*- C++ -*-//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs in the guest, as placement_test.cpp. Every test ends with the data's
// checksum and with the books compared with the kernel's, page by page.
//===----------------------------------------------------------------------===//
#include "Moves.h"
#include "calls/placed.h"
#include "evenkeel/ek.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>

namespace {

constexpr size_t N = 8 * MiB, Pages = N / Page;

TEST(Migration, BothWaysExactToThePage) {
  const struct Live Live;
  ScopedPlan Plan(200, 0.25);
  auto *P = ek_malloc(200, N);
  uint64_t Sum = fill(P, N, 1);
  EXPECT_EQ(pagesOn(0, P, N), Pages / 4);
  size_t Before = Pages / 4;
  for (double Share : {1.0, 0.0, 0.37, 0.63}) {
    Change C(Plan, Share);
    Counters Was;
    nextPhase();
    size_t Want = static_cast<size_t>(Share * Pages + 0.5);
    EXPECT_EQ(pagesOn(0, P, N), Want);
    EXPECT_EQ(pagesOn(1, P, N), Pages - Want);
    NumaMaps Maps = numaMaps(P, N);
    EXPECT_EQ(Maps.Pages[0], Want);
    EXPECT_EQ(Maps.Pages[1], Pages - Want);
    EXPECT_EQ(Was.moved(), Want > Before ? Want - Before : Before - Want);
    EXPECT_EQ(Was.demoted(), Want > Before ? 0 : Before - Want);
    EXPECT_EQ(Live(), Want * Page);
    EXPECT_EQ(checksum(P, N), Sum);
    Before = Want;
  }
  ek_free(P);
  EXPECT_EQ(Live(), 0u);
}

// The plan wants two sites to change places in a tier that holds one of them.
TEST(Migration, DemotionComesFirst) {
  std::vector<ek_plan_object> Objects(2);
  for (size_t I = 0; I < 2; ++I) {
    Objects[I].site = 210 + I;
    Objects[I].creator = Objects[I].ordinal = EK_ANY;
    Objects[I].share = I == 0;
  }
  ek_plan_change Changes[] = {
      {ek_phase_now + 1, &Objects[0], 0, 10, 1, nullptr, 0},
      {ek_phase_now + 1, &Objects[1], 1, 10, 1, nullptr, 0}};
  ek_plan Plan{};
  Plan.objects = Objects.data();
  Plan.count = 2;
  Plan.changes = Changes;
  Plan.change_count = 2;
  Plan.fast_bytes = N + ek_use[0].live;
  ek_place_plan(&Plan);
  ek_place_start(); // takes the plan's size of the fast tier
  ASSERT_EQ(ek_place_capacity(0), Plan.fast_bytes);
  void *A = ek_malloc(210, N), *B = ek_malloc(211, N);
  uint64_t SumA = fill(A, N, 2), SumB = fill(B, N, 3);
  EXPECT_EQ(pagesOn(0, A, N), Pages);
  EXPECT_EQ(pagesOn(1, B, N), Pages);
  nextPhase();
  EXPECT_EQ(pagesOn(1, A, N), Pages);
  EXPECT_EQ(pagesOn(0, B, N), Pages);
  EXPECT_EQ(ek_use[0].live, Plan.fast_bytes);
  EXPECT_EQ(checksum(A, N), SumA);
  EXPECT_EQ(checksum(B, N), SumB);
  ek_free(A);
  ek_free(B);
  ek_place_plan(nullptr);
  ek_place_start();
}

TEST(Migration, RunsBesideTheProgram) {
  const struct Live Live;
  ScopedPlan Plan(220, 0);
  auto *P = static_cast<uint64_t *>(ek_malloc(220, N));
  fill(P, N, 4);
  uint64_t First = P[8], Start = P[0];
  std::atomic<bool> Stop{false};
  std::atomic<uint64_t> Rounds{0};
  std::thread Writer([&] {
    while (!Stop) {
      for (size_t I = 0; I < N / 8; I += 64)
        ++P[I];
      ++Rounds;
    }
  });
  while (!Rounds)
    usleep(100);
  uint64_t MoveNs = ek_get(move_ns), BesideNs = ek_get(beside_ns);
  {
    Change C(Plan, 1);
    nextPhase();
  }
  EXPECT_EQ(pagesOn(0, P, N), Pages) << refusals();
  {
    Change C(Plan, 0);
    nextPhase();
  }
  Stop = true;
  Writer.join();
  EXPECT_EQ(pagesOn(1, P, N), Pages);
  EXPECT_EQ(P[8], First);
  EXPECT_EQ(P[0] - Start, Rounds); // no write was lost
  for (size_t I = 64; I < N / 8; I += 64)
    ASSERT_NE(P[I], 0u);
  // The hook only wakes the helper.
  EXPECT_EQ(ek_get(beside_ns) - BesideNs, ek_get(move_ns) - MoveNs);
  EXPECT_EQ(Live(), 0u);
  ek_free(P);
  EXPECT_EQ(Live(), 0u);
}

TEST(Migration, AFreeInBetweenCancels) {
  const struct Live Live;
  ScopedPlan Plan(230, 0);
  uint64_t Rate = ek_opt.migrate_rate;
  ek_opt.migrate_rate = MiB; // eight seconds for each
  void *P = ek_malloc(230, N), *Q = ek_malloc(230, N);
  fill(P, N, 5);
  uint64_t Sum = fill(Q, N, 6);
  uint64_t Cancelled = ek_get(move_cancelled);
  Change C(Plan, 1);
  ek_sync(1, EK_SERIAL);
  Counters Was;
  while (!Was.moved())
    usleep(100);
  ek_free(P); // one of the two is under way
  ek_free(ek_malloc(230, N));
  P = ek_realloc(230, Q, 2 * N);
  EXPECT_EQ(checksum(P, N), Sum);
  EXPECT_GE(ek_get(move_cancelled), Cancelled + 1);
  ek_opt.migrate_rate = Rate;
  nextPhase();
  fill(P, 2 * N, 7);
  EXPECT_EQ(pagesOn(0, P, 2 * N), 2 * Pages);
  EXPECT_EQ(Live(), 2 * N);
  ek_free(P);
  EXPECT_EQ(Live(), 0u);
}

TEST(Migration, TheRateIsKept) {
  ScopedPlan Plan(235, 0);
  uint64_t Rate = ek_opt.migrate_rate;
  ek_opt.migrate_rate = 8 * MiB;
  void *P = ek_malloc(235, N);
  uint64_t Sum = fill(P, N, 8);
  Change C(Plan, 0.5);
  timespec A, B;
  clock_gettime(CLOCK_MONOTONIC, &A);
  nextPhase();
  clock_gettime(CLOCK_MONOTONIC, &B);
  double S = double(B.tv_sec - A.tv_sec) + double(B.tv_nsec - A.tv_nsec) * 1e-9;
  EXPECT_GE(S, 0.25); // 4 MiB at 8 MiB/s, the last batch apart
  EXPECT_EQ(pagesOn(0, P, N), Pages / 2);
  EXPECT_EQ(checksum(P, N), Sum);
  ek_opt.migrate_rate = Rate;
  ek_free(P);
}

TEST(Migration, BudgetPerHookGoesOnAtTheNext) {
  ScopedPlan Plan(240, 0);
  uint64_t Budget = ek_opt.migrate;
  ek_opt.migrate = 2 * MiB;
  void *P = ek_malloc(240, N);
  uint64_t Sum = fill(P, N, 9);
  Change C(Plan, 1);
  for (size_t I = 1; I <= 4; ++I) {
    ek_sync(1, I == 1 ? EK_SERIAL : EK_SERIAL | EK_PARTIAL);
    ek_migrate_wait();
    EXPECT_EQ(pagesOn(0, P, N), Pages * I / 4) << I;
  }
  EXPECT_EQ(checksum(P, N), Sum);
  ek_opt.migrate = Budget;
  ek_free(P);
}

// The first hook comes before the pages are touched, and the system puts them
// elsewhere then: a later hook sees it, and they move.
TEST(Migration, PagesTouchedAfterTheFirstHookAreSeen) {
  const struct Live Live;
  ScopedPlan Plan(245, 1);
  void *P = ek_malloc(245, N);
  ek_sync(1, EK_SERIAL);
  ek_migrate_wait();
  unsigned long Far = 2;
  ASSERT_EQ(syscall(SYS_mbind, P, N, 1, &Far, 65ul, 0u), 0);
  const uint64_t Sum = fill(P, N, 12), NotThere = ek_get(why[EK_WHY_not_there]);
  ASSERT_EQ(pagesOn(1, P, N), Pages);
  for (int I = 0; I < 8; ++I)
    nextPhase();
  EXPECT_EQ(ek_get(why[EK_WHY_not_there]) - NotThere, Pages);
  EXPECT_EQ(pagesOn(0, P, N), Pages) << refusals();
  EXPECT_EQ(Live(), N);
  EXPECT_EQ(checksum(P, N), Sum);
  ek_free(P);
}

// Pages that a child shares do not move; nothing is lost, and all is counted.
TEST(Migration, PagesSharedWithAChildStay) {
  const struct Live Live;
  ScopedPlan Plan(250, 0);
  void *P = ek_malloc(250, N);
  uint64_t Sum = fill(P, N, 10), Shared = ek_get(why[EK_WHY_move_shared]);
  int Pipe[2];
  ASSERT_EQ(pipe(Pipe), 0);
  pid_t Child = fork();
  if (Child == 0) { // its runtime works, with a helper of its own
    char C;
    bool Ok = read(Pipe[0], &C, 1) == 1 && checksum(P, N) == Sum;
    void *Q = ek_malloc(251, N);
    Ok = Ok && fill(Q, N, 11) == checksum(Q, N);
    ek_free(Q);
    ek_sync(1, EK_SERIAL);
    _exit(Ok ? 0 : 1);
  }
  {
    Change C(Plan, 1);
    nextPhase();
  }
  EXPECT_EQ(pagesOn(1, P, N), Pages);
  EXPECT_GE(ek_get(why[EK_WHY_move_shared]) - Shared, Pages);
  EXPECT_EQ(Live(), 0u);
  int Status = 1;
  EXPECT_EQ(write(Pipe[1], "x", 1), 1);
  EXPECT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_EQ(Status, 0);
  EXPECT_EQ(checksum(P, N), Sum);
  close(Pipe[0]);
  close(Pipe[1]);
  ek_free(P);
}

// mlock pins no page to its node: it moves, locked as it was.
TEST(Migration, LockedMemoryMoves) {
  ScopedPlan Plan(260, 0);
  void *P = ek_malloc(260, MiB);
  uint64_t Sum = fill(P, MiB, 12);
  ASSERT_EQ(mlock(P, MiB), 0);
  Change C(Plan, 1);
  nextPhase();
  EXPECT_EQ(pagesOn(0, P, MiB), MiB / Page);
  EXPECT_EQ(checksum(P, MiB), Sum);
  munlock(P, MiB);
  ek_free(P);
}

} // namespace
