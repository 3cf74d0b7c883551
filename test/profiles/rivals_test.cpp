//===- rivals_test.cpp - the papers' planners, by hand and by property ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "models/Phase.h"
#include "planner/Planner.h"
#include "planner/Rivals.h"
#include "problem/ReachedTiers.h"
#include <gtest/gtest.h>
#include <random>

using namespace evenkeel;

namespace {

Machine machine() {
  Machine M;
  M.Name = "plain";
  M.Cores = 8;
  M.GHz = 2;
  M.Tiers = {{"fast", 1 << 30, 100, 100, 100, 100},
             {"slow", 1 << 30, 300, 300, 30, 30}};
  M.LoadedLatency = {{0, 1}, {1, 1}};
  M.MigrationPageUs = 1;
  M.MigrationBandwidthGBps = 10;
  return M;
}

uint32_t instance(Problem &P, double Bytes, uint64_t Site, unsigned Parts = 1,
                  uint32_t Alloc = 0, uint32_t Free = EK_NO_TASK) {
  PredictedInstance I;
  I.Site = Site;
  I.Bytes = Bytes;
  I.AllocPhase = Alloc;
  I.FreePhase = Free;
  P.Instances.push_back(I);
  uint32_t First = uint32_t(P.Units.size());
  for (unsigned K = 0; K < Parts; ++K)
    P.Units.push_back({uint32_t(P.Instances.size() - 1), 256 * K / Parts,
                       256 * (K + 1) / Parts, Bytes / Parts});
  return First;
}

PredictedPhase phase(uint32_t Number) {
  PredictedPhase H;
  H.Phase = Number;
  H.Workers = 8;
  return H;
}

void task(PredictedPhase &H, std::vector<UnitDemand> Units, double Core = 0) {
  PredictedTask T;
  T.Region = 7;
  T.Index = uint32_t(H.Tasks.size());
  T.Demand = {Core, std::move(Units)};
  H.Tasks.push_back(std::move(T));
}

Placement place(const char *Name, const Problem &P, Settings S = {}) {
  auto Pl = makePlanner(Name, S);
  EXPECT_TRUE(bool(Pl)) << Pl.message();
  auto Mod = makeModel("overlap");
  return (*Pl)->place(P, machine(), **Mod);
}

/// A stream (unit 0) 13 times hotter than a chase (unit 1) of the same size, at
/// the same time or one after the other.
Problem streamAndChase(bool Apart) {
  Problem P;
  P.FastBytes = 1e6;
  uint32_t S = instance(P, 1e6, 1), C = instance(P, 1e6, 2);
  PredictedPhase H = phase(0), Later = phase(1);
  UnitDemand Stream{S, 13e4, 0, 13e4 / 60}, Chase{C, 1e4, 0, 1e4};
  if (Apart) {
    task(H, {Stream});
    task(Later, {Chase});
  } else {
    task(H, {Stream, Chase});
  }
  P.Phases = {H, Later};
  return P;
}

const char *const All[] = {"greedy-5", "tahoe", "ecohmem", "hmem-advisor",
                           "aol",      "x-mem", "unimem"};

} // namespace

TEST(Rivals, HotnessIsNotCriticality) {
  using Shares = std::vector<double>;
  for (bool Apart : {false, true}) {
    Problem P = streamAndChase(Apart);
    EXPECT_EQ(place("ecohmem", P).FastShare, Shares({1, 0})); // counts accesses
    EXPECT_EQ(place("hmem-advisor", P).FastShare, Shares({1, 0}));
    EXPECT_EQ(place("density", P).FastShare, Shares({1, 0}));
    EXPECT_EQ(place("x-mem", P).FastShare, Shares({0, 1})); // knows patterns
  }
  // A score per interval distinguishes them if they are used in different
  // intervals.
  EXPECT_EQ(place("aol", streamAndChase(true)).FastShare, Shares({0, 1}));
}

TEST(Aol, OneIntervalMixesWhatRunsTogether) {
  // AOL is 17 cycles: the stream's 13/14 of the accesses are divided by 12 and
  // come out just above the chase's 1/14.
  EXPECT_EQ(place("aol", streamAndChase(false)).FastShare,
            std::vector<double>({1, 0}));
}

