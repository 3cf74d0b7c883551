//===- values_test.cpp - values that a program reports --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a team (gathering_team.h) whose threads read as many elements as
// variables of the program say. Object sizes are the same.
//===----------------------------------------------------------------------===//
#define WORK_CLOCK_FREE_LOOKS
#include "Inputs/work_clock.h"
#include "core/options.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "gathering_team.h"
#include "hooks/replan/balance.h"
#include "hooks/replan/replan.h"
#include "hooks/replan/values.h"
#include "placement/moves/migrate.h"

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EK_TEST_TSAN
#endif
#endif

using namespace evenkeel;

namespace {

constexpr uint64_t SymA = 0x50, SymB = 0x51, AsA = 0x60, AsB = 0x61;
constexpr uint64_t Join = GatheringTeam::Join, Region = GatheringTeam::Region;
constexpr int64_t MoreOften = GatheringTeam::MoreOften;

struct Program : GatheringTeam {
  void addObject(uint64_t Site, uint64_t Symbol, uint64_t As, int64_t Value) {
    SymbolFact Y;
    Y.Id = Symbol;
    Y.Name = "main:n" + std::to_string(Symbol);
    Y.Kind = SymbolFact::Given;
    Y.Scope = SymbolFact::Program;
    Y.HandedAs = As;
    F.Symbols.push_back(Y);
    GatheringTeam::addObject(Site, Symbol);
    B.Symbols.push_back(
        {Symbol, EK_NO_TASK, 0, 1, Value, Value, Value, Value, double(Value)});
  }

  Program() {
    addObject(SiteA, SymA, AsA, MoreOften);
    addObject(SiteB, SymB, AsB, LessOften);
    if (!place("values-plan.json"))
      return;
    ek_values_start(Flat);
    allocate();
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

template <typename Told> void fromThreads(Told Tell) {
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([T, Tell] {
      for (int I = 0; I < 10000; ++I)
        Tell(1000 + T, I);
    });
  for (std::thread &T : Threads)
    T.join();
}

/// Takes all that fromThreads() told and returns their number.
size_t drained() {
  size_t Count = 0;
  for (std::vector<ek_value_told> Some; !(Some = taken()).empty();)
    for (const ek_value_told &V : Some) {
      ++Count;
      EXPECT_TRUE(V.symbol == SymA ? V.value >= 1000 && V.value < 1004
                                   : V.value >= 0 && V.value < 10000);
    }
  return Count;
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
  EXPECT_GT(fastShare(P.A), 0.6);
  EXPECT_LT(fastShare(P.Z), 0.4);

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
  EXPECT_GT(fastShare(P.Z), 0.6);
  EXPECT_LT(fastShare(P.A), 0.4);
  const uint64_t Looks = ek_replan_sums.looks;
  for (int I = 0; I < 10; ++I) {
    end();
    tell(MoreOften, 4 * MoreOften);
  }
  EXPECT_LE(ek_replan_sums.looks, Looks + 1);
  EXPECT_EQ(ek_replan_sums.plans, 1u);

  // Inside other code's threads; a look takes what was told before it.
  taken();
  fromThreads(tell);
  EXPECT_LE(drained(), 8192u);

  // More than there is room for: the newest are there, and none is stuck
  // behind another.
  fromThreads([](long long A, long long B) {
    ek_values_keep(Region, AsA, A);
    ek_values_keep(Region, AsB, B);
  });
  EXPECT_EQ(drained(), 8192u);
  EXPECT_GT(ek_get(why[EK_WHY_values_lost]), 0u);

#ifndef EK_TEST_TSAN // no threads after fork
  // A child has only one thread: it waits for none that was in here.
  std::atomic<bool> Over{false};
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([T, &Over] {
      for (int I = 0; !Over; ++I)
        tell(1000 + T, I);
    });
  for (int I = 0; I < 50; ++I) {
    const pid_t Child = fork();
    if (!Child) {
      alarm(60);
      ek_values_forked();
      ek_balance_forked();
      const uint64_t Busy = ek_get(why[EK_WHY_hooks_at_once]);
      for (int V = 0; V < 20000; ++V)
        tell(V, -V);
      _exit(ek_get(why[EK_WHY_hooks_at_once]) != Busy);
    }
    int Status = -1;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0);
  }
  Over = true;
  for (std::thread &T : Threads)
    T.join();
#endif
}

} // namespace
