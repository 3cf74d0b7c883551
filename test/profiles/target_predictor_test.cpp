//===- target_predictor_test.cpp - all stages together --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the result of all stages together, and what a predictor reuses from
// hook to hook.
//===----------------------------------------------------------------------===//
#include "StageScenario.h"
#include "TempDir.h"
#include "predict/TargetPredictor.h"
#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>
#include <set>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

constexpr uint64_t MiB = 1 << 20;

/// A program that does not change is predicted to behave as measured.
TEST(TargetPredictor, SameInputSameDemands) {
  Scenario S(2, 5000);
  uint32_t A = S.addObject(1, 4 * MiB, Scenario::times(4096, Scenario::n()));
  S.B.Instances[A].bytes = 4096000;
  S.addAccess(1, "random", Scenario::n(), Scenario::n());
  S.addMisses(0, A, 2560, 0.5, 256);
  S.addMisses(1, A, 5120, 0.25, 512);
  Problem P = S.predict();
  ASSERT_EQ(P.Phases.size(), 1u);
  ASSERT_EQ(P.Phases[0].Tasks.size(), 2u);
  UnitDemand D = total(P.Phases[0].Tasks[0].Demand);
  EXPECT_NEAR(D.ReadLines, 2560, 1e-9);
  EXPECT_NEAR(D.WriteLines, 256, 1e-9);
  EXPECT_NEAR(D.Exposed, 1280, 1e-9);
  EXPECT_NEAR(P.Phases[0].Tasks[1].Demand.CoreSeconds, 5e-6, 1e-15);
  EXPECT_EQ(P.Instances[0].Bytes, 4096000);
  EXPECT_EQ(P.PeakBytes, 4096000);
}

TEST(TargetPredictor, PeakCountsWhatLivesTogether) {
  Scenario S;
  S.B.Phases.push_back({0, 0, 1});
  S.addObject(1, 3000);
  S.addObject(2, 5000);
  S.B.Instances[0].free_phase = 0;
  S.B.Instances[1].alloc_phase = 1;
  S.R.Fast = "10%";
  Problem P = S.predict();
  EXPECT_EQ(P.PeakBytes, 5000);
  EXPECT_EQ(P.FastBytes, 500);
}

TEST(TargetPredictor, DependencesStayWithinTheirPhase) {
  Scenario S(2);
  S.B.Phases.push_back({0, 1, 2});
  for (uint32_t I = 0; I < 3; ++I)
    S.B.Tasks.push_back({Scenario::Region, 1, I, 0, 1, 10, 10, 0});
  S.B.Deps = {{3, 2}, {2, 0}};
  Problem P = S.predict();
  ASSERT_EQ(P.Phases[1].Tasks.size(), 3u);
  EXPECT_EQ(P.Phases[1].Tasks[1].Preds, (std::vector<uint32_t>{0}));
  EXPECT_TRUE(P.Phases[1].Tasks[0].Preds.empty());
  EXPECT_EQ(P.Phases[1].Workers, 2u);
}

TEST(TargetPredictor, Refusals) {
  Scenario S(2);
  S.addObject(1, 4096);
  S.forSymbol("zz=1");
  EXPECT_ERROR(predictTarget(S.R), "no symbol 'zz'");
  S.R.For.clear();
  S.forSymbol("n@5=1");
  EXPECT_ERROR(predictTarget(S.R), "threads");
  S.R.For.clear();
  S.R.Fast = "much";
  EXPECT_ERROR(predictTarget(S.R), "'much'");
  S.R.Fast = "1%";
  S.B.Role = "target";
  EXPECT_ERROR(predictTarget(S.R), "role 'target'");
  S.B.Role = "base";
  S.addSymbol(0x60, "main:omp_get_num_threads()", "derived", 2);
  S.forSymbol("omp_get_num_threads()=4");
  EXPECT_ERROR(predictTarget(S.R), "number of threads");
  S.R.For.clear();
  S.B.Tasks.clear();
  EXPECT_ERROR(predictTarget(S.R), "empty profile");
}

/// Zero counts, zero sizes, empty phases: finite numbers everywhere.
TEST(TargetPredictor, Degenerate) {
  Scenario S(2, 0);
  uint32_t A = S.addObject(1, 0, Scenario::times(0, Scenario::n()));
  S.B.Phases.push_back({0, 1, 0});
  S.addAccess(1, "random", makeConst(0), makeConst(0));
  S.B.Accesses.push_back({0, A, 0, 0});
  S.B.Misses.push_back({0, A, 0, 0, 0, 0, 0, 0});
  S.B.Curves.push_back({0, A, {0, 0, 0, 0, 0, 0, 0, 0}});
  S.B.Config.llc_share_bytes = 0;
  S.forSymbol("n=2000");
  Problem P = S.predict();
  for (const PredictedTask &T : P.Phases[0].Tasks) {
    EXPECT_TRUE(std::isfinite(T.Demand.CoreSeconds));
    for (const UnitDemand &U : T.Demand.Units)
      EXPECT_TRUE(std::isfinite(U.ReadLines) && std::isfinite(U.Exposed));
  }
}

