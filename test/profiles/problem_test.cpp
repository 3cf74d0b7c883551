//===- problem_test.cpp - invariants of predicted problems ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the invariants that profiles/problem/Problem.h and Demand.h state.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include <set>
#include <tuple>

using namespace evenkeel;

namespace {

constexpr uint64_t MiB = 1 << 20;

void expectDemand(const Problem &P, const TaskDemand &D) {
  EXPECT_GE(D.CoreSeconds, 0);
  EXPECT_GE(D.Opening, 0);
  EXPECT_LE(D.Opening, 1);
  for (const UnitDemand &U : D.Units) {
    ASSERT_LT(U.Unit, P.Units.size());
    EXPECT_EQ(U.Object, P.Units[U.Unit].Instance);
    EXPECT_GE(U.ReadLines, 0);
    EXPECT_GE(U.Exposed, 0);
    EXPECT_GE(U.OpeningWrites, 0);
    EXPECT_LE(U.OpeningWrites, U.WriteLines * (1 + 1e-9));
  }
}

void expectObjects(const Problem &P) {
  std::set<std::tuple<uint64_t, uint64_t, uint32_t, uint32_t>> Names;
  for (const PredictedInstance &I : P.Instances) {
    EXPECT_GE(I.Bytes, 0);
    EXPECT_LE(I.AllocPhase, I.FreePhase);
    EXPECT_TRUE(Names.emplace(I.Site, I.Context, I.Creator, I.Ordinal).second);
  }
  std::vector<unsigned> Next(P.Instances.size(), 0); // chunk
  for (const Unit &U : P.Units) {
    ASSERT_LT(U.Instance, P.Instances.size());
    EXPECT_EQ(U.From, Next[U.Instance]);
    EXPECT_LT(U.From, U.To);
    Next[U.Instance] = U.To;
  }
  for (unsigned Chunk : Next)
    EXPECT_EQ(Chunk, EK_CHUNKS);
}

void expectPhases(const Problem &P) {
  for (size_t H = 0; H < P.Phases.size(); ++H) {
    const PredictedPhase &Its = P.Phases[H];
    EXPECT_TRUE(!H || P.Phases[H - 1].Phase < Its.Phase);
    EXPECT_GE(Its.Workers, 1u);
    for (uint32_t I : Its.Gathered)
      EXPECT_LT(I, P.Instances.size());
    for (uint32_t I : Its.Scattered)
      EXPECT_LT(I, P.Instances.size());
    std::set<std::pair<bool, uint32_t>> Names;
    for (const PredictedTask &T : Its.Tasks) {
      EXPECT_TRUE(Names.emplace(T.Explicit, T.Index).second);
      EXPECT_GE(T.Accesses, 0);
      for (uint32_t Pred : T.Preds)
        EXPECT_LT(Pred, Its.Tasks.size());
      expectDemand(P, T.Demand);
    }
  }
}

void expectInvariants(const Problem &P) {
  ASSERT_FALSE(P.Phases.empty());
  ASSERT_FALSE(P.Units.empty());
  expectObjects(P);
  expectPhases(P);
}

} // namespace

TEST(Problem, OfATeamOnTheBaseInput) {
  Scenario S(2, 100000);
  const uint32_t Large = S.addObject(1, 16 * MiB), Small = S.addObject(2, 64);
  for (uint32_t T : {0u, 1u}) {
    S.addMisses(T, Large, 25600, 0.5, 12800, T * 128, T * 128 + 128);
    S.addMisses(T, Small, 256, 1);
  }
  expectInvariants(S.predict());
}

TEST(Problem, OfALargerInputWithObjectsOfOneSite) {
  Scenario S(2, 100000);
  const ExprRef Size = Scenario::times(4096, Scenario::n());
  const uint32_t A = S.addObject(1, 4096000, Size), B = S.addObject(1, 4096000);
  S.addAccess(1, "stream", Scenario::times(512, Scenario::n()),
              Scenario::times(512, Scenario::n()));
  for (uint32_t T : {0u, 1u}) {
    S.addMisses(T, A, 25600, 0.25, 25600);
    S.addMisses(T, B, 25600, 0.25);
  }
  S.forSymbol("n=3000");
  const Problem P = S.predict();
  expectInvariants(P);
  EXPECT_NEAR(P.Instances[A].Bytes, 3 * 4096000, 1);
}

TEST(Problem, OfExplicitTasksThatWaitForEachOther) {
  Scenario S(1, 100000);
  const uint32_t I = S.addObject(1, MiB);
  for (uint32_t T = 1; T < 4; ++T) {
    S.B.Tasks.push_back({Scenario::Region, 0, T, 0, 1, 1000, 1000, 0});
    S.addMisses(T, I, 2560, 1);
  }
  S.B.Deps.push_back({2, 1});
  S.B.Deps.push_back({3, 2});
  const Problem P = S.predict();
  expectInvariants(P);
  EXPECT_TRUE(hasExplicit(P.Phases[0]));
}
