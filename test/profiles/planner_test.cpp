//===- planner_test.cpp - placements and plans ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: small cases by hand, properties over random problems, and the reasons
// that a plan gives.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "Schema.h"
#include "TempDir.h"
#include "format/Course.h"
#include "format/Replan.h"
#include "models/Phase.h"
#include "models/Spans.h"
#include "models/shares/FirstTouch.h"
#include "models/shares/Fixed.h"
#include "planner/Outlook.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <set>

using namespace evenkeel;

namespace {

constexpr uint64_t MiB = 1 << 20;

std::unique_ptr<Model> overlap() {
  auto M = makeModel("overlap");
  EXPECT_TRUE(static_cast<bool>(M));
  return std::move(*M);
}

Placement place(const std::string &Planner, const Problem &P,
                const Machine &M) {
  auto Pl = makePlanner(Planner);
  EXPECT_TRUE(static_cast<bool>(Pl));
  return (*Pl)->place(P, M, *overlap());
}

double value(const Problem &P, const std::vector<double> &X, const Machine &M) {
  return makespan(P, X, M, *overlap());
}

double fastOnly(const Problem &P, const Machine &M) {
  return value(P, std::vector<double>(P.Units.size(), 1), M);
}

void expectFits(const Problem &P, const std::vector<double> &X,
                bool FirstTouch = false) {
  ASSERT_EQ(X.size(), P.Units.size());
  for (double V : X)
    EXPECT_TRUE(V >= 0 && V <= 1);
  for (const PredictedPhase &H : P.Phases) {
    // What a phase frees without using it is gone before others are touched;
    // a plan's room must not depend on that.
    std::set<uint32_t> InUse;
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &D : T.Demand.Units)
        InUse.insert(P.Units[D.Unit].Instance);
    double Used = 0;
    for (size_t U = 0; U < X.size(); ++U) {
      const PredictedInstance &I = P.Instances[P.Units[U].Instance];
      if (isLive(I, H.Phase) && (!FirstTouch || I.FreePhase != H.Phase ||
                                 InUse.count(P.Units[U].Instance)))
        Used += X[U] * P.Units[U].Bytes;
    }
    EXPECT_LE(Used, P.FastBytes * (1 + 1e-9) + 1e-6);
  }
}

/// Private objects of 1 MiB for two tasks; a third, shared stream is hottest in
/// lines but hardly exposed. Task 0 chases 40,000 lines, task 1 20,000.
struct TwoTasks : Scenario {
  TwoTasks() : Scenario(2, 1000000) {
    for (uint64_t Site : {1, 2, 3})
      addObject(Site, MiB);
    addMisses(0, 0, 25600, 1);
    addMisses(1, 1, 12800, 1);
    for (uint32_t T : {0u, 1u})
      addMisses(T, 2, 256000, 1. / 256);
    R.Fast = "1MiB";
  }
};

/// Slow: 1 ms core + 25,600 * 300 ns + 0.3 ms of stream = 8.98 ms against 5.14.
/// The LP raises task 0 until both meet or the room is gone: task 0 saves
/// 5.12 ms per MiB, task 1 2.56; all room to task 0 leaves it at 3.86 and task
/// 1 at 5.14; giving y of the room to task 1: 3.86 + 5.12 y = 5.14 - 2.56 y,
/// y = 1/6: both 4.7133 ms.
TEST(Balanced, TwoTasksMeet) {
  TwoTasks S;
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  expectFits(P, X.FastShare);
  EXPECT_FALSE(X.KeepsFirstTouch);
  EXPECT_NEAR(value(P, X.FastShare, S.M), 4.71333e-3, 2e-6);
  // ecoHMEM sees the stream's lines: the slowest task gets nothing.
  Placement D = place("density", P, S.M);
  EXPECT_NEAR(value(P, D.FastShare, S.M), 8.78e-3, 1e-5);
  for (size_t U = 0; U < P.Units.size(); ++U)
    EXPECT_EQ(D.FastShare[U], P.Instances[P.Units[U].Instance].Site == 3);
}

/// value = (lines read * 200 + written * 200) / bytes: 1: 100 * 200 / 1000,
/// 2: 300 * 200 / 4000, 3: no traffic. Room 4500: object 1, then 2 does not
/// fit.
TEST(Density, GreedyByHand) {
  Machine M = roundMachine();
  Problem P;
  for (uint64_t Site : {1, 2, 3}) {
    PredictedInstance I;
    I.Site = Site;
    I.Bytes = Site == 2 ? 4000 : 1000;
    P.Instances.push_back(I);
    P.Units.push_back({static_cast<uint32_t>(Site - 1), 0, 256, I.Bytes});
  }
  P.Phases.resize(1);
  P.Phases[0].Tasks.edit().resize(1);
  P.Phases[0].Tasks.edit()[0].Demand.Units = {{0, 60, 40, 60},
                                              {1, 300, 0, 300}};
  P.FastBytes = 4500;
  EXPECT_EQ(place("density", P, M).FastShare, (std::vector<double>{1, 0, 0}));
  P.FastBytes = 5000;
  EXPECT_EQ(place("density", P, M).FastShare, (std::vector<double>{1, 1, 0}));
  // Write-backs that cost more turn the order round: 1 has none now.
  P.Phases[0].Tasks.edit()[0].Demand.Units = {{0, 60, 0, 60}, {1, 0, 300, 0}};
  M.Tiers[1].WriteLatencyNs = 1000;
  P.FastBytes = 4500;
  EXPECT_EQ(place("density", P, M).FastShare, (std::vector<double>{0, 1, 0}));
}

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

