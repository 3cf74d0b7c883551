//===- few_best_test.cpp - the few units that gain most -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: order, ties, and when there may be better ones than what is left.
//===----------------------------------------------------------------------===//
#include "planner/FewBest.h"
#include <gtest/gtest.h>

using namespace evenkeel;

namespace {

TEST(FewBest, GivesTheBestInOrder) {
  FewBest Best;
  Best.clear(2);
  EXPECT_EQ(Best.first(), EK_NO_TASK);
  EXPECT_FALSE(Best.isUsedUp()) << "nothing was ever there";
  const std::pair<double, uint32_t> All[] = {{1, 0}, {3, 1}, {3, 2}, {2, 3}};
  for (auto [Gain, Unit] : All)
    if (Gain > Best.least())
      Best.add(Gain, Unit);
  EXPECT_EQ(Best.least(), 3);
  for (uint32_t Unit : {1u, 2u}) { // of equal ones, the first first
    EXPECT_EQ(Best.first(), Unit);
    EXPECT_FALSE(Best.isUsedUp());
    Best.use();
  }
  EXPECT_TRUE(Best.isUsedUp());
  Best.clear(3);
  EXPECT_LT(Best.least(), -1e300);
  EXPECT_FALSE(Best.isUsedUp());
}

} // namespace
