//===- sim_direction_test.cpp - published behaviour -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Directions and rough sizes of effects from the papers named, on synthetic
// records. Each rival is shown with the best of its grid of settings, so that
// none loses by a bad choice.
//===----------------------------------------------------------------------===//
#include "sim_records.h"
#include <map>

using namespace evenkeel;

namespace {

Machine optane() {
  Machine M = plainMachine();
  M.Tiers[0] = {"dram", 1ul << 37, 101, 101, 105, 80};
  M.Tiers[1] = {"optane", 1ul << 40, 305, 610, 39.4, 13.9};
  M.GHz = 2.3;
  M.LoadedLatency = {{0, 1}, {0.65, 1.05}, {0.8, 1.3}, {0.9, 1.7}, {1, 3}};
  M.MigrationPageUs = 12;
  M.MigrationBandwidthGBps = 8;
  return M;
}

/// The best of a policy's grid, or of every \p Stride th point of it.
PolicyResult best(const MissRecord &R, const Machine &M, uint64_t Fast,
                  const std::string &Name, size_t Stride = 1) {
  auto Prepared = prepareRecord(R);
  EXPECT_TRUE(bool(Prepared));
  PolicyResult Best;
  std::vector<Settings> Points = gridPoints(policyTunables(Name));
  for (size_t I = 0; I < Points.size(); I += Stride) {
    ReplayRequest Q{&R, &M, Fast};
    Q.Prepared = Prepared->get();
    Q.Tuned = Points[I];
    auto P = makePolicy(Name, Q);
    EXPECT_TRUE(bool(P)) << P.message();
    auto Result = replay(Q, **P);
    EXPECT_TRUE(bool(Result)) << Result.message();
    if (!I || Result->MakespanSeconds < Best.MakespanSeconds)
      Best = *Result;
  }
  return Best;
}

/// With the same samples and chunks: LRU swaps for every sample of a cold
/// chunk.
void expectWindowBeatsLru(const MissRecord &R, const Machine &M,
                          uint64_t Fast) {
  unsigned Wins = 0, All = 0;
  double Sum[2] = {0, 0};
  for (double Interval : {50.0, 200.0})
    for (double Chunk : {16.0, 64.0, 256.0}) {
      double Seconds[2];
      for (bool Window : {false, true}) {
        ReplayRequest Q{&R, &M, Fast};
        Q.Tuned = {{"interval_us", Interval}, {"chunk_kib", Chunk}};
        if (Window)
          Q.Tuned["window"] = 20;
        auto P = makePolicy(Window ? "shambles-window" : "shambles-lru", Q);
        ASSERT_TRUE(bool(P)) << P.message();
        Seconds[Window] = replay(Q, **P)->MakespanSeconds;
      }
      ++All;
      Wins += Seconds[true] < Seconds[false];
      Sum[0] += Seconds[0];
      Sum[1] += Seconds[1];
    }
  EXPECT_GT(2 * Wins, All);
  EXPECT_LT(Sum[true], Sum[false]);
}

/// One thread; in each quantum \p Pick gives (instance, page, reads, weight).
struct Access {
  uint32_t Instance, Page, Reads;
  float Weight;
};
template <typename PickFn>
void walk(RecordBuilder &B, uint32_t Task, uint32_t Quanta, PickFn Pick) {
  for (uint32_t Q = 0; Q < Quanta; ++Q) {
    std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, float>> Sum;
    for (const Access &A : Pick(Q)) {
      auto &[Reads, Weight] = Sum[{A.Instance, A.Page}];
      Reads += A.Reads;
      Weight += A.Weight;
    }
    for (auto &[Key, S] : Sum)
      B.row(Task, Q, Key.first, Key.second, S.first, 0, S.second);
  }
}

/// masim with two regions and two phases: 99 % of the random accesses go to the
/// phase's own region (SHAMBLES' evaluation).
MissRecord masim(uint32_t Pages, uint32_t Quanta) {
  RecordBuilder B(1, 20000);
  std::mt19937 Random(1);
  uint32_t Region[2] = {};
  for (uint32_t P = 0; P < 2; ++P) {
    B.phase();
    if (!P) {
      Region[0] = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 1);
      Region[1] = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 2);
    }
    uint32_t T = B.thread(0, uint64_t(Quanta) * 20000);
    walk(B, T, Quanta, [&](uint32_t) {
      std::vector<Access> V;
      for (int K = 0; K < 100; ++K)
        V.push_back({Region[Random() % 100 ? P : 1 - P],
                     uint32_t(Random() % Pages), 5, 4});
      return V;
    });
  }
  return B.record();
}

