//===- sim_replay_test.cpp - replay compared with times computed by hand --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim_records.h"
#include <cmath>
#include <cstring>
#include <functional>
#include <map>

using namespace evenkeel;

TEST(Replay, OneTaskOnePage) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(4096), T = B.thread(0, 1000);
  B.row(T, 0, I, 0, 10, 2, 4);
  MissRecord R = B.record();
  PolicyResult Slow = run(R, plainMachine(), 0, "slow-only");
  PolicyResult Fast = run(R, plainMachine(), 0, "fast-only");
  expectNs(Slow.MakespanSeconds, 1000 + 4 * 300);
  expectNs(Fast.MakespanSeconds, 1000 + 4 * 100);
  EXPECT_EQ(Slow.FastAccessShare, 0);
  EXPECT_EQ(Fast.FastAccessShare, 1);
  EXPECT_EQ(Fast.PeakFastBytes, 4096u);
  ASSERT_EQ(Slow.Tasks.size(), 1u);
  expectNs(Slow.Tasks[0].Seconds, 2200);
  EXPECT_EQ(Slow.Tasks[0].Region, 7u);
}

TEST(Replay, LastQuantumIsShorterAndEmptyOnesCount) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(8192), T = B.thread(0, 4500);
  B.row(T, 0, I, 0, 1, 0, 1);
  B.row(T, 4, I, 1, 2, 0, 2);
  expectNs(run(B.record(), plainMachine(), 0, "slow-only").MakespanSeconds,
           4500 + 3 * 300);
}

TEST(Replay, CyclesRunAtTheMachinesClock) {
  RecordBuilder B;
  B.phase();
  B.thread(0, 3000);
  Machine M = plainMachine();
  M.GHz = 2.5;
  expectNs(run(B.record(), M, 0, "slow-only").MakespanSeconds, 1200);
}

TEST(Replay, BandwidthIsSharedByTasksThatRunTogether) {
  RecordBuilder B;
  B.phase(2);
  uint32_t I = B.instance(4096), A = B.thread(0, 1000), C = B.thread(1, 1000);
  B.row(A, 0, I, 0, 1000, 0, 0);
  B.row(C, 0, I, 0, 1000, 0, 0);
  Machine M = plainMachine();
  M.Tiers[1].ReadBandwidthGBps = 32; // 64000 bytes: 2000 ns alone
  PolicyResult P = run(B.record(), M, 0, "slow-only");
  expectNs(P.MakespanSeconds, 4000);
  expectNs(P.Tasks[0].Seconds, 4000);
  EXPECT_EQ(P.UnsettledEvents, 0u);
}

TEST(Replay, FullTierSlowsTasksByTheirBytes) {
  // 64 / D_A + 16 / D_B = 32e-3 with D_A = 64000 p, D_B = 1000 + 16000 p has
  // p = 1 / sqrt(512); A then finishes alone, and 80000 bytes take 2500 ns.
  RecordBuilder B;
  B.phase(2);
  uint32_t I = B.instance(4096), A = B.thread(0, 0), C = B.thread(1, 1000);
  B.row(A, 0, I, 0, 1000, 0, 0);
  B.row(C, 0, I, 0, 250, 0, 0);
  Machine M = plainMachine();
  M.Tiers[1].ReadBandwidthGBps = 32;
  PolicyResult P = run(B.record(), M, 0, "slow-only");
  expectNs(P.Tasks[1].Seconds, 1000 + 16000 / std::sqrt(512.0));
  expectNs(P.Tasks[0].Seconds, 2500);
}

TEST(Replay, TaskWithoutMissesIsNotSlowed) {
  RecordBuilder B;
  B.phase(2);
  uint32_t I = B.instance(4096), A = B.thread(0, 1000);
  B.thread(1, 6000);
  B.row(A, 0, I, 0, 1000, 0, 0);
  Machine M = plainMachine();
  M.Tiers[1].ReadBandwidthGBps = 32;
  PolicyResult P = run(B.record(), M, 0, "slow-only");
  expectNs(P.Tasks[0].Seconds, 2000);
  expectNs(P.Tasks[1].Seconds, 6000);
}