/// 5,120 misses one by one at 100 or 300 ns; there is room for
/// half of the data, which both objects share where they are touched together.
TEST(Outlook, HoldsThePlanAgainstWhatNeedsNone) {
  Scenario S(1, 1000);
  S.addObject(1, 1 << 20);
  S.addObject(2, 1 << 20);
  S.addMisses(0, 0, 2560, 1);
  S.addMisses(0, 1, 2560, 1);
  S.R.Fast = "50%";
  Problem P;
  const Plan X = *makePlan(S.R, &P);
  const Outlook O = outlookOf(P, S.M, **makeModel(S.R.Model));
  EXPECT_NEAR(O.AllSlow, 1e-6 + 5120 * 300e-9, 1e-6);
  EXPECT_NEAR(O.AllFast, 1e-6 + 5120 * 100e-9, 1e-6);
  EXPECT_NEAR(O.FirstTouch, 1e-6 + 5120 * 200e-9, 1e-6);
  EXPECT_LE(X.PredictedMakespan, O.FirstTouch * (1 + 1e-9));
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

/// Two threads walk through an object half of which is fast: the second half of
/// both walks meets in the slow tier, which is then full, where an even share
/// would never fill it.
TEST(Phase, WalksMeetInTheSlowTier) {
  Machine M = roundMachine();
  M.Tiers[1].ReadBandwidthGBps = 1;
  Problem P;
  P.Instances.resize(1);
  P.Phases.resize(1);
  P.Phases[0].Workers = 2;
  P.Phases[0].Tasks.edit().resize(2);
  constexpr double Lines = 10000; // of a unit
  for (uint32_t K = 0; K < 4; ++K)
    P.Units.push_back({0, K * 64, K * 64 + 64, Lines * 64});
  for (uint32_t T = 0; T < 2; ++T)
    for (uint32_t U : {2 * T, 2 * T + 1})
      P.Phases[0].Tasks.edit()[T].Demand.Units.push_back(
          {U, Lines, 0, Lines / 64, 0, 0, true});
  for (PredictedTask &T : P.Phases[0].Tasks.edit())
    T.Demand.CoreSeconds = 2e-3;
  // 2 * 10,000 lines of 64 B at 1 GB/s: 1.28 ms, in 2 ms or in half of it.
  const double Even = value(P, {0.5, 0.5, 0.5, 0.5}, M);
  const double Halves = value(P, {1, 0, 1, 0}, M);
  EXPECT_LT(Even, 2.3e-3);
  EXPECT_GT(Halves, 1e-3 + 1.28e-3);
  // Not side by side, or not walks: no difference.
  for (PredictedTask &T : P.Phases[0].Tasks.edit())
    T.Explicit = true;
  EXPECT_NEAR(value(P, {1, 0, 1, 0}, M), Even, 1e-12);
  for (PredictedTask &T : P.Phases[0].Tasks.edit())
    T.Explicit = false;
  for (PredictedTask &T : P.Phases[0].Tasks.edit())
    for (UnitDemand &U : T.Demand.Units)
      U.Walked = false;
  EXPECT_NEAR(value(P, {1, 0, 1, 0}, M), Even, 1e-12);
}

/// \p N phases of two tasks without demands, as many objects, room for one.
Problem teams(uint32_t N) {
  Problem P;
  P.FastBytes = 65536;
  P.Phases.resize(N);
  for (uint32_t H = 0; H < N; ++H) {
    P.Instances.emplace_back();
    P.Instances[H].Site = H + 1;
    P.Instances[H].Bytes = 65536;
    P.Units.push_back({H, 0, 256, 65536});
    P.Phases[H].Phase = H;
    P.Phases[H].Workers = 2;
    P.Phases[H].Tasks.edit().resize(2);
  }
  return P;
}

/// Four teams that use one object each, 10 ms long, and room for one: no
/// placement is better than another, but objects can take turns.
TEST(Balanced, PlansWhereOnlyMovesPay) {
  for (double PageUs : {1.0, 1000.0}) {
    Machine M = roundMachine();
    M.MigrationPageUs = PageUs;
    Problem P = teams(4);
    for (uint32_t H = 0; H < 4; ++H)
      for (PredictedTask &T : P.Phases[H].Tasks.edit())
        T.Demand.Units = {{H, 25000, 0, 25000, 0, H}};
    EXPECT_EQ(place("balanced", P, M).KeepsFirstTouch, PageUs > 100) << PageUs;
  }
}

/// The first object is used again at the end, and the fourth gains a little
/// more. Turns begin best with the first object, which first touch leaves in
/// the fast tier, unless its first team gains next to nothing.
TEST(Balanced, PlansWhereMovesPayMost) {
  for (double Early : {24000., 1000.}) {
    Machine M = roundMachine();
    M.MigrationPageUs = 1;
    Problem P = teams(5);
    P.Instances.pop_back();
    P.Units.pop_back();
    for (uint32_t H = 0; H < 5; ++H)
      for (PredictedTask &T : P.Phases[H].Tasks.edit()) {
        const uint32_t I = H % 4;
        const double Lines = H == 0   ? Early
                             : H == 4 ? 25000 - Early
                             : H == 3 ? 25010
                                      : 25000;
        T.Demand.Units = {{I, Lines, 0, Lines, 0, I}};
      }
    Placement X = place("balanced", P, M);
    EXPECT_FALSE(X.KeepsFirstTouch);
    EXPECT_EQ(X.FastShare[0], Early > 20000) << Early;
    EXPECT_EQ(X.FastShare[3], Early < 20000) << Early;
  }
}

/// The same beside 1 s of computing each: turns gain 15 ms of 4 s, which is
/// within what predictions are off.
TEST(Balanced, KeepsFirstTouchWhereMovesGainLittle) {
  for (double CoreSeconds : {0.0, 1.0}) {
    Machine M = roundMachine();
    M.MigrationPageUs = 1;
    Problem P = teams(4);
    for (uint32_t H = 0; H < 4; ++H)
      for (PredictedTask &T : P.Phases[H].Tasks.edit()) {
        T.Demand.CoreSeconds = CoreSeconds;
        T.Demand.Units = {{H, 25000, 0, 25000, 0, H}};
      }
    EXPECT_EQ(place("balanced", P, M).KeepsFirstTouch, CoreSeconds > 0);
  }
}

/// Both tasks of a team wait 5 ms for object 0, or one task of another team 5.2
/// ms, or 8 ms, for object 1, and the other not at all. 0.2 ms of 110 may be an
/// error of that one task; 3 ms are not.
TEST(Balanced, KeepsFirstTouchWhereOneTaskLeadsByLittle) {
  for (double Lines : {26000., 40000.}) {
    Machine M = roundMachine();
    M.MigrationPageUs = 1000;
    Problem P = teams(2);
    for (PredictedPhase &H : P.Phases)
      for (PredictedTask &T : H.Tasks.edit())
        T.Demand.CoreSeconds = 50e-3;
    for (PredictedTask &T : P.Phases[0].Tasks.edit())
      T.Demand.Units = {{0, 25000, 0, 25000, 0, 0}};
    P.Phases[1].Tasks.edit()[0].Demand.Units = {{1, Lines, 0, Lines, 0, 1}};
    EXPECT_EQ(place("balanced", P, M).KeepsFirstTouch, Lines < 30000) << Lines;
  }
}

/// A team waits 5 ms for object 0, another 8 ms for object 1: 3 of 200 ms are
/// to be gained, if it is known how much of either comes from memory. 3 of 100
/// ms are tried for all that.
TEST(Balanced, KeepsFirstTouchWhereTheGainIsDoubtful) {
  for (int Guessed : {-1, 0, 1})
    for (double Core : {95e-3, 45e-3}) {
      Machine M = roundMachine();
      M.MigrationPageUs = 1000;
      Problem P = teams(2);
      for (uint32_t H : {0u, 1u})
        for (PredictedTask &T : P.Phases[H].Tasks.edit()) {
          const double Lines = H ? 40000 : 25000;
          T.Demand.CoreSeconds = Core;
          T.Demand.Units = {{H, Lines, 0, Lines, 0, H}};
          T.Estimates = {
              {H, int(H) == Guessed ? CountWay::BaseCount : CountWay::Formula,
               CacheWay::Same, false, 8 * Lines, Lines}};
        }
      EXPECT_EQ(place("balanced", P, M).KeepsFirstTouch,
                Guessed >= 0 && Core > 50e-3)
          << Guessed << " " << Core;
    }
}

/// Two threads walk through an object each, and the slow tier's bandwidth is
/// what they wait for: with half of the bytes fast, half of each unit, not the
/// first half of all, nor one thread's. Where each waits for itself and one of
/// them more, it gets more.
TEST(Balanced, MixesWhatIsWalkedThrough) {
  for (bool Alike : {true, false}) {
    Scenario S(2, 1000);
    S.M.Tiers[0].ReadBandwidthGBps = 1000;
    S.M.Tiers[1].ReadBandwidthGBps = Alike ? 1 : 1000;
    for (uint32_t T : {0u, 1u}) {
      S.addObject(T + 1, 16 * MiB);
      S.addAccess(T + 1, "stream", makeConst(1000));
      S.addMisses(T, T, 262144, Alike ? 0.01 : T ? 1 : 0.1);
    }
    S.R.Fast = "50%";
    const Problem P = S.predict();
    const Placement X = place("balanced", P, S.M);
    expectFits(P, X.FastShare);
    EXPECT_FALSE(X.KeepsFirstTouch);
    double Sum[2] = {};
    for (size_t U = 0; U < P.Units.size(); ++U) {
      const uint32_t I = P.Units[U].Instance;
      Sum[I] += X.FastShare[U] * P.Units[U].Bytes / (16 * MiB);
      if (Alike) {
        EXPECT_NEAR(X.FastShare[U], 0.5, 0.01) << U;
      }
    }
    EXPECT_NEAR(Sum[1], Alike ? 0.5 : 1, 0.01);
  }
}

/// A team's two tasks wait for the latencies of two objects each; first touch
/// leaves another team's in the fast tier. Which of its two lies fast makes
/// next to no difference to a task: half of each, not all of the one.
TEST(Balanced, MixesPlacementsAlike) {
  Machine M = roundMachine();
  M.MigrationPageUs = 1000;
  Problem P = teams(5);
  P.FastBytes = 2 * 65536;
  P.Phases.resize(2);
  for (PredictedTask &T : P.Phases[0].Tasks.edit())
    T.Demand.Units = {{0, 10, 0, 10, 0, 0}};
  for (uint32_t T : {0u, 1u}) {
    PredictedTask &X = P.Phases[1].Tasks.edit()[T];
    X.Index = T;
    for (uint32_t U : {1 + 2 * T, 2 + 2 * T}) {
      P.Instances[U].AllocPhase = 1;
      const double Lines = U % 2 ? 25010 : 25000;
      X.Demand.Units.push_back({U, Lines, 0, Lines, 0, U});
    }
  }
  P.Instances[0].Bytes = P.Units[0].Bytes = 2 * 65536;
  const Placement X = place("balanced", P, M);
  expectFits(P, X.FastShare);
  EXPECT_FALSE(X.KeepsFirstTouch);
  for (uint32_t U : {1u, 2u, 3u, 4u})
    EXPECT_NEAR(X.FastShare[U], 0.5, 1e-3) << U;
}

/// Five tasks of 10 ms on three workers, one of which waits 3 ms more or less
/// for an object that first touch leaves in the slow tier: 3 of 53 ms of work.
/// The first one's time is nobody's gain, as the last two begin together
/// anyway; the last one's is.
TEST(Balanced, KeepsFirstTouchWhereTheOrderOfTasksGainsNothing) {
  for (uint32_t User : {0u, 4u}) {
    Machine M = roundMachine();
    M.MigrationPageUs = 1000;
    Problem P = teams(2);
    PredictedPhase &H = P.Phases[1];
    H.Workers = 3;
    H.Tasks.edit().resize(5);
    for (uint32_t T = 0; T < 5; ++T) {
      H.Tasks.edit()[T].Explicit = true;
      H.Tasks.edit()[T].Index = T;
      H.Tasks.edit()[T].Demand.CoreSeconds = T == User ? 7e-3 : 10e-3;
    }
    P.Phases[0].Tasks.edit()[0].Demand.Units = {{0, 100, 0, 100, 0, 0}};
    H.Tasks.edit()[User].Demand.Units = {{1, 15000, 0, 15000, 0, 1}};
    EXPECT_EQ(place("balanced", P, M).KeepsFirstTouch, User == 0) << User;
  }
}

/// Two chains of two and one task beside them, for two workers: whoever is
/// ready and comes first is taken first.
TEST(TaskGraph, SchedulesInOrder) {
  PredictedPhase H;
  H.Tasks.edit().resize(5);
  H.Tasks.edit()[2].Preds = {0};
  H.Tasks.edit()[3].Preds = {1};
  const TaskGraph G(H);
  // 0 1 | 2 behind 0 at 1, 3 behind 1 at 2, 4 at 3.
  EXPECT_DOUBLE_EQ(G.schedule({1, 2, 2, 4, 2}, 2), 6);
  EXPECT_DOUBLE_EQ(G.schedule({1, 2, 2, 4, 2}, 1), 11);
  EXPECT_DOUBLE_EQ(G.schedule({1, 2, 2, 4, 2}, 8), 6);
}

/// All fits, and the fast tier's bandwidth is used up: some of the data in the
/// slow tier takes a part of the load. That is done for a lot, not for less
/// than predictions are off.
TEST(Balanced, KeepsWhatFitsUnlessBandwidthGainsALot) {
  for (double SlowGBps : {0.05, 2.0}) {
    Scenario S(2, 1000);
    S.M.Tiers[0].ReadBandwidthGBps = 10;
    S.M.Tiers[1].ReadBandwidthGBps = SlowGBps;
    for (uint64_t Site : {1, 2})
      S.addObject(Site, 4 * MiB);
    S.addMisses(0, 0, 65536, 0);
    S.addMisses(1, 1, 65536, 0);
    S.R.Fast = "100%";
    EXPECT_EQ(place("balanced", S.predict(), S.M).KeepsFirstTouch, SlowGBps < 1)
        << SlowGBps;
  }
}

TEST(Balanced, KeepsFirstTouchWhereItIsAsGood) {
  TwoTasks S;
  S.R.Fast = "100%";
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  EXPECT_TRUE(X.KeepsFirstTouch);
  EXPECT_NEAR(value(P, X.FastShare, S.M), fastOnly(P, S.M), 1e-12);
}

TEST(Balanced, NoFastMemory) {
  TwoTasks S;
  S.R.Fast = "0%";
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  EXPECT_TRUE(X.KeepsFirstTouch);
  for (double V : X.FastShare)
    EXPECT_EQ(V, 0);
}

/// Objects of size 0 cost nothing and break nothing.
TEST(Balanced, ZeroSizedObjects) {
  TwoTasks S;
  uint32_t Z = S.addObject(9, 0);
  S.addMisses(0, Z, 2560, 1);
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  expectFits(P, X.FastShare);
  EXPECT_LT(value(P, X.FastShare, S.M), 4.9e-3);
  expectFits(P, place("density", P, S.M).FastShare);
}

TEST(Balanced, EmptyProblem) {
  Problem P;
  P.FastBytes = 100;
  EXPECT_TRUE(place("balanced", P, roundMachine()).FastShare.empty());
  EXPECT_TRUE(place("density", P, roundMachine()).FastShare.empty());
}

/// One task: the LP is a plain fractional knapsack by exposure per byte.
TEST(Balanced, OneTaskIsAKnapsack) {
  Scenario S(1, 1000);
  for (uint64_t Site : {1, 2, 3})
    S.addObject(Site, MiB);
  S.addMisses(0, 0, 25600, 0.1);
  S.addMisses(0, 1, 12800, 1);
  S.addMisses(0, 2, 25600, 1);
  S.R.Fast = "1572864"; // 1.5 MiB: object 3, half of object 2
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  double Slow = value(P, std::vector<double>(P.Units.size(), 0), S.M);
  EXPECT_NEAR(Slow - value(P, X.FastShare, S.M), 200e-9 * (25600 + 6400), 1e-7);
}

/// Task 0 lasts 20 ms and saves 0.2 ms by 1 MiB; task 1 lasts 4 ms at most and
/// saves 2 ms by 16 KiB. The longest alone would give task 1 nothing; 1/20 of
/// the mean makes 64 times the gain per byte worth 3 us of task 0.
TEST(Balanced, OtherTasksCountALittle) {
  Scenario S(2);
  S.B.Tasks[0].core_cycles = 20000000;
  S.B.Tasks[1].core_cycles = 1000000;
  S.addObject(1, MiB); // first touch fills the room with what nobody uses
  S.addObject(2, MiB);
  S.addObject(3, MiB / 64);
  S.addMisses(0, 1, 1024, 1);
  S.addMisses(1, 2, 10240, 1);
  S.R.Fast = "1MiB";
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  expectFits(P, X.FastShare);
  EXPECT_FALSE(X.KeepsFirstTouch);
  double Bytes[3] = {};
  for (size_t U = 0; U < P.Units.size(); ++U)
    Bytes[P.Units[U].Instance] += X.FastShare[U] * P.Units[U].Bytes;
  EXPECT_GT(Bytes[1], 0.95 * MiB);
  EXPECT_GT(Bytes[2], 0.95 * MiB / 64);
}

/// Chain 0 -> 1 -> 2 and nine loners on four workers. The chain is critical
/// until its object is fast; then the work per worker is.
TEST(Balanced, CriticalPathOfExplicitTasks) {
  Scenario S(4);
  S.B.Tasks.clear();
  for (uint32_t T = 0; T < 12; ++T) {
    S.B.Tasks.push_back({Scenario::Region, 0, T, T % 4, 1, 1000, 1000, 0});
    S.addObject(T + 1, MiB);
    S.addMisses(T, T, T < 3 ? 25600 : 5120, 1);
  }
  S.B.Deps = {{1, 0}, {2, 1}};
  S.R.Fast = "3MiB";
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  expectFits(P, X.FastShare);
  // All three chain objects fast: 3 * 2.56 ms.
  EXPECT_NEAR(value(P, X.FastShare, S.M), 3 * 25600 * 100e-9, 1e-5);
}

/// Streams saturate the slow tier's bandwidth: no task is exposed, yet moving
/// enough of the traffic is what helps.
TEST(Balanced, BandwidthBound) {
  Scenario S(2, 1000);
  S.M.Tiers[1].ReadBandwidthGBps = 1;
  for (uint64_t Site : {1, 2})
    S.addObject(Site, 4 * MiB);
  S.addMisses(0, 0, 65536, 0);
  S.addMisses(1, 1, 65536, 0);
  S.R.Fast = "25%";
  Problem P = S.predict();
  Placement X = place("balanced", P, S.M);
  // 8 MiB at 1 GB/s; a quarter is taken away.
  EXPECT_NEAR(value(P, X.FastShare, S.M), 0.75 * 2 * 65536 * 64e-9, 1e-6);
}

Problem randomProblem(unsigned Seed, const Machine &M) {
  std::mt19937 R(Seed);
  auto Uniform = [&](double A, double B) {
    return A + (B - A) * (R() / 4294967296.0);
  };
  Problem P;
  unsigned Objects = 1 + R() % 12, Phases = 1 + R() % 4;
  for (uint32_t I = 0; I < Objects; ++I) {
    PredictedInstance X;
    X.Site = I + 1;
    X.Bytes = std::exp(Uniform(10, 20));
    X.AllocPhase = R() % Phases;
    X.FreePhase = R() % 2 ? EK_NO_TASK : X.AllocPhase + R() % Phases;
    unsigned Parts = 1u << R() % 5;
    for (unsigned K = 0; K < Parts; ++K)
      P.Units.push_back(
          {I, K * 256 / Parts, (K + 1) * 256 / Parts, X.Bytes / Parts});
    P.Instances.push_back(X);
  }
  for (uint32_t H = 0; H < Phases; ++H) {
    PredictedPhase X;
    X.Phase = H;
    X.Workers = 1 + R() % 8;
    bool Explicit = R() % 3 == 0;
    for (uint32_t T = Explicit ? 1 + R() % 20 : X.Workers; T--;) {
      PredictedTask K;
      K.Explicit = Explicit;
      K.Index = static_cast<uint32_t>(X.Tasks.size());
      K.Demand.CoreSeconds = Uniform(0, 0.01);
      for (uint32_t U = 0; U < P.Units.size(); ++U)
        if (isLive(P.Instances[P.Units[U].Instance], H) && R() % 3 == 0) {
          double Reads = P.Units[U].Bytes / 64 * std::exp(Uniform(-4, 2));
          K.Demand.Units.push_back(
              {U, Reads, Reads * Uniform(0, 1), Reads * Uniform(0, 1)});
        }
      if (Explicit && K.Index && R() % 2)
        K.Preds.push_back(R() % K.Index);
      X.Tasks.push_back(K);
    }
    P.Phases.push_back(X);
  }
  for (const PredictedPhase &H : P.Phases) {
    double Live = 0;
    for (const PredictedInstance &I : P.Instances)
      Live += isLive(I, H.Phase) ? I.Bytes : 0;
    P.PeakBytes = std::max(P.PeakBytes, Live);
  }
  (void)M;
  return P;
}

/// Makespan with explicit tasks in an order, where their sum is the bound.
double inOrder(const Problem &P, const std::vector<double> &Fast,
               const Machine &M) {
  auto Mod = makeModel("overlap");
  double Sum = 0;
  for (const PredictedPhase &H : P.Phases) {
    const PhaseState S = phaseState(H, Fast, M, **Mod);
    Sum += S.Bound == "work per worker"
               ? TaskGraph(H).schedule(S.TaskSeconds, H.Workers)
               : S.Seconds;
  }
  return Sum;
}

/// On every shipped machine: the plan fits, is never predicted worse than first
/// touch or density, more fast memory never predicts slower, and with room for
/// everything nothing is better than the plan; but for first touch that was
/// kept because of the order of tasks, to which that applies.
TEST(Balanced, Properties) {
  std::vector<Machine> Machines = {roundMachine()};
  for (const char *Name : {"optane-6252n", "ddr5-cxl"}) {
    auto M = readMachine(std::string(EK_SOURCE_DIR) + "/profiles/machines/" +
                         Name + ".json");
    ASSERT_TRUE(static_cast<bool>(M)) << M.message();
    Machines.push_back(*M);
  }
  for (unsigned Seed = 0; Seed < 60; ++Seed) {
    const Machine &M = Machines[Seed % Machines.size()];
    Problem P = randomProblem(Seed, M);
    double Last = INFINITY;
    for (double Share : {0., 0.05, 0.125, 0.25, 0.5, 0.75, 1.}) {
      P.FastBytes = Share * P.PeakBytes;
      Placement X = place("balanced", P, M);
      expectFits(P, X.FastShare, X.KeepsFirstTouch);
      double V = value(P, X.FastShare, M);
      EXPECT_LE(V, value(P, firstTouchShares(P), M) * (1 + 1e-9));
      Placement D = place("density", P, M);
      const double Other = value(P, D.FastShare, M);
      if (X.KeepsFirstTouch && (V > Other * 1.0011 || V > Last * 1.002) &&
          std::any_of(P.Phases.begin(), P.Phases.end(), hasExplicit)) {
        EXPECT_LE(inOrder(P, X.FastShare, M),
                  inOrder(P, D.FastShare, M) * 1.0051)
            << "seed " << Seed;
        continue;
      }
      EXPECT_LE(V, Last * 1.002) << "seed " << Seed << " share " << Share;
      Last = std::min(Last, V);
      EXPECT_LE(V, Other * 1.0011) << "seed " << Seed;
      if (Share == 1)
        EXPECT_LE(V, fastOnly(P, M) * 1.001) << "seed " << Seed;
    }
  }
}

TEST(Balanced, Deterministic) {
  Machine M = roundMachine();
  Problem P = randomProblem(7, M);
  P.FastBytes = P.PeakBytes / 8;
  EXPECT_EQ(place("balanced", P, M).FastShare,
            place("balanced", P, M).FastShare);
}

/// What no site made is nothing that a plan could name. It falls into fast
/// memory where a plan leaves room: a plan that places nothing there makes all
/// of it fast where it is used most.
TEST(Fixed, ObjectsOfNoSite) {
  for (const char *Fast : {"50%", "100%"}) {
    Scenario S(2, 5000);
    const uint32_t A = S.addObject(1, 4 * MiB);
    S.addAccess(1, "stream", Scenario::n());
    const uint32_t Unnamed = uint32_t(S.B.Instances.size());
    S.B.Instances.push_back({0, 0, 0, 0, 4 * MiB, 0, EK_NO_TASK, 0, 0});
    for (uint32_t T : {0u, 1u}) {
      S.addMisses(T, A, 2560, 1);
      S.addMisses(T, Unnamed, 25600, 1);
    }
    S.R.Fast = Fast;
    Problem P;
    Expected<Plan> Made = makePlan(S.R, &P);
    ASSERT_TRUE(bool(Made)) << Made.message();
    ASSERT_EQ(Made->Objects.size(), 1u);
    EXPECT_EQ(Made->Objects[0].Site, 1u);
    const bool All = std::string(Fast) == "100%";
    EXPECT_EQ(Made->KeepsFirstTouch, All);
    EXPECT_EQ(Made->Objects[0].Share, All ? 1 : 0);
    // Each of two tasks: 5 us of core, 25,600 lines of it and 2,560 of A.
    EXPECT_NEAR(Made->PredictedMakespan,
                5e-6 + 25600 * 100e-9 + 2560 * (All ? 100e-9 : 300e-9), 1e-5);
    EXPECT_EQ(P.Methods["not placed: no site in the sources"], 1u);
    TempDir D;
    EXPECT_TRUE(bool(readPlan(D.write("plan.json", planToJson(*Made)))));
  }
}

TEST(Planner, UnknownName) { EXPECT_ERROR(makePlanner("best"), "balanced"); }

TEST(MakePlan, SaysWhyAndRoundTrips) {
  TwoTasks S;
  S.M.Assumed = {"ghz: made up"};
  S.M.RobInstructions = S.M.L1Ways = S.M.L2Ways = S.M.LlcWays = 8;
  S.M.L1Bytes = S.M.L2Bytes = 1 << 15;
  S.M.MigrationBandwidthGBps = 1;
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_FALSE(Made->KeepsFirstTouch);
  EXPECT_EQ(Made->Program, programHash(S.F));
  EXPECT_EQ(Made->FastBytes, MiB);
  EXPECT_EQ(Made->BaseInput, S.B.Input);
  EXPECT_EQ(Made->Assumed, S.M.Assumed);
  ASSERT_EQ(Made->Phases.size(), 1u);
  EXPECT_EQ(Made->Phases[0].At, "a.c:20:1");
  ASSERT_EQ(Made->Phases[0].Tasks.size(), 2u);
  EXPECT_NEAR(Made->Phases[0].Tasks[0].SlowOnlySeconds, 8.98e-3, 1e-6);
  EXPECT_NEAR(Made->Phases[0].Tasks[0].FastOnlySeconds, 3.66e-3, 1e-6);
  EXPECT_NEAR(Made->PredictedMakespan, 4.7133e-3, 1e-5);

  const PlanObject *O = Made->find({1, 0, 0, 0, 0});
  ASSERT_TRUE(O);
  EXPECT_NEAR(O->Share, 5 / 6., 0.01);
  EXPECT_FALSE(O->Creator) << "the only instance of its site: any creator";
  EXPECT_NEAR(O->GainSeconds, 8.98e-3 - 4.7133e-3, 2e-5);
  EXPECT_NE(O->Reason.find("task 0 would be the slowest"), std::string::npos)
      << O->Reason;
  EXPECT_NE(O->Reason.find("fast memory is full"), std::string::npos);
  double Sum = 0;
  for (const PlanRange &G : O->Ranges)
    Sum += G.Share * (G.To - G.From) / EK_CHUNKS;
  EXPECT_NEAR(Sum, O->Share, 1e-12);
  EXPECT_LE(O->Ranges.size(), 17u);
  O = Made->find({3, 0, 0, 0, 0});
  ASSERT_TRUE(O);
  EXPECT_LT(O->Share, 0.01);

  // With all that a run needs to plan again, when lines were fetched as well.
  S.B.Misses[0].course = ~uint64_t(0);
  S.B.Misses[1].course = 0xf0;
  S.R.Seen = {S.B.Input, {{0x20, 0x40, false, 1, 0, 1e-3, 2000, 4e-3, 3e-3}}};
  Made->ReplanJson = replanOf(S.R, *Made);
  TempDir D;
  std::string Text = planToJson(*Made);
  Expected<Plan> Again = readPlan(D.write("plan.json", Text));
  ASSERT_TRUE(static_cast<bool>(Again)) << Again.message();
  EXPECT_EQ(planToJson(*Again), Text);
  nlohmann::json Schema = nlohmann::json::parse(TempDir::read(
      std::string(EK_SOURCE_DIR) + "/profiles/schemas/plan.schema.json"));
  nlohmann::json J = nlohmann::json::parse(Text);
  EXPECT_EQ(SchemaChecker(Schema).check(J), "");
  EXPECT_TRUE(J["replan"]["methods"].is_object());
  EXPECT_EQ(J["predicted"]["phases"][0]["sync"], "0000000000000040");
  Expected<ReplanData> Data = readReplan(Again->ReplanJson, "plan.json");
  ASSERT_TRUE(static_cast<bool>(Data)) << Data.message();
  EXPECT_EQ(replanToJson(*Data, Again->ReplanJson), Again->ReplanJson);
  EXPECT_EQ(Data->Base.Misses[0].course, ~uint64_t(0));
  EXPECT_EQ(Data->Base.Misses[1].course, 0xf0u);
  EXPECT_EQ(Data->Base.Misses[2].course, 0u);
  EXPECT_EQ(Data->Seen.Base, S.B.Input);
  EXPECT_EQ(Data->Seen.Rows, S.R.Seen.Rows);
  PlanRequest Q;
  Q.F = &Data->F;
  Q.Base = &Data->Base;
  Q.M = &Data->M;
  Q.Fast = Data->Fast;
  Expected<Plan> Replanned = makePlan(Q);
  ASSERT_TRUE(static_cast<bool>(Replanned)) << Replanned.message();
  Replanned->ReplanJson = Again->ReplanJson;
  Replanned->Assumed = Made->Assumed; // people's; no re-plan asks
  EXPECT_EQ(planToJson(*Replanned), Text);
}

/// What the program put somewhere stays there and takes its room; an array on
/// the stack is nobody's to move.
TEST(MakePlan, LeavesWhatIsFixed) {
  TwoTasks S;
  S.F.Sites.clear();
  for (uint64_t Site : {1, 2, 3}) {
    S.F.Sites.emplace_back();
    S.F.Sites.back().Id = Site;
    S.F.Sites.back().Kind = "malloc";
  }
  S.F.Sites[0].Kind = "hbw_malloc";
  S.R.Fast = "1.5MiB";
  for (const std::string &Name : plannerNames()) {
    S.R.Planner = Name;
    Problem P;
    Expected<Plan> Made = makePlan(S.R, &P);
    ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
    EXPECT_EQ(P.FastBytes, MiB / 2) << Name;
    const PlanObject *Chosen = Made->find({1, 0, 0, 0, 0});
    EXPECT_TRUE(!Chosen || (Chosen->Share == 0 && Chosen->Ranges.empty()))
        << Name;
    double Used = 0;
    for (uint64_t Site : {2, 3})
      if (const PlanObject *O = Made->find({Site, 0, 0, 0, 0}))
        Used += O->Share * MiB;
    EXPECT_LE(Used, MiB / 2 + 1) << Name;
    if (Chosen)
      EXPECT_NE(Chosen->Reason.find("the program chose its tier"),
                std::string::npos)
          << Chosen->Reason;
  }
  S.R.Planner = "balanced";
  S.F.Sites[0].Kind = "stack";
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_EQ(P.FastBytes, 1.5 * MiB);
  EXPECT_EQ(P.Methods.count("not placed: on the stack"), 1u);
  const PlanObject *O = Made->find({1, 0, 0, 0, 0});
  EXPECT_TRUE(!O || O->Share == 0);
  // What task 0 uses is the one on the stack: the plan leaves room for it.
  EXPECT_FALSE(Made->KeepsFirstTouch);
  EXPECT_LE(Made->ReservedBytes, MiB / 2);
  ASSERT_TRUE(O);
  EXPECT_TRUE(O->LeftAlone);
  EXPECT_NEAR(Made->PredictedMakespan, 1e-3 + 25600 * 100e-9 + 1000 * 300e-9,
              1e-5);
}

/// What the C library mixes on its pages is nobody's to place: not in plans,
/// nor where a plan for the whole site is replayed.
TEST(MakePlan, SmallBlocksStay) {
  Scenario S(1, 5000);
  uint32_t A = S.addObject(1, MiB, nullptr), B = S.addObject(1, MiB, nullptr);
  S.B.Instances[B].ordinal = EK_RAW_SMALL;
  S.addAccess(1, "random", nullptr);
  S.addMisses(0, A, 10000, 1);
  S.addMisses(0, B, 20000, 1);
  S.R.Fast = "100%";
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_EQ(P.Methods["not placed: small blocks"], 1u);
  ASSERT_EQ(Made->Objects.size(), 1u);
  EXPECT_EQ(Made->Objects[0].PredictedBytes, uint64_t(MiB));
  EXPECT_EQ(Made->Objects[0].Share, 1);
  EXPECT_TRUE(Made->find({1, 0, 0, 0, 0}));
  EXPECT_FALSE(Made->find({1, 0, 0, EK_RAW_SMALL, 0}));
  S.B.Instances[A].site = 2; // now all of the site are small
  Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  for (const PlanObject &O : Made->Objects)
    if (O.Site == 1)
      EXPECT_EQ(O.Reason, "small blocks, which the C library mixes on its "
                          "pages");
}

/// Ranges are those of chunks, units are runs of chunks: a unit gets the part
/// of each range that falls into it. Exact entries come before wildcards.
TEST(SharesOf, RangesOverUnits) {
  Problem P;
  for (uint64_t Site : {1, 2, 2, 3}) {
    PredictedInstance I;
    I.Site = Site;
    I.Ordinal = P.Instances.size() == 2;
    P.Instances.push_back(I);
  }
  P.Units = {{0, 0, 128, 1}, {0, 128, 256, 1}, {1, 0, 256, 1},
             {2, 0, 256, 1}, {3, 0, 256, 1},   {0, 64, 64, 0}};
  Plan X;
  PlanObject O;
  O.Site = 1;
  O.Ranges = {{0, 64, 1}, {64, 192, 0.5}};
  O.Share = 0.5;
  X.Objects.push_back(O);
  O.Site = 2;
  O.Ranges.clear();
  O.Share = 0.25; // no ranges: evenly
  X.Objects.push_back(O);
  O.Creator = 0;
  O.Ordinal = 1;
  O.Share = 0.75;
  X.Objects.push_back(O);
  // 64 of 128 chunks fully and 64 half; then 64 half and 64 not at all.
  EXPECT_EQ(sharesOf(P, X),
            (std::vector<double>{0.75, 0.25, 0.25, 0.75, 0, 0}));
}

/// What a plan says is what was placed, in thousandths.
TEST(SharesOf, OfAMadePlan) {
  TwoTasks S;
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made));
  Placement X = place("balanced", P, S.M);
  std::vector<double> Shares = sharesOf(P, *Made);
  ASSERT_EQ(Shares.size(), X.FastShare.size());
  for (size_t U = 0; U < Shares.size(); ++U)
    EXPECT_NEAR(Shares[U], X.FastShare[U], 1.001e-3) << U;
  EXPECT_NEAR(value(P, Shares, S.M), Made->PredictedMakespan, 1e-12);
}