/// Blocked DGEMM: the packed block is read again and again, the other matrices
/// are swept once, in order.
MissRecord dgemm(uint32_t Pages, uint32_t Quanta) {
  RecordBuilder B(1, 20000);
  std::mt19937 Random(2);
  B.phase();
  uint32_t A = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 1);
  uint32_t Packed = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 2);
  uint32_t C = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 3);
  uint32_t T = B.thread(0, uint64_t(Quanta) * 20000);
  walk(B, T, Quanta, [&](uint32_t Q) {
    std::vector<Access> V;
    for (int K = 0; K < 90; ++K)
      V.push_back({Packed, uint32_t(Random() % Pages), 5, 2});
    for (uint32_t K = 0; K < 5; ++K) {
      uint32_t Page = uint32_t(uint64_t(Q) * Pages / Quanta + K) % Pages;
      V.push_back({A, Page, 5, 2});
      V.push_back({C, Page, 5, 2});
    }
    return V;
  });
  return B.record();
}

} // namespace

// SHAMBLES: "migration wins in masim"; Window ahead of LRU, both with the same
// samples and chunks, as there.
TEST(Published, MigrationWinsMasimAndWindowBeatsLru) {
  const uint32_t Pages = 128;
  MissRecord R = masim(Pages, 1500);
  Machine M = optane();
  uint64_t Fast = Pages * EK_PAGE; // half of the data
  double Window = best(R, M, Fast, "shambles-window").MakespanSeconds;
  expectWindowBeatsLru(R, M, Fast);
  PolicyResult Oracle = run(R, M, Fast, "oracle");
  ASSERT_TRUE(Oracle.Oracle.has_value());
  double Static = Oracle.Oracle->StaticSeconds;
  EXPECT_LT(Window, 0.95 * Static); // no static placement comes near
  EXPECT_LT(Oracle.MakespanSeconds, 0.95 * Static);
  EXPECT_LE(Oracle.MakespanSeconds, Window * 1.02);
  EXPECT_GT(Oracle.MigratedBytes, Fast);
}

// SHAMBLES: for DGEMM with a third of the data in DDR static placement is best,
// Window comes near, LRU is worst.
TEST(Published, StaticWinsDgemmAndWindowBeatsLru) {
  const uint32_t Pages = 128;
  MissRecord R = dgemm(Pages, 1000);
  Machine M = optane();
  uint64_t Fast = Pages * EK_PAGE;
  double Window = best(R, M, Fast, "shambles-window").MakespanSeconds;
  expectWindowBeatsLru(R, M, Fast);
  PolicyResult Oracle = run(R, M, Fast, "oracle");
  double Static = Oracle.Oracle->StaticSeconds;
  EXPECT_LT(Static, Window);
  EXPECT_LT(Window, 1.15 * Static);
}