TEST(Replay, ReadsAndWritesHaveTheirOwnBandwidth) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(4096), A = B.thread(0, 100);
  B.row(A, 0, I, 0, 1000, 1000, 0);
  Machine M = plainMachine();
  M.Tiers[1].ReadBandwidthGBps = 64;
  M.Tiers[1].WriteBandwidthGBps = 32;
  expectNs(run(B.record(), M, 0, "slow-only").MakespanSeconds, 2000);
}

TEST(Replay, WriteBacksCostNoLatency) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(4096), A = B.thread(0, 100);
  B.row(A, 0, I, 0, 0, 1000, 0);
  expectNs(run(B.record(), plainMachine(), 0, "slow-only").MakespanSeconds,
           100);
}

TEST(Replay, LatencyGrowsWithUtilisation) {
  // u = 6400 / (3000 f) / 3.2 and f = 1 + 4 (u - 0.5), so f^2 + f = 8/3.
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(4096), A = B.thread(0, 0);
  B.row(A, 0, I, 0, 100, 0, 10);
  Machine M = plainMachine();
  M.LoadedLatency = {{0, 1}, {0.5, 1}, {1, 3}};
  M.Tiers[1].ReadBandwidthGBps = 3.2;
  double F = (-1 + std::sqrt(1 + 32.0 / 3)) / 2;
  EXPECT_NEAR(run(B.record(), M, 0, "slow-only").MakespanSeconds * 1e9,
              3000 * F, 1e-4);
}

TEST(Replay, CurveIsFlatBeyondItsEndAndBandwidthHolds) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(4096), A = B.thread(0, 0);
  B.row(A, 0, I, 0, 100, 0, 10); // 3000 ns idle, 6000 ns at factor 2
  Machine M = plainMachine();
  M.LoadedLatency = {{0, 1}, {0.2, 2}};
  M.Tiers[1].ReadBandwidthGBps = 6400 / 10000.0; // 10000 ns at full speed
  expectNs(run(B.record(), M, 0, "slow-only").MakespanSeconds, 10000);
  M.Tiers[1].ReadBandwidthGBps = 2 * 6400 / 6000.0; // half used at factor 2
  expectNs(run(B.record(), M, 0, "slow-only").MakespanSeconds, 6000);
}

TEST(Replay, TwoFullTiersSettle) {
  RecordBuilder B;
  B.phase(4);
  uint32_t I = B.instance(8192);
  for (uint32_t T = 0; T < 4; ++T) {
    uint32_t Task = B.thread(T, 1000);
    B.row(Task, 0, I, 0, 1000, 0, 1);
    B.row(Task, 0, I, 1, 500 * (T + 1), 0, 1);
  }
  Machine M = plainMachine();
  M.LoadedLatency = {{0, 1}, {0.65, 1.05}, {0.9, 1.7}, {1, 3}};
  M.Tiers[0].ReadBandwidthGBps = 64; // 4 * 64000 bytes: 4000 ns
  M.Tiers[1].ReadBandwidthGBps = 32; // 320000 bytes: 10000 ns
  PolicyResult P = run(B.record(), M, 4096, "first-touch");
  EXPECT_EQ(P.UnsettledEvents, 0u);
  // The slow tier is the neck; it is not full only while the last task ends.
  EXPECT_GE(P.MakespanSeconds * 1e9, 10000 * (1 - 1e-9));
  EXPECT_LE(P.MakespanSeconds * 1e9, 11000);
}

TEST(Replay, ExplicitTasksAreListScheduled) {
  RecordBuilder B(2);
  B.phase();
  uint32_t A = B.explicitTask(0, 1000), C = B.explicitTask(1, 3000);
  uint32_t D = B.explicitTask(2, 500), E = B.explicitTask(3, 200);
  B.dep(D, A);
  B.dep(E, C);
  B.dep(E, D);
  PolicyResult P = run(B.record(), plainMachine(), 0, "slow-only");
  expectNs(P.MakespanSeconds, 3200); // A D | C, then E
  expectNs(P.Tasks[3].Seconds, 200);
  expectNs(P.BarrierWaitSeconds, 2 * 3200 - 4700);
}

