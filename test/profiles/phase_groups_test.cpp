//===- phase_groups_test.cpp - phases that repeat, shown once -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/tables/PhaseGroups.h"
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {
/// One phase for each letter; 1 s each.
std::vector<PhaseKey> phases(const std::string &Regions) {
  std::vector<PhaseKey> Out;
  for (const char C : Regions)
    Out.push_back({uint32_t(Out.size()), uint64_t(C), 1});
  return Out;
}
/// "0 1,4,7/1 2,5,8/1": the phases of each group, and its loop.
std::string shown(const std::vector<PhaseGroup> &Groups) {
  std::string Out;
  for (const PhaseGroup &G : Groups) {
    Out += Out.empty() ? "" : " ";
    for (const uint32_t Phase : G.Phases)
      Out += (Phase == G.Phases[0] ? "" : ",") + std::to_string(Phase);
    if (G.Loop)
      Out += "/" + std::to_string(G.Loop);
  }
  return Out;
}
std::string grouped(const std::string &Regions) {
  return shown(groupPhases(phases(Regions)));
}
} // namespace

TEST(PhaseGroups, IterationsOfALoopAreOneGroupPerPhase) {
  EXPECT_EQ(grouped("iababab"), "0 1,3,5/1 2,4,6/1");
  EXPECT_EQ(grouped("iabcabcabe"), "0 1,4/1 2,5/1 3,6/1 7 8 9");
}

TEST(PhaseGroups, TheShortestIterationIsTaken) {
  EXPECT_EQ(grouped("abababab"), "0,2,4,6/1 1,3,5,7/1");
  EXPECT_EQ(grouped("aaaa"), "0,1,2,3/1");
}

TEST(PhaseGroups, LoopsOneAfterTheOtherAreTold) {
  EXPECT_EQ(grouped("ababxcdcdcd"), "0,2/1 1,3/1 4 5,7,9/2 6,8,10/2");
}

TEST(PhaseGroups, WithoutRepetitionEachPhaseIsAGroup) {
  EXPECT_EQ(grouped("abcd"), "0 1 2 3");
  EXPECT_EQ(grouped(""), "");
}

TEST(PhaseGroups, ShortPhasesAreLeftOutWhileTheyMatterLittle) {
  std::vector<PhaseKey> P = phases("abab");
  P[1].Seconds = P[3].Seconds = 1e-6;
  double Seconds = 0;
  EXPECT_EQ(dropShort(P, Seconds), 2u);
  EXPECT_DOUBLE_EQ(Seconds, 2e-6);
  EXPECT_EQ(shown(groupPhases(P)), "0,2/1");
}

TEST(PhaseGroups, ManyShortPhasesThatMatterTogetherStay) {
  std::vector<PhaseKey> P = phases(std::string(20000, 'a'));
  double Seconds = 0;
  EXPECT_EQ(dropShort(P, Seconds), 0u); // each is 1/20000 of the time
  EXPECT_EQ(P.size(), 20000u);
  EXPECT_EQ(Seconds, 0);
}

TEST(PhaseGroups, TooManyGroupsBecomeOnePerRegion) {
  const std::vector<PhaseKey> P = phases("abcacbbca");
  std::vector<PhaseGroup> Groups = groupPhases(P);
  EXPECT_FALSE(limitGroups(Groups, P, 3));
  EXPECT_EQ(shown(Groups), "0,3,8 1,5,6 2,4,7");
}

TEST(PhaseGroups, IfThereAreStillTooManyTheShortestAreOneRest) {
  std::vector<PhaseKey> P = phases("abcdab");
  P[2].Seconds = 5;
  std::vector<PhaseGroup> Groups = groupPhases(P);
  EXPECT_TRUE(limitGroups(Groups, P, 3));
  EXPECT_EQ(shown(Groups), "0,4 2 1,3,5");
}

TEST(PhaseGroups, AHundredThousandPhasesTakeNoTime) {
  std::string Long;
  for (int I = 0; I < 100000; ++I)
    Long += char('a' + (int64_t(I) * I + I / 7) % 23);
  EXPECT_FALSE(groupPhases(phases(Long)).empty());
}