TEST(Aol, CorrectionsRaiseColdObjectsWhereAccessesOverlap) {
  // Six streams of 30 % to 2 % of the accesses: with AOL below 40 what has
  // less than 3 % counts twelve-fold, so the smallest wins per byte.
  Problem P;
  P.FastBytes = 1e6;
  PredictedPhase H = phase(0);
  std::vector<UnitDemand> Units;
  double Lines[] = {3e4, 3e4, 2e4, 1e4, 6e3, 2e3};
  for (uint64_t K = 0; K < 6; ++K)
    Units.push_back({instance(P, 1e6, K + 1), Lines[K], 0, Lines[K] / 20});
  task(H, Units);
  P.Phases.push_back(H);
  EXPECT_EQ(place("aol", P, {{"factors", 0}}).FastShare[0], 1);
  Placement Corrected = place("aol", P);
  EXPECT_EQ(Corrected.FastShare[0], 1); // 30 % is neither hot nor cold
  P.Phases[0].Tasks.edit()[0].Demand.Units[5].ReadLines = 2.9e3;
  P.Phases[0].Tasks.edit()[0].Demand.Units[5].Exposed = 2.9e3 / 20;
  EXPECT_EQ(place("aol", P).FastShare[5], 1); // 2.9 % times 12
}

TEST(Greedy5, ServesTheSlowestUntilItIsNoLonger) {
  // Task 0 has twice the accesses of task 1, on data of its own, in 20 parts;
  // the fast memory holds one of the two objects.
  Problem P;
  P.FastBytes = 1e6;
  uint32_t A = instance(P, 1e6, 1, 20), B = instance(P, 1e6, 2, 20);
  PredictedPhase H = phase(0);
  std::vector<UnitDemand> X, Y;
  for (uint32_t K = 0; K < 20; ++K) {
    X.push_back({A + K, 2000, 0, 2000});
    Y.push_back({B + K, 1200, 0, 1200});
  }
  task(H, X);
  task(H, Y);
  P.Phases.push_back(H);
  Placement R = place("greedy-5", P);
  double OfA = 0, OfB = 0;
  for (uint32_t K = 0; K < 20; ++K) {
    OfA += R.FastShare[A + K] / 20;
    OfB += R.FastShare[B + K] / 20;
  }
  // 12 - 8 a = 7.2 - 4.8 b with a + b = 1 (ms): a = 0.75; 5 % steps.
  EXPECT_NEAR(OfA, 0.75, 0.051);
  EXPECT_NEAR(OfA + OfB, 1, 1e-6);
  EXPECT_NEAR(
      phaseSeconds(P.Phases[0], R.FastShare, machine(), **makeModel("overlap")),
      6e-3, 0.4e-3);
}

TEST(Tahoe, SplitsEvenlyAmongTasksOfOneType) {
  Problem P;
  P.FastBytes = 1e6;
  uint32_t A = instance(P, 1e6, 1, 10), B = instance(P, 1e6, 2, 10);
  PredictedPhase H = phase(0);
  std::vector<UnitDemand> X, Y;
  for (uint32_t K = 0; K < 10; ++K) {
    X.push_back({A + K, 2000, 0, 2000});
    Y.push_back({B + K, 1000, 0, 1000});
  }
  task(H, X);
  task(H, Y);
  P.Phases.push_back(H);
  Placement R = place("tahoe", P);
  double OfA = 0;
  for (uint32_t K = 0; K < 10; ++K)
    OfA += R.FastShare[A + K] / 10;
  EXPECT_NEAR(OfA, 0.5, 1e-9);
}

namespace {
Problem twoPhases(double Lines) {
  Problem P;
  P.FastBytes = 1e6;
  uint32_t A = instance(P, 1e6, 1), B = instance(P, 1e6, 2);
  for (uint32_t N = 0; N < 2; ++N) {
    PredictedPhase H = phase(N);
    task(H, {{A, N ? Lines / 100 : Lines, 0, N ? Lines / 100 : Lines},
             {B, N ? Lines : Lines / 100, 0, N ? Lines : Lines / 100}});
    P.Phases.push_back(H);
  }
  return P;
}
} // namespace

