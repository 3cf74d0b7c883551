//===- values_test.cpp - values that a program reports --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a team of two threads that run a loop; each reads its own object, as
// often as a variable of the program says, and the fast tier (of the emulated
// provider) holds one of the two. On the base input thread 0 reads twice as
// much. Object sizes are the same.
//===----------------------------------------------------------------------===//
#define WORK_CLOCK_FREE_LOOKS
#include "Inputs/work_clock.h"
#include "core/options.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "format/File.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "hooks/replan/values.h"
#include "made_plan.h"
#include "made_up_machine.h"
#include "objects/object.h"
#include "placement/moves/migrate.h"
#include "placement/place.h"
#include "planner/Planner.h"

#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

using namespace evenkeel;

namespace {

constexpr uint64_t Join = 0x40, SiteA = 0x1a, SiteB = 0x1b, Region = 0x20,
                   SymA = 0x50, SymB = 0x51, AsA = 0x60, AsB = 0x61;
constexpr size_t Bytes = 512 << 10;
constexpr uint32_t Rounds = 1000;
constexpr int64_t MoreOften = 200000, LessOften = 100000;

struct Program {
  Facts F;
  Profile B;
  Machine M = madeUpMachine(2);
  ek_plan *Flat = nullptr;
  char *A = nullptr, *Z = nullptr;

  void object(uint64_t Site, uint64_t Symbol, uint64_t As, int64_t Value) {
    SiteFact S;
    S.Id = Site;
    S.Kind = "malloc";
    S.At = "a.c:" + std::to_string(Site) + ":1";
    F.Sites.push_back(S);
    SymbolFact Y;
    Y.Id = Symbol;
    Y.Name = "main:n" + std::to_string(Symbol);
    Y.Kind = SymbolFact::Given;
    Y.Scope = SymbolFact::Program;
    Y.HandedAs = As;
    F.Symbols.push_back(Y);
    AccessFact X;
    X.Region = Region;
    X.Sites = {Site};
    X.Class = AccessFact::Random;
    X.ElementBytes = 8;
    X.Reads = makeSymbol(Symbol);
    X.Writes = makeConst(0);
    F.Accesses.push_back(X);
    B.Instances.push_back({Site, 0, 0, 0, Bytes, 0, EK_NO_TASK, 0, 0});
    B.Symbols.push_back(
        {Symbol, EK_NO_TASK, 0, 1, Value, Value, Value, Value, double(Value)});
  }

  Program() {
    F.Regions.push_back({Region, "parallel", "a.c:20:1", "main"});
    object(SiteA, SymA, AsA, MoreOften);
    object(SiteB, SymB, AsB, LessOften);
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
        B.Tasks.push_back({Region, H, T, T, 0, 1000, 1000, 0});
        const int64_t Lines = (T ? LessOften : MoreOften) / 1000;
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
    const std::string Path = testing::TempDir() + "values-plan.json";
    if (!planToFile(R, Path) || !(Flat = planOfFile(Path)))
      return;
    ek_place_plan(Flat);
    ek_values_start(Flat);
    A = static_cast<char *>(ek_malloc(SiteA, Bytes));
    Z = static_cast<char *>(ek_malloc(SiteB, Bytes));
  }

  static double fastShare(const void *P) {
    const ek_object *O = ek_object_at(P);
    return O ? double(O->fast_pages) / (O->fast_pages + O->slow_pages) : -1;
  }
};

void tell(long long ValueA, long long ValueB) {
  EK_VALUES(Region, EK_VALUE(AsA, ValueA), EK_VALUE(0x99, 7),
            EK_VALUE(AsB, ValueB));
}

void tellA() { EK_VALUES(Region, EK_VALUE(AsA, MoreOften)); }

void end() {
  clock_work(100000000);
  ek_sync(Join, EK_SERIAL);
}

std::vector<ek_value_told> taken() {
  std::vector<ek_value_told> Out(100);
  Out.resize(ek_values_take(Out.data(), Out.size()));
  return Out;
}

/// In one process: the records of a run exist once in a process.
TEST(Values, ArePlannedWithBeforeTheirRegion) {
  tell(1, 2); // without a plan
  EXPECT_TRUE(taken().empty());
  Program P;
  ASSERT_TRUE(P.Flat);
  ASSERT_EQ(P.Flat->value_count, 2u);
  EXPECT_EQ(P.Flat->symbol_count, 2u);
  EXPECT_TRUE(P.Flat->values[0].expects);
  EXPECT_EQ(P.Flat->values[0].expected, double(MoreOften));
  EXPECT_FALSE(P.Flat->steps[0].hands_over);
  EXPECT_TRUE(P.Flat->steps[1].hands_over);
  EXPECT_GT(P.fastShare(P.A), 0.6);
  EXPECT_LT(P.fastShare(P.Z), 0.4);

  // Only values that the plan names are kept, each once in a phase.
  end();
  tellA();
  tellA();
  const std::vector<ek_value_told> First = taken();
  ASSERT_EQ(First.size(), 1u);
  EXPECT_EQ(First[0].symbol, SymA);
  EXPECT_EQ(First[0].value, MoreOften);
  EXPECT_EQ(First[0].phase, ek_balance_phase());

  // As expected: no look.
  for (int I = 0; I < 10; ++I) {
    tellA();
    end();
  }
  EXPECT_EQ(ek_replan_sums.looks, 0u);

  // Thread 1 has more to do than the plan says: data moves before its region
  // begins.
  tell(MoreOften, 4 * MoreOften);
  ek_migrate_wait();
  EXPECT_EQ(ek_replan_sums.looks, 1u);
  EXPECT_EQ(ek_replan_sums.plans, 1u) << ek_replan_sums.why;
  EXPECT_GT(P.fastShare(P.Z), 0.6);
  EXPECT_LT(P.fastShare(P.A), 0.4);
  const uint64_t Looks = ek_replan_sums.looks;
  for (int I = 0; I < 10; ++I) {
    end();
    tell(MoreOften, 4 * MoreOften);
  }
  EXPECT_LE(ek_replan_sums.looks, Looks + 1);
  EXPECT_EQ(ek_replan_sums.plans, 1u);

  // Inside other code's threads, and more of them than there is room for.
  taken();
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([T] {
      for (int I = 0; I < 10000; ++I)
        tell(1000 + T, I);
    });
  for (std::thread &T : Threads)
    T.join();
  size_t Count = 0;
  for (std::vector<ek_value_told> Some; !(Some = taken()).empty();)
    for (const ek_value_told &V : Some) {
      ++Count;
      EXPECT_TRUE(V.symbol == SymA ? V.value >= 1000 && V.value < 1004
                                   : V.value >= 0 && V.value < 10000);
    }
  EXPECT_GT(Count, 1000u);
  EXPECT_LE(Count, 8192u);
  EXPECT_GT(ek_get(why[EK_WHY_values_lost]), 0u);
}

} // namespace