/// A placement of one's own becomes a plan that says the same.
TEST(PlanOf, CarriesAGivenPlacement) {
  TwoTasks S;
  Problem P = S.predict();
  Placement Place;
  for (const Unit &U : P.Units) // sites 1 and 2: 3/4 and 1/8
    Place.FastShare.push_back(U.Instance == 0   ? 0.75
                              : U.Instance == 1 ? 0.125
                                                : 0);
  Plan X = planOf(S.R, P, *overlap(), Place);
  EXPECT_EQ(sharesOf(P, X), Place.FastShare);
  EXPECT_FALSE(X.KeepsFirstTouch);
  EXPECT_EQ(X.FastBytes, MiB);
  ASSERT_TRUE(X.find({1, 0, 0, 0, 0}));
  EXPECT_EQ(X.find({1, 0, 0, 0, 0})->Share, 0.75);
  // 8.98 ms - 0.75 * 5.12; 6.42 ms - 2.56 / 8.
  ASSERT_EQ(X.Phases.size(), 1u);
  EXPECT_NEAR(X.Phases[0].Tasks[0].Seconds, 5.14e-3, 1e-6);
  EXPECT_NEAR(X.Phases[0].Tasks[1].Seconds, 4.82e-3, 1e-6);
  EXPECT_NEAR(X.PredictedMakespan, 5.14e-3, 1e-6);
}

