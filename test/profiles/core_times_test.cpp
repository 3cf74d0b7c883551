//===- core_times_test.cpp - core times of tasks --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: core times of tasks on the target.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

constexpr uint64_t MiB = 1 << 20;

/// A block of 8 KiB that is accessed a million times shrinks, while the data
/// doubles. The task's work follows the data.
TEST(CoreTimes, WorkFollowsDataNotBuffers) {
  Scenario S(1, 1000000);
  uint32_t Data = S.addObject(1, 4 * MiB), Block = S.addObject(2, 8192);
  S.addMisses(0, Data, 65536, 0.25);
  S.addMisses(0, Block, 256, 0.25);
  for (ek_raw_access &A : S.B.Accesses)
    A.reads = A.inst == Data ? 500000 : 1000000;
  for (uint32_t I : {Data, Block}) {
    PredictedInstance K;
    K.Site = S.B.Instances[I].site;
    K.Bytes = I == Data ? 8 * MiB : 4096;
    S.R.KnownSizes.push_back(K);
  }
  double Core = S.predict().Phases[0].Tasks[0].Demand.CoreSeconds;
  EXPECT_NEAR(Core, 2e-3, 1e-5); // at 1 GHz
}

/// The size of a call's array on the stack says nothing about the number of
/// calls, however often they access it.
TEST(CoreTimes, WorkFollowsDataNotTheStack) {
  Scenario S(1, 1000000);
  uint32_t Data = S.addObject(1, 4 * MiB), Own = S.addObject(2, 1 * MiB);
  S.F.Sites.back().Kind = "stack";
  S.addMisses(0, Data, 65536, 0.25);
  S.addMisses(0, Own, 256, 0.25);
  for (ek_raw_access &A : S.B.Accesses)
    A.reads = A.inst == Data ? 50000 : 1000000;
  for (uint32_t I : {Data, Own}) {
    PredictedInstance K;
    K.Site = S.B.Instances[I].site;
    K.Bytes = I == Data ? 8 * MiB : 1 * MiB;
    S.R.KnownSizes.push_back(K);
  }
  double Core = S.predict().Phases[0].Tasks[0].Demand.CoreSeconds;
  EXPECT_NEAR(Core, 2e-3, 1e-6); // at 1 GHz
}

/// The second task computes for a million instructions and makes 10 accesses
/// with a formula; its computation has no formula. It is assumed to grow with
/// the program's work, and is an estimate.
TEST(CoreTimes, TasksThatHardlyAccessAnything) {
  for (uint64_t Instructions : {1000, 1000000}) {
    Scenario S(2);
    S.B.Tasks[1].region = 0x21;
    S.B.Tasks[1].instructions = Instructions;
    uint32_t A = S.addObject(1, 8000, Scenario::times(8, Scenario::n()));
    uint32_t C = S.addObject(2, 80, Scenario::times(0.08, Scenario::n()));
    S.addAccess(
        1, "stream",
        Scenario::times(0.001, makeOp("*", {Scenario::n(), Scenario::n()})));
    S.addAccess(2, "stream", Scenario::times(0.01, Scenario::n()));
    S.F.Accesses.back().Region = 0x21;
    S.B.Accesses.push_back({0, A, 1000, 0});
    S.B.Accesses.push_back({1, C, 10, 0});
    S.forSymbol("n=2000");
    PredictedTask T = S.predict().Phases[0].Tasks[1];
    const double Base = 1e-6;
    const bool Computes = Instructions > 1000;
    EXPECT_NEAR(T.Demand.CoreSeconds, Base * (Computes ? 4020. / 1010 : 2),
                Base * 1e-6);
    EXPECT_EQ(T.Determined, !Computes);
  }
}

/// Core time grows with weighted accesses; with the work, if there are hardly
/// any accesses; with formulas, if no object was recorded.
TEST(CoreTimes, StageByWays) {
  Scenario S;
  const uint32_t A = S.addObject(1, 8 * MiB);
  S.addAccess(1, "stream", Scenario::n());
  S.B.Accesses = {{0, A, 1000, 0}};
  S.forSymbol("n=3000");
  const Stages Of(S);
  CountGrowth G;
  G.C.All = 2;
  G.Weight = 1000;
  EXPECT_EQ(coreTimeOf(Of.inputs(), 0, {G}).Growth, 2);
  EXPECT_EQ(coreTimeOf(Of.inputs(), 0, {G}).Way, CoreWay::Accesses);
  EXPECT_EQ(coreTimeOf(Of.inputs(), 0, {}).Growth, 3);
  EXPECT_EQ(coreTimeOf(Of.inputs(), 0, {}).Way, CoreWay::Formulas);
  S.B.Tasks[0].instructions = 2000000;
  EXPECT_EQ(coreTimeOf(Of.inputs(), 0, {G}).Way, CoreWay::Work);
  EXPECT_TRUE(coreTimeOf(Of.inputs(), 0, {G}).Computes);
}

} // namespace