static void learnStepByStep(bool Given) {
  constexpr uint64_t From = 0x31, To = 0x32, Step = 0x33, Trip = 0x34,
                     Whole = 0x35, Part = 0x36, Pace = 0x37;
  constexpr uint32_t Phases = 6;
  Scenario S(2, 5000);
  const ExprRef Length =
      makeOp("+", {makeSymbol(To), Scenario::times(-1, makeSymbol(From))});
  uint32_t A = S.addObject(1, 4096000, Scenario::times(4096, Scenario::n()));
  uint32_t C = S.addObject(2, 80000, Scenario::times(80, makeSymbol(Step)));
  S.addAccess(1, "stream", Scenario::times(10, Length));
  S.addAccess(2, "random", makeOp("*", {makeSymbol(Trip), makeSymbol(Step)}));
  uint32_t D = S.addObject(3, 120000, Scenario::times(120, Scenario::n()));
  S.addAccess(3, "random", Scenario::times(2, makeSymbol(Part)));
  for (uint32_t H = 0; H < Phases; ++H) {
    if (H)
      S.B.Phases.push_back({H % 3 ? 0x40u : 0x41u, 1, 2});
    for (uint32_t T : {0u, 1u}) {
      const uint32_t Row = 2 * H + T;
      if (H)
        S.B.Tasks.push_back({Scenario::Region, H, T, T, 0, 5000, 5000, 0});
      S.addSymbol(From, "f:from", "derived", H % 2 ? 100 : 0, Row);
      S.addSymbol(To, "f:to", "derived", H % 2 ? 300 : 100, Row);
      S.addSymbol(Trip, "f:trip", "measured", H % 2 ? 20 + T : 0, Row);
      S.addMisses(Row, A, H % 2 ? 5120 : 2560, 0.5);
      if (H % 2)
        S.addMisses(Row, C, 700 + 10 * T, 0.4);
      if (H == 2) {
        S.addSymbol(Part, "f:part", "measured", T ? 3100 : 1900, Row);
        S.addMisses(Row, D, 1000 + 100 * T, 0.4);
      }
    }
  }
  S.addSymbol(Step, "main:step", "given", 10);
  for (SymbolFact &X : S.F.Symbols)
    if (X.Id == Trip)
      X.ScalesWith = makeOp("*", {makeSymbol(Pace), Length});
  S.addSymbol(Whole, "main:whole", "given", 5000);
  S.addSymbol(Pace, "main:pace", "given", 7);
  if (Given)
    S.forSymbol("n=2000");
  std::mt19937 Random(7);
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  TargetPredictor Shared(S.R);
  std::vector<KnownSymbol> Known;
  std::set<std::vector<double>> Seen;
  for (unsigned Hook = 0; Hook < 300; ++Hook) {
    for (size_t Most = Below(4) ? 0 : Below(8); Most && !Known.empty(); --Most)
      Known.erase(Known.begin() + Below(unsigned(Known.size())));
    const uint32_t H = Below(Phases), Twice = 1 + Below(3);
    std::vector<KnownSymbol> New;
    switch (Below(6)) {
    case 0:
      New = {{From, H % 2 ? 100.0 * Twice : 0, H},
             {To, (H % 2 ? 300.0 : 100.0) * Twice, H}};
      break;
    case 1:
      New = {{From, double(Below(50)), H}, {To, 60.0 + Below(500), H}};
      break;
    case 2:
      New = {{Step, 10.0 + Below(3), EK_NO_TASK}};
      break;
    case 3:
      New = {{Whole, 6000.0 + Below(3), EK_NO_TASK}};
      break;
    case 4:
      New = {{Pace, 8.0 + Below(3), EK_NO_TASK}};
      break;
    }
    for (const KnownSymbol &K : New) {
      auto Old = std::find_if(Known.begin(), Known.end(), [&](auto &O) {
        return O.Symbol == K.Symbol && O.Phase == K.Phase;
      });
      if (Old == Known.end())
        Known.push_back(K);
      else
        *Old = K;
    }
    std::vector<PredictedInstance> Sizes(Below(2));
    for (PredictedInstance &I : Sizes) {
      I.Site = 2;
      I.Bytes = 80000 + 8000 * Below(3);
    }
    Expected<Problem> Again = Shared.predict(Sizes, 0, Known);
    Expected<Problem> One = TargetPredictor(S.R).predict(Sizes, 0, Known);
    ASSERT_TRUE(Again && One);
    ASSERT_EQ(linesByPhase(*Again), linesByPhase(*One)) << Hook;
    ASSERT_EQ(Again->Methods, One->Methods) << Hook;
    for (uint32_t P = 0; P < Phases; ++P)
      for (uint32_t T : {0u, 1u}) {
        const PredictedTask &X = Again->Phases[P].Tasks[T];
        const PredictedTask &Y = One->Phases[P].Tasks[T];
        ASSERT_EQ(X.Demand.CoreSeconds, Y.Demand.CoreSeconds) << Hook;
        ASSERT_EQ(X.Accesses, Y.Accesses) << Hook;
        ASSERT_EQ(X.Determined, Y.Determined) << Hook;
      }
    Seen.insert(linesByPhase(*One));
  }
  EXPECT_GT(Seen.size(), 100u) << "what is known matters";
}