TEST(Replay, CreatorOccupiesItsWorker) {
  RecordBuilder B(2);
  B.phase();
  B.thread(0, 600);
  uint32_t A = B.explicitTask(0, 1000), C = B.explicitTask(1, 3000);
  uint32_t D = B.explicitTask(2, 500), E = B.explicitTask(3, 200);
  B.dep(D, A);
  B.dep(E, C);
  B.dep(E, D);
  // Worker 1: A 0-1000, D 1000-1500; worker 0: creator, C 600-3600; E.
  expectNs(run(B.record(), plainMachine(), 0, "slow-only").MakespanSeconds,
           3800);
}

TEST(Replay, TeamWidthLimitsTheWorkersOfItsTasks) {
  RecordBuilder B(8);
  B.phase(2);
  for (uint32_t T = 0; T < 4; ++T)
    B.explicitTask(T, 1000);
  expectNs(run(B.record(), plainMachine(), 0, "slow-only").MakespanSeconds,
           2000);
}

TEST(Replay, EmptyTasksTakeNoTimeAndReleaseTheirSuccessors) {
  RecordBuilder B(1);
  B.phase();
  uint32_t A = B.explicitTask(0, 0), C = B.explicitTask(1, 100);
  B.dep(C, A);
  expectNs(run(B.record(), plainMachine(), 0, "slow-only").MakespanSeconds,
           100);
}

TEST(Replay, PredecessorOfAnEarlierPhaseIsDone) {
  RecordBuilder B(1);
  B.phase();
  uint32_t A = B.explicitTask(0, 100);
  B.phase();
  uint32_t C = B.explicitTask(0, 50);
  B.dep(C, A);
  PolicyResult P = run(B.record(), plainMachine(), 0, "slow-only");
  ASSERT_EQ(P.PhaseSeconds.size(), 2u);
  expectNs(P.PhaseSeconds[1], 50);
}

TEST(Replay, VariationAndWait) {
  RecordBuilder B;
  B.phase(2);
  B.thread(0, 1000);
  B.thread(1, 3000);
  B.phase(); // one task: no variation, nobody waits
  B.thread(0, 9000);
  B.phase(2);
  B.thread(0, 1000);
  B.thread(1, 1000);
  PolicyResult P = run(B.record(), plainMachine(), 0, "slow-only");
  EXPECT_NEAR(P.Acv, (0.5 * 3000 + 0 * 1000) / 4000, 1e-9);
  expectNs(P.BarrierWaitSeconds, 2000);
  expectNs(P.MakespanSeconds, 13000);
}

TEST(Replay, ThreadsThatOnlyCarryTasksDoNotCountAsVariation) {
  RecordBuilder B(2);
  B.phase(2);
  B.thread(0, 10);
  B.thread(1, 0);
  B.explicitTask(0, 1000);
  B.explicitTask(1, 1000);
  EXPECT_NEAR(run(B.record(), plainMachine(), 0, "slow-only").Acv, 0, 1e-9);
}

TEST(Replay, ResultsTellExplicitTasksFromThreads) {
  RecordBuilder B(2);
  B.phase(2);
  B.thread(0, 10);
  B.explicitTask(0, 1000);
  PolicyResult R = run(B.record(), plainMachine(), 0, "slow-only");
  ASSERT_EQ(R.Tasks.size(), 2u);
  EXPECT_FALSE(R.Tasks[0].Explicit);
  EXPECT_TRUE(R.Tasks[1].Explicit);
  expectNs(R.Tasks[1].Seconds, 1000);
}

namespace {
/// Slow at first; asks for one page at the first hook.
class MoveOnce : public Policy {
  uint32_t Page;
  unsigned To;

public:
  MoveOnce(uint32_t Page, unsigned To = 0) : Page(Page), To(To) {}
  std::string name() const override { return "move-once"; }
  unsigned onFirstTouch(PageMap &, uint32_t, uint32_t) override { return 1; }
  void onPhaseEnd(PageMap &Map, uint32_t Phase,
                  const std::vector<TaskResult> &) override {
    if (Phase == 0)
      Map.requestMove(0, Page, To);
  }
};

MissRecord twoPhases(uint64_t SecondCycles, uint32_t Free = EK_NO_TASK) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(4096, 0, Free), T = B.thread(0, 1000);
  B.row(T, 0, I, 0, 1, 0, 1);
  B.phase();
  T = B.thread(0, SecondCycles);
  for (uint32_t Q = 0; Free == EK_NO_TASK && Q < SecondCycles / 1000; ++Q)
    B.row(T, Q, I, 0, 1, 0, 1);
  return B.record();
}
} // namespace

