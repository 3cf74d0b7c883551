//===- prefix_test.cpp - extend the beginning of a run --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "predict/base/Prefix.h"
#include <gtest/gtest.h>
#include <string>

using namespace evenkeel;

namespace {

/// A prefix of two threads, one phase for each letter: a region of that name,
/// which ends at a sync point of that name and takes as many cycles as the
/// letter's weight. All of them read object 0.
struct Made {
  Profile P;

  explicit Made(const std::string &Letters) {
    P.Role = "prefix";
    P.Ended = "phases";
    P.Config.ghz = 1;
    P.Config.workers = 2;
    P.Instances.push_back({1, 0, 0, 0, 1 << 20, 0, EK_NO_TASK, 0, 0});
    for (char C : Letters)
      add(C);
  }
  void add(char C) {
    const uint32_t Phase = uint32_t(P.Phases.size());
    P.Phases.push_back({uint64_t(C), 1, 2});
    for (uint32_t T = 0; T < 2; ++T) {
      const uint32_t Task = uint32_t(P.Tasks.size());
      P.Tasks.push_back({uint64_t(C), Phase, T, T, 0, weight(C), 1000, 0});
      P.Accesses.push_back({Task, 0, 100, 0});
      P.Misses.push_back({Task, 0, Phase % EK_CHUNKS, 0, 10, 0, 0.5, 0});
    }
  }
  static uint64_t weight(char C) { return C < 'a' ? 1000000 : 1000; }
  /// The regions of its phases, as letters.
  static std::string letters(const Profile &P) {
    std::string Out(P.Phases.size(), '?');
    for (const ek_raw_task &T : P.Tasks)
      Out[T.phase] = char(T.region);
    return Out;
  }
  uint32_t allocate(uint32_t Phase, uint32_t Until, uint32_t Ordinal) {
    P.Instances.push_back(
        {2, 0, Ordinal, 0, 4096 * 100, Phase, Until, Ordinal, 0});
    return uint32_t(P.Instances.size() - 1);
  }
};

TEST(Prefix, TheLastIterationRepeats) {
  const Made M("sXabXabXab");
  const std::optional<Iteration> It = iterationOf(M.P);
  ASSERT_TRUE(It);
  EXPECT_EQ(It->Length, 3u);
  EXPECT_EQ(It->Phases, 10u);
  // X comes next, as after every b.
  for (uint32_t Phase = 10; Phase < 30; ++Phase)
    EXPECT_EQ(Made::letters(M.P)[It->sourceOf(Phase)], "Xab"[(Phase - 10) % 3]);
  EXPECT_EQ(It->sourceOf(4), 4u);
}

TEST(Prefix, ItGoesOnInTheMiddleOfAnIteration) {
  const Made M("sXabXabXa");
  const std::optional<Iteration> It = iterationOf(M.P);
  ASSERT_TRUE(It);
  std::string Next;
  for (uint32_t Phase = 9; Phase < 16; ++Phase)
    Next += Made::letters(M.P)[It->sourceOf(Phase)];
  EXPECT_EQ(Next, "bXabXab");
}

TEST(Prefix, UnlikeIterationsRepeatAsOne) {
  const Made M("sXaXbXaXbX");
  const std::optional<Iteration> It = iterationOf(M.P);
  ASSERT_TRUE(It);
  std::string Next;
  for (uint32_t Phase = 10; Phase < 18; ++Phase)
    Next += Made::letters(M.P)[It->sourceOf(Phase)];
  EXPECT_EQ(Next, "aXbXaXbX");
}

TEST(Prefix, WorkThatGrowsIsSeen) {
  Made M("sXabXabXab");
  EXPECT_DOUBLE_EQ(iterationOf(M.P)->Growth, 1);
  uint64_t Instructions = 1000;
  for (ek_raw_task &T : M.P.Tasks)
    if (T.region == 'X' && !T.index)
      T.instructions = Instructions += 1000;
  // 4000 and 1000 over 3000 and 1000: the first X follows another phase.
  EXPECT_DOUBLE_EQ(iterationOf(M.P)->Growth, 1.25);
}

TEST(Prefix, NothingRepeatsWhereNothingCameTwice) {
  EXPECT_FALSE(iterationOf(Made("sXab").P));
  const Made M("sXab");
  EXPECT_EQ(continued(M.P).Phases.size(), 4u);
}

TEST(Prefix, WhatIsOverDoesNotRepeat) {
  // A loop before it, and another main loop.
  const Made M("AAAAAAbcdefghiYYY");
  const std::optional<Iteration> It = iterationOf(M.P);
  ASSERT_TRUE(It);
  EXPECT_EQ(It->Length, 1u);
  EXPECT_EQ(It->sourceOf(17), 16u);
}

TEST(Prefix, WholeRunsStayAsTheyAre) {
  Made M("sXabXabXab");
  M.P.Ended.clear();
  EXPECT_EQ(continued(M.P).Phases.size(), 10u);
}

TEST(Prefix, WhatRepeatsComesToTakeMostOfTheTime) {
  const Made M("SSSSXaXaXa"); // another four as heavy in front
  const Profile Whole = continued(M.P);
  const std::string Letters = Made::letters(Whole);
  EXPECT_EQ(Letters.substr(0, 10), "SSSSXaXaXa");
  size_t X = 0;
  for (size_t I = 10; I < Letters.size(); ++I) {
    EXPECT_EQ(Letters[I], "Xa"[I % 2]);
    X += Letters[I] == 'X';
  }
  EXPECT_NEAR(double(X + 3) / double(X + 7), 0.9, 0.03);
  // Each new task has the same rows as the task that it copies.
  ASSERT_EQ(Whole.Tasks.size(), 2 * Whole.Phases.size());
  ASSERT_EQ(Whole.Misses.size(), Whole.Tasks.size());
  for (uint32_t T = 20; T < Whole.Tasks.size(); ++T) {
    EXPECT_EQ(Whole.Misses[T].task, T);
    // From the last iteration, an a and an X.
    EXPECT_EQ(Whole.Misses[T].chunk, 8 - (Whole.Tasks[T].phase % 2));
    EXPECT_EQ(Whole.Accesses[T].task, T);
    EXPECT_EQ(Whole.Tasks[T].phase, T / 2);
  }
}

TEST(Prefix, WhatAnIterationAllocatesAndFreesItDoesAgain) {
  Made M("SSSSXaXaXa");
  M.allocate(4, 5, 0);
  M.allocate(6, 7, 1);
  M.allocate(8, 9, 2);
  for (uint32_t Phase : {5, 7, 9}) // each a uses what the X before allocated
    M.P.Misses[2 * Phase].inst = (Phase - 5) / 2 + 1;
  const Profile Whole = continued(M.P);
  const size_t Rounds = (Whole.Phases.size() - 10 + 1) / 2;
  ASSERT_EQ(Whole.Instances.size(), 4 + Rounds);
  for (uint32_t I = 4; I < Whole.Instances.size(); ++I) {
    const ek_raw_inst &X = Whole.Instances[I];
    EXPECT_EQ(X.ordinal, I - 1);
    EXPECT_EQ(X.alloc_phase, 10 + 2 * (I - 4));
    if (X.free_phase != EK_NO_TASK)
      EXPECT_EQ(X.free_phase, X.alloc_phase + 1);
  }
  size_t Uses = 0;
  for (const ek_raw_miss &Row : Whole.Misses)
    if (Row.inst) {
      ++Uses;
      EXPECT_EQ(Whole.Tasks[Row.task].phase,
                Whole.Instances[Row.inst].alloc_phase + 1);
    }
  EXPECT_EQ(Uses, 3 + (Whole.Phases.size() - 10) / 2);
}

TEST(Prefix, WhatEachIterationLeavesGrows) {
  Made M("SSSSXaXaXa");
  for (uint32_t I = 0; I < 3; ++I)
    M.allocate(4 + 2 * I, EK_NO_TASK, I);
  const Profile Whole = continued(M.P);
  EXPECT_GT(Whole.Instances.size(), 10u);
  // An instance left only by the last iteration does not grow.
  Made Once("SSSSXaXaXa");
  Once.allocate(8, EK_NO_TASK, 0);
  EXPECT_EQ(continued(Once.P).Instances.size(), 2u);
}

TEST(Prefix, PartsOfATaskThatGoesOnStayTogether) {
  Made M("SSSSXaXaXa");
  // Within an iteration, and of one region that spans all of them.
  M.P.Parts.push_back({14, 9});  // thread 0: phase 7 goes on with phase 4
  M.P.Parts.push_back({17, 15}); // thread 1: phase 8 goes on with phase 7
  const Profile Whole = continued(M.P);
  ASSERT_GT(Whole.Parts.size(), 4u);
  for (size_t I = 2; I < Whole.Parts.size(); ++I) {
    const ek_raw_part &X = Whole.Parts[I];
    EXPECT_LT(X.first, X.task);
    EXPECT_EQ(X.first, X.task % 2 ? X.task - 2 : 9);
  }
}

TEST(Prefix, PhasesOfTheWholeRunAreLikeThoseOfTheirKind) {
  const Made M("sXabXabXab");
  // One more iteration, one without the a, another kind, and an end like the
  // beginning.
  const Made Whole("sXabXabXabXabXbXzXas");
  const std::vector<uint32_t> Like = likePhases(M.P, Whole.P);
  ASSERT_EQ(Like.size(), 20u);
  for (uint32_t I = 0; I < 10; ++I)
    EXPECT_EQ(Like[I], I);
  std::string Letters;
  for (uint32_t I = 10; I < 20; ++I)
    Letters += Like[I] == EK_NO_TASK ? '-' : Made::letters(M.P)[Like[I]];
  // b after X, z, X after z, and s after a are of no kind that was seen.
  EXPECT_EQ(Letters, "XabX-X--a-");
  EXPECT_EQ(Like[10], 7u); // of the last iteration
}

TEST(Prefix, WhatItHasNotComeToIsNamed) {
  Made M("SSSSXaXaXa");
  M.P.Symbols.push_back({50, EK_NO_TASK, 0, 1, 1000, 1000, 1000, 1000, 1000});
  Facts F;
  auto Site = [&](uint64_t Id, ExprRef Size, const char *State = "live") {
    SiteFact S;
    S.Id = Id;
    S.At = "a.c:" + std::to_string(Id) + ":1";
    S.Size = std::move(Size);
    S.State = State;
    F.Sites.push_back(S);
  };
  auto Bytes = [](double K) {
    return makeOp("*", {makeConst(K), makeSymbol(50)});
  };
  Site(1, Bytes(8000)); // seen
  Site(3, Bytes(1));    // small
  Site(4, Bytes(100));
  Site(5, Bytes(200));
  Site(6, nullptr);
  Site(7, Bytes(100), "dead");
  F.Regions.push_back({'X', "parallel", "a.c:1:1", "main"});
  F.Regions.push_back({'Z', "parallel", "a.c:2:1", "main"});
  F.Regions.push_back({'Y', "serial", "a.c:3:1", "main"});
  const Unreached U = listUnreached(F, M.P);
  ASSERT_EQ(U.Sites.size(), 3u);
  EXPECT_EQ(U.Sites[0].Fact->Id, 5u);
  EXPECT_EQ(*U.Sites[0].Bytes, 200000);
  EXPECT_EQ(U.Sites[1].Fact->Id, 4u);
  EXPECT_EQ(U.Sites[2].Fact->Id, 6u);
  EXPECT_FALSE(U.Sites[2].Bytes);
  ASSERT_EQ(U.Regions.size(), 1u);
  EXPECT_EQ(U.Regions[0]->Id, uint64_t('Z'));
}

} // namespace