/// A predictor whose known values (of phases and of the program) appear, change
/// and disappear gives the same results as a new one.
TEST(TargetPredictor, OnePredictorLearnsAsNewOnesDo) {
  for (bool Given : {true, false})
    learnStepByStep(Given);
}

/// A predictor that is used repeatedly gives the same results as a new one.
TEST(TargetPredictor, OnePredictorForAllHooks) {
  Scenario S(2, 5000);
  S.B.Phases.push_back({0x41, 1, 2});
  for (uint32_t T : {0u, 1u})
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 5000, 5000, 0});
  uint32_t A = S.addObject(1, 4 * MiB, Scenario::times(4096, Scenario::n()));
  uint32_t C = S.addObject(2, MiB);
  S.addAccess(1, "random", Scenario::n(), Scenario::n());
  S.addAccess(2, "stream", Scenario::times(3, Scenario::n()));
  for (uint32_t T = 0; T < 4; ++T) {
    S.addMisses(T, A, 100000 * (T + 1), 0.5, 256);
    S.addMisses(T, C, 700, 0.1 * T, 30, 8, 9);
  }
  auto Known = [](uint64_t Site, double Bytes) {
    PredictedInstance K;
    K.Site = Site;
    K.Bytes = Bytes;
    return K;
  };
  TargetPredictor Shared(S.R);
  const std::vector<std::vector<PredictedInstance>> Hooks = {
      {},
      {Known(1, 8 * MiB)},
      {Known(1, 8 * MiB), Known(2, 300000)},
      {Known(2, MiB / 2)},
      {}};
  for (size_t H = 0; H < Hooks.size(); ++H) {
    S.R.KnownSizes = Hooks[H];
    Problem One = S.predict();
    Expected<Problem> Again = Shared.predict(Hooks[H]);
    ASSERT_TRUE(static_cast<bool>(Again));
    EXPECT_EQ(Again->Methods, One.Methods) << H;
    EXPECT_EQ(Again->FastBytes, One.FastBytes) << H;
    ASSERT_EQ(Again->Phases.size(), 2u);
    for (unsigned F = 0; F < 2; ++F)
      for (unsigned T = 0; T < 2; ++T) {
        const TaskDemand &X = One.Phases[F].Tasks[T].Demand;
        const TaskDemand &Y = Again->Phases[F].Tasks[T].Demand;
        EXPECT_EQ(X.CoreSeconds, Y.CoreSeconds);
        ASSERT_EQ(X.Units.size(), Y.Units.size());
        for (size_t U = 0; U < X.Units.size(); ++U) {
          EXPECT_EQ(X.Units[U].ReadLines, Y.Units[U].ReadLines);
          EXPECT_EQ(X.Units[U].WriteLines, Y.Units[U].WriteLines);
          EXPECT_EQ(X.Units[U].Exposed, Y.Units[U].Exposed);
        }
      }
  }
  // Finished phases remain only if measured times are compared with them.
  Expected<Problem> Rest = Shared.predict({Known(2, MiB)}, 1);
  ASSERT_TRUE(static_cast<bool>(Rest));
  EXPECT_EQ(Rest->Phases[0].Tasks.size(),
            Rest->Phases[0].Gathered.empty() ? 0u : 2u);
  EXPECT_EQ(Rest->Phases[1].Tasks.size(), 2u);
}

/// Bytes that live at the same time, not all that ever live.
TEST(TargetPredictor, StageOfPeakBytes) {
  std::vector<PredictedInstance> All(3);
  All[0].Bytes = 10;
  All[0].FreePhase = 1;
  All[1].Bytes = 20;
  All[1].AllocPhase = 1;
  All[2].Bytes = 15;
  All[2].AllocPhase = 2;
  EXPECT_EQ(peakBytes(All, 3), 35);
  EXPECT_EQ(peakBytes(All, 2), 30) << "phases that the target has";
}

/// Each rule by which a stage guesses is in the file of its name.
TEST(TargetPredictor, RulesAreFiles) {
  const std::string Folder = EK_SOURCE_DIR "/profiles/predict/";
  std::ifstream Table(EK_SOURCE_DIR "/profiles/tuning.def");
  std::string Line;
  unsigned Rules = 0;
  const std::string Start = "EK_STAGE_RULE(";
  while (std::getline(Table, Line)) {
    if (Line.rfind(Start, 0) != 0)
      continue;
    const std::string Name =
        Line.substr(Start.size(), Line.find(',') - Start.size());
    ++Rules;
    bool Found = false;
    for (const char *Stage :
         {"base", "demands", "symbols", "sizes", "counts", "traffic"})
      Found |= bool(std::ifstream(Folder + Stage + "/" + Name + ".cpp"));
    EXPECT_TRUE(Found) << Name;
  }
  EXPECT_GT(Rules, 3u);
}

} // namespace