TEST(Migration, PageCountsAsMovedWhenItIsCopied) {
  // Copy: 1 us per page + 4096 B / 4.096 B/ns = 2000 ns. Quanta that start at
  // 0 and 1300 still find the page slow, the other eight find it fast. The page
  // is out of reach for 1000 ns, and at one line in 1300 ns the task needs it
  // meanwhile with probability 1 - exp(-10/13).
  MoveOnce P(0);
  PolicyResult R = run(twoPhases(10000), plainMachine(), 4096, P);
  const double Wait = 1000 - (1 - std::exp(-1000.0 / 1300)) * 1300;
  expectNs(R.PhaseSeconds[1], 2 * 1300 + Wait + 8 * 1100);
  EXPECT_EQ(R.MigratedBytes, 4096u);
  EXPECT_EQ(R.PeakFastBytes, 4096u);
}

TEST(Migration, WhoDoesNotUseThePageDoesNotWait) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(8192), T = B.thread(0, 1000);
  B.row(T, 0, I, 0, 1, 0, 0);
  B.row(T, 0, I, 1, 1, 0, 0);
  B.phase();
  uint32_t User = B.thread(0, 10000), Other = B.thread(1, 10000);
  for (uint32_t Q = 0; Q < 10; ++Q) {
    B.row(User, Q, I, 0, 100, 0, 0);
    B.row(Other, Q, I, 1, 100, 0, 0);
  }
  MoveOnce P(0);
  PolicyResult R = run(B.record(), plainMachine(), 4096, P);
  // Needed at once: nearly all of the 1000 ns.
  const double Wait = 1000 - (1 - std::exp(-100.0)) * 10;
  expectNs(R.Tasks[User].Seconds, 10000 + Wait);
  expectNs(R.Tasks[Other].Seconds, 10000);
}

TEST(Migration, CopyTakesBandwidthFromTheTasks) {
  // Slow tier: 4.096 B/ns. The copy alone would read 4096 B in 2000 ns; the
  // task wants 64 lines in 1000 ns. Together 8192 bytes need 2000 ns.
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(8192), T = B.thread(0, 1000);
  B.row(T, 0, I, 0, 1, 0, 0);
  B.row(T, 0, I, 1, 1, 0, 0);
  B.phase();
  T = B.thread(0, 1000);
  B.row(T, 0, I, 1, 64, 0, 0);
  Machine M = plainMachine();
  M.Tiers[1].ReadBandwidthGBps = 4.096;
  MoveOnce Move(0), Stay(0, 1);
  MissRecord R = B.record();
  double Alone = run(R, M, 4096, Stay).PhaseSeconds[1];
  double Shared = run(R, M, 4096, Move).PhaseSeconds[1];
  expectNs(Alone, 1000);
  // Both at once: 4096 (1/D + 1/(1000 + D)) = 4.096 where D is the task's time
  // and both pay the same price: D^2 - 1000 D - 1e6 = 0.
  EXPECT_NEAR(Shared * 1e9, 500 * (1 + std::sqrt(5.0)), 1e-4);
}

TEST(Migration, UnfinishedCopyNeverHappened) {
  MoveOnce P(0);
  PolicyResult R = run(twoPhases(1000), plainMachine(), 4096, P);
  expectNs(R.PhaseSeconds[1], 1300);
  EXPECT_EQ(R.MigratedBytes, 0u);
}

TEST(Migration, FullTierRefuses) {
  MoveOnce P(0);
  PolicyResult R = run(twoPhases(10000), plainMachine(), 4095, P);
  EXPECT_EQ(R.MigratedBytes, 0u);
  EXPECT_EQ(R.RefusedBytes, 4096u);
  expectNs(R.PhaseSeconds[1], 10 * 1300);
}

TEST(Migration, FreedPageIsNotCopied) {
  MoveOnce P(0);
  PolicyResult R = run(twoPhases(10000, 0), plainMachine(), 4096, P);
  EXPECT_EQ(R.MigratedBytes, 0u);
  EXPECT_EQ(R.PeakFastBytes, 0u);
}

