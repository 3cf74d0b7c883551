//===- ranks_test.cpp - ranks that plan again together ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: three processes with the variables that a launcher sets, which meet in
// a loop, and a fast tier (of the emulated provider) for one of their three
// objects. By the base run and the plan rank 0 reads most. A rank's time for an
// iteration follows from where its pages lie by its own accounts: this program
// is also each of the ranks (main), and prints the figures of the end.
//===----------------------------------------------------------------------===//
#define WORK_CLOCK_FREE_LOOKS
#include "Inputs/work_clock.h"
#include "core/options.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "format/File.h"
#include "format/Replan.h"
#include "gathered_objects.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "made_plan.h"
#include "made_up_machine.h"
#include "objects/extent.h"
#include "objects/object.h"
#include "placement/moves/migrate.h"
#include "placement/place.h"
#include "planner/Planner.h"
#include "providers/provider.h"
#include "ranks/board.h"
#include "ranks/share.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace evenkeel;

namespace {

constexpr uint64_t Join = 0x40, Site = 0x1a, Region = 0x20;
constexpr size_t Bytes = 512 << 10;
constexpr uint32_t Rounds = 200, Ranks = 3;

/// Where ranks meet; they do not wait for a dead one.
struct Meeting {
  std::atomic<uint32_t> At[Ranks], Dead[Ranks];
};

Meeting *meetIn(const char *Path) {
  const int File = open(Path, O_RDWR | O_CREAT, 0600);
  EXPECT_EQ(ftruncate(File, sizeof(Meeting)), 0);
  void *P = mmap(nullptr, sizeof(Meeting), PROT_READ | PROT_WRITE, MAP_SHARED,
                 File, 0);
  close(File);
  return static_cast<Meeting *>(P);
}

void meet(Meeting *M, uint32_t Rank) {
  const uint32_t Round = ++M->At[Rank];
  for (uint32_t R = 0; R < Ranks; ++R)
    while (M->At[R] < Round && !M->Dead[R])
      usleep(100);
}

/// Where the pages are, by the provider: in the guest by the kernel.
double queriedShare(char *P) {
  const uintptr_t From = (uintptr_t(P) + EK_PAGE_BYTES - 1) / EK_PAGE_BYTES;
  const size_t Count = uintptr_t(P + Bytes) / EK_PAGE_BYTES - From;
  std::vector<void *> Pages;
  for (size_t I = 0; I < Count; ++I)
    Pages.push_back(reinterpret_cast<void *>((From + I) * EK_PAGE_BYTES));
  std::vector<int> Tiers(Count, -1);
  ek_provider_now->query(Pages.data(), Count, Tiers.data());
  return double(std::count(Tiers.begin(), Tiers.end(), 0)) / double(Count);
}

/// One rank: WORK is the time of an iteration with everything fast, in
/// milliseconds of a clock that only work advances: planning takes seconds on
/// an emulated computer.
int rankMain(char **Arguments) {
  Meeting *M = meetIn(Arguments[0]);
  const auto Rank = uint32_t(std::atoi(Arguments[1]));
  const double Work = std::atof(Arguments[2]);
  const int Times = std::atoi(Arguments[3]);
  const int DiesIn = std::atoi(Arguments[4]);
  ek_opt.migrate_rate = 0; // the helper has no clock
  static ek_provider Apart = *ek_provider_now;
  if (getenv("EK_HELPER")) { // as where moving takes time
    Apart.moves_at_once = false;
    ek_provider_now = &Apart;
  }
  auto *P = static_cast<char *>(ek_malloc(Site, Bytes));
  std::memset(P, int(Rank) + 1, Bytes);
  const double First = fastShare(P);
  for (int I = 0; I < Times; ++I) {
    if (I == DiesIn)
      kill(getpid(), SIGKILL);
    clock_work(uint64_t(Work * (3 - 2 * fastShare(P)) * 1e6));
    ek_after(Join, EK_SERIAL, (meet(M, Rank), 0));
    // Helpers run during the first iterations; then all see the result.
    if (I >= Times / 2)
      ek_migrate_wait();
  }
  bool Whole = true;
  for (size_t I = 0; I < Bytes; ++I)
    Whole &= P[I] == char(Rank + 1);
  ek_migrate_wait();
  const bool Exact = queriedShare(P) == fastShare(P);
  meet(M, Rank); // no rank returns anything before all have looked
  // A return to an earlier plan is reported like a new plan.
  std::printf("%d %f %f %llu %llu %llu %s\n", Whole && Exact, First,
              fastShare(P),
              static_cast<unsigned long long>(
                  ek_replan_sums.plans + ek_get(why[EK_WHY_replan_returned])),
              static_cast<unsigned long long>(ek_replan_sums.followed),
              static_cast<unsigned long long>(ek_get(why[EK_WHY_ranks_apart])),
              ek_replan_sums.why);
  std::fflush(stdout);
  meet(M, Rank);
  ek_free(P);
  return 0;
}

struct Said {
  bool Whole = false; // data as written, accounts as the pages lie
  double First = -1, Last = -1;
  uint64_t Plans = 0, Followed = 0, Apart = 0;
  std::string Why;
};

class RanksTest : public testing::Test {
protected:
  const std::string Folder =
      testing::TempDir() + "ranks-" + std::to_string(getpid());
  const std::string Name = "ranks-test-" + std::to_string(getpid());
  Meeting *M = nullptr;
  pid_t Pids[Ranks] = {};

