//===- loop_totals_test.cpp - correlated loop totals ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: loop totals that correlate with other totals, for each rule alone.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"
#include "predict/TargetPredictor.h"

using namespace evenkeel;

namespace {

/// 1000 and 3000 iterations again in the next phase: the same rows. Task 0 gets
/// 4 times as many, task 1 twice.
TEST(LoopTotals, LikeMeasuredSymbolsInherit) {
  LoopScenario S;
  S.addTwin(1000, 3000);
  S.addWalk(2, makeSymbol(LoopScenario::Twin));
  S.forSymbol("trips@0=4000");
  S.forSymbol("trips@1=6000");
  Problem P = S.predict();
  EXPECT_NEAR(S.lines(P, 0), 4, 1e-9);
  EXPECT_NEAR(S.lines(P, 1), 2, 1e-9);
  EXPECT_EQ(
      P.Methods["count: closed form, measured symbol taken from its like"], 2u);
}

/// One different task makes it another quantity; equal values in all tasks are
/// no evidence.
TEST(LoopTotals, OtherMeasuredSymbolsDoNotInherit) {
  for (bool Equal : {false, true}) {
    LoopScenario S;
    S.addTwin(1000, Equal ? 1000 : 3001);
    if (Equal) // the given loop as well
      for (ek_raw_symbol &V : S.B.Symbols)
        if (V.symbol == LoopScenario::Trips)
          V.sum = 1000;
    S.addWalk(2, makeSymbol(LoopScenario::Twin));
    S.forSymbol("trips@0=4000");
    S.forSymbol("trips@1=6000");
    Problem P = S.predict();
    EXPECT_NEAR(S.lines(P, 0), 1, 1e-9) << Equal;
    EXPECT_NEAR(S.lines(P, 1), 1, 1e-9) << Equal;
    EXPECT_EQ(P.Methods["count: base count kept"], 2u) << Equal;
  }
}

/// Eight threads exchange Faces in a phase and walk through Rows in the next;
/// each face is exchanged once or twice. Both are of object 0, by one formula.
struct FacesScenario : Scenario {
  static constexpr uint64_t Rows = 0x51, Faces = 0x52, Other = 0x53;
  const std::vector<double> Walked = {816, 496, 816, 656, 1312, 800, 656, 1616};
  std::vector<double> Exchanged = {816, 496, 1632, 832, 2128, 1600, 1136, 2112};
  std::vector<double> Others;

  /// If \p Swapped, threads 0 and 1 of the target have changed places.
  void build(bool Swapped = false) {
    B.Phases.push_back({0x41, 1, uint32_t(Walked.size())});
    addObject(1, 1 << 20);
    addAccess(1, "stream", makeOp("+", {makeSymbol(Rows), makeSymbol(Faces)}));
    for (uint32_t T = 0; T < 8; ++T)
      B.Tasks.push_back({Region, 1, T, T, 0, 1000, 1000, 0});
    for (uint32_t T = 0; T < 8; ++T) {
      addMisses(T, 0, 2560, 1);
      addMisses(8 + T, 0, 2560, 1);
      addSymbol(Faces, "main:faces", "measured", Exchanged[T], T);
      addSymbol(Rows, "main:rows", "measured", Walked[T], 8 + T);
      if (!Others.empty())
        addSymbol(Other, "main:others", "measured", Others[T], 8 + T);
      const double Growth = T == 5 ? 3 : 4;
      forSymbol("rows@" + std::to_string(Swapped && T < 2 ? 1 - T : T) + "=" +
                std::to_string(Growth * Walked[T]));
      if (!Others.empty())
        forSymbol("others@" + std::to_string(T) + "=" +
                  std::to_string(std::llround(2 * Others[T])));
    }
  }
  FacesScenario() : Scenario(8) {}
  static double growth(const Problem &P, uint32_t Phase, uint32_t T) {
    return total(P.Phases[Phase].Tasks[T].Demand).ReadLines / 2560;
  }
};

/// Faces correlate with rows across threads, so they grow alike. A thread's
/// work in one phase says nothing about its loops in another.
TEST(LoopTotals, TotalsThatGoWithOthersGrowAsTheyDo) {
  FacesScenario S;
  S.build();
  Problem P = S.predict();
  for (uint32_t T = 0; T < 8; ++T) {
    EXPECT_NEAR(S.growth(P, 0, T), T == 5 ? 3 : 4, 1e-6) << T;
    EXPECT_NEAR(S.growth(P, 1, T), T == 5 ? 3 : 4, 1e-6) << T;
  }
  EXPECT_EQ(P.Methods["count: closed form, measured symbol scaled"], 8u);
  EXPECT_EQ(P.Methods["count: closed form, measured symbol given"], 8u);

  // For the threads that have the objects now.
  FacesScenario Z;
  Z.build(true);
  TargetPredictor Predictor(Z.R);
  EXPECT_TRUE(Predictor.learn({{{0, 1}, {1, 0}}, {0}}));
  EXPECT_FALSE(Predictor.learn({{{0, 1}, {1, 0}}, {0}}));
  Expected<Problem> Now = Predictor.predict({});
  ASSERT_TRUE(static_cast<bool>(Now)) << Now.message();
  for (uint32_t H : {0u, 1u})
    for (uint32_t T = 0; T < 8; ++T)
      EXPECT_NEAR(Z.growth(*Now, H, T), T == 5 ? 3 : 4, 1e-6) << T;
}

/// Equal threads, uncorrelated totals, and totals that correlate with two of
/// different growth are no evidence; if one correlation is much better, it is
/// used. A total's scales_with takes precedence.
TEST(LoopTotals, TotalsThatGoWithNothing) {
  for (unsigned Case = 0; Case < 7; ++Case) {
    FacesScenario S;
    if (Case == 0)
      S.Exchanged.assign(8, 1000);
    for (uint32_t T = 0; T < 8 && Case == 5; ++T) {
      S.Exchanged[T] = 1000 + 10 * T;
      S.Others.push_back(2000 + 21 * T);
    }
    for (uint32_t T = 0; T < 8 && Case == 6; ++T) { // of each alike
      S.Exchanged[T] = 2 * S.Walked[T];
      S.Others.push_back(6 * S.Walked[T]);
    }
    if (Case == 1)
      S.Exchanged = {1632, 496, 400, 2112, 832, 1600, 2128, 500};
    for (uint32_t T = 0; T < 8 && Case / 2 == 1; ++T)
      S.Others.push_back(S.Exchanged[T] * (Case == 2 ? 1
                                           : T % 2   ? 1.25
                                                     : 0.8) +
                         (T % 2 ? 50 : -50));
    S.build();
    if (Case == 4) {
      for (SymbolFact &F : S.F.Symbols)
        if (F.Id == FacesScenario::Faces)
          F.ScalesWith = Scenario::n();
      S.forSymbol("n=5000");
    }
    Problem P = S.predict();
    const auto Scaled =
        P.Methods.count("count: closed form, measured symbol scaled");
    EXPECT_EQ(Scaled, Case == 2 || Case == 4 ? 1u : 0u) << Case;
    if (Scaled)
      EXPECT_NEAR(S.growth(P, 0, 3), Case == 2 ? 2 : 5, 1e-6) << Case;
  }
}

} // namespace