/// Threads and explicit tasks are numbered apart; a plan says which is which.
TEST(PlanOf, ExplicitTasks) {
  Scenario S(1);
  S.B.Tasks.push_back({Scenario::Region, 0, 0, 0, 1, 2000, 2000, 0});
  Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ASSERT_EQ(P->Phases.size(), 1u);
  ASSERT_EQ(P->Phases[0].Tasks.size(), 2u);
  EXPECT_FALSE(P->Phases[0].Tasks[0].Explicit);
  EXPECT_TRUE(P->Phases[0].Tasks[1].Explicit);
  EXPECT_EQ(P->Phases[0].Tasks[1].Index, 0u);
}

/// Two instances of one site that lie differently are told apart.
TEST(MakePlan, InstancesOfOneSite) {
  Scenario S(2, 1000);
  S.addObject(1, MiB);
  S.addObject(1, MiB);
  S.addMisses(0, 0, 25600, 1);
  S.addMisses(1, 1, 256, 1);
  S.R.Fast = "50%";
  Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ASSERT_EQ(P->Objects.size(), 2u);
  EXPECT_EQ(P->find({1, 0, 0, 0, 0})->Share, 1);
  EXPECT_EQ(P->find({1, 0, 0, 1, 0})->Share, 0);
  EXPECT_EQ(P->find({1, 0, 0, 2, 0}), nullptr);
}