TEST(Unimem, MovesWhenThePhaseGainsMoreThanTheMoveCosts) {
  // A megabyte takes 0.34 ms to move, and the phase before hides some of it.
  Placement Long = place("unimem", twoPhases(1e5)); // 20 ms at stake
  ASSERT_EQ(Long.Changes.size(), 1u);
  EXPECT_EQ(Long.Changes[0].Phase, 1u);
  EXPECT_EQ(Long.FastShare, (std::vector<double>{1, 0}));
  EXPECT_EQ(Long.Changes[0].FastShare, (std::vector<double>{0, 1}));
  Placement Short = place("unimem", twoPhases(100)); // 20 us
  EXPECT_TRUE(Short.Changes.empty());
}

TEST(EcoHmem, FillsUpByLifetimes) {
  // Two objects that never live together both fit, if lifetimes are considered.
  Problem P;
  P.FastBytes = 1e6;
  uint32_t A = instance(P, 1e6, 1, 1, 0, 0), B = instance(P, 1e6, 2, 1, 1, 1);
  for (uint32_t N = 0; N < 2; ++N) {
    PredictedPhase H = phase(N);
    task(H, {{N ? B : A, 1000, 0, 1000}});
    P.Phases.push_back(H);
  }
  EXPECT_EQ(place("ecohmem", P).FastShare, (std::vector<double>{1, 1}));
  EXPECT_EQ(place("ecohmem", P, {{"extra", 0}}).FastShare,
            (std::vector<double>{1, 0}));
}

TEST(HmemAdvisor, HasTheLimitsOfTheOriginal) {
  // Of two objects that never live together one stays in slow memory: the step
  // that fills up by lifetimes looks at process 10.
  Problem P;
  P.FastBytes = 1e6;
  uint32_t A = instance(P, 9e5, 1, 1, 0, 0), B = instance(P, 9e5, 2, 1, 1, 1);
  for (uint32_t N = 0; N < 2; ++N) {
    PredictedPhase H = phase(N);
    task(H, {{N ? B : A, N ? 1000.0 : 2000.0, 0, 1000}});
    P.Phases.push_back(H);
  }
  EXPECT_EQ(place("hmem-advisor", P).FastShare, (std::vector<double>{1, 0}));
  // Objects are whole, so with a page less neither has room.
  P.FastBytes = 9e5 - 4096;
  EXPECT_EQ(place("hmem-advisor", P).FastShare, (std::vector<double>{0, 0}));
}

TEST(HmemAdvisor, SwapsByFixedThresholds) {
  // Object 2 is read while slow memory is busy, object 1 while it is not.
  Problem P;
  P.FastBytes = 1 << 20;
  uint32_t A = instance(P, 1 << 20, 1), B = instance(P, 1 << 19, 2, 1, 1, 1);
  for (uint32_t N = 0; N < 3; ++N) {
    PredictedPhase H = phase(N);
    std::vector<UnitDemand> Units{{A, 30000, 0, 30000}};
    if (N == 1)
      Units.push_back({B, 20000, 0, 200});
    task(H, Units);
    P.Phases.push_back(H);
  }
  Settings Often = {{"hertz", 10000}}, Off = {{"bw", 0}};
  EXPECT_EQ(place("hmem-advisor", P, Off).FastShare,
            (std::vector<double>{1, 0}));
  EXPECT_EQ(place("hmem-advisor", P).FastShare, (std::vector<double>{1, 0}));
  EXPECT_EQ(place("hmem-advisor", P, Often).FastShare,
            (std::vector<double>{0, 1}));
}

TEST(EcoHmem, SwapsForBandwidth) {
  // Unit 0 is used a little all the time and denser per byte; unit 1 lives for
  // one phase and needs bandwidth there.
  Problem P;
  P.FastBytes = 1e6;
  uint32_t A = instance(P, 1e5, 1), B = instance(P, 1e6, 2, 1, 3, 3);
  for (uint32_t N = 0; N < 5; ++N) {
    PredictedPhase H = phase(N);
    std::vector<UnitDemand> Units{{A, 1000, 0, 1000}};
    if (N == 3)
      Units.push_back({B, 20000, 0, 200});
    task(H, Units);
    P.Phases.push_back(H);
  }
  EXPECT_EQ(place("ecohmem", P).FastShare, (std::vector<double>{1, 0}));
  EXPECT_EQ(place("ecohmem", P, {{"high", 0.1}}).FastShare,
            (std::vector<double>{0, 1}));
}