  void SetUp() override {
    M = meetIn((Folder + ".meeting").c_str());
    writePlan("plan", 1);
  }
  void TearDown() override {
    munmap(M, sizeof *M);
    for (const char *X : {".meeting", ".plan", ".other", ".0", ".1", ".2"})
      unlink((Folder + X).c_str());
    // The last rank leaves nothing behind.
    for (const char *X : {"board", "plan"})
      EXPECT_NE(access(("/dev/shm/evenkeel-" + std::string(X) + "." +
                        std::to_string(geteuid()) + ".pmix-" + Name)
                           .c_str(),
                       F_OK),
                0)
          << X;
    for (const char *X : {"", "-board", "-plan", "-end"})
      unlink(("/dev/shm/evenkeel" + std::string(X) + "." +
              std::to_string(geteuid()) + ".pmix-" + Name)
                 .c_str());
  }

  void writePlan(const char *Which, uint64_t Factor) {
    Facts F;
    F.Regions.push_back({Region, "phase", "a.c:20:1", "main"});
    addGathered(F, Region, Site, makeConst(1000));
    Profile B;
    B.Role = "base";
    B.Config.workers = Ranks;
    B.Config.llc_share_bytes = 1 << 20;
    for (uint32_t R = 0; R < Ranks; ++R) {
      B.Ranks.push_back(R);
      B.Instances.push_back({Site, 0, 0, R, Bytes, 0, EK_NO_TASK, 0, 0});
    }
    for (uint32_t H = 0; H < Rounds; ++H) {
      B.Phases.push_back({Join, 1, Ranks});
      for (uint32_t R = 0; R < Ranks; ++R) {
        const auto Task = uint32_t(B.Tasks.size());
        B.Tasks.push_back({Region, H, R, R, 0, 1000, 1000, 0});
        for (uint32_t C = 0; C < EK_CHUNKS; ++C) {
          const uint64_t Lines = Factor * (R == 0 ? 400 : 100);
          B.Misses.push_back({Task, R, C, 0, Lines, 0, double(Lines), 0});
        }
        B.Accesses.push_back({Task, R, 100000, 0});
      }
    }
    const Machine Mach = madeUpMachine(Ranks);
    PlanRequest R;
    R.F = &F;
    R.Base = &B;
    R.M = &Mach;
    R.Fast = std::to_string(Bytes) + "B";
    const std::optional<Plan> P = planToFile(R, Folder + "." + Which);
    ASSERT_TRUE(P.has_value());
    ASSERT_EQ(P->Ranks.size(), Ranks);
  }

