//===- first_touch_test.cpp - where data lies by first touch -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: small cases by hand.
//===----------------------------------------------------------------------===//
#include "Placing.h"
#include "format/Course.h"
#include "models/shares/FirstTouch.h"
#include <cmath>

using namespace evenkeel;

namespace {

TEST(FirstTouch, FillsInOrderAndReusesWhatIsFreed) {
  Problem P;
  auto Add = [&](double Bytes, uint32_t Alloc, uint32_t Free) {
    PredictedInstance I;
    I.Bytes = Bytes;
    I.AllocPhase = Alloc;
    I.FreePhase = Free;
    P.Units.push_back(
        {static_cast<uint32_t>(P.Instances.size()), 0, 256, Bytes});
    P.Instances.push_back(I);
  };
  Add(100, 0, 0);
  Add(100, 1, EK_NO_TASK);
  Add(300, 2, EK_NO_TASK);
  Add(100, 2, EK_NO_TASK);
  P.FastBytes = 150;
  for (uint32_t H = 0; H < 3; ++H) {
    P.Phases.emplace_back();
    P.Phases.back().Phase = H;
  }
  // 100 + 100 in turn; then 50 left for 400.
  EXPECT_EQ(firstTouchShares(P), (std::vector<double>{1, 1, 0.125, 0.125}));
}

/// What a phase frees is in the way of what comes in that phase if the phase
/// still uses it.
TEST(FirstTouch, FreedWithoutUseIsGone) {
  for (uint32_t Used : {0u, 1u}) {
    Problem P;
    P.FastBytes = 100;
    P.Phases.resize(2);
    P.Phases[1].Phase = 1;
    for (uint32_t K = 0; K < 2; ++K) {
      P.Instances.emplace_back();
      P.Instances[K].Bytes = 100;
      P.Instances[K].AllocPhase = K;
      P.Units.push_back({K, 0, 256, 100});
      P.Phases[K].Tasks.edit().resize(1);
      P.Phases[K].Tasks.edit()[0].Demand.Units = {{K, 10, 0, 10, 0, K}};
    }
    P.Instances[0].FreePhase = 1;
    if (Used)
      P.Phases[1].Tasks.edit()[0].Demand.Units.insert(
          P.Phases[1].Tasks[0].Demand.Units.begin(), {0, 10, 0, 10, 0, 0});
    EXPECT_EQ(firstTouchShares(P)[1], Used ? 0 : 1);
  }
}

/// Half of an array that is used takes half of its room, of one that no task
/// names, all.
TEST(FirstTouch, PagesThatNobodyTouches) {
  Problem P;
  P.FastBytes = 200;
  P.Phases.resize(1);
  P.Phases[0].Tasks.edit().resize(1);
  for (uint32_t K = 0; K < 3; ++K) {
    P.Instances.emplace_back();
    P.Instances[K].Bytes = 200;
    for (uint32_t Half : {0u, 1u})
      P.Units.push_back({K, Half * 128, Half * 128 + 128, 100});
    if (K < 2)
      P.Phases[0].Tasks.edit()[0].Demand.Units.push_back(
          {2 * K, 10, 0, 10, 0, K});
  }
  P.Instances[2].AllocPhase = 1;
  EXPECT_EQ(firstTouchShares(P), std::vector<double>({1, 0, 1, 0, 0, 0}));
}

/// What lies somewhere by now stays there, and what it takes of the fast tier
/// is not there for the rest.
TEST(FirstTouch, GoesOnFromWhatIsPlaced) {
  Problem P;
  for (unsigned K = 0; K < 4; ++K) {
    P.Instances.emplace_back();
    P.Instances[K].Bytes = 100;
    P.Instances[K].AllocPhase = K / 2;
    P.Units.push_back({K, 0, 256, 100});
  }
  P.FastBytes = 200;
  P.Phases.resize(2);
  P.Phases[1].Phase = 1;
  const double Nowhere = std::nan("");
  EXPECT_EQ(firstTouchShares(P, {0.2, Nowhere, Nowhere, 0.3}),
            (std::vector<double>{0.2, 1, 0.5, 0.3}));
}

/// Two threads that fill two units each from their fronts, with room for half:
/// the first unit of each, not half of all. Threads that write here and there
/// touch all alike.
TEST(FirstTouch, ThreadsFillFromTheirFronts) {
  for (bool Walked : {true, false}) {
    Problem P;
    P.Instances.resize(1);
    P.Instances[0].Bytes = 400;
    for (uint32_t K = 0; K < 4; ++K)
      P.Units.push_back({0, K * 64, K * 64 + 64, 100});
    P.Phases.resize(1);
    P.Phases[0].Workers = 2;
    P.Phases[0].Tasks.edit().resize(2);
    for (uint32_t T = 0; T < 2; ++T)
      for (uint32_t U : {2 * T, 2 * T + 1})
        P.Phases[0].Tasks.edit()[T].Demand.Units.push_back(
            {U, 100, 0, 100, 0, 0, Walked});
    P.FastBytes = 200;
    const std::vector<double> X = firstTouchShares(P);
    for (size_t U = 0; U < 4; ++U)
      EXPECT_NEAR(X[U], Walked ? (U % 2 ? 0 : 1) : 0.5, 1e-9) << U;
    // Three quarters of the way through one thread's part, as one comes first.
    P.Phases[0].Workers = 1;
    P.FastBytes = 300;
    const std::vector<double> Turns = firstTouchShares(P);
    for (size_t U = 0; U < 4 && Walked; ++U)
      EXPECT_NEAR(Turns[U], U == 3 ? 0 : 1, 1e-9) << U;
  }
}

/// Room for one and a half of three units, of which a task fetched the first
/// early, the last late and the second in between in the base run: the last
/// gets nothing. Of one that it goes round again and again the first round
/// counts.
TEST(FirstTouch, WhenTheBaseFetched) {
  constexpr double Bytes = 6400;
  for (bool Again : {false, true}) {
    Problem P;
    P.FastBytes = 1.5 * Bytes;
    P.Phases.resize(1);
    P.Phases[0].Tasks.edit().resize(1);
    for (uint32_t K = 0; K < 3; ++K) {
      P.Instances.emplace_back();
      P.Instances[K].Bytes = Bytes;
      P.Units.push_back({K, 0, 256, Bytes});
      const bool Rounds = Again && K == 2;
      Course When;
      When.add(1, Rounds ? 0 : K * 0.25 + 0.25, Rounds ? 1 : K * 0.25 + 0.5);
      const double Lines = Bytes / 64 * (Rounds ? 100 : 1);
      P.Phases[0].Tasks.edit()[0].Demand.Units.push_back(
          {K, Lines, 0, Lines, 0, K, false, When.packed()});
    }
    EXPECT_EQ(firstTouchShares(P), Again ? std::vector<double>({0.5, 0, 1})
                                         : std::vector<double>({1, 0.5, 0}));
  }
}

} // namespace