/// What different calls of a wrapper make is told apart by the calls, and a
/// block that comes first on the target takes nobody's place.
TEST(MakePlan, ContextsOfOneSite) {
  Scenario S(2, 1000);
  for (uint64_t Context : {70, 71}) {
    uint32_t I = S.addObject(1, MiB);
    S.B.Instances[I].context = Context;
  }
  S.F.Sites[0].Contexts = {{70, {"a.c:7:1"}, nullptr},
                           {71, {"a.c:8:1"}, nullptr}};
  S.addMisses(0, 0, 256, 1);
  S.addMisses(1, 1, 25600, 1);
  S.R.Fast = "50%";
  Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  ASSERT_EQ(P->Objects.size(), 2u);
  EXPECT_EQ(P->Objects[1].Calls, std::vector<std::string>{"a.c:8:1"});
  EXPECT_EQ(P->find({1, 69, 0, 0, 0}), nullptr);
  EXPECT_EQ(P->find({1, 70, 0, 1, 0})->Share, 0);
  EXPECT_EQ(P->find({1, 71, 0, 2, 0})->Share, 1);
  // Of a program that does not tell contexts, the order has to do.
  EXPECT_EQ(P->find({1, 0, 0, 0, 0})->Share, 0);
  EXPECT_EQ(P->find({1, 0, 0, 1, 1})->Share, 1);
  EXPECT_EQ(P->find({1, 0, 0, 2, 2}), nullptr);
}

