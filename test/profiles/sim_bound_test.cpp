//===- sim_bound_test.cpp - lower bounds for all placements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim_records.h"
#include "simulator/policies/oracle/OracleBound.h"

using namespace evenkeel;

namespace {
OracleBounds bounds(const MissRecord &R, const Machine &M, uint64_t Fast) {
  auto Prepared = prepareRecord(R);
  EXPECT_TRUE(bool(Prepared));
  return oracleBounds(**Prepared, M, Fast);
}
} // namespace

TEST(Bound, ByHand) {
  // Two tasks, 20 pages each, weights 12 and 10: with shares a and b of pages,
  // 61000 + ... = 1000 + 72000 - 2400 a = 1000 + 60000 - 2000 b, a + b = 20.
  RecordBuilder B;
  B.phase(2);
  uint32_t X = B.instance(20 * EK_PAGE, 0, EK_NO_TASK, 1),
           Y = B.instance(20 * EK_PAGE, 0, EK_NO_TASK, 2);
  uint32_t T0 = B.thread(0, 1000), T1 = B.thread(1, 1000);
  for (uint32_t P = 0; P < 20; ++P) {
    B.row(T0, 0, X, P, 12, 0, 12);
    B.row(T1, 0, Y, P, 10, 0, 10);
  }
  MissRecord R = B.record();
  double A = 52000 / 4400.0; // 72000 - 2400 a = 60000 - 2000 (20 - a)
  double Expected = 1000 + 72000 - 2400 * A;
  OracleBounds O = bounds(R, plainMachine(), 20 * EK_PAGE);
  EXPECT_LE(O.StaticSeconds * 1e9, Expected * (1 + 1e-9));
  EXPECT_GE(O.StaticSeconds * 1e9, Expected * 0.995);
  EXPECT_LE(O.MovingSeconds, O.StaticSeconds);
  expectNs(bounds(R, plainMachine(), 40 * EK_PAGE).StaticSeconds / (1 - 1e-7),
           1000 + 24000);
}

TEST(Bound, MultipliersComeNearTheOptimum) {
  BoundProblem P;
  P.Variables = 2;
  P.Groups = {{{100, {{0, 60}}}, {90, {{1, 50}}}}};
  P.Capacities = {{1, {{0, 1}, {1, 1}}, 0}};
  // 100 - 60 x = 90 - 50 (1 - x): x = 6/11.
  double Optimum = 100 - 60 * 6 / 11.0;
  double Dual = dualBound(P);
  EXPECT_LE(Dual, Optimum * (1 + 1e-9));
  EXPECT_GE(Dual, Optimum * 0.98);
  bool Exact;
  double Best = lowerBound(P, Exact);
  EXPECT_LE(Best, Optimum * (1 + 1e-9));
  EXPECT_GE(Best, Optimum * (Exact ? 1 - 1e-6 : 0.98));
}

TEST(Bound, NothingReplaysFaster) {
  for (unsigned Seed = 0; Seed < 25; ++Seed) {
    MissRecord R = randomRecord(Seed);
    for (bool Limited : {false, true}) {
      Machine M = plainMachine();
      M.MigrationPageUs = 0.5;
      if (Limited) {
        M.LoadedLatency = {{0, 1}, {0.65, 1.05}, {0.9, 1.7}, {1, 3}};
        M.Tiers[0].ReadBandwidthGBps = 8;
        M.Tiers[1].ReadBandwidthGBps = 1;
        M.Tiers[1].WriteBandwidthGBps = 0.5;
      }
      for (uint64_t Pages : {0, 5, 20, 60}) {
        uint64_t Fast = Pages * EK_PAGE;
        OracleBounds B = bounds(R, M, Fast);
        EXPECT_GT(B.MovingSeconds, 0);
        EXPECT_LE(B.MovingSeconds, B.StaticSeconds);
        PolicyResult Oracle = run(R, M, Fast, "oracle");
        EXPECT_GE(Oracle.Oracle->StaticSeconds, B.StaticSeconds * (1 - 1e-9));
        EXPECT_GE(Oracle.MakespanSeconds, B.MovingSeconds * (1 - 1e-9));
        for (unsigned Throw = 0; Throw < 3; ++Throw) {
          Dice D(Throw, 3);
          EXPECT_GE(run(R, M, Fast, D).MakespanSeconds,
                    B.StaticSeconds * (1 - 1e-9));
        }
        for (const char *Name : {"hot-page", "tpp", "memtis", "shambles-lru"}) {
          ReplayRequest Q{&R, &M, Fast};
          for (const Tunable &T : policyTunables(Name))
            if (T.Name.find("_us") != std::string::npos)
              Q.Tuned[T.Name] = 2;
          auto P = makePolicy(Name, Q);
          ASSERT_TRUE(bool(P));
          EXPECT_GE(replay(Q, **P)->MakespanSeconds,
                    B.MovingSeconds * (1 - 1e-9))
              << Name;
        }
      }
    }
  }
}

TEST(Bound, MoreFastMemoryNeverRaisesIt) {
  for (unsigned Seed = 0; Seed < 10; ++Seed) {
    MissRecord R = randomRecord(Seed);
    double Before = 1e9;
    for (uint64_t Pages : {0, 4, 16, 64, 256}) {
      OracleBounds B = bounds(R, plainMachine(), Pages * EK_PAGE);
      EXPECT_LE(B.StaticSeconds, Before * (1 + 1e-6));
      if (B.StaticExact)
        Before = B.StaticSeconds;
    }
  }
}