TEST(Replay, SameBitsTwice) {
  for (unsigned Seed = 0; Seed < 10; ++Seed) {
    MissRecord R = randomRecord(Seed);
    Machine M = plainMachine();
    M.LoadedLatency = {{0, 1}, {0.65, 1.05}, {0.9, 1.7}, {1, 3}};
    M.Tiers[0].ReadBandwidthGBps = 8;
    M.Tiers[1].ReadBandwidthGBps = 2;
    M.Tiers[1].WriteBandwidthGBps = 1;
    for (const char *Name : {"first-touch", "interleave", "oracle"}) {
      PolicyResult A = run(R, M, 20 * EK_PAGE, Name);
      PolicyResult B = run(R, M, 20 * EK_PAGE, Name);
      EXPECT_EQ(A.UnsettledEvents, 0u);
      EXPECT_EQ(std::memcmp(&A.MakespanSeconds, &B.MakespanSeconds, 8), 0);
      EXPECT_EQ(std::memcmp(&A.Acv, &B.Acv, 8), 0);
      for (size_t T = 0; T < A.Tasks.size(); ++T)
        EXPECT_EQ(std::memcmp(&A.Tasks[T].Seconds, &B.Tasks[T].Seconds, 8), 0);
    }
  }
}

TEST(Replay, PreparedRecordGivesTheSameResult) {
  MissRecord R = randomRecord(3);
  Machine M = plainMachine();
  auto Prepared = prepareRecord(R);
  ASSERT_TRUE(bool(Prepared)) << Prepared.message();
  ReplayRequest Request{&R, &M, 8 * EK_PAGE, nullptr, Prepared->get()};
  auto P = makePolicy("oracle", Request);
  ASSERT_TRUE(bool(P)) << P.message();
  auto Result = replay(Request, **P);
  ASSERT_TRUE(bool(Result)) << Result.message();
  EXPECT_EQ(Result->MakespanSeconds,
            run(R, M, 8 * EK_PAGE, "oracle").MakespanSeconds);
}

namespace {
std::string refusal(const std::function<void(MissRecord &)> &Damage) {
  RecordBuilder B(2);
  B.phase(2);
  uint32_t I = B.instance(8192, 0, 0), T = B.thread(0, 2000);
  B.row(T, 0, I, 0, 2, 0, 1);
  B.row(T, 1, I, 1, 2, 0, 1);
  uint32_t A = B.explicitTask(0, 100), C = B.explicitTask(1, 100);
  B.dep(C, A);
  B.phase();
  B.thread(0, 100);
  MissRecord R = B.record();
  EXPECT_TRUE(bool(prepareRecord(R)));
  Damage(R);
  auto P = prepareRecord(R);
  return P ? "accepted" : P.message();
}
} // namespace

