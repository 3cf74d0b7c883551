//===- owners_test.cpp - own objects that change threads ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: predict/measured/Owners.cpp alone, with expected values computed by
// hand.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "models/Model.h"
#include "predict/Refined.h"
#include "predict/TargetPredictor.h"
#include "predict/measured/Owners.h"

using namespace evenkeel;

namespace {

constexpr uint64_t MiB = 1 << 20;

/// Two phases of three threads. In each, thread T walks through 1000 (T + 1)
/// lines of its own object T, of site T + 1, and all through 8000 lines of
/// object 3, of site 4: eight accesses each, so thread T makes (T + 1) / (T +
/// 9) of its own to its own object.
struct Dealt : Scenario {
  Dealt() : Scenario(3, 90000) {
    B.Phases.push_back({0x41, 1, 3});
    for (uint32_t T = 0; T < 3; ++T)
      B.Tasks.push_back({Region, 1, T, T, 0, 90000, 90000, 0});
    for (uint64_t Site = 1; Site <= 4; ++Site)
      addObject(Site, MiB);
    for (uint32_t H : {0u, 1u})
      for (uint32_t T = 0; T < 3; ++T) {
        addMisses(3 * H + T, T, 1024 * (T + 1), 0.5, 256);
        addMisses(3 * H + T, 3, 8192, 0.25);
      }
    R.Measured.push_back({0, {}, nullptr, {}, 1});
  }
  /// Thread \p T waits \p N times for data of \p Object in the first phase.
  void sample(uint32_t T, uint32_t Object, double N) {
    R.Measured[0].Stalls.push_back({T, {Object + 1, 0, 0, 0, 0}, 0, N});
  }
  Problem refined() const {
    Problem P = predict();
    assignToOwners(P, findOwners(P, R));
    return P;
  }
  static double lines(const Problem &P, uint32_t Phase, uint32_t T,
                      uint32_t Object) {
    double Sum = 0;
    for (const UnitDemand &U : P.Phases[Phase].Tasks[T].Demand.Units)
      Sum += U.Object == Object ? U.ReadLines : 0;
    return Sum;
  }
};

constexpr char Method[] = "own objects: with the thread that was sampled";

/// Threads 0 and 1 have changed places: their own objects move, with the core
/// time of their accesses, in all phases; shared data stays.
TEST(Owners, ObjectsChangeHands) {
  Dealt S;
  S.sample(0, 1, 20);
  S.sample(1, 0, 20);
  S.sample(2, 2, 20);
  for (uint32_t T = 0; T < 3; ++T)
    S.sample(T, 3, 100);
  const Problem P = S.refined();
  for (uint32_t H : {0u, 1u}) {
    EXPECT_NEAR(S.lines(P, H, 0, 1), 2048, 1e-6);
    EXPECT_NEAR(S.lines(P, H, 1, 0), 1024, 1e-6);
    EXPECT_NEAR(S.lines(P, H, 2, 2), 3072, 1e-6);
    EXPECT_EQ(S.lines(P, H, 0, 0) + S.lines(P, H, 1, 1), 0);
    for (uint32_t T = 0; T < 3; ++T)
      EXPECT_NEAR(S.lines(P, H, T, 3), 8192, 1e-6);
    // Of 90 us, 8 parts of 1024 (T + 1) reads and 256 writes over all.
    auto Own = [](double T) {
      const double Its = 8 * (1024 * (T + 1) + 256);
      return Its / (Its + 8 * 8192);
    };
    const std::vector<PredictedTask> &T = P.Phases[H].Tasks;
    EXPECT_NEAR(T[0].Demand.CoreSeconds, 90e-6 * (1 - Own(0) + Own(1)), 1e-9);
    EXPECT_NEAR(T[1].Demand.CoreSeconds, 90e-6 * (1 - Own(1) + Own(0)), 1e-9);
    EXPECT_NEAR(T[2].Demand.CoreSeconds, 90e-6, 1e-12);
  }
  EXPECT_EQ(P.Methods.at(Method), 4u);
}

/// An object that is a thread's own in one phase follows its user in all:
/// threads 0 and 1 also read each other's objects in a third phase, thread 0
/// more often. If a thread has several tasks, nothing is reassigned.
TEST(Owners, NeighboursGoAlong) {
  for (bool Several : {false, true}) {
    Dealt S;
    S.B.Phases.push_back({0x42, 1, 3});
    for (uint32_t T = 0; T < 3; ++T)
      S.B.Tasks.push_back(
          {Scenario::Region, 2, Several ? T / 2 : T, T, 0, 90000, 90000, 0});
    for (uint32_t T : {0u, 1u})
      for (uint32_t Object : {0u, 1u})
        S.addMisses(6 + T, Object, 512 * (2 - T), 0.5);
    S.sample(0, 1, 20);
    S.sample(1, 0, 20);
    const Problem P = S.refined();
    for (uint32_t Object : {0u, 1u}) {
      EXPECT_NEAR(S.lines(P, 2, 0, Object), Several ? 1024 : 512, 1e-6);
      EXPECT_NEAR(S.lines(P, 2, 1, Object), Several ? 512 : 1024, 1e-6);
    }
  }
}

/// Few samples, samples of several threads, an owner that only loses objects,
/// and own objects that did not move: nothing is reassigned.
TEST(Owners, NothingCertain) {
  for (unsigned Case = 0; Case < 5; ++Case) {
    Dealt S;
    const double N = Case == 1 ? 7 : 20;
    if (Case != 0) {
      S.sample(0, 1, N);
      S.sample(1, 0, N);
    }
    if (Case == 2)
      S.sample(1, 1, 10);
    if (Case == 3) {
      S.R.Measured[0].Stalls.clear();
      S.sample(0, 1, 20);
    }
    if (Case == 4) {
      S.R.Measured[0].Stalls.clear();
      for (uint32_t T = 0; T < 3; ++T)
        S.sample(T, T, 20);
    }
    const Problem P = S.refined();
    EXPECT_EQ(P.Methods.count(Method), 0u) << Case;
    for (uint32_t T = 0; T < 3; ++T)
      EXPECT_NEAR(S.lines(P, 1, T, T), 1024. * (T + 1), 1e-6) << Case;
  }
}

/// Trip counts are known for each thread of the target: those of thread 0 now
/// apply to thread 1's former objects. Each object grows with its own trip
/// count, whichever thread has it.
TEST(Owners, ValuesOfThreadsGoWithTheirObjects) {
  constexpr uint64_t Rounds = 0x61;
  Dealt S;
  for (uint32_t H : {0u, 1u})
    for (uint32_t T = 0; T < 3; ++T)
      S.addSymbol(Rounds, "main:rounds", "measured", 1000 * (T + 1), 3 * H + T);
  for (uint64_t Site : {1, 2, 3, 4})
    S.addAccess(Site, "stream", makeSymbol(Rounds));
  S.forSymbol("rounds@0=8000");  // 4 times 2000
  S.forSymbol("rounds@1=3000");  // 3 times 1000
  S.forSymbol("rounds@2=15000"); // 5 times 3000
  S.sample(0, 1, 20);
  S.sample(1, 0, 20);
  S.sample(2, 2, 20);
  auto Mod = makeModel("overlap");
  TargetPredictor Predictor(S.R);
  for (int Again = 0; Again < 2; ++Again) {
    Expected<Problem> P = predictRefined(Predictor, S.R, **Mod);
    ASSERT_TRUE(static_cast<bool>(P)) << P.message();
    for (uint32_t H : {0u, 1u}) {
      EXPECT_NEAR(S.lines(*P, H, 0, 1), 4 * 2048, 1e-6) << Again;
      EXPECT_NEAR(S.lines(*P, H, 1, 0), 3 * 1024, 1e-6) << Again;
      EXPECT_NEAR(S.lines(*P, H, 2, 2), 5 * 3072, 1e-6) << Again;
      EXPECT_EQ(S.lines(*P, H, 0, 0) + S.lines(*P, H, 1, 1), 0);
      // Objects that are no thread's own stay.
      EXPECT_NEAR(S.lines(*P, H, 0, 3), 8 * 8192, 1e-6);
      EXPECT_NEAR(S.lines(*P, H, 1, 3), 1.5 * 8192, 1e-6);
    }
  }
  // They change back.
  S.R.Measured[0].Stalls.clear();
  for (uint32_t T = 0; T < 3; ++T)
    S.sample(T, T, 20);
  Expected<Problem> P = predictRefined(Predictor, S.R, **Mod);
  ASSERT_TRUE(static_cast<bool>(P)) << P.message();
  EXPECT_NEAR(S.lines(*P, 1, 0, 0), 8 * 1024, 1e-6);
  EXPECT_NEAR(S.lines(*P, 1, 1, 1), 1.5 * 2048, 1e-6);
}

} // namespace
