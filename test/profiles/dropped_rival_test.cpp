//===- dropped_rival_test.cpp - a new rival is one new file ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: no other file names rivals/DroppedIn.cpp, and yet the registry has it
// beside the planners of profiles/planner/rivals.
//===----------------------------------------------------------------------===//
#include "planner/Registry.h"
#include <gtest/gtest.h>

using namespace evenkeel;

TEST(DroppedRival, isListedBesideTheOthers) {
  EXPECT_EQ(plannerNames(),
            (std::vector<std::string>{
                "balanced", "aol", "density", "dropped-in", "ecohmem",
                "greedy-5", "hmem-advisor", "tahoe", "unimem", "x-mem"}));
}

TEST(DroppedRival, isMadeByItsNames) {
  for (const char *Name : {"dropped-in", "just-dropped"}) {
    auto Made = makePlanner(Name);
    ASSERT_TRUE(bool(Made)) << Made.message();
    EXPECT_EQ((*Made)->name(), "dropped-in");
  }
  ASSERT_EQ(plannerTunables("dropped-in").size(), 1u);
  EXPECT_TRUE(bool(makePlanner("dropped-in", {{"depth", 2}})));
  EXPECT_FALSE(bool(makePlanner("dropped-in", {{"width", 2}})));
}

TEST(DroppedRival, places) {
  Problem P;
  P.FastBytes = 10;
  P.Instances.resize(1);
  P.Units = {{0, 0, 1, 8}, {0, 1, 2, 8}, {0, 2, 3, 2}};
  auto Made = makePlanner("dropped-in");
  ASSERT_TRUE(bool(Made));
  auto Mod = makeModel("overlap");
  ASSERT_TRUE(bool(Mod));
  EXPECT_EQ((*Made)->place(P, Machine{}, **Mod).FastShare,
            (std::vector<double>{1, 0, 1}));
}