TEST(Rivals, NeverPlanMoreThanFits) {
  for (unsigned Seed = 0; Seed < 30; ++Seed) {
    std::mt19937 Random(Seed);
    auto Pick = [&](uint32_t From, uint32_t To) {
      return From + uint32_t(Random() % (To - From + 1));
    };
    Problem P;
    P.FastBytes = Pick(1, 30) * 1e5;
    uint32_t Phases = Pick(1, 4);
    for (uint32_t I = 0, E = Pick(1, 6); I < E; ++I) {
      uint32_t From = Pick(0, Phases - 1);
      instance(P, Pick(1, 20) * 1e5, 1 + I / 2, Pick(1, 8), From,
               Pick(0, 1) ? Pick(From, Phases - 1) : EK_NO_TASK);
    }
    for (uint32_t N = 0; N < Phases; ++N) {
      PredictedPhase H = phase(N);
      for (uint32_t T = 0; T < 4; ++T) {
        std::vector<UnitDemand> Units;
        for (uint32_t U = 0; U < P.Units.size(); ++U)
          if (isLive(P.Instances[P.Units[U].Instance], N) && Pick(0, 1)) {
            double Reads = Pick(1, 40000);
            Units.push_back({U, Reads, Reads / 3, Reads / Pick(1, 20)});
          }
        task(H, Units, 1e-4);
      }
      P.Phases.push_back(H);
    }
    for (const char *Name : All)
      for (const Settings &S : gridPoints(plannerTunables(Name))) {
        Placement R = place(Name, P, S);
        ASSERT_EQ(R.FastShare.size(), P.Units.size());
        std::vector<double> X = R.FastShare;
        size_t Next = 0;
        for (uint32_t N = 0; N < Phases; ++N) {
          for (; Next < R.Changes.size() && R.Changes[Next].Phase <= N; ++Next)
            for (size_t U = 0; U < X.size(); ++U)
              if (P.Instances[P.Units[U].Instance].AllocPhase <= N)
                X[U] = R.Changes[Next].FastShare[U];
          double Used = 0;
          for (size_t U = 0; U < X.size(); ++U) {
            EXPECT_GE(X[U], 0);
            EXPECT_LE(X[U], 1 + 1e-9);
            if (isLive(P.Instances[P.Units[U].Instance], N))
              Used += X[U] * P.Units[U].Bytes;
          }
          EXPECT_LE(Used, P.FastBytes * (1 + 1e-9))
              << Name << " seed " << Seed << " phase " << N;
        }
      }
  }
}

TEST(Rivals, NamesAliasesAndSettings) {
  EXPECT_EQ((*makePlanner("merchandiser"))->name(), "greedy-5");
  EXPECT_EQ((*makePlanner("soar"))->name(), "aol");
  for (const std::string &Name : plannerNames()) {
    ASSERT_TRUE(bool(makePlanner(Name))) << Name;
    EXPECT_EQ((*makePlanner(Name))->name(), Name);
  }
  EXPECT_FALSE(bool(makePlanner("aol", {{"step", 1}})));
  EXPECT_FALSE(bool(makePlanner("balanced", {{"step", 1}})));
}

TEST(Tiers, ThoseOutOfReachAreLeftOut) {
  Machine M = machine();
  M.Tiers.insert(M.Tiers.begin() + 1, M.Tiers[1]);
  M.Tiers[1].Name = "middle";
  M.Tiers[1].CapacityBytes = 1000;
  EXPECT_EQ(withoutUnreachedTiers(M, 1000).Tiers.size(), 2u);
  EXPECT_EQ(withoutUnreachedTiers(M, 1000).Tiers[1].Name, "middle");
  EXPECT_EQ(withoutUnreachedTiers(M, 1001).Tiers.size(), 3u);
  EXPECT_EQ(withoutUnreachedTiers(machine(), 1).Tiers.size(), 2u);
}
