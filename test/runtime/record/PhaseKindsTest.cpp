//===- PhaseKindsTest.cpp - when a record has seen enough -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record/ending/PhaseKinds.h"
#include <gtest/gtest.h>

using namespace ekrec;

namespace {

constexpr uint64_t Least = 1000; // cycles

/// Phase \p Name of a made-up program; equal names are one kind.
void add(PhaseKinds &K, uint64_t Name, uint64_t Cycles,
         uint64_t Instructions = 0) {
  K.ended({Name, Name, Name}, {Instructions ? Instructions : Cycles, Cycles});
}

TEST(PhaseKinds, ThreeIterationsAreEnough) {
  PhaseKinds K(Least);
  add(K, 1, 500); // done once
  for (int I = 0; I < 2; ++I) {
    add(K, 2, 1000);
    EXPECT_FALSE(K.seen());
    add(K, 3, 10);
    EXPECT_FALSE(K.seen());
  }
  EXPECT_EQ(K.missing(), uint32_t(EK_UNSEEN_REPEATS));
  add(K, 2, 1000);
  EXPECT_TRUE(K.seen());
  EXPECT_EQ(K.kinds(), 3u);
  EXPECT_NEAR(K.seenShare(), 3000.0 / 3520, 1e-9);
  add(K, 3, 10); // in the middle of an iteration
  EXPECT_FALSE(K.seen());
  EXPECT_EQ(K.missing(), uint32_t(EK_UNSEEN_NOTHING));
}

TEST(PhaseKinds, LoopsInFrontOfTheMainOneDoNotEndIt) {
  PhaseKinds K(Least);
  add(K, 1, 10000); // reads the input
  for (int I = 0; I < 5; ++I) {
    add(K, 2, 1000);
    EXPECT_FALSE(K.seen()) << I;
  }
  EXPECT_EQ(K.missing(), uint32_t(EK_UNSEEN_MOST));
}

TEST(PhaseKinds, KindsThatChangeAreNotSeen) {
  PhaseKinds K(Least);
  for (uint64_t I = 1; I < 20; ++I) { // as in an elimination
    add(K, 1, 1000 * I);
    EXPECT_FALSE(K.seen());
  }
  EXPECT_EQ(K.missing(), uint32_t(EK_UNSEEN_ALIKE));
  // Then they stay as they are.
  for (int I = 0; I < 200 && !K.seen(); ++I)
    add(K, 1, 20000);
  EXPECT_TRUE(K.seen());
}

TEST(PhaseKinds, OneThatGrowsSlowlyIsNotSeen) {
  PhaseKinds K(Least);
  for (double Work = 1000; Work < 1e6; Work *= 1.015) {
    add(K, 1, static_cast<uint64_t>(Work));
    EXPECT_FALSE(K.seen());
  }
}

TEST(PhaseKinds, AKindThatChangesAgainIsNoLongerSeen) {
  PhaseKinds K(Least);
  for (int I = 0; I < 3; ++I)
    add(K, 1, 1000);
  EXPECT_TRUE(K.seen());
  add(K, 1, 1200);
  EXPECT_FALSE(K.seen());
  EXPECT_EQ(K.seenShare(), 0);
}

TEST(PhaseKinds, AnOuterIterationIsNotTakenForPartOfAnInnerOne) {
  PhaseKinds K(Least);
  auto Outer = [&] {
    add(K, 9, 3000); // once in each
    for (int I = 0; I < 4; ++I)
      add(K, 1, 1000);
  };
  Outer();
  EXPECT_TRUE(K.seen()); // what follows was never seen to differ
  add(K, 9, 3000);
  EXPECT_FALSE(K.seen());
  add(K, 1, 1000); // the outer one lies in the last two iterations
  EXPECT_FALSE(K.seen());
}

TEST(PhaseKinds, ShortOnesGoOn) {
  PhaseKinds K(1 << 20);
  for (int I = 0; I < 10; ++I)
    add(K, 1, 1000);
  EXPECT_FALSE(K.seen());
  EXPECT_EQ(K.missing(), uint32_t(EK_UNSEEN_SHORT));
}

TEST(PhaseKinds, ManyKindsAreToldApart) {
  PhaseKinds K(Least);
  for (int I = 0; I < 3; ++I)
    for (uint64_t N = 1; N <= 1000; ++N)
      add(K, N, 100 + N);
  EXPECT_EQ(K.kinds(), 1000u);
  EXPECT_DOUBLE_EQ(K.seenShare(), 1);
  EXPECT_TRUE(K.seen()); // the last one is the heaviest
}

} // namespace
