//===- balance_test.cpp - planning again, with times given by hand --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a team of two threads that go round a loop; each reads an object of
// its own, and the fast tier (of the emulated provider) holds one of the two.
// The base run and the plan say that thread 0 reads twice as much. Times are
// simulated: a thread's time follows from where its pages lie by the tests'
// accounts, with other figures than the plan's.
//===----------------------------------------------------------------------===//
#define WORK_CLOCK_FREE_LOOKS
#include "Inputs/work_clock.h"
#include "core/events.h"
#include "core/options.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "format/File.h"
#include "format/Replan.h"
#include "format/SeenTypes.h"
#include "gathered_objects.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "made_plan.h"
#include "made_up_machine.h"
#include "objects/object.h"
#include "placement/moves/migrate.h"
#include "placement/place.h"
#include "placement/unlike.h"
#include "planner/Planner.h"
#include "providers/provider.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

using namespace evenkeel;

namespace {

constexpr uint64_t Join = 0x40, SiteA = 0x1a, SiteB = 0x1b, Region = 0x20;
/// Regions of explicit tasks, by the object that they read.
constexpr uint64_t TaskRegions[] = {0x23, 0x24};
/// Of code that the base run did not reach.
constexpr uint64_t LateJoin = 0x41, LateSite = 0x1c, LateRegion = 0x22;
constexpr size_t Bytes = 512 << 10;
constexpr uint32_t Rounds = 1000;

struct Program {
  Facts F;
  Profile B;
  Machine M;
  Plan Made;
  ek_plan *Flat = nullptr;
  char *A, *Z;

  /// \p Times as large as on the base input, in \p Fast bytes of fast memory.
  /// \p Explicit: not threads read the objects, but an explicit task each. From
  /// round \p Turn on the second one reads twice as much as the first.
  explicit Program(size_t Times = 1, size_t Fast = Bytes, bool Explicit = false,
                   uint32_t Turn = UINT32_MAX) {
    F.Regions.push_back({Region, "parallel", "a.c:20:1", "main"});
    F.Regions.push_back({TaskRegions[0], "task", "a.c:22:1", "main"});
    F.Regions.push_back({TaskRegions[1], "task", "a.c:24:1", "main"});
    F.Regions.push_back({LateRegion, "parallel", "a.c:30:1", "main"});
    for (uint64_t Site : {SiteA, SiteB, LateSite}) {
      const uint64_t In = Site == LateSite ? LateRegion
                          : Explicit       ? TaskRegions[Site == SiteB]
                                           : Region;
      addGathered(F, In, Site, makeConst(1000));
      if (Site != LateSite)
        B.Instances.push_back({Site, 0, 0, 0, Bytes, 0, EK_NO_TASK, 0, 0});
    }
    B.Role = "base";
    B.Config.workers = 2;
    B.Config.llc_share_bytes = 1 << 20;
    B.Phases.push_back({0, 0, 1});
    B.Tasks.push_back({0x21, 0, 0, 0, 0, 1000, 1000, 0});
    for (uint32_t H = 1; H <= Rounds; ++H) {
      B.Phases.push_back({Join, 1, 2});
      for (uint32_t T = 0; T < 2; ++T) {
        const auto Task = uint32_t(B.Tasks.size());
        B.Tasks.push_back({Explicit ? TaskRegions[T] : Region, H, T, T,
                           Explicit, 1000, 1000, 0});
        for (uint32_t C = 0; C < EK_CHUNKS; ++C) {
          const uint64_t Lines = (T == 0) == (H < Turn) ? 200 : 100;
          B.Misses.push_back({Task, T, C, 0, Lines, 0, double(Lines), 0});
        }
        B.Accesses.push_back({Task, T, 100000, 0});
      }
    }
    M = madeUpMachine(2);
    PlanRequest R;
    R.F = &F;
    R.Base = &B;
    R.M = &M;
    R.Fast = std::to_string(Fast) + "B";
    const std::string Path = testing::TempDir() + "balance-plan.json";
    std::optional<Plan> P = planToFile(R, Path);
    if (!P || !(Flat = planOfFile(Path)))
      return;
    Made = std::move(*P);
    ek_place_plan(Flat);
    A = static_cast<char *>(ek_malloc(SiteA, Times * Bytes));
    Z = static_cast<char *>(ek_malloc(SiteB, Times * Bytes));
  }