/// Blocks too small to be placed on the base input are in the plan where they
/// are large on the target, and are not where they stay small.
TEST(MakePlan, SmallBlocksThatGrow) {
  Scenario S(1, 5000);
  S.addSymbol(Scenario::SymN, "main:n", "given", 5000);
  uint32_t A = S.addObject(1, 40000, Scenario::times(8, Scenario::n()));
  uint32_t B = S.addObject(1, 40000);
  uint32_t C = S.addObject(2, 40000, makeConst(40000));
  for (uint32_t I : {A, B, C}) {
    ek_raw_inst &X = S.B.Instances[I];
    X.number = X.ordinal;
    X.ordinal = X.in_context = EK_RAW_ONE_SMALL | X.number;
  }
  S.addMisses(0, A, 10, 1);
  S.addMisses(0, B, 10, 1);
  S.addMisses(0, C, 10, 1);
  S.R.Fast = "100%";
  S.R.For = {{"n", std::nullopt, 500000}};
  Problem P;
  Expected<Plan> Made = makePlan(S.R, &P);
  ASSERT_TRUE(static_cast<bool>(Made)) << Made.message();
  EXPECT_EQ(P.Instances[A].Bytes, 4e6);
  EXPECT_EQ(P.Instances[B].Ordinal, 1u);
  EXPECT_TRUE(EK_RAW_IS_SMALL(P.Instances[C].Ordinal));
  EXPECT_TRUE(Made->find({1, 0, 0, 1, 0}));
  EXPECT_EQ(Made->find({2, 0, 0, P.Instances[C].Ordinal, 0}), nullptr);
}

