//===- totals_test.cpp - totals of loops that threads hand over -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a team of two threads that gather, each from its own object, as often
// as a loop of each thread runs. The fast tier (of the emulated provider) holds
// one of the objects. On the base input thread 0 runs it twice as often.
//===----------------------------------------------------------------------===//
#define WORK_CLOCK_FREE_LOOKS
#include "Inputs/work_clock.h"
#include "core/options.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "hooks/replan/totals.h"
#include "made_plan.h"
#include "made_up_machine.h"
#include "objects/object.h"
#include "placement/moves/migrate.h"
#include "placement/place.h"
#include "planner/Planner.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace evenkeel;

namespace {

constexpr uint64_t Join = 0x40, SiteA = 0x1a, SiteB = 0x1b, Region = 0x20,
                   Trips = 0x50, Loop = 0x60;
constexpr size_t Bytes = 512 << 10;
constexpr uint32_t Rounds = 1000;
constexpr int64_t MoreOften = 200000, LessOften = 100000;

struct Program {
  Facts F;
  Profile B;
  Machine M = madeUpMachine(2);
  ek_plan *Flat = nullptr;
  char *A = nullptr, *Z = nullptr;

  void object(uint64_t Site) {
    SiteFact S;
    S.Id = Site;
    S.Kind = "malloc";
    S.At = "a.c:" + std::to_string(Site) + ":1";
    F.Sites.push_back(S);
    AccessFact X;
    X.Region = Region;
    X.Sites = {Site};
    X.Class = AccessFact::Random;
    X.ElementBytes = 8;
    X.Reads = makeSymbol(Trips);
    X.Writes = makeConst(0);
    F.Accesses.push_back(X);
    B.Instances.push_back({Site, 0, 0, 0, Bytes, 0, EK_NO_TASK, 0, 0});
  }

  Program() {
    F.Regions.push_back({Region, "parallel", "a.c:20:1", "main"});
    SymbolFact Y;
    Y.Id = Trips;
    Y.Name = "main:trip.22";
    Y.Kind = SymbolFact::Measured;
    Y.Scope = SymbolFact::Task;
    Y.HandedAs = Loop;
    F.Symbols.push_back(Y);
    object(SiteA);
    object(SiteB);
    B.Role = "base";
    B.Config.workers = 2;
    B.Config.llc_share_bytes = 1 << 14;
    M.LlcBytes = 1 << 15;
    B.Phases.push_back({0, 0, 1});
    B.Tasks.push_back({0x21, 0, 0, 0, 0, 1000, 1000, 0});
    for (uint32_t H = 1; H <= Rounds; ++H) {
      B.Phases.push_back({Join, 1, 2});
      for (uint32_t T = 0; T < 2; ++T) {
        const auto Task = uint32_t(B.Tasks.size());
        const int64_t Count = T ? LessOften : MoreOften;
        B.Tasks.push_back({Region, H, T, T, 0, 1000, 1000, 0});
        B.Symbols.push_back(
            {Trips, Task, 0, 1, Count, Count, Count, Count, double(Count)});
        const int64_t Lines = Count / 1000;
        for (uint32_t C = 0; C < EK_CHUNKS; ++C)
          B.Misses.push_back(
              {Task, T, C, 0, uint64_t(Lines), 0, double(Lines), 0});
        B.Accesses.push_back({Task, T, uint64_t(Lines) * 1000, 0});
      }
    }
    PlanRequest R;
    R.F = &F;
    R.Base = &B;
    R.M = &M;
    R.Fast = std::to_string(Bytes) + "B";
    const std::string Path = testing::TempDir() + "totals-plan.json";
    if (!planToFile(R, Path) || !(Flat = planOfFile(Path)))
      return;
    ek_place_plan(Flat);
    ek_totals_start(Flat);
    A = static_cast<char *>(ek_malloc(SiteA, Bytes));
    Z = static_cast<char *>(ek_malloc(SiteB, Bytes));
  }

  static double fastShare(const void *P) {
    const ek_object *O = ek_object_at(P);
    return O ? double(O->fast_pages) / (O->fast_pages + O->slow_pages) : -1;
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
  EXPECT_GT(P.fastShare(P.A), 0.6);
  end();

  // Thread 1 has more to do than the base run showed: data moves.
  for (int I = 0; I < 10; ++I) {
    run(MoreOften, 4 * MoreOften);
    end();
  }
  EXPECT_GE(ek_replan_sums.plans, 1u) << ek_replan_sums.why;
  EXPECT_GT(P.fastShare(P.Z), 0.6);
  EXPECT_LT(P.fastShare(P.A), 0.4);
  // The same again is no news.
  const uint64_t Looks = ek_replan_sums.looks;
  for (int I = 0; I < 10; ++I) {
    run(MoreOften, 4 * MoreOften);
    end();
  }
  EXPECT_LE(ek_replan_sums.looks, Looks + 1);
}

} // namespace
