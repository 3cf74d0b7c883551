//===- fault_test.cpp - pages that the system does not move -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs in the guest, as migration_test.cpp. Faults are real: pages pinned for
// input and output, and system calls forbidden while the program runs. Each
// test ends with the data's checksum and the books against the kernel's.
//===----------------------------------------------------------------------===//
#include "Moves.h"

#include <cerrno>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <sys/wait.h>

namespace {

constexpr size_t N = 4 * MiB, Pages = N / Page, Pinned = 256;

/// Memory registered with io_uring, which pins it for good, as registration for
/// remote direct memory access does.
struct Pin {
  int Ring = -1, Registered = -1;
  Pin(void *P, size_t Bytes) {
    io_uring_params Params{};
    Ring = int(syscall(SYS_io_uring_setup, 1, &Params));
    iovec Vector{P, Bytes};
    if (Ring >= 0)
      Registered = int(syscall(SYS_io_uring_register, Ring,
                               IORING_REGISTER_BUFFERS, &Vector, 1));
  }
  ~Pin() {
    syscall(SYS_io_uring_register, Ring, IORING_UNREGISTER_BUFFERS, nullptr, 0);
    close(Ring);
  }
};

TEST(Faults, PinnedPagesStayAndTheOthersMove) {
  const uint64_t Base = ek_use[0].live;
  ScopedPlan Plan(300, 0);
  auto *P = static_cast<char *>(ek_malloc(300, N));
  madvise(P, N, MADV_NOHUGEPAGE); // a pin holds a huge page as a whole
  const uint64_t Sum = fill(P, N, 21), Busy = ek_get(why[EK_WHY_move_busy]);
  ASSERT_EQ(pagesOn(1, P, N), Pages);
  {
    Pin Held(P + N / 2, Pinned * Page);
    ASSERT_EQ(Held.Registered, 0) << errno;
    Counters Was;
    Change C(Plan, 1);
    nextPhase();
    EXPECT_EQ(pagesOn(0, P, N), Pages - Pinned) << refusals();
    EXPECT_EQ(pagesOn(1, P + N / 2, Pinned * Page), Pinned);
    EXPECT_EQ(Was.moved(), Pages - Pinned);
    EXPECT_GE(ek_get(why[EK_WHY_move_busy]) - Busy, Pinned);
    EXPECT_EQ(ek_use[0].live - Base, (Pages - Pinned) * Page);
    EXPECT_EQ(checksum(P, N), Sum);
  }
  // Let go, they follow at the plan's next word.
  // (The kernel drops references in the background.)
  for (int I = 0; I < 600 && pagesOn(0, P, N) != Pages; ++I) {
    usleep(100000);
    Change C(Plan, 1);
    nextPhase();
  }
  EXPECT_EQ(pagesOn(0, P, N), Pages) << refusals();
  EXPECT_EQ(ek_use[0].live - Base, N);
  EXPECT_EQ(checksum(P, N), Sum);
  ek_free(P);
  EXPECT_EQ(ek_use[0].live, Base);
}

/// From here on the calling thread, and those that it starts, get \p Error.
bool forbid(unsigned Call, unsigned Error = EPERM) {
  sock_filter Code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | Error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog Program = {sizeof Code / sizeof *Code, Code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &Program) == 0;
}

/// Runs \p Test in a child; what it says is false is told by number.
int inChild(const std::function<int()> &Test) {
  pid_t Child = fork();
  if (Child == 0)
    _exit(Test());
  int Status = -1;
  waitpid(Child, &Status, 0);
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 255;
}

// move_pages() is forbidden while the program runs: pages stay, once is enough
// to see it, and the program goes on.
TEST(Faults, MovingIsForbiddenMidRun) {
  EXPECT_EQ(inChild([] {
              ScopedPlan Plan(310, 0);
              void *P = ek_malloc(310, N);
              const uint64_t Sum = fill(P, N, 22);
              const uint64_t Live = ek_use[0].live;
              const uint64_t Before = ek_get(why[EK_WHY_move_denied]);
              const Counters Was;
              if (!forbid(SYS_move_pages))
                return 1;
              {
                Change C(Plan, 1);
                nextPhase();
              }
              if (ek_get(why[EK_WHY_move_denied]) == Before || Was.moved())
                return 2;
              if (ek_use[0].live != Live || checksum(P, N) != Sum)
                return 3;
              const uint64_t Denied = ek_get(why[EK_WHY_move_denied]);
              {
                Change C(Plan, 0.5);
                nextPhase();
              }
              if (ek_get(why[EK_WHY_move_denied]) != Denied)
                return 4; // it tries no more
              void *Q = ek_malloc(311, N);
              const uint64_t Other = fill(Q, N, 23);
              P = ek_realloc(310, P, 2 * N);
              if (!P || checksum(P, N) != Sum || checksum(Q, N) != Other)
                return 5;
              ek_free(P);
              ek_free(Q);
              return 0;
            }),
            0);
}

// mbind() is: what is allocated lies where the system puts it, and is counted.
TEST(Faults, PlacingIsForbiddenMidRun) {
  EXPECT_EQ(inChild([] {
              ScopedPlan Plan(320, 0);
              if (!forbid(SYS_mbind))
                return 1;
              const uint64_t Failed = ek_get(why[EK_WHY_place_failed]);
              void *P = ek_malloc(320, N);
              const uint64_t Sum = fill(P, N, 24);
              if (ek_get(why[EK_WHY_place_failed]) - Failed != N)
                return 2;
              if (checksum(P, N) != Sum)
                return 3;
              ek_free(P);
              return 0;
            }),
            0);
}

// Neither call has the memory that it needs: pages stay where they are, or lie
// where the system puts them; the next pass may try again.
TEST(Faults, NoMemoryToPlaceOrMove) {
  EXPECT_EQ(inChild([] {
              ScopedPlan Plan(330, 0);
              void *P = ek_malloc(330, N);
              const uint64_t Sum = fill(P, N, 25);
              const uint64_t Live = ek_use[0].live;
              const uint64_t Failed = ek_get(why[EK_WHY_place_failed]);
              const Counters Was;
              const uint64_t Before = ek_get(why[EK_WHY_move_no_memory]);
              if (!forbid(SYS_move_pages, ENOMEM) || !forbid(SYS_mbind, ENOMEM))
                return 1;
              {
                Change C(Plan, 1);
                nextPhase();
              }
              if (Was.moved() || ek_use[0].live != Live)
                return 2;
              if (ek_get(why[EK_WHY_move_no_memory]) == Before)
                return 3;
              if (checksum(P, N) != Sum)
                return 4;
              void *Q = ek_malloc(330, N);
              const uint64_t Other = fill(Q, N, 26);
              if (ek_get(why[EK_WHY_place_failed]) - Failed != N)
                return 5;
              P = ek_realloc(330, P, 2 * N);
              if (!P || checksum(P, N) != Sum || checksum(Q, N) != Other)
                return 6;
              ek_free(P);
              ek_free(Q);
              return 0;
            }),
            0);
}

} // namespace
