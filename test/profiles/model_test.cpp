//===- model_test.cpp - cost models and phase times by hand ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: expected values computed in the comments.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "TempDir.h"
#include "models/Phase.h"
#include <cmath>
#include <random>

using namespace evenkeel;

namespace {

std::unique_ptr<Model> model(const std::string &Name) {
  auto M = makeModel(Name);
  EXPECT_TRUE(static_cast<bool>(M));
  return std::move(*M);
}

/// 1 ms core; unit 0: a chase of 10,000 reads, all exposed (1 ms at 100 ns);
/// unit 1: a stream of 80,000 reads, an eighth exposed, 10,000 write-backs.
TaskDemand chaseAndStream() {
  TaskDemand D;
  D.CoreSeconds = 1e-3;
  D.Units = {{0, 10000, 0, 10000}, {1, 80000, 10000, 10000}};
  return D;
}

const std::vector<double> Idle{100, 300};

double at(const Model &Mod, std::vector<double> X) {
  return Mod.seconds(chaseAndStream(), X, roundMachine(), Idle);
}

TEST(Model, Overlap) {
  auto Mod = model("overlap");
  EXPECT_NEAR(at(*Mod, {0, 0}), 7e-3, 1e-12); // 1 + 20,000 * 300 ns
  EXPECT_NEAR(at(*Mod, {1, 1}), 3e-3, 1e-12);
  EXPECT_NEAR(at(*Mod, {1, 0}), 5e-3, 1e-12);   // the chase saves 2 ms ...
  EXPECT_NEAR(at(*Mod, {0, 1}), 5e-3, 1e-12);   // ... so does all the stream
  EXPECT_NEAR(at(*Mod, {0.5, 0}), 6e-3, 1e-12); // half of it half of that
}

/// Tahoe counts every access alike: 100,000 in all, T_slow 7 ms, T_fast 3 ms.
TEST(Model, Linear) {
  auto Mod = model("linear");
  EXPECT_NEAR(at(*Mod, {0, 0}), 7e-3, 1e-12);
  EXPECT_NEAR(at(*Mod, {1, 1}), 3e-3, 1e-12);
  EXPECT_NEAR(at(*Mod, {1, 0}), 3e-3 + 4e-3 * 0.9, 1e-12);
  EXPECT_NEAR(at(*Mod, {0, 1}), 3e-3 + 4e-3 * 0.1, 1e-12);
}

TEST(Model, NoMemoryTrafficIsCoreTime) {
  TaskDemand D;
  D.CoreSeconds = 2;
  for (const std::string &Name : modelNames())
    EXPECT_EQ(model(Name)->seconds(D, {}, roundMachine(), Idle), 2);
}

/// gains() is the difference of results of seconds(), for every affine model.
TEST(Model, GainsAgreeWithSeconds) {
  for (const std::string &Name : modelNames()) {
    if (Name == "correlated")
      continue;
    auto Mod = model(Name);
    std::vector<double> G;
    Mod->gains(chaseAndStream(), roundMachine(), Idle, G);
    ASSERT_EQ(G.size(), 2u);
    EXPECT_NEAR(G[0], at(*Mod, {0, 0}) - at(*Mod, {1, 0}), 1e-12) << Name;
    EXPECT_NEAR(G[1], at(*Mod, {0, 0}) - at(*Mod, {0, 1}), 1e-12) << Name;
  }
}

/// A learned correction, for one task: trained models have no exact times, but
/// more fast memory must not make the task slower, and the end points are the
/// same as without the correction.
TEST(Model, CorrelatedFallsBetweenTheCompletePlacements) {
  auto Mod = model("correlated"), Line = model("linear");
  EXPECT_EQ(at(*Mod, {0, 0}), at(*Line, {0, 0}));
  EXPECT_EQ(at(*Mod, {1, 1}), at(*Line, {1, 1}));
  double Last = at(*Mod, {0, 0});
  for (double X = 0.02; X <= 1; X += 0.02) {
    double T = at(*Mod, {X, X});
    EXPECT_LE(T, Last * (1 + 1e-12)) << X;
    EXPECT_GE(T, at(*Mod, {1, 1}) * (1 - 1e-12)) << X;
    Last = T;
  }
  std::vector<double> G;
  Mod->gains(chaseAndStream(), roundMachine(), Idle, G);
  EXPECT_NEAR(G[0] + G[1], at(*Mod, {0, 0}) - at(*Mod, {1, 1}), 1e-12);
}

/// Tahoe's line between the time on slow memory and a learned ratio of it.
TEST(Model, CompletePlacementsAreJoinedByALine) {
  for (const char *Name : {"regression", "network"}) {
    auto Mod = model(Name);
    EXPECT_NEAR(at(*Mod, {0, 0}), 7e-3, 1e-12) << Name;
    double Fast = at(*Mod, {1, 1});
    EXPECT_GT(Fast, 0) << Name;
    EXPECT_NEAR(at(*Mod, {1, 0}), 7e-3 + 0.1 * (Fast - 7e-3), 1e-12) << Name;
    // Twice the task takes twice the time.
    TaskDemand D = chaseAndStream();
    D.CoreSeconds *= 2;
    for (UnitDemand &U : D.Units) {
      U.ReadLines *= 2;
      U.WriteLines *= 2;
      U.Exposed *= 2;
    }
    // Events are ratios, which are equal for both tasks.
    EXPECT_NEAR(Mod->seconds(D, {1, 1}, roundMachine(), Idle), 2 * Fast, 1e-12);
  }
}

TEST(Model, TrainedFilesAreCheckedForWhatTheyPredict) {
  TempDir D;
  auto Shipped = std::string(EK_SOURCE_DIR) + "/profiles/models/trained/";
  D.write("correlated.json", TempDir::read(Shipped + "network.json"));
  ::setenv("EVENKEEL_MODELS", D.path(".").c_str(), 1);
  auto M = makeModel("correlated");
  ::unsetenv("EVENKEEL_MODELS");
  EXPECT_ERROR(M, "train it anew");
}

TEST(Model, UnknownName) { EXPECT_ERROR(makeModel("best"), "overlap"); }

PredictedPhase phase(std::vector<double> Core, unsigned Workers) {
  PredictedPhase P;
  P.Workers = Workers;
  for (double C : Core) {
    PredictedTask T;
    T.Index = static_cast<uint32_t>(P.Tasks.size());
    T.Demand.CoreSeconds = C;
    P.Tasks.push_back(T);
  }
  return P;
}

TEST(Phase, SlowestTask) {
  auto Mod = model("overlap");
  std::vector<double> T;
  EXPECT_EQ(phaseSeconds(phase({1, 3, 2}, 3), {}, roundMachine(), *Mod, &T), 3);
  EXPECT_EQ(T, (std::vector<double>{1, 3, 2}));
  EXPECT_EQ(phaseSeconds(phase({}, 3), {}, roundMachine(), *Mod), 0);
}

/// Four explicit tasks on two workers: 10 s of work, 5 s each, but the chain
/// 0 -> 2 takes 1 + 5.
TEST(Phase, ListSchedule) {
  auto Mod = model("overlap");
  PredictedPhase P = phase({1, 2, 5, 2}, 2);
  for (PredictedTask &T : P.Tasks.edit())
    T.Explicit = true;
  PhaseState S = phaseState(P, {}, roundMachine(), *Mod);
  EXPECT_EQ(S.Seconds, 5);
  P.Tasks.edit()[2].Preds = {0};
  S = phaseState(P, {}, roundMachine(), *Mod);
  EXPECT_EQ(S.Seconds, 6);
  EXPECT_EQ(boundText(S.Bound, roundMachine()), "critical path");
  std::vector<uint32_t> Path;
  EXPECT_EQ(TaskGraph(P).criticalPath(S.TaskSeconds, &Path), 6);
  EXPECT_EQ(Path, (std::vector<uint32_t>{0, 2}));
  P.Workers = 1;
  S = phaseState(P, {}, roundMachine(), *Mod);
  EXPECT_EQ(S.Seconds, 10);
  EXPECT_EQ(boundText(S.Bound, roundMachine()), "work per worker");
}

TEST(Phase, PredecessorsInAnyOrder) {
  PredictedPhase P = phase({4, 1, 1}, 3);
  P.Tasks.edit()[0].Preds = {1};
  P.Tasks.edit()[1].Preds = {2};
  EXPECT_EQ(TaskGraph(P).criticalPath({4, 1, 1}), 6);
  P.Tasks.edit()[2].Preds = {0}; // a cycle: damaged, but it ends
  EXPECT_EQ(TaskGraph(P).criticalPath({4, 1, 1}), 0);
}

/// 1e9 lines of 64 bytes from a tier of 64 GB/s take a second; write-backs have
/// a limit of their own.
TEST(Phase, Bandwidth) {
  auto Mod = model("overlap");
  Machine M = roundMachine();
  M.Tiers[1].ReadBandwidthGBps = 64;
  M.Tiers[1].WriteBandwidthGBps = 32;
  PredictedPhase P = phase({0.1}, 1);
  P.Tasks.edit()[0].Demand.Units = {{0, 1e9, 0, 0}};
  PhaseState S = phaseState(P, {0}, M, *Mod);
  EXPECT_NEAR(S.Seconds, 1, 1e-9);
  EXPECT_EQ(boundText(S.Bound, M), "read bandwidth of slow");
  EXPECT_NEAR(phaseSeconds(P, {0.25}, M, *Mod), 0.75, 1e-9);
  EXPECT_NEAR(phaseSeconds(P, {1}, M, *Mod), 0.1, 1e-9);
  P.Tasks.edit()[0].Demand.Units[0].WriteLines = 1e9;
  EXPECT_NEAR(phaseSeconds(P, {0}, M, *Mod), 2, 1e-9);
}

/// The time is a fixed point: latencies under its load give the same time, for
/// every curve.
TEST(Phase, LoadedLatencyIsAFixedPointOfAnyCurve) {
  auto Mod = model("overlap");
  std::mt19937 Random(7);
  auto Upto = [&](double Most) {
    return std::uniform_real_distribution<>(0, Most)(Random);
  };
  unsigned Loaded = 0;
  for (int I = 0; I < 2000; ++I) {
    Machine M = roundMachine();
    M.LoadedLatency = {{0.1 + Upto(0.3), 1}};
    for (int K = 0; K < 4; ++K)
      M.LoadedLatency.push_back({M.LoadedLatency.back().first + Upto(0.15),
                                 M.LoadedLatency.back().second + Upto(4)});
    M.Tiers[1].ReadBandwidthGBps = 1 + Upto(20);
    const double Core = Upto(0.5), Lines = Upto(4e7), Part = Upto(1);
    PredictedPhase P = phase({Core}, 1);
    P.Tasks.edit()[0].Demand.Units = {{0, Lines, 0, Lines * Part}};
    const PhaseState S = phaseState(P, {0}, M, *Mod);
    const double Least = Lines * 64 / (M.Tiers[1].ReadBandwidthGBps * 1e9);
    auto Again = [&](double Seconds) {
      return std::max(Least, Core + 1e-9 * Lines * Part *
                                        M.Tiers[1].ReadLatencyNs *
                                        loadedFactor(M, Least / Seconds));
    };
    // If the map does not increase, the fixed point lies between the two.
    EXPECT_GE(Again(S.Seconds * (1 - 1e-7)), S.Seconds * (1 - 1e-7)) << I;
    EXPECT_LE(Again(S.Seconds * (1 + 1e-7)), S.Seconds * (1 + 1e-7)) << I;
    Loaded += loadedFactor(M, Least / S.Seconds) > 1 && S.Seconds > Least;
  }
  EXPECT_GT(Loaded, 200u);
}

/// A task waits for a tier's bandwidth in proportion to its lines: the task
/// with the most lines takes as long as the phase, a task without lines does
/// not wait.
TEST(Phase, FullTierStretchesItsTasks) {
  auto Mod = model("overlap");
  Machine M = roundMachine();
  M.Tiers[1].WriteBandwidthGBps = 64;
  PredictedPhase P = phase({0.1, 0.1, 0.1}, 3);
  P.Tasks.edit()[0].Demand.Units = {{0, 0, 1e9, 0}};
  P.Tasks.edit()[1].Demand.Units = {{0, 0, 0.5e9, 0}};
  PhaseState S = phaseState(P, {0}, M, *Mod);
  EXPECT_NEAR(S.Seconds, 1.5, 1e-9);
  EXPECT_NEAR(S.TaskSeconds[0], 1.5, 1e-9);
  EXPECT_NEAR(S.TaskSeconds[1], 0.8, 1e-9);
  EXPECT_NEAR(S.TaskSeconds[2], 0.1, 1e-9);
  // On one worker they share the wait.
  P.Workers = 1;
  for (PredictedTask &T : P.Tasks.edit())
    T.Explicit = true;
  S = phaseState(P, {0}, M, *Mod);
  EXPECT_NEAR(S.Seconds, 1.5, 1e-9);
  EXPECT_NEAR(S.TaskSeconds[0], 0.1 + 0.8, 1e-9);
  EXPECT_NEAR(S.TaskSeconds[2], 0.1, 1e-9);
}

/// A quarter of the task pushes out older lines, in slow memory; the rest
/// pushes out its own lines, in fast memory. Spread over the whole task, the
/// slow tier could keep up: 1 s of writes in 2 s.
TEST(Phase, WritesOfTheOpeningAreASpanOfTheirOwn) {
  auto Mod = model("overlap");
  Machine M = roundMachine();
  M.Tiers[0].WriteBandwidthGBps = M.Tiers[1].WriteBandwidthGBps = 64;
  PredictedPhase P = phase({2}, 1);
  P.Tasks.edit()[0].Demand.Units = {{0, 4e8, 1e9, 0, 0}, {1, 0, 1e9, 0, 1e9}};
  EXPECT_NEAR(phaseSeconds(P, {1, 0}, M, *Mod), 2, 1e-9);
  P.Tasks.edit()[0].Demand.Opening = 0.25;
  std::vector<double> T;
  EXPECT_NEAR(phaseSeconds(P, {1, 0}, M, *Mod, &T), 1 + 1.5, 1e-9);
  EXPECT_NEAR(T[0], 2.5, 1e-9);
  EXPECT_NEAR(phaseSeconds(P, {1, 1}, M, *Mod), 2.5, 1e-9);
  // Explicit tasks are at different stages.
  P.Tasks.edit()[0].Explicit = true;
  EXPECT_NEAR(phaseSeconds(P, {1, 0}, M, *Mod), 2, 1e-9);
}

/// In a walk, write-backs follow the walk: the half in the slow tier takes as
/// long as its writes, 1 s, the other 0.5 s.
TEST(Phase, WritesFollowTheWalk) {
  auto Mod = model("overlap");
  Machine M = roundMachine();
  M.Tiers[1].WriteBandwidthGBps = 64;
  PredictedPhase P = phase({1}, 1);
  auto &Units = P.Tasks.edit()[0].Demand.Units;
  Units = {{0, 1e6, 1e9, 0, 0, 0, true}, {1, 1e6, 1e9, 0, 0, 0, true}};
  EXPECT_NEAR(phaseSeconds(P, {1, 0}, M, *Mod), 1.5, 1e-6);
  for (UnitDemand &U : Units)
    U.Walked = false;
  EXPECT_NEAR(phaseSeconds(P, {1, 0}, M, *Mod), 1, 1e-6);
}

/// One task, 1 s core, E exposed reads of 1e-9 * L each. With E = 5e6 and
/// L = 200 ns idle the stall is 1 s; traffic 1e8 lines = 6.4e9 bytes on
/// 6.4 GB/s take at least 1 s. Factor 1 up to half load, then up to 3 at full:
/// D = 1 + f, u = 1/D, f = 1 + 4 (u - 1/2) => D^2 = 2 D + 4 (1 - D/2) = 4,
/// D = 2: exactly where the curve starts to rise.
TEST(Phase, LoadedLatencyIsAFixedPoint) {
  auto Mod = model("overlap");
  Machine M = roundMachine();
  M.Tiers[1].ReadLatencyNs = 200;
  M.Tiers[1].ReadBandwidthGBps = 6.4;
  M.LoadedLatency = {{0, 1}, {0.5, 1}, {1, 3}};
  PredictedPhase P = phase({1}, 1);
  P.Tasks.edit()[0].Demand.Units = {{0, 1e8, 0, 5e6}};
  EXPECT_NEAR(phaseSeconds(P, {0}, M, *Mod), 2, 1e-6);
  // Half the core time: D = 0.5 + 1 + 4 (1/D - 1/2) => D^2 + 0.5 D - 4 = 0.
  P.Tasks.edit()[0].Demand.CoreSeconds = 0.5;
  PhaseState S = phaseState(P, {0}, M, *Mod);
  double D = (-0.5 + std::sqrt(0.25 + 16)) / 2;
  EXPECT_NEAR(S.Seconds, D, 1e-6);
  EXPECT_NEAR(S.LatencyNs[1], 200 * (1 + 4 * (1 / D - 0.5)), 1e-3);
  EXPECT_EQ(S.LatencyNs[0], 100);
}

TEST(Phase, LoadedFactorInterpolates) {
  Machine M = roundMachine();
  M.LoadedLatency = {{0.2, 1}, {0.6, 2}};
  EXPECT_EQ(loadedFactor(M, 0), 1);
  EXPECT_NEAR(loadedFactor(M, 0.4), 1.5, 1e-12);
  EXPECT_EQ(loadedFactor(M, 7), 2);
  M.LoadedLatency.clear();
  EXPECT_EQ(loadedFactor(M, 1), 1);
}

} // namespace