/// All fits, or nothing does.
TEST(MakePlan, KeptFirstTouchSaysSo) {
  for (bool Fits : {true, false}) {
    TwoTasks S;
    S.R.Fast = Fits ? "100%" : "0%";
    Expected<Plan> P = makePlan(S.R);
    ASSERT_TRUE(static_cast<bool>(P));
    EXPECT_TRUE(P->KeepsFirstTouch);
    EXPECT_EQ(P->AllFits, Fits);
    EXPECT_NE(P->Objects[0].Reason.find("first touch"), std::string::npos);
    ASSERT_EQ(P->Notes.size(), 1u) << "all sync points were looked at";
    EXPECT_NE(P->Notes[0].find("first touch"), std::string::npos);
    EXPECT_EQ(P->Notes[0].find("to fit") != std::string::npos, Fits);
  }
}

/// 100 teams, and 99 sync points that something follows: 64 are looked at.
TEST(Balanced, SaysWhereMovesWereNotWeighed) {
  Problem P;
  P.FastBytes = 65536;
  P.Instances.emplace_back();
  P.Instances[0].Bytes = 65536;
  P.Units.push_back({0, 0, 256, 65536});
  P.Phases.resize(100);
  for (uint32_t H = 0; H < 100; ++H) {
    P.Phases[H].Phase = H;
    P.Phases[H].Workers = 2;
    P.Phases[H].Tasks.edit().resize(2);
    for (PredictedTask &T : P.Phases[H].Tasks.edit())
      T.Demand.Units = {{0, 100, 0, 100}};
  }
  const Placement X = place("balanced", P, roundMachine());
  ASSERT_TRUE(X.KeepsFirstTouch);
  ASSERT_EQ(X.Notes.size(), 2u);
  EXPECT_NE(X.Notes[1].find("at 35 sync points"), std::string::npos)
      << X.Notes[1];
}

TEST(MakePlan, UnknownNames) {
  TwoTasks S;
  S.R.Planner = "x";
  EXPECT_ERROR(makePlan(S.R), "no planner 'x'");
  S.R.Planner = "density";
  S.R.Model = "y";
  EXPECT_ERROR(makePlan(S.R), "no model 'y'");
}

