//===- late_test.cpp - contributions that no round has taken ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "collectives/ek_choice.h"
#include "relaxed/late.h"

#include <gtest/gtest.h>
#include <vector>

namespace {

TEST(Late, WeightsGrowLinearlyAndOldOnesAreOverwritten) {
  ek_late L;
  ASSERT_TRUE(ek_late_make(&L, 2, false, 2));
  std::vector<double> Out(2, 9);
  EXPECT_FALSE(ek_late_take(&L, Out.data())); // zeros: a null contribution
  EXPECT_EQ(Out, (std::vector<double>{0, 0}));
  auto Add = [&](double X) {
    const std::vector<double> In{X, 2 * X};
    ek_late_add(&L, In.data());
  };
  Add(6);
  EXPECT_TRUE(ek_late_any(&L));
  EXPECT_TRUE(ek_late_take(&L, Out.data())); // alone, it is itself
  EXPECT_EQ(Out, (std::vector<double>{6, 12}));
  EXPECT_FALSE(ek_late_any(&L));
  Add(1), Add(2);
  EXPECT_TRUE(ek_late_take(&L, Out.data()));
  EXPECT_DOUBLE_EQ(Out[0], (2 * 1 + 3 * 2) / 5.0);
  EXPECT_EQ(L.merged, 1u);
  Add(100), Add(1), Add(2), Add(3); // 100 is older than the bound
  EXPECT_EQ(L.dropped, 1u);
  EXPECT_TRUE(ek_late_take(&L, Out.data()));
  EXPECT_DOUBLE_EQ(Out[0], (1 * 1 + 2 * 2 + 3 * 3) / 6.0);
  EXPECT_EQ(L.merged, 3u);
  ek_late_free(&L);
}

TEST(Late, FloatsAndNoBound) {
  ek_late L;
  ASSERT_TRUE(ek_late_make(&L, 1, true, 0));
  const float A = 1, B = 2;
  float Out = 0;
  ek_late_add(&L, &A);
  ek_late_add(&L, &B);
  EXPECT_TRUE(ek_late_take(&L, &Out));
  EXPECT_EQ(Out, 2);
  EXPECT_EQ(L.dropped, 1u);
  ek_late_free(&L);
}

TEST(Choice, AsManyCandidatesAsProbesAndAllEqually) {
  constexpr uint32_t Ranks = 16, Rounds = 8000;
  for (uint32_t Probes : {1u, 2u, 3u, 40u}) {
    std::vector<uint32_t> Chosen(Ranks);
    for (uint64_t Round = 1; Round <= Rounds; ++Round) {
      uint32_t N = 0;
      for (uint32_t R = 0; R < Ranks; ++R) {
        const bool Its =
            ek_choice_is_candidate(Round, R, Ranks, Probes, nullptr);
        N += Its;
        Chosen[R] += Its;
      }
      ASSERT_EQ(N, std::min(Probes, Ranks));
    }
    const double Fair = double(std::min(Probes, Ranks)) / Ranks * Rounds;
    for (uint32_t N : Chosen)
      EXPECT_NEAR(N, Fair, 0.15 * Fair);
  }
}

TEST(Choice, RanksThatHaveEndedAreReplaced) {
  std::vector<unsigned char> Ended(8);
  for (uint64_t Round = 1; Round <= 100; ++Round) {
    Ended.assign(8, 1);
    Ended[Round % 8] = Ended[(Round + 3) % 8] = 0;
    for (uint32_t R = 0; R < 8; ++R)
      EXPECT_EQ(bool(ek_choice_is_candidate(Round, R, 8, 2, Ended.data())),
                !Ended[R]);
  }
}

} // namespace