// Merchandiser: hot-page migration raises the variation between tasks (by 17 %)
// and gains little over slow memory alone (4.3 %).
TEST(Published, HotPagesRaiseVariationAndGainLittle) {
  // Four tasks with work of their own; the hottest pages are all task 0's,
  // which has fewer cold ones. Fast memory holds an eighth of the data.
  RecordBuilder B(4, 20000);
  B.phase(4);
  std::mt19937 Random(3);
  const uint32_t Pages = 256, Quanta = 600;
  uint32_t I[4];
  for (uint32_t T = 0; T < 4; ++T)
    I[T] = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 1 + T, T);
  for (uint32_t T = 0; T < 4; ++T) {
    uint32_t Task = B.thread(T, Quanta * 20000);
    walk(B, Task, Quanta, [&](uint32_t) {
      std::vector<Access> V;
      for (int K = 0; K < 100; ++K) {
        bool Hot = T == 0 && Random() % 2;
        V.push_back({I[T], uint32_t(Random() % (Hot ? 32 : Pages)), 2, 2});
      }
      return V;
    });
  }
  MissRecord R = B.record();
  Machine M = optane();
  uint64_t Fast = Pages * 4 * EK_PAGE / 8;
  PolicyResult Slow = run(R, M, Fast, "slow-only");
  PolicyResult Oracle = run(R, M, Fast, "oracle");
  PolicyResult Hot = best(R, M, Fast, "hot-page");
  double Gain = Slow.MakespanSeconds / Hot.MakespanSeconds - 1;
  double Possible = Slow.MakespanSeconds / Oracle.MakespanSeconds - 1;
  EXPECT_GT(Hot.Acv, Slow.Acv);
  EXPECT_GT(Hot.FastAccessShare, 0.05); // it did move what is hot
  EXPECT_LT(Gain, 0.08);
  EXPECT_GT(Possible, 1.2 * Gain);
}

// SOAR: sequential data 13 times hotter than a chase is the wrong data to
// promote; cold-on-DRAM won by 34 %.
TEST(Published, AStreamHotterThanAChaseIsTheWrongOneToPromote) {
  RecordBuilder B(1, 20000);
  B.phase();
  const uint32_t Pages = 128, Quanta = 1500;
  uint32_t Stream = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 1);
  uint32_t Chase = B.instance(Pages * EK_PAGE, 0, EK_NO_TASK, 2);
  std::mt19937 Random(4);
  uint32_t T = B.thread(0, Quanta * 20000);
  uint32_t At = 0;
  walk(B, T, Quanta, [&](uint32_t) {
    std::vector<Access> V;
    for (int K = 0; K < 20; ++K, At = (At + 1) % Pages)
      V.push_back({Stream, At, 39, 39 / 60.f}); // 13 times the reads
    for (int K = 0; K < 60; ++K)
      V.push_back({Chase, uint32_t(Random() % Pages), 1, 1});
    return V;
  });
  MissRecord R = B.record();
  Machine M = optane();
  M.LoadedLatency = {{0, 1}};
  uint64_t Fast = Pages * EK_PAGE;
  PolicyResult Oracle = run(R, M, Fast, "oracle");
  EXPECT_LT(Oracle.FastAccessShare, 0.15); // the chase, 1 access in 14
  Plan Hottest, Critical;
  Hottest.Planner = Critical.Planner = "some";
  PlanObject O;
  O.Ranges = {{0, 256, 1}};
  O.Site = 1;
  Hottest.Objects = {O};
  O.Site = 2;
  Critical.Objects = {O};
  double HotOnDram = run(R, M, Fast, "some", &Hottest).MakespanSeconds;
  double ColdOnDram = run(R, M, Fast, "some", &Critical).MakespanSeconds;
  EXPECT_GT(HotOnDram, 1.15 * ColdOnDram);
  // Policies that count accesses end up with the stream.
  for (const char *Name : {"memtis", "hot-page"})
    EXPECT_GT(best(R, M, Fast, Name).MakespanSeconds, 1.1 * ColdOnDram) << Name;
}

// SOAR: with 80 % and more of the data on the slow tier, most migrating systems
// are slower than first touch.
TEST(Published, MostMigrationLosesToFirstTouchWhenMostIsSlow) {
  RecordBuilder B(4, 20000);
  B.phase(4);
  std::mt19937 Random(5);
  const uint32_t Pages = 1024, Quanta = 300;
  uint32_t I = B.instance(Pages * EK_PAGE);
  for (uint32_t T = 0; T < 4; ++T) {
    uint32_t Task = B.thread(T, Quanta * 20000);
    walk(B, Task, Quanta, [&](uint32_t) {
      std::vector<Access> V;
      for (int K = 0; K < 60; ++K)
        V.push_back({I, uint32_t(Random() % Pages), 3, 2});
      return V;
    });
  }
  MissRecord R = B.record();
  Machine M = optane();
  uint64_t Fast = Pages * EK_PAGE / 10;
  double FirstTouch = run(R, M, Fast, "first-touch").MakespanSeconds;
  unsigned Lose = 0, All = 0;
  for (const char *Name : {"hot-page", "numa-balancing", "tpp", "damon",
                           "memtis", "shambles-lru", "shambles-window"}) {
    ++All;
    Lose += run(R, M, Fast, Name).MakespanSeconds > FirstTouch;
  }
  EXPECT_GT(2 * Lose, All);
}