/// 64 tasks, 100 objects of 256 chunks; half shared, half private. Bounded
/// work, so a generous limit only catches an explosion.
TEST(MakePlan, SizeOfTheBudget) {
  Scenario S(64, 1000000);
  for (uint32_t I = 0; I < 100; ++I)
    S.addObject(I + 1, 64 * MiB);
  for (uint32_t T = 0; T < 64; ++T)
    for (uint32_t I = 0; I < 100; ++I)
      if (I < 36 || I - 36 == T)
        S.addMisses(T, I, 25600 * (1 + (T * 7 + I * 3) % 11), 1. / (1 + I % 8),
                    0, I < 36 ? 4 * T : 0, I < 36 ? 4 * T + 4 : 256);
  S.R.Fast = "12.5%";
  auto From = std::chrono::steady_clock::now();
  Expected<Plan> P = makePlan(S.R);
  double Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - From)
          .count();
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  RecordProperty("milliseconds", static_cast<int>(Seconds * 1e3));
  std::printf("planned in %.2f s\n", Seconds);
  EXPECT_LT(Seconds, 30);
}

/// Three explicit tasks of a microsecond on two workers: the bounds say one and
/// a half, the order says two.
TEST(MakePlan, ExplicitTasksTakeTheirTurns) {
  Scenario S(2, 1000);
  S.B.Tasks.clear();
  for (uint32_t T = 0; T < 3; ++T)
    S.B.Tasks.push_back({Scenario::Region, 0, T, 0, 1, 1000, 1000, 0});
  Problem P;
  const Expected<Plan> X = makePlan(S.R, &P);
  ASSERT_TRUE(bool(X)) << X.message();
  EXPECT_NEAR(X->PredictedMakespan, 2e-6, 1e-12);
  EXPECT_NEAR(X->Phases[0].Seconds, 2e-6, 1e-12);
  EXPECT_NEAR(outlookOf(P, S.M, **makeModel("overlap")).FirstTouch, 2e-6,
              1e-12);
}

/// Fixed units under a placement of the others: what first touch makes of the
/// room that these leave at their most.
TEST(Fixed, LiesBesideWhatIsPlaced) {
  Problem P;
  using Kind = PredictedInstance::FixedType;
  auto Add = [&](Kind Fixed, uint32_t Alloc, uint32_t Free) {
    P.Units.push_back({uint32_t(P.Instances.size()), 0, 256, 100});
    P.Instances.emplace_back();
    P.Instances.back().Bytes = 100;
    P.Instances.back().AllocPhase = Alloc;
    P.Instances.back().FreePhase = Free;
    P.Instances.back().Fixed = Fixed;
  };
  Add(PredictedInstance::Free, 0, 0);
  Add(PredictedInstance::Free, 1, EK_NO_TASK);
  Add(PredictedInstance::Small, 0, EK_NO_TASK);
  Add(PredictedInstance::Unnamed, 1, EK_NO_TASK);
  Add(PredictedInstance::TierChosen, 0, EK_NO_TASK);
  P.Phases.resize(2);
  P.Phases[1].Phase = 1;
  P.FastBytes = 200;
  auto Complete = [&](double A, double B) {
    std::vector<double> X = {A, B, 0, 0, 0};
    completeShares(P, X);
    EXPECT_EQ(X[0], A);
    EXPECT_EQ(X[1], B);
    return std::vector<double>(X.begin() + 2, X.end());
  };
  EXPECT_EQ(Complete(0, 0), std::vector<double>({1, 1, 1}));
  // 150 bytes are left: in the first phase for the small blocks.
  EXPECT_EQ(Complete(0.5, 0), std::vector<double>({1, 0.5, 1}));
  EXPECT_EQ(Complete(0.5, 0.5), std::vector<double>({1, 0.5, 1}));
  EXPECT_EQ(Complete(1, 0.25), std::vector<double>({1, 0, 1}));
  P.FastBytes = 100;
  EXPECT_EQ(Complete(1, 1), std::vector<double>({0, 0, 1}));
  EXPECT_EQ(mostPlaced(P, {1, 0.5, 1, 1, 1}), 100);
  EXPECT_EQ(mostPlaced(P, {1, 0.5, 1, 1, 1}, 1), 50);
}

/// Small blocks wait for bandwidth as all else does, and take it from others.
TEST(Fixed, SmallBlocksTakeBandwidth) {
  Scenario S(2, 1000);
  const uint32_t Rows = S.addObject(1, 64 * MiB), A = S.addObject(2, 64 * MiB);
  S.B.Instances[Rows].ordinal = EK_RAW_SMALL;
  S.M.Tiers[1].ReadBandwidthGBps = 1;
  for (uint32_t T : {0u, 1u}) {
    S.addMisses(T, Rows, 25600, 1. / 256);
    S.addMisses(T, A, 12800, 1. / 256);
  }
  S.R.Fast = "0%";
  const Expected<Plan> P = makePlan(S.R);
  ASSERT_TRUE(bool(P)) << P.message();
  // 76,800 lines of 64 bytes at 1 GB/s, against 100 fetches of 300 ns a task.
  EXPECT_NEAR(P->PredictedMakespan, 76800 * 64e-9, 1e-6);
}

/// Two large arrays with room for one, and small blocks that are used more than
/// either: the plan leaves room for them.
TEST(Balanced, LeavesRoomForSmallBlocks) {
  Scenario S(1, 1000);
  const uint32_t A = S.addObject(1, 8 * MiB), B = S.addObject(2, 8 * MiB),
                 Rows = S.addObject(3, 4 * MiB);
  S.B.Instances[Rows].ordinal = EK_RAW_SMALL;
  S.addMisses(0, A, 2560, 1);
  S.addMisses(0, B, 25600, 1);
  S.addMisses(0, Rows, 51200, 1);
  S.R.Fast = "8MiB";
  Problem P;
  const Expected<Plan> X = makePlan(S.R, &P);
  ASSERT_TRUE(bool(X)) << X.message();
  ASSERT_FALSE(X->KeepsFirstTouch);
  EXPECT_NEAR(double(X->ReservedBytes), 4 * MiB, MiB / 8);
  EXPECT_NEAR(X->PredictedMakespan,
              1e-6 + 51200 * 100e-9 + 25600 * 200e-9 + 2560 * 300e-9, 1e-4);
  EXPECT_EQ(X->find({1, 0, 0, 0, 0})->Share, 0);
}

TEST(Balanced, SmallBlocksFallIntoFastMemoryWhereNothingIsPlaced) {
  // Rows of a matrix, each of them small, and a vector that is used less. A
  // plan can place the vector alone; first touch has the rows fast, in part.
  for (const bool RowsMatter : {false, true}) {
    Scenario S;
    const uint32_t Rows = S.addObject(1, 32 << 20),
                   Vector = S.addObject(2, 8 << 20);
    S.B.Instances[Rows].ordinal = EK_RAW_SMALL;
    S.addMisses(0, Rows, RowsMatter ? 512 << 10 : 1 << 10, 1);
    S.addMisses(0, Vector, 128 << 10, 1);
    S.R.Fast = "8MiB";
    const Expected<Plan> P = makePlan(S.R);
    ASSERT_TRUE(static_cast<bool>(P)) << P.message();
    EXPECT_EQ(P->KeepsFirstTouch, RowsMatter);
  }
}

} // namespace