TEST(Malformed, RowsAreRefusedWithTableAndRow) {
  const float NotANumber = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::tuple<const char *, std::function<void(MissRecord &)>>>
      Cases = {
          {"PAGE row 1 names task 9 of 4",
           [](MissRecord &R) { R.Pages[1].task = 9; }},
          {"PAGE row 0 names instance 5 of 1",
           [](MissRecord &R) { R.Pages[0].inst = 5; }},
          {"PAGE row 1 names page 2 of 2",
           [](MissRecord &R) { R.Pages[1].page = 2; }},
          {"PAGE row 1 lies in quantum 3",
           [](MissRecord &R) { R.Pages[1].quantum = 3; }},
          {"PAGE row 0 has a weight",
           [=](MissRecord &R) { R.Pages[0].weight = NotANumber; }},
          {"PAGE row 0 has a weight",
           [](MissRecord &R) { R.Pages[0].weight = -1; }},
          {"PAGE row 0 has more dependent reads",
           [](MissRecord &R) { R.Pages[0].dependent = 3; }},
          {"PAGE row 1 is out of order",
           [](MissRecord &R) { std::swap(R.Pages[0], R.Pages[1]); }},
          {"PAGE row 1 is out of order",
           [](MissRecord &R) {
             R.Pages[0].task = 1, R.Pages[0].quantum = 0;
             R.Pages[1].task = 0;
           }},
          {"PAGE row 1 touches instance 0 outside its lifetime",
           [](MissRecord &R) { R.Pages[1].task = 3, R.Pages[1].quantum = 0; }},
          {"PAGE rows without quantum_cycles",
           [](MissRecord &R) { R.Config.quantum_cycles = 0; }},
          {"TASK row 3 is in phase 2 of 2",
           [](MissRecord &R) { R.Tasks[3].phase = 2; }},
          {"TASK row 1 is out of order",
           [](MissRecord &R) { R.Tasks[0].phase = 1; }},
          {"TASK row 0 ran on virtual worker 2 of 2",
           [](MissRecord &R) { R.Tasks[0].worker = 2; }},
          {"DEPS row 0 names task 7 of 4",
           [](MissRecord &R) { R.Deps[0].pred = 7; }},
          {"DEPS row 0 joins tasks that are not both explicit",
           [](MissRecord &R) { R.Deps[0].pred = 0; }},
          {"TASK row 1 waits for itself",
           [](MissRecord &R) { R.Deps.push_back({1, 2}); }},
          {"INST row 0 is allocated in phase 4 of 2",
           [](MissRecord &R) { R.Instances[0].alloc_phase = 4; }},
          {"INST row 0 is allocated in phase 1 and freed in phase 0 of 2",
           [](MissRecord &R) { R.Instances[0].alloc_phase = 1; }},
          {"INST row 0 is allocated in phase 0 and freed in phase 2 of 2",
           [](MissRecord &R) { R.Instances[0].free_phase = 2; }},
          {"INST row 0 brings the instances above 1 TiB",
           [](MissRecord &R) { R.Instances[0].bytes = ~uint64_t(0); }},
          {"empty miss record", [](MissRecord &R) { R.Tasks.clear(); }},
      };
  for (auto &[Expected, Damage] : Cases)
    EXPECT_NE(refusal(Damage).find(Expected), std::string::npos)
        << "wanted: " << Expected << "\ngot: " << refusal(Damage);
}

TEST(Malformed, LateWriteBackOfAFreedPageIsFine) {
  EXPECT_EQ(refusal([](MissRecord &R) {
              R.Pages[1] = R.Pages[0];
              R.Pages[1].task = 3;
              R.Pages[1].reads = 0;
            }),
            "accepted");
}

// A block at the address of a freed one whose lines were still cached: it was
// written without a fetch, and freed before the lines left the caches.
TEST(Replay, PageWrittenBackAfterItsLifeWasTouchedInIt) {
  RecordBuilder B(1);
  B.phase();
  uint32_t I = B.instance(8192, 0, 0);
  uint32_t T = B.thread(0, 1000);
  B.row(T, 0, I, 0, 3, 0, 1);
  B.phase();
  uint32_t Later = B.thread(0, 1000);
  B.row(Later, 0, I, 1, 0, 2, 0);
  MissRecord R = B.record();
  Machine M = plainMachine();
  PolicyResult Both = run(R, M, 8192, "first-touch");
  EXPECT_EQ(Both.FastAccessShare, 1);
  EXPECT_EQ(Both.PeakFastBytes, 8192u);
  // The fetched page came first; the other one finds the tier full.
  PolicyResult One = run(R, M, 4096, "first-touch");
  EXPECT_EQ(One.FastAccessShare, 0.6);
}

TEST(Malformed, MachinesAreRefused) {
  RecordBuilder B;
  B.phase();
  B.thread(0, 100);
  MissRecord R = B.record();
  auto Message = [&](const std::function<void(Machine &)> &Damage) {
    Machine M = plainMachine();
    Damage(M);
    ReplayRequest Request{&R, &M, 0};
    auto P = makePolicy("slow-only", Request);
    auto Result = replay(Request, **P);
    return Result ? "accepted" : Result.message();
  };
  EXPECT_EQ(Message([](Machine &) {}), "accepted");
  EXPECT_NE(Message([](Machine &M) { M.Tiers.pop_back(); }).find("1 tiers"),
            std::string::npos);
  EXPECT_NE(Message([](Machine &M) { M.GHz = 0; }).find("ghz"),
            std::string::npos);
  EXPECT_NE(Message([](Machine &M) {
              M.Tiers[1].WriteBandwidthGBps = 0;
            }).find("tiers[1]"),
            std::string::npos);
  EXPECT_NE(Message([](Machine &M) {
              M.LoadedLatency = {{0, 2}, {1, 1}};
            }).find("loaded_latency"),
            std::string::npos);
}