  void start(uint32_t Rank, int Work, int Times, const char *Which = "plan",
             int DiesIn = -1) {
    const std::string Plan = Folder + "." + Which,
                      Out = Folder + "." + std::to_string(Rank);
    if ((Pids[Rank] = fork()) != 0)
      return;
    setenv("EVENKEEL_PLAN", Plan.c_str(), 1);
    if (!getenv("EK_REAL_TIERS")) // in the guest: nodes
      setenv("EVENKEEL_TIERS", "fast=512KiB,slow=1GiB", 1);
    setenv("EVENKEEL_BALANCE", "anywhere", 1);
    setenv("EVENKEEL_RESERVE", "8GiB", 1);
    setenv("OMPI_COMM_WORLD_LOCAL_SIZE", std::to_string(Ranks).c_str(), 1);
    setenv("OMPI_COMM_WORLD_RANK", std::to_string(Rank).c_str(), 1);
    setenv("PMIX_NAMESPACE", Name.c_str(), 1);
    const int File = open(Out.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
    dup2(File, 1);
    execl("/proc/self/exe", "ranks", "--rank", (Folder + ".meeting").c_str(),
          std::to_string(Rank).c_str(), std::to_string(Work).c_str(),
          std::to_string(Times).c_str(), std::to_string(DiesIn).c_str(),
          nullptr);
    _exit(127);
  }

  int end(uint32_t Rank) {
    int Status = -1;
    waitpid(Pids[Rank], &Status, 0);
    return Status;
  }

  void dies(uint32_t Rank) {
    EXPECT_EQ(end(Rank), SIGKILL);
    M->Dead[Rank] = 1;
  }

  Said said(uint32_t Rank) {
    std::ifstream In(Folder + "." + std::to_string(Rank));
    Said S;
    In >> S.Whole >> S.First >> S.Last >> S.Plans >> S.Followed >> S.Apart;
    std::getline(In, S.Why);
    return S;
  }
};

TEST_F(RanksTest, FastMemoryGoesToTheRankThatIsSlow) {
  for (uint32_t R = 0; R < Ranks; ++R)
    start(R, R == 2 ? 4000 : 1000, 150);
  for (uint32_t R = 0; R < Ranks; ++R)
    EXPECT_EQ(end(R), 0);
  Said S[Ranks];
  double First = 0, Last = 0;
  for (uint32_t R = 0; R < Ranks; ++R) {
    S[R] = said(R);
    First += S[R].First;
    Last += S[R].Last;
    EXPECT_TRUE(S[R].Whole);
    EXPECT_EQ(S[R].Why, " ");
  }
  EXPECT_GT(S[0].First, 0.6); // as planned
  EXPECT_GT(S[2].Last, 0.6) << S[0].Last << " " << S[1].Last;
  EXPECT_LT(S[0].Last, 0.4);
  EXPECT_LE(First, 1.001); // never twice
  EXPECT_LE(Last, 1.001);
  EXPECT_GE(S[0].Plans, 1u);
  for (uint32_t R = 1; R < Ranks; ++R) {
    EXPECT_EQ(S[R].Plans, 0u);
    EXPECT_EQ(S[R].Followed, S[0].Plans);
  }
}

TEST_F(RanksTest, HelpersPlanWhileRanksRun) {
  setenv("EK_HELPER", "1", 1);
  for (uint32_t R = 0; R < Ranks; ++R)
    start(R, R == 2 ? 4000 : 1000, 150);
  unsetenv("EK_HELPER");
  double Last = 0;
  for (uint32_t R = 0; R < Ranks; ++R) {
    EXPECT_EQ(end(R), 0);
    EXPECT_TRUE(said(R).Whole);
    Last += said(R).Last;
  }
  EXPECT_GT(said(2).Last, said(0).Last);
  EXPECT_LE(Last, 1.001);
}

TEST_F(RanksTest, AsPredictedTheFirstRankKeepsIt) {
  for (uint32_t R = 0; R < Ranks; ++R)
    start(R, R == 0 ? 4000 : 1000, 60);
  for (uint32_t R = 0; R < Ranks; ++R)
    EXPECT_EQ(end(R), 0);
  EXPECT_GT(said(0).Last, 0.6);
  for (uint32_t R = 0; R < Ranks; ++R)
    EXPECT_TRUE(said(R).Whole);
}

TEST_F(RanksTest, OneIsKilledAndTheOthersGoOn) {
  for (uint32_t R = 0; R < Ranks; ++R)
    start(R, R == 2 ? 4000 : 1000, 60, "plan", R == 1 ? 2 : -1);
  dies(1);
  for (uint32_t R : {0u, 2u}) {
    EXPECT_EQ(end(R), 0);
    Said S = said(R);
    EXPECT_TRUE(S.Whole);
    EXPECT_EQ(S.Plans, 0u); // nothing can be planned if a third is unknown
  }
}

TEST_F(RanksTest, TheLeaderIsKilledAndTheOthersGoOn) {
  for (uint32_t R = 0; R < Ranks; ++R)
    start(R, R == 2 ? 4000 : 1000, 60, "plan", R == 0 ? 20 : -1);
  dies(0);
  for (uint32_t R : {1u, 2u}) {
    EXPECT_EQ(end(R), 0);
    EXPECT_TRUE(said(R).Whole);
  }
}

TEST_F(RanksTest, OtherPlansAreNotMixed) {
  writePlan("other", 3);
  start(0, 1000, 20);
  start(1, 1000, 20);
  while (M->At[0] < 1 || M->At[1] < 1)
    usleep(1000); // they are there
  start(2, 4000, 20, "other");
  for (uint32_t R = 0; R < Ranks; ++R)
    EXPECT_EQ(end(R), 0);
  Said S = said(2);
  EXPECT_TRUE(S.Whole);
  EXPECT_EQ(S.Apart, 1u);
  EXPECT_EQ(S.Why, " the ranks run under different plans");
  EXPECT_EQ(said(0).Plans, 0u);
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count == 7 && std::strcmp(Arguments[1], "--rank") == 0)
    return rankMain(Arguments + 2);
  testing::InitGoogleTest(&Count, Arguments);
  return RUN_ALL_TESTS();
}
