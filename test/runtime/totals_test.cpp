//===- totals_test.cpp - totals of loops that threads hand over -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a team (gathering_team.h) whose threads read as many elements as a
// loop of each thread has iterations. No value before the region says how many.
//===----------------------------------------------------------------------===//
#define WORK_CLOCK_FREE_LOOKS
#include "Inputs/work_clock.h"
#include "core/options.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "gathering_team.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "hooks/replan/totals.h"
#include "placement/moves/migrate.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace evenkeel;

namespace {

constexpr uint64_t Trips = 0x50, Loop = 0x60;
constexpr uint64_t Join = GatheringTeam::Join, Region = GatheringTeam::Region;
constexpr int64_t MoreOften = GatheringTeam::MoreOften;

struct Program : GatheringTeam {
  Program() {
    SymbolFact Y;
    Y.Id = Trips;
    Y.Name = "main:trip.22";
    Y.Kind = SymbolFact::Measured;
    Y.Scope = SymbolFact::Task;
    Y.HandedAs = Loop;
    F.Symbols.push_back(Y);
    addObject(SiteA, Trips);
    addObject(SiteB, Trips);
    for (uint32_t Task = 0; Task < B.Tasks.size(); ++Task)
      if (B.Tasks[Task].region == Region) {
        const int64_t N = readsOf(B.Tasks[Task].index);
        B.Symbols.push_back({Trips, Task, 0, 1, N, N, N, N, double(N)});
      }
    if (!place("totals-plan.json"))
      return;
    ek_totals_start(Flat);
    allocate();
  }
};

/// Threads are those of a made-up team.
void run(int64_t OfThread0, int64_t OfThread1) {
  ek_totals_keep(Region, Loop, 0, OfThread0);
  ek_totals_keep(Region, 0x99, 0, 7); // the plan does not name it
  ek_totals_keep(Region, Loop, 1, OfThread1);
}

void end() {
  clock_work(100000000);
  ek_sync(Join, EK_SERIAL);
  ek_migrate_wait();
}

std::vector<ek_value_told> taken() {
  std::vector<ek_value_told> Out(100);
  Out.resize(ek_totals_take(Out.data(), Out.size()));
  return Out;
}

/// Each in a separate process: the records of a run exist once in a process.

/// Without looks at the plan, which take them. (CMakeLists.txt)
TEST(Totals, TakenWhenTheirPhaseHasEnded) {
  Program P;
  ASSERT_TRUE(P.Flat);
  end();
  ek_total(Region, Loop, 5);
  ek_total(Region, Loop, 6);
  EXPECT_TRUE(taken().empty());
  end();
  // What one phase handed over in parts is a sum.
  const std::vector<ek_value_told> First = taken();
  ASSERT_EQ(First.size(), 1u);
  EXPECT_EQ(First[0].symbol, Trips);
  EXPECT_EQ(First[0].value, 11);
  EXPECT_EQ(First[0].task, 0u);
  EXPECT_EQ(First[0].phase, 2u);
}

TEST(Totals, ArePlannedWithAtTheNextHook) {
  ek_total(Region, Loop, 5); // without a plan
  EXPECT_FALSE(ek_totals_wanted());
  Program P;
  ASSERT_TRUE(P.Flat);
  EXPECT_EQ(P.Flat->value_count, 0u);
  ASSERT_EQ(P.Flat->total_count, 1u);
  EXPECT_EQ(P.Flat->totals[0].symbol, Trips);
  EXPECT_FALSE(P.Flat->steps[1].hands_over); // nothing comes before the region
  EXPECT_TRUE(ek_totals_wanted());
  EXPECT_GT(fastShare(P.A), 0.6);
  end();

  // Thread 1 has more to do than the base run showed: data moves.
  for (int I = 0; I < 10; ++I) {
    run(MoreOften, 4 * MoreOften);
    end();
  }
  EXPECT_GE(ek_replan_sums.plans, 1u) << ek_replan_sums.why;
  EXPECT_GT(fastShare(P.Z), 0.6);
  EXPECT_LT(fastShare(P.A), 0.4);
  // The same again is no news.
  const uint64_t Looks = ek_replan_sums.looks;
  for (int I = 0; I < 10; ++I) {
    run(MoreOften, 4 * MoreOften);
    end();
  }
  EXPECT_LE(ek_replan_sums.looks, Looks + 1);
}

} // namespace