// Colloid: when the fast tier is so loaded that it is the slower one, filling
// it with the hottest pages is wrong; otherwise it is right.
TEST(Published, ALoadedFastTierIsNotToBeFilled) {
  RecordBuilder B(8, 2000);
  B.phase(8);
  std::mt19937 Random(3);
  const uint32_t Pages = 512, Quanta = 400;
  const uint32_t I = B.instance(Pages * EK_PAGE);
  for (uint32_t T = 0; T < 8; ++T) {
    const uint32_t Task = B.thread(T, Quanta * 2000);
    walk(B, Task, Quanta, [&](uint32_t) {
      std::vector<Access> V; // a quarter of the pages has all accesses
      for (int K = 0; K < 40; ++K)
        V.push_back({I, uint32_t(Random() % (Pages / 4)) * 4, 60, 2});
      return V;
    });
  }
  const MissRecord R = B.record();
  Machine M = optane();
  M.MigrationPageUs = 0.5;
  M.Tiers[1] = {"cxl", 1ul << 40, 200, 200, 40, 40};
  const uint64_t Fast = Pages * EK_PAGE / 2;
  for (const double GBps : {30.0, 400.0}) {
    M.Tiers[0] = {"dram", 1ul << 37, 100, 100, GBps, GBps};
    M.LoadedLatency = {{0, 1}, {0.6, 1.1}, {0.8, 1.5}, {0.9, 2.5}, {1, 4}};
    const PolicyResult Packs = best(R, M, Fast, "memtis"),
                       Balances = best(R, M, Fast, "colloid", 3);
    if (GBps < 100) {
      EXPECT_LT(Balances.MakespanSeconds, 0.95 * Packs.MakespanSeconds);
      EXPECT_LT(Balances.FastAccessShare, 0.8);
    } else {
      EXPECT_NEAR(Balances.MakespanSeconds / Packs.MakespanSeconds, 1, 0.05);
    }
  }
}

// ARMS: data that is hot for long moves, data that is hot once does not.
TEST(Published, ArmsMovesWhatRepaysIt) {
  Machine M = optane();
  const uint32_t Pages = 128;
  const MissRecord Stays = masim(Pages, 1500);
  const uint64_t Fast = Pages * EK_PAGE;
  EXPECT_LT(best(Stays, M, Fast, "arms").MakespanSeconds,
            0.97 * run(Stays, M, Fast, "first-touch").MakespanSeconds);
  // A window of 32 pages that goes on through all of the data.
  RecordBuilder B(1, 20000);
  B.phase();
  std::mt19937 Random(4);
  const uint32_t Quanta = 300, All = 1024, I = B.instance(All * EK_PAGE);
  const uint32_t T = B.thread(0, Quanta * 20000);
  walk(B, T, Quanta, [&](uint32_t Q) {
    std::vector<Access> V;
    for (int K = 0; K < 100; ++K)
      V.push_back(
          {I, (Q * All / Quanta + uint32_t(Random() % 32)) % All, 5, 4});
    return V;
  });
  const MissRecord Passes = B.record();
  const PolicyResult Arms = run(Passes, M, All * EK_PAGE / 4, "arms");
  EXPECT_LT(Arms.MigratedBytes, All * EK_PAGE / 4);
  EXPECT_LT(
      Arms.MakespanSeconds,
      1.02 * run(Passes, M, All * EK_PAGE / 4, "first-touch").MakespanSeconds);
}
