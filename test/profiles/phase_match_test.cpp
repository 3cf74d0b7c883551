//===- phase_match_test.cpp - which of a plan's phases a run is in --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "format/plan/PhaseMatch.h"

#include <gtest/gtest.h>

using namespace evenkeel;

namespace {

constexpr uint32_t None = PhaseMatch::None;
constexpr uint64_t A = 0xa, B = 0xb, C = 0xc;

PhaseEnds ends(const std::vector<uint64_t> &Hooks) {
  PhaseEnds Out;
  for (uint64_t H : Hooks)
    Out.emplace_back(uint32_t(Out.size()), H);
  return Out;
}

using Numbers = std::vector<uint32_t>;

TEST(PhaseMatch, TheSamePhasesMatchByNumber) {
  const PhaseEnds All = ends({A, 0, B, A, 0});
  const PhaseMatch M = matchPhases(All, All);
  EXPECT_EQ(M.Ended, (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(M.Current, (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(M.current(5), 5u);
  EXPECT_EQ(M.ended(5), None);
}

TEST(PhaseMatch, AHookEndsTheNextPhaseThatItCanEnd) {
  // Two rounds of A before B where the plan has three.
  const PhaseMatch M =
      matchPhases(ends({A, A, A, B, C, 0}), ends({A, A, B, C, 0}));
  EXPECT_EQ(M.Ended, (Numbers{0, 1, 3, 4, 5}));
  EXPECT_EQ(M.Current, (Numbers{0, 1, 2, 4, 5}));
}

TEST(PhaseMatch, RoundsThatThePlanDoesNotHaveMatchNothing) {
  const PhaseMatch M =
      matchPhases(ends({A, B, C, 0}), ends({A, A, B, B, C, 0}));
  EXPECT_EQ(M.Ended, (Numbers{0, None, 1, None, 2, 3}));
  EXPECT_EQ(M.Current, (Numbers{0, 1, 1, 2, 2, 3}));
}

TEST(PhaseMatch, AfterTheLastHookOnlyTheEndIsLeft) {
  const PhaseMatch M = matchPhases(ends({A, B}), ends({A, B, A, C}));
  EXPECT_EQ(M.Ended, (Numbers{0, 1, None, None}));
  EXPECT_EQ(M.Current, (Numbers{0, 1, 2, 2}));
  EXPECT_EQ(M.current(4), 2u);
}

TEST(PhaseMatch, SerialPartsArePassedWithTheNextHook) {
  const PhaseMatch M = matchPhases(ends({A, 0, B, 0}), ends({A, B, 0}));
  EXPECT_EQ(M.Ended, (Numbers{0, 2, 3}));
  EXPECT_EQ(M.Current, (Numbers{0, 2, 3}));
  const PhaseMatch N = matchPhases(ends({A, B, 0}), ends({A, 0, B, 0}));
  EXPECT_EQ(N.Ended, (Numbers{0, None, 1, 2}));
  EXPECT_EQ(N.Current, (Numbers{0, 1, 1, 2}));
}

TEST(PhaseMatch, WithoutHooksNumbersCount) {
  const PhaseMatch M = matchPhases(ends({0, 0}), ends({A, B, C}));
  EXPECT_EQ(M.Ended, (Numbers{0, 1, 2}));
  EXPECT_EQ(matchPhases({}, ends({A})).Ended, Numbers{0});
  EXPECT_TRUE(matchPhases(ends({A}), {}).Ended.empty());
}

TEST(PhaseMatch, ThePlansOwnNumbersCount) {
  Plan P;
  for (uint32_t Phase : {1, 4}) {
    PlanPhase H;
    H.Phase = Phase;
    H.Sync = Phase == 1 ? A : B;
    P.Phases.push_back(H);
  }
  const PhaseMatch M = matchPhases(phaseEnds(P), ends({A, B}));
  EXPECT_EQ(M.Ended, (Numbers{1, 4}));
}

} // namespace
