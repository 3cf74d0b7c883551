//===- plan_index_test.cpp - indexed lookup against linear search ---------===//
//===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "format/plan/PlanIndex.h"
#include <gtest/gtest.h>
#include <random>

using namespace evenkeel;

namespace {

/// Few values for each part of a name, so that entries and instances match in
/// all ways; wildcards, repeated names, unknown contexts.
class PlanIndexTest : public ::testing::TestWithParam<unsigned> {
protected:
  std::mt19937 Random{GetParam()};

  uint32_t upTo(uint32_t N) { return uint32_t(Random() % N); }
  std::optional<uint32_t> maybe(uint32_t N) {
    const uint32_t X = upTo(N + 2);
    return X < N ? std::optional<uint32_t>(X) : std::nullopt;
  }
  Plan plan() {
    Plan P;
    for (unsigned I = 0; I < 1 + upTo(40); ++I) {
      PlanObject O;
      O.Site = 1 + upTo(2);
      if (auto Context = maybe(3))
        O.Context = *Context;
      O.Creator = maybe(2);
      O.Ordinal = maybe(3);
      O.OfSite = maybe(4);
      if (upTo(5) == 0) { // of small blocks
        O.Arena = true;
        O.Ordinal = O.OfSite = std::nullopt;
      }
      O.Share = I;
      P.Objects.push_back(O);
    }
    return P;
  }
  InstanceName instance() {
    return {1 + upTo(2), upTo(3), upTo(3),
            upTo(8) ? upTo(4) : EK_RAW_SMALL - upTo(2), upTo(4)};
  }
};

} // namespace

TEST_P(PlanIndexTest, FindsWhatPlansFind) {
  for (unsigned Round = 0; Round < 200; ++Round) {
    const Plan P = plan();
    const PlanIndex Index(P.Objects);
    for (unsigned I = 0; I < 30; ++I) {
      const InstanceName O = instance();
      EXPECT_EQ(Index.find(O), P.find(O));
      const PlanObject *First = nullptr;
      for (const PlanObject &X : P.Objects)
        if (!First && X.covers(O))
          First = &X;
      EXPECT_EQ(Index.first(O), First);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, PlanIndexTest, ::testing::Range(0u, 5u));
