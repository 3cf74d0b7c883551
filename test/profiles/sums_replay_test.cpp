//===- sums_replay_test.cpp - all-reduces with stragglers -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "collectives/Replay.h"
#include "collectives/ek_choice.h"
#include "collectives/ek_groups.h"

#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace evenkeel;

namespace {

double uniform(uint64_t X, double From, double To) {
  return From +
         (To - From) * double(ek_choice_hash(X) >> 11) / double(1ULL << 53);
}

WorkOf even(double Seconds) {
  return [=](uint32_t, uint64_t) { return Seconds; };
}
WorkOf skewed(double From, double To) {
  return [=](uint32_t R, uint64_t I) { return uniform(I << 12 | R, From, To); };
}
/// A quarter of the ranks take three times as long.
WorkOf twoKinds(uint32_t Ranks) {
  return [=](uint32_t R, uint64_t) { return R < Ranks / 4 ? 0.03 : 0.01; };
}

TEST(SumsReplay, WithoutDelaysAllWaysButGossipAreAlike) {
  const ReplaySetting S{8, 50, 0.001, 2, 3};
  for (SumWay Way : AllSumWays) {
    const ReplayResult R = replaySums(Way, S, even(0.01));
    EXPECT_EQ(R.Contributions, 400) << nameOf(Way);
    if (Way == SumWay::Iallreduce) // the sums are hidden
      EXPECT_NEAR(R.Seconds, 50 * 0.01 + 0.001, 1e-9);
    else
      EXPECT_NEAR(R.Seconds, 50 * 0.011, 1e-9) << nameOf(Way);
    if (Way != SumWay::Gossip) {
      EXPECT_EQ(R.Rounds, 50u) << nameOf(Way);
    }
    if (Way == SumWay::Relaxed || Way == SumWay::Groups) {
      EXPECT_EQ(R.WorstStaleness, 0u);
      EXPECT_EQ(R.Parts, 8);
    }
  }
}

TEST(SumsReplay, AllreduceWaitsForTheSlowest) {
  const ReplaySetting S{4, 10, 0, 2, 3};
  const ReplayResult R =
      replaySums(SumWay::Allreduce, S,
                 [](uint32_t R, uint64_t I) { return I % 4 == R ? 5.0 : 1.0; });
  EXPECT_DOUBLE_EQ(R.Seconds, 50);
  EXPECT_DOUBLE_EQ(R.Wait, 3); // 5 - 2
}

TEST(SumsReplay, ABoundOfZeroIsAnAllreduce) {
  const ReplaySetting S{16, 40, 0.001, 2, 0};
  const ReplayResult A = replaySums(SumWay::Allreduce, S, skewed(0.01, 0.05)),
                     R = replaySums(SumWay::Relaxed, S, skewed(0.01, 0.05));
  EXPECT_NEAR(A.Seconds, R.Seconds, 1e-9);
  EXPECT_EQ(R.Parts, 16);
  EXPECT_EQ(R.WorstStaleness, 0u);
}

TEST(SumsReplay, NoContributionIsStalerThanTheBound) {
  for (uint32_t Ranks : {4u, 16u, 256u})
    for (uint32_t Bound : {1u, 2u, 3u, 8u}) {
      const ReplaySetting S{Ranks, 30, 0.0005, 2, Bound};
      for (const WorkOf &W : {skewed(0.001, 0.05), twoKinds(Ranks)}) {
        const ReplayResult R = replaySums(SumWay::Relaxed, S, W);
        EXPECT_LE(R.WorstStaleness, Bound) << Ranks;
        EXPECT_GE(R.Contributions, 30.0 * Ranks);
      }
    }
}

TEST(SumsReplay, EachContributionIsInOneRound) {
  for (SumWay Way : {SumWay::Majority, SumWay::Relaxed, SumWay::Groups}) {
    std::map<std::pair<uint32_t, uint64_t>, int> Seen;
    double Ended = 0;
    replaySums(Way, {8, 60, 0.002, 2, 3}, skewed(0.001, 0.04),
               [&](const SumRound &R) {
                 EXPECT_GE(R.Started, Ended);
                 Ended = R.Ended;
                 for (const RoundPart &P : R.Parts)
                   for (uint64_t I : P.Iterations)
                     ++Seen[{P.Rank, I}];
                 return true;
               });
    std::map<uint32_t, uint64_t> Next;
    for (const auto &[What, Times] : Seen) {
      EXPECT_EQ(Times, 1);
      EXPECT_EQ(What.second, Next[What.first]++) << "an iteration is missing";
    }
  }
}

TEST(SumsReplay, StragglersCostLessAndTwoChoicesHelp) {
  const ReplaySetting S{64, 100, 0.0005, 2, 3};
  auto Of = [&](SumWay Way, uint32_t Probes) {
    ReplaySetting X = S;
    X.Probes = Probes;
    return replaySums(Way, X, skewed(0.01, 0.05));
  };
  EXPECT_LT(1.3 * Of(SumWay::Relaxed, 2).Seconds,
            Of(SumWay::Allreduce, 2).Seconds);
  EXPECT_LT(Of(SumWay::Relaxed, 2).Response, Of(SumWay::Relaxed, 1).Response);
  EXPECT_LT(Of(SumWay::Relaxed, 3).Response, Of(SumWay::Relaxed, 2).Response);
}

std::vector<uint32_t> groupsOf(const std::vector<double> &Means) {
  std::vector<uint32_t> Of(Means.size() + 1);
  Of.back() = ek_groups_split(Means.data(), uint32_t(Means.size()), Of.data());
  return Of; // and their number
}

TEST(SumsReplay, GroupsAreSplitAtTheMeanAsLongAsTheirTimesDiffer) {
  using Of = std::vector<uint32_t>;
  EXPECT_EQ(groupsOf({1, 1, 1, 1.5}), (Of{0, 0, 0, 0, 1}));
  EXPECT_EQ(groupsOf({10, 1, 1, 1}), (Of{1, 0, 0, 0, 2}));
  EXPECT_EQ(groupsOf({100, 1, 10, 1}), (Of{1, 0, 2, 0, 3}));
  EXPECT_EQ(groupsOf({1, 2}), (Of{0, 0, 1})); // apart by less than the mean
  EXPECT_EQ(groupsOf({10, 1, 0}), (Of{0, 0, 0, 1})); // one is not known yet
  EXPECT_EQ(groupsOf({5}), (Of{0, 1}));
}

TEST(SumsReplay, RanksThatAreAlwaysSlowerSumByThemselves) {
  const ReplaySetting S{16, 200, 0.0005, 2, 3};
  const WorkOf Kinds = [](uint32_t R, uint64_t) { return R < 4 ? 0.1 : 0.01; };
  std::map<uint32_t, std::map<uint32_t, int>> RanksOf;
  const ReplayResult Split =
      replaySums(SumWay::Groups, S, Kinds, [&](const SumRound &R) {
        if (R.Started > 1) // all ranks have been timed
          for (const RoundPart &P : R.Parts)
            ++RanksOf[R.Group][P.Rank];
        return true;
      });
  EXPECT_EQ(Split.Groups, 2u);
  ASSERT_EQ(RanksOf.size(), 2u);
  EXPECT_EQ(RanksOf[0].size(), 12u);
  EXPECT_EQ(RanksOf[1].size(), 4u);
  EXPECT_EQ(RanksOf[1].count(3), 1u);
  EXPECT_LT(1.5 * Split.Seconds, replaySums(SumWay::Relaxed, S, Kinds).Seconds);
  EXPECT_LE(Split.WorstStaleness, 3u);
  // Ranks that are late in turn stay together.
  for (uint32_t Ranks : {4u, 16u, 256u}) {
    const ReplaySetting X{Ranks, 50, 0.0005, 2, 3};
    const ReplayResult G = replaySums(SumWay::Groups, X, skewed(0.005, 0.045)),
                       R = replaySums(SumWay::Relaxed, X, skewed(0.005, 0.045));
    EXPECT_EQ(G.Groups, 1u) << Ranks;
    EXPECT_EQ(G.Seconds, R.Seconds) << Ranks;
  }
}

TEST(SumsReplay, AListenerMayStop) {
  for (SumWay Way : AllSumWays) {
    const ReplayResult R = replaySums(Way, {4, 1000, 0, 2, 3}, even(1),
                                      [](const SumRound &) { return false; });
    EXPECT_EQ(R.Rounds, 1u) << nameOf(Way);
  }
}

} // namespace