  /// One iteration: the threads take WorkA and WorkB seconds, three times as
  /// long for data in the slow tier unless \p Alike. Returns the longest time.
  double round(double WorkA, double WorkB, bool Alike = false) {
    const double Factor = Alike ? 1 : 3;
    const double TookA = WorkA * (Factor - (Factor - 1) * fastShare(A));
    const double TookB = WorkB * (Factor - (Factor - 1) * fastShare(Z));
    const uint64_t Key = ek_balance_key();
    ek_balance_task(0, Key, uint64_t(TookA * 1e9));
    ek_balance_task(1, Key, uint64_t(TookB * 1e9));
    clock_work(uint64_t(std::max(TookA, TookB) * 1e9));
    ek_sync(Join, EK_SERIAL);
    return std::max(TookA, TookB);
  }
};

/// The times of tasks that the run leaves for the next plan, as its summary has
/// them; none after a failure.
std::vector<SeenType> leftAtTheEnd() {
  ek_replan_end();
  if (!ek_replan_sums.seen) {
    ADD_FAILURE() << "no times in the summary";
    return {};
  }
  auto Seen = seenTypesFromJson(nlohmann::json::parse(ek_replan_sums.seen),
                                "seen", "summary");
  if (!Seen) {
    ADD_FAILURE() << Seen.message();
    return {};
  }
  return Seen->Rows;
}

/// Explicit tasks of two regions, several of each: the plan favours the region
/// whose tasks read more by the base run, but those of the other take longer.
TEST(Balance, ExplicitTasksByRegion) {
  Program P(1, Bytes, /*Explicit=*/true);
  ASSERT_TRUE(P.Flat);
  EXPECT_TRUE(P.Flat->steps[1].has_explicit);
  ASSERT_EQ(P.Flat->steps[1].kind_count, 2u);
  EXPECT_EQ(P.Flat->task_kinds[P.Flat->steps[1].first_kind].region,
            TaskRegions[0]);
  EXPECT_GT(fastShare(P.A), 0.6);
  for (int I = 0; I < 200; ++I) {
    const uint64_t Key = ek_balance_key();
    for (uint32_t T = 0; T < 2; ++T) {
      const double Took =
          (T ? 400e-3 : 40e-3) * (3 - 2 * fastShare(T ? P.Z : P.A)) / 4;
      for (uint32_t Task = 0; Task < 4; ++Task) // any thread runs any task
        ek_balance_explicit(Task % 2, TaskRegions[T], Key,
                            uint64_t(Took * 1e9));
    }
    clock_work(100000000);
    ek_sync(Join, EK_SERIAL);
  }
  ek_migrate_wait();
  EXPECT_GE(ek_replan_sums.plans, 1u) << ek_replan_sums.why;
  EXPECT_GT(fastShare(P.Z), 0.6);
  EXPECT_LT(fastShare(P.A), 0.4);
  // The run leaves the times of these tasks.
  double Factor[2] = {};
  for (const SeenType &X : leftAtTheEnd()) {
    EXPECT_TRUE(X.Explicit);
    Factor[X.Region == TaskRegions[1]] = X.Took / X.Said;
  }
  EXPECT_GT(Factor[1], 2 * Factor[0]);
}

const ek_provider *Cheap;

/// Each in a separate process: the records of a run exist once in a process.
TEST(Balance, FollowsWhatIsMeasured) {
  Program P;
  ASSERT_TRUE(P.Flat);
  EXPECT_EQ(P.Flat->step_count, Rounds + 1);
  EXPECT_EQ(P.Flat->sync_count, 1u);
  EXPECT_TRUE(P.Flat->replans);
  // The plan favours the thread that reads more by the base run.
  EXPECT_GT(fastShare(P.A), 0.6);
  EXPECT_LT(fastShare(P.Z), 0.4);

  // As predicted, on a slower machine: nothing to do.
  for (int I = 0; I < 20; ++I)
    P.round(2 * 40e-3, 1 * 40e-3);
  EXPECT_EQ(ek_replan_sums.plans, 0u);
  EXPECT_EQ(ek_get(moved_pages), 0u);

  // Thread 1 is the one with twice the work.
  const double Before = P.round(1 * 40e-3, 2 * 40e-3);
  double After = 0;
  for (int I = 0; I < 60; ++I)
    After = P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_GE(ek_replan_sums.plans, 1u);
  EXPECT_GT(ek_get(moved_pages), 0u);
  EXPECT_GT(fastShare(P.Z), 0.5);
  EXPECT_LT(After, 0.8 * Before);
  EXPECT_FALSE(ek_replan_sums.stopped);
  EXPECT_LE(ek_use[0].live, Bytes);
  const uint64_t Plans = ek_replan_sums.plans;
  EXPECT_LE(Plans, 6u); // it does not alternate

  // It continues like this: no more plans.
  for (int I = 0; I < 60; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_LE(ek_replan_sums.plans, Plans + 1);

  // Now both tiers are equally fast, and the threads are slow in turn: moving
  // cannot help, and it stops.
  for (int I = 0; I < 400 && !ek_replan_sums.stopped; ++I) {
    const bool Turn = (I / 20) % 2;
    P.round(Turn ? 1 : 0.1, Turn ? 0.1 : 1, true);
  }
  EXPECT_TRUE(ek_replan_sums.stopped);
  EXPECT_EQ(ek_get(why[EK_WHY_replan_unhelpful]), 1u);
  const uint64_t Looks = ek_replan_sums.looks;
  for (int I = 0; I < 20; ++I)
    P.round(1e-2, 1e-3, true);
  EXPECT_EQ(ek_replan_sums.looks, Looks);

  ek_phase_sum *Sums;
  ASSERT_EQ(ek_balance_phases(&Sums), 1u);
  EXPECT_EQ(Sums[0].sync, Join);
  EXPECT_GE(Sums[0].times, 150u);
  EXPECT_GT(Sums[0].predicted_s, 0);
  free(Sums);
  ek_free(P.A);
  ek_free(P.Z);
}

/// The first hook ends the phase that began with the program.
TEST(Balance, TheFirstPhaseTakesTime) {
  Program P;
  ASSERT_TRUE(P.Flat);
  clock_work(70000000);
  P.round(0, 0);
  clock_work(20000000);
  P.round(0, 0);
  ek_phase_sum *Sums;
  ASSERT_EQ(ek_balance_phases(&Sums), 1u);
  EXPECT_EQ(Sums[0].times, 2u);
  EXPECT_NEAR(Sums[0].measured_s, 0.09, 0.001);
  free(Sums);
  ek_free(P.A);
  ek_free(P.Z);
}

/// Both objects were predicted to fit, so first touch was kept; they are four
/// times as large, and the second one is read more.
TEST(Balance, LeavesFirstTouchWhereNotAllFits) {
  Program P(4, 2 * Bytes);
  ASSERT_TRUE(P.Flat);
  EXPECT_TRUE(P.Flat->keeps_first_touch);
  EXPECT_TRUE(P.Flat->all_fits);
  EXPECT_EQ(fastShare(P.A), 0.5);
  EXPECT_EQ(fastShare(P.Z), 0);
  for (int I = 0; I < 60; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_GE(ek_replan_sums.plans, 1u);
  EXPECT_GT(fastShare(P.Z), 0.3);
  EXPECT_LT(fastShare(P.A), 0.2);
  EXPECT_LE(ek_use[0].live, 2 * Bytes);
  ek_free(P.A);
  ek_free(P.Z);
}

/// They do fit: nothing is moved, however wrong the times are.
TEST(Balance, KeepsFirstTouchWhereAllFits) {
  Program P(1, 2 * Bytes);
  ASSERT_TRUE(P.Flat);
  EXPECT_TRUE(P.Flat->all_fits);
  EXPECT_EQ(fastShare(P.A), 1);
  EXPECT_EQ(fastShare(P.Z), 1);
  for (int I = 0; I < 30; ++I)
    P.round(1 * 40e-3, 5 * 40e-3);
  EXPECT_EQ(ek_replan_sums.plans, 0u);
  EXPECT_EQ(ek_get(moved_pages), 0u);
  ek_free(P.A);
  ek_free(P.Z);
}

/// A plan that made everything slower is replaced by the best earlier one.
TEST(Balance, ReturnsToTheBestPlan) {
  Program P;
  ASSERT_TRUE(P.Flat);
  for (int I = 0; I < 60; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  const double Good = fastShare(P.Z);
  ASSERT_GT(Good, 0.5);
  const uint64_t Plans = ek_replan_sums.plans;
  // Thread 0 now seems to be the slow one; but moving data for it makes both
  // wait.
  bool Moved = false;
  for (int I = 0; I < 400 && !ek_replan_sums.stopped; ++I) {
    Moved |= fastShare(P.Z) < Good - 0.1;
    if (Moved)
      P.round(0.4, 0.4, true);
    else
      P.round(0.16, 0.04, true);
  }
  EXPECT_TRUE(Moved);
  EXPECT_GT(ek_replan_sums.plans, Plans);
  EXPECT_TRUE(ek_replan_sums.stopped);
  EXPECT_EQ(ek_get(why[EK_WHY_replan_returned]), 1u);
  for (int I = 0; I < 4; ++I)
    P.round(0.04, 0.04, true);
  EXPECT_NEAR(fastShare(P.Z), Good, 0.05);
}

/// The summary has the times of tasks, for the next plan: compared with thread
/// 0, thread 1 has twice the work that the plan predicts.
TEST(Balance, TellsTheNextRun) {
  Program P;
  ASSERT_TRUE(P.Flat);
  for (int I = 0; I < 200; ++I)
    P.round(1 * 40e-3, 2 * 40e-3, true);
  double Factor[2] = {};
  for (const SeenType &X : leftAtTheEnd()) {
    ASSERT_LT(X.Owner, 2u);
    EXPECT_EQ(X.Region, Region);
    EXPECT_EQ(X.Sync, Join);
    Factor[X.Owner] = X.Took / X.Said;
  }
  EXPECT_GT(Factor[1], 2 * Factor[0]);
}

/// Unless times are to be followed, times that depart cause no look, only sizes
/// do.
TEST(Balance, BySizesOnly) {
  Program P;
  ASSERT_TRUE(P.Flat);
  for (int I = 0; I < 300; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_EQ(ek_replan_sums.looks, 0u);
  ek_free(P.Z);
  P.Z = static_cast<char *>(ek_malloc(SiteB, 4 * Bytes));
  EXPECT_GT(ek_get(why[EK_WHY_other_size]), 0u);
  P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_EQ(ek_replan_sums.looks, 1u);
  for (int I = 0; I < 300; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_EQ(ek_replan_sums.looks, 1u); // one look is enough
  EXPECT_EQ(ek_replan_sums.judged + ek_replan_sums.incomparable, 0u);
  EXPECT_EQ(ek_get(why[EK_WHY_other_machine]), 0u);
}

/// The run reaches a region and an object that the base run did not reach: as
/// they continue, that object gets fast memory.
TEST(Balance, UnlikePhasesArePlannedFor) {
  Program P;
  ASSERT_TRUE(P.Flat);
  for (int I = 0; I < 50; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_FALSE(ek_unlike_any());
  const void *Late = ek_malloc(LateSite, Bytes);
  EXPECT_EQ(fastShare(Late), 0);
  auto Round = [] {
    ek_region_begin(LateRegion);
    const uint64_t Key = ek_balance_key();
    ek_balance_task(1, Key, 40000000);
    clock_work(40000000);
    ek_region_end(LateRegion);
    ek_sync(LateJoin, EK_SERIAL);
  };
  Round();
  EXPECT_TRUE(ek_unlike_any());
  EXPECT_EQ(ek_replan_sums.looks, 0u);
  for (int I = 1; I < 100; ++I)
    Round();
  // At the 2nd phase, the 4th, ... the 64th.
  EXPECT_EQ(ek_replan_sums.unlike_looks, 6u);
  EXPECT_GE(ek_replan_sums.unlike_plans, 1u);
  EXPECT_EQ(fastShare(Late), 1);
  EXPECT_EQ(fastShare(P.A) + fastShare(P.Z), 0);
  const ek_unlike_sum Sums = ek_unlike_sums();
  EXPECT_EQ(Sums.phases, 100u);
  EXPECT_EQ(Sums.objects, 1u);
  EXPECT_EQ(Sums.sync, LateJoin);
}

/// Tiers that exist only in the accounts have no times to plan with.
TEST(Balance, ByTimesOnThePlansMachineOnly) {
  Program P;
  ASSERT_TRUE(P.Flat);
  for (int I = 0; I < 300; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_EQ(ek_replan_sums.looks, 0u);
  EXPECT_EQ(ek_get(why[EK_WHY_other_machine]), 1u);
}

/// Tiers of nodes are compared with the plan's: by size, and by how much slower
/// the second is.
void onNodes(double Slower, bool Same) {
  Cheap = ek_provider_now;
  ek_provider Real = *Cheap;
  Real.moves_at_once = false;
  ek_opt.helper = 0;
  ek_provider_now = &Real;
  const Machine M = madeUpMachine(2);
  for (unsigned T = 0; T < 2; ++T) {
    ek_tiers[T].bytes = M.Tiers[T].CapacityBytes / 100 * 95;
    ek_tiers[T].latency_ns = T ? Slower * 80 : 80;
  }
  Program P;
  ASSERT_TRUE(P.Flat);
  for (int I = 0; I < 300; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_EQ(ek_get(why[EK_WHY_other_machine]), Same ? 0u : 1u);
  EXPECT_EQ(ek_replan_sums.plans > 0, Same);
  EXPECT_EQ(ek_replan_sums.looks, Same ? ek_replan_sums.looks : 1u);
  ek_provider_now = Cheap;
}
double slower() {
  const Machine M = madeUpMachine(2);
  return M.Tiers[1].ReadLatencyNs / M.Tiers[0].ReadLatencyNs;
}
TEST(Balance, NodesAsInThePlan) { onNodes(0.9 * slower(), true); }
TEST(Balance, NodesOfOtherLatency) { onNodes(2 * slower(), false); }

double Spent;
size_t Preferred;
void dearLook(unsigned Tier) {
  Preferred = Tier;
  if (Tier < EK_MAX_TIERS) {
    Spent += 0.05;
    clock_work(50000000);
  }
}

/// However much time is lost to imbalance: plans take at most half a percent of
/// the run, and at most a thousandth of it where they gain nothing. Their
/// memory is slow memory.
TEST(Balance, LooksAreAffordable) {
  Cheap = ek_provider_now;
  ek_provider Dear = *Cheap;
  Dear.prefer = dearLook;
  ek_provider_now = &Dear;
  Program P;
  ASSERT_TRUE(P.Flat);
  double Run = 0;
  unsigned Plannings = 0;
  for (int I = 0; I < 4000; ++I) {
    const bool Turn = (I / 20) % 2;
    const double Before = Spent;
    Run += P.round(Turn ? 1 : 0.1, Turn ? 0.1 : 1, true);
    if (Spent == Before)
      continue;
    EXPECT_EQ(Preferred, size_t(EK_MAX_TIERS)); // as before
    if (++Plannings > 1) // the first one's cost was an estimate
      EXPECT_LE(Spent, 0.005 * Run) << I;
  }
  EXPECT_GE(Plannings, 2u);
  ek_provider_now = Cheap;
}

double LeastOfA = -1; // least share of A before the first decision
void decided(uint32_t, const ek_decided *D) {
  if (D->site == SiteA && !ek_replan_sums.plans)
    LeastOfA = LeastOfA < 0 ? D->was : std::min(LeastOfA, D->was);
}

/// The plan has its own move, which hooks make without a look, and a look that
/// comes later knows where data lies by then.
TEST(Balance, LooksGoOnFromPlannedMoves) {
  Program P(1, Bytes, false, Rounds / 2);
  ASSERT_TRUE(P.Flat);
  ASSERT_FALSE(P.Made.Changes.empty());
  const double First = fastShare(P.A);
  // In one proportion to the plan's times, for both threads.
  for (uint32_t H = 1; H < Rounds - 300; ++H) {
    const ek_plan_step &S = P.Flat->steps[H];
    const double *Its = P.Flat->task_seconds + S.first_task;
    P.round(Its[0] * 1e3, Its[1] * 1e3, true);
  }
  ek_migrate_wait();
  EXPECT_LT(fastShare(P.A), First - 0.2);
  EXPECT_GT(fastShare(P.Z), 0.6);
  EXPECT_EQ(ek_get(plan_changes), 2 * P.Made.Changes.size()); // both objects
  EXPECT_EQ(ek_replan_sums.plans, 0u);
  const double Last = fastShare(P.A);
  ek_listen_decided(decided);
  for (int I = 0; I < 200 && !ek_replan_sums.plans; ++I)
    P.round(2 * 40e-3, 1 * 40e-3);
  ASSERT_GE(ek_replan_sums.plans, 1u);
  EXPECT_GE(LeastOfA, 0);
  EXPECT_LE(LeastOfA, Last + 0.05);
  ek_migrate_wait();
  EXPECT_GT(fastShare(P.A), First);
}

/// Everything becomes faster, whatever moves: no plan is the cause of that.
TEST(Balance, MoreThanWasPromisedIsNotComparable) {
  Program P;
  ASSERT_TRUE(P.Flat);
  for (int I = 0; I < 400 && !ek_replan_sums.plans; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  ASSERT_EQ(ek_replan_sums.plans, 1u);
  for (int I = 0; I < 40; ++I)
    P.round(1 * 4e-3, 2 * 4e-3);
  EXPECT_EQ(ek_replan_sums.judged, 0u);
  EXPECT_EQ(ek_replan_sums.incomparable, 1u);
  EXPECT_EQ(ek_replan_sums.came, 0);
}

uint64_t PageNs; // the time to move one
size_t moveAsDear(void **Pages, size_t Count, unsigned Tier, int *Status) {
  clock_work(PageNs * Count);
  return Cheap->move(Pages, Count, Tier, Status);
}

/// Work shifts from one thread to the other and back, so that plans would pay.
uint64_t plansForTheWayBack(uint64_t NsOfPage) {
  PageNs = NsOfPage;
  Cheap = ek_provider_now;
  ek_provider Dear = *Cheap;
  Dear.move = moveAsDear;
  ek_provider_now = &Dear;
  Program P;
  EXPECT_TRUE(P.Flat);
  for (int I = 0; I < 80; ++I)
    P.round(1 * 40e-3, 2 * 40e-3);
  EXPECT_GT(ek_get(moved_pages), 0u); // the cost was not known yet
  EXPECT_GT(fastShare(P.Z), 0.5);
  const uint64_t Plans = ek_replan_sums.plans;
  for (int I = 0; I < 80; ++I)
    P.round(2 * 40e-3, 1 * 40e-3);
  EXPECT_FALSE(ek_replan_sums.stopped);
  EXPECT_EQ(fastShare(P.A) > 0.5, ek_replan_sums.plans > Plans);
  ek_free(P.A);
  ek_free(P.Z);
  ek_provider_now = Cheap;
  return ek_replan_sums.plans - Plans;
}

/// By the plan's machine moves cost next to nothing; the run measures what they
/// really cost.
TEST(Balance, LearnsThatMovesAreCheap) {
  EXPECT_GE(plansForTheWayBack(1000), 1u);
}
TEST(Balance, LearnsThatMovesAreDear) {
  EXPECT_EQ(plansForTheWayBack(100000000000), 0u);
}

/// The helper thread plans and moves, while threads store their times, hooks
/// run and others allocate; in the later iterations hooks wait for it, so that
/// it has run also on a busy computer.
TEST(Balance, HelperPlansWhileThreadsRun) {
  static ek_provider Apart; // called once more as the process ends
  Apart = *ek_provider_now;
  Apart.moves_at_once = false;
  ek_opt.migrate_rate = 0; // the helper has no clock
  ek_provider_now = &Apart;
  Program P;
  ASSERT_TRUE(P.Flat);
  std::atomic<bool> Stop{false};
  std::thread Allocator([&] {
    while (!Stop) {
      char *X = static_cast<char *>(ek_malloc(SiteB, 256 << 10));
      X[100] = 1;
      ek_free(X);
    }
  });
  std::memset(P.A, 1, Bytes);
  std::memset(P.Z, 2, Bytes);
  int Round = 0, After = 0;
  for (; Round < 900 && After < 40; ++Round) {
    After += ek_get(moved_pages) != 0;
    const uint64_t Key = ek_balance_key();
    std::thread Second([&] { ek_balance_task(1, Key, 400000000); });
    ek_balance_task(0, Key, 100000000);
    Second.join();
    usleep(500);
    clock_work(400000000);
    ek_sync(Join, EK_SERIAL);
    if (Round > 200)
      ek_migrate_wait();
  }
  Stop = true;
  Allocator.join();
  ek_migrate_wait();
  EXPECT_GE(ek_replan_sums.plans, 1u) << Round;
  EXPECT_GT(ek_get(moved_pages), 0u);
  for (size_t I = 0; I < Bytes; ++I) {
    ASSERT_EQ(P.A[I], 1);
    ASSERT_EQ(P.Z[I], 2);
  }
  ek_migrate_stop();
  ek_free(P.A);
  ek_free(P.Z);
}

} // namespace
