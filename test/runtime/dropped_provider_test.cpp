//===- dropped_provider_test.cpp - a new provider is one new file ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: providers/dropped_in.c is named nowhere but in itself, and yet the
// runtime finds it by EVENKEEL_PROVIDER and places data with it.
//===----------------------------------------------------------------------===//
#include "evenkeel/ek.h"
#include "providers/provider.h"

#include <gtest/gtest.h>

extern "C" struct {
  size_t bytes;
  unsigned tier;
} dropped_in_placed;

TEST(DroppedProvider, isChosenByItsName) {
  EXPECT_STREQ(ek_provider_now->name, "dropped-in");
  ASSERT_EQ(ek_tier_count, 2u);
  EXPECT_STREQ(ek_tiers[0].name, "near");
}

TEST(DroppedProvider, placesLargeBlocks) {
  void *P = ek_malloc_at(1, EK_FAST(100), 1 << 20);
  ASSERT_NE(P, nullptr);
  EXPECT_GE(dropped_in_placed.bytes, size_t(1) << 20);
  EXPECT_EQ(dropped_in_placed.tier, 0u);
  ek_free(P);
}
