//===- sim_system_test.cpp - policies inside phases -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sim_records.h"
#include "simulator/DramCache.h"
#include "simulator/System.h"
#include <map>
#include <set>

using namespace evenkeel;

namespace {

/// Everything slow; each test adds the data it examines.
class Probe : public Policy {
public:
  Watch W;
  std::function<void(System &)> Tick;
  std::function<void(System &, uint32_t, uint64_t, double)> Fault;

  std::string name() const override { return "probe"; }
  Watch watch() const override { return W; }
  unsigned onFirstTouch(PageMap &, uint32_t, uint32_t) override { return 1; }
  void onTick(System &S) override {
    if (Tick)
      Tick(S);
  }
  void onFault(System &S, uint32_t T, uint64_t P, double Since) override {
    if (Fault)
      Fault(S, T, P, Since);
  }
};

/// One task reads page 0 of one instance once per quantum of 1000 cycles.
MissRecord pulse(unsigned Quanta, uint32_t Reads = 1) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(4 * EK_PAGE), T = B.thread(0, Quanta * 1000);
  for (unsigned Q = 0; Q < Quanta; ++Q)
    B.row(T, Q, I, 0, Reads, 0, float(Reads));
  return B.record();
}

} // namespace

TEST(Ticks, ComeAtTheirTimesAcrossPhases) {
  RecordBuilder B;
  B.phase();
  B.thread(0, 250);
  B.phase();
  B.thread(0, 260);
  Probe P;
  P.W.TickNs = 100;
  std::vector<double> At;
  P.Tick = [&](System &S) { At.push_back(S.nowNs()); };
  PolicyResult R = run(B.record(), plainMachine(), 0, P);
  expectNs(R.MakespanSeconds, 510);
  EXPECT_EQ(At, (std::vector<double>{100, 200, 300, 400, 500}));
}

TEST(AccessedBits, SayWhatWasUsedSinceTheLastTick) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(2 * EK_PAGE), T = B.thread(0, 4000);
  B.row(T, 0, I, 0, 1, 0, 0);
  B.row(T, 2, I, 1, 0, 1, 0);
  Probe P;
  P.W.TickNs = 900;
  P.W.Uses = true;
  std::string Seen;
  P.Tick = [&](System &S) {
    Seen += S.usedSinceLastTick(0) ? 'A' : '-';
    Seen += S.usedSinceLastTick(1) ? 'B' : '-';
  };
  run(B.record(), plainMachine(), 0, P);
  EXPECT_EQ(Seen, "A----B--"); // at 900, 1800, 2700 and 3600
}

TEST(Traps, ChargeTheFaultAndTheOwnMove) {
  Probe P;
  P.W.TickNs = 500;
  P.W.Traps = true;
  double Trapped = -1, Since = -1, Now = -1;
  uint32_t Task = 9;
  P.Tick = [&](System &S) {
    if (Trapped < 0) {
      Trapped = S.nowNs();
      S.trap(0);
    }
  };
  P.Fault = [&](System &S, uint32_t T, uint64_t Page, double At) {
    Task = T, Since = At, Now = S.nowNs();
    EXPECT_FALSE(S.isTrapped(Page));
    EXPECT_TRUE(S.moveNow(Page, 0));
    EXPECT_FALSE(S.moveNow(Page, 0)); // it is there
  };
  // 1300; then a fault, a page move (1 us and 4096 bytes at 4.096 B/ns) and two
  // quanta with the page in fast memory.
  PolicyResult R = run(pulse(3), plainMachine(), EK_PAGE, P);
  expectNs(R.MakespanSeconds, 1300 + (FaultNs + 2000 + 1100) + 1100);
  EXPECT_EQ(Task, 0u);
  EXPECT_EQ(Since, 500);
  EXPECT_NEAR(Now, 1300, 1e-6);
  EXPECT_EQ(R.Faults, 1u);
  EXPECT_EQ(R.PromotedBytes, uint64_t(EK_PAGE));
  EXPECT_EQ(R.DemotedBytes, 0u);
  EXPECT_EQ(R.MigratedBytes, uint64_t(EK_PAGE));
}

TEST(Traps, NoRoomNoMove) {
  Probe P;
  P.W.TickNs = 500;
  P.W.Traps = true;
  P.Tick = [&](System &S) { S.trap(0); };
  P.Fault = [&](System &S, uint32_t, uint64_t Page, double) {
    EXPECT_FALSE(S.moveNow(Page, 0));
  };
  PolicyResult R = run(pulse(2), plainMachine(), EK_PAGE - 1, P);
  expectNs(R.MakespanSeconds, 1300 + FaultNs + 1300);
  EXPECT_EQ(R.MigratedBytes, 0u);
  EXPECT_EQ(R.RefusedBytes, uint64_t(EK_PAGE));
}

TEST(Samples, OneInSoManyAccessesAndPaidFor) {
  Probe P;
  P.W.TickNs = 1e6;
  P.W.SamplePeriod = 10;
  PolicyResult R = run(pulse(5, 7), plainMachine(), 0, P);
  EXPECT_EQ(R.Samples, 3u); // of 35 reads
  expectNs(R.MakespanSeconds, 5 * (1000 + 7 * 300) + 3 * SampleNs);
}

TEST(NextAccess, FindsPagesAsOftenAsTheyAreRead) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(2 * EK_PAGE), T = B.thread(0, 1000000);
  for (unsigned Q = 0; Q < 1000; ++Q) {
    B.row(T, Q, I, 0, 1, 0, 0);
    B.row(T, Q, I, 1, 3, 0, 0);
  }
  Probe P;
  P.W.TickNs = 2000;
  std::map<uint64_t, unsigned> Seen;
  unsigned All = 0;
  P.Tick = [&](System &S) {
    SampledAccess A;
    ASSERT_TRUE(S.nextAccess(A));
    ++Seen[A.Page];
    ++All;
  };
  PolicyResult R = run(B.record(), plainMachine(), 0, P);
  EXPECT_EQ(R.Faults, All);
  expectNs(R.MakespanSeconds, 1000000 + All * FaultNs);
  EXPECT_GT(All, 600u);
  EXPECT_NEAR(double(Seen[1]) / All, 0.75, 0.06);
}

TEST(Counters, GiveExposedLatencyPerRead) {
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(EK_PAGE), T = B.thread(0, 1000);
  B.row(T, 0, I, 0, 40, 0, 10);
  Probe P;
  P.W.TickNs = 500;
  double Aol = 0;
  P.Tick = [&](System &S) {
    if (S.reads() > 0)
      Aol = S.stallNs() / S.reads();
  };
  run(B.record(), plainMachine(), 0, P);
  EXPECT_NEAR(Aol, 10 * 300 / 40.0, 1e-9);
}

TEST(MemoryMode, HitsMissesAndConflictsByHand) {
  // A cache of one page: page 0 misses, hits, is displaced by page 1, misses.
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(2 * EK_PAGE), T = B.thread(0, 4000);
  for (uint32_t Page : {0, 0, 1, 0})
    B.row(T, B.record().Pages.size(), I, Page, 64, 0, 64);
  MissRecord R = B.record();
  PolicyResult Two = run(R, plainMachine(), 2 * EK_PAGE, "memory-mode");
  expectNs(Two.MakespanSeconds, 4000 + 64 * (4 * 100 + 2 * 300));
  EXPECT_EQ(Two.FastAccessShare, 0.5);
  PolicyResult One = run(R, plainMachine(), EK_PAGE, "memory-mode");
  expectNs(One.MakespanSeconds, 4000 + 64 * (4 * 100 + 3 * 300));
  EXPECT_EQ(One.FastAccessShare, 0.25);
  // Without a cache there is nothing to look up, but the lookup takes its time.
  PolicyResult None = run(R, plainMachine(), 0, "memory-mode");
  expectNs(None.MakespanSeconds, 4000 + 64 * 4 * 400);
}

TEST(MemoryMode, TransfersTakeBandwidthOfBothTiers) {
  // 64 reads miss: 4096 bytes each are read from slow, written to and looked up
  // in fast memory. At 1 B/ns for fast writes the fill is the neck.
  Machine M = plainMachine();
  M.Tiers[0].WriteBandwidthGBps = 1;
  RecordBuilder B;
  B.phase();
  uint32_t I = B.instance(EK_PAGE), T = B.thread(0, 1000);
  B.row(T, 0, I, 0, 64, 0, 1);
  expectNs(run(B.record(), M, EK_PAGE, "memory-mode").MakespanSeconds, 4096);
}

TEST(DramCache, LinesBalance) {
  for (bool Shuffled : {false, true}) {
    RecordBuilder B;
    B.phase();
    B.thread(0, 1000);
    B.instance(40 * EK_PAGE);
    MissRecord R = B.record();
    auto Prepared = prepareRecord(R);
    ASSERT_TRUE(bool(Prepared));
    DramCache C(**Prepared, 7 * EK_PAGE, Shuffled);
    std::mt19937 Random(3);
    uint64_t Reads = 0, Writes = 0, Hits = 0, Misses = 0, Back = 0, Dirty = 0;
    for (int Step = 0; Step < 20000; ++Step) {
      uint32_t R1 = Random() % 80, W1 = Random() % 20;
      DramCache::Transfers T = C.access(Random() % 40, R1, W1);
      Reads += R1;
      Writes += W1;
      Hits += T.ReadHits + T.WriteHits;
      Misses += T.ReadMisses + T.WriteMisses;
      Back += T.WrittenBack;
      Dirty = std::max(Dirty, C.dirtyLines());
    }
    EXPECT_EQ(Hits + Misses, Reads + Writes);
    EXPECT_LE(C.residentLines(), 7u * 64);
    EXPECT_GT(C.residentLines(), 6u * 64); // full by now
    EXPECT_LE(C.dirtyLines(), C.residentLines());
    EXPECT_GT(Back, 0u);
    EXPECT_LE(Back + C.dirtyLines(), Writes);
    C.release(0, 40);
    EXPECT_EQ(C.residentLines(), 0u);
  }
}

TEST(DramCache, WrittenLinesComeBackOnceEach) {
  RecordBuilder B;
  B.phase();
  B.thread(0, 1000);
  B.instance(2 * EK_PAGE);
  MissRecord R = B.record();
  auto Prepared = prepareRecord(R);
  DramCache C(**Prepared, EK_PAGE, false);
  EXPECT_EQ(C.access(0, 0, 10).WrittenBack, 0u);
  EXPECT_EQ(C.dirtyLines(), 10u);
  // The other page's first 4 lines evict the first 4, then all the rest.
  EXPECT_EQ(C.access(1, 4, 0).WrittenBack, 4u);
  EXPECT_EQ(C.access(1, 60, 0).WrittenBack, 6u);
  EXPECT_EQ(C.dirtyLines(), 0u);
}

namespace {
/// Keeps the books of another policy at every tick.
class Books : public Policy {
  std::unique_ptr<Policy> Inner;

public:
  uint32_t Instances = 0;
  uint64_t PlacedFast = 0, FastAtEnd = 0; // bytes
  explicit Books(std::unique_ptr<Policy> P) : Inner(std::move(P)) {}
  std::string name() const override { return Inner->name(); }
  Watch watch() const override { return Inner->watch(); }
  CacheMode cacheMode() const override { return Inner->cacheMode(); }
  void onAlloc(PageMap &M, uint32_t I) override { Inner->onAlloc(M, I); }
  unsigned onFirstTouch(PageMap &M, uint32_t I, uint32_t P) override {
    unsigned Tier = Inner->onFirstTouch(M, I, P);
    if (M.tier(I, P) == PageMap::Unplaced)
      Tier = M.placeFrom(I, P, Tier);
    PlacedFast += Tier == 0 ? M.pageBytes(I, P) : 0;
    return Tier;
  }
  void onFault(System &S, uint32_t T, uint64_t P, double N) override {
    Inner->onFault(S, T, P, N);
  }
  void onTick(System &S) override {
    Inner->onTick(S);
    EXPECT_LE(S.Map.used(0), S.Map.capacity(0));
  }
  void onPhaseEnd(PageMap &M, uint32_t Phase,
                  const std::vector<TaskResult> &Tasks) override {
    Inner->onPhaseEnd(M, Phase, Tasks);
    uint64_t Sum = 0;
    for (uint32_t I = 0; I < Instances; ++I)
      for (uint32_t P = 0; M.isLive(I) && P < M.pages(I); ++P)
        if (M.tier(I, P) == 0)
          Sum += M.pageBytes(I, P);
    FastAtEnd = Sum;
    // Batches in progress hold room in addition to the pages there.
    EXPECT_GE(M.used(0), Sum);
    EXPECT_LE(M.used(0), Sum + 64 * uint64_t(EK_PAGE));
  }
};

const char *const Watchers[] = {"weighted-interleave",
                                "memory-mode",
                                "hot-page",
                                "numa-balancing",
                                "tpp",
                                "damon",
                                "memtis",
                                "colloid",
                                "arms",
                                "shambles-lru",
                                "shambles-window",
                                "alto"};

Settings quick(const std::string &Name) {
  Settings S;
  for (const Tunable &T : policyTunables(Name))
    if (T.Name.find("_us") != std::string::npos)
      S[T.Name] = 2; // random records last some ten microseconds
  for (const Tunable &T : policyTunables(Name))
    if (T.Name == "chunk_kib")
      S["chunk_kib"] = 8;
  return S;
}
} // namespace

TEST(Properties, MigrationsBalanceAndReplaysRepeat) {
  uint64_t Moved = 0;
  for (unsigned Seed = 0; Seed < 12; ++Seed) {
    MissRecord R = randomRecord(Seed);
    // Half of the records free nothing, so that the final fast pages are those
    // placed there, plus moves in, minus moves out.
    const bool Keeps = Seed % 2;
    for (ek_raw_inst &I : R.Instances)
      I.free_phase = Keeps ? EK_NO_TASK : I.free_phase;
    Machine M = plainMachine();
    M.MigrationPageUs = 0.1;
    for (const char *Name : Watchers) {
      ReplayRequest Q{&R, &M, 30 * EK_PAGE};
      Q.Tuned = quick(Name);
      PolicyResult Twice[2];
      for (PolicyResult &Once : Twice) {
        auto P = makePolicy(Name, Q);
        ASSERT_TRUE(bool(P)) << P.message();
        Books B(std::move(*P));
        B.Instances = uint32_t(R.Instances.size());
        auto Result = replay(Q, B);
        ASSERT_TRUE(bool(Result)) << Result.message();
        Once = *Result;
        EXPECT_EQ(Once.MigratedBytes, Once.PromotedBytes + Once.DemotedBytes);
        EXPECT_LE(Once.PeakFastBytes, 30u * EK_PAGE) << Name;
        if (Keeps)
          EXPECT_EQ(B.PlacedFast + Once.PromotedBytes - Once.DemotedBytes,
                    B.FastAtEnd)
              << Name;
      }
      Moved += Twice[0].MigratedBytes;
      EXPECT_EQ(Twice[0].MakespanSeconds, Twice[1].MakespanSeconds) << Name;
      EXPECT_EQ(Twice[0].MigratedBytes, Twice[1].MigratedBytes) << Name;
      EXPECT_EQ(Twice[0].Faults, Twice[1].Faults) << Name;
    }
  }
  EXPECT_GT(Moved, 0u);
}

TEST(PageSet, FindsTheNextMemberAsAnOrderedSetDoes) {
  std::mt19937_64 Random(1);
  for (uint64_t Pages : {1, 64, 4096, 5000, 600000}) {
    PageSet S(Pages);
    std::set<uint64_t> Want;
    for (unsigned I = 0; I < 20000; ++I) {
      // Few places, far apart, so that whole groups stay empty.
      const uint64_t P = Random() % 7 * (Pages / 7) + Random() % 130 % Pages;
      if (P >= Pages)
        continue;
      switch (Random() % 4) {
      case 0:
        S.erase(P);
        Want.erase(P);
        break;
      case 1:
        S.insert(P);
        Want.insert(P);
        break;
      case 2:
        if (Random() % 50 == 0) {
          S.erase(P, P + 100);
          Want.erase(Want.lower_bound(P), Want.lower_bound(P + 100));
        }
        break;
      default:
        auto Next = Want.lower_bound(P);
        ASSERT_EQ(S.next(P), Next == Want.end() ? PageSet::None : *Next);
        ASSERT_EQ(S.contains(P), Want.count(P) != 0);
      }
      ASSERT_EQ(S.size(), Want.size());
    }
    EXPECT_EQ(S.next(Pages + 100000), PageSet::None);
  }
}

// Sums that policies receive equal those from looking at each page.
TEST(Properties, SetsOfPagesAreWhatAScanFinds) {
  uint64_t Fast = 0, Slow = 0, Gone = 0, Used = 0;
  for (unsigned Seed = 0; Seed < 12; ++Seed) {
    MissRecord R = randomRecord(Seed);
    Probe P;
    P.W.TickNs = 2000;
    P.W.Uses = true;
    P.Tick = [&](System &S) {
      std::set<uint64_t> Found[4]; // fast, slow, placed, used
      for (uint64_t G = 0; G < S.totalPages(); ++G) {
        const uint8_t T = S.tierOf(G);
        if (T != PageMap::Unplaced && S.Map.isLive(S.locate(G).first))
          Found[T != 0].insert(G);
        if (T != PageMap::Unplaced)
          Found[2].insert(G);
        if (S.usedSinceLastTick(G))
          Found[3].insert(G);
      }
      const PageSet *Told[] = {&S.Map.fastPages(), &S.Map.slowPages(),
                               &S.Map.placedPages()};
      for (unsigned I = 0; I < 3; ++I) {
        std::set<uint64_t> Members;
        for (uint64_t G = Told[I]->next(0); G != PageSet::None;
             G = Told[I]->next(G + 1))
          Members.insert(G);
        ASSERT_EQ(Members, Found[I]);
        ASSERT_EQ(Told[I]->size(), Found[I].size());
      }
      ASSERT_EQ(std::set(S.used().begin(), S.used().end()), Found[3]);
      ASSERT_EQ(S.used().size(), Found[3].size());
      Fast += Found[0].size();
      Slow += Found[1].size();
      Gone += Found[2].size() - Found[0].size() - Found[1].size();
      Used += Found[3].size();
      for (unsigned I = 0; I < 5; ++I)
        S.requestMove(S.random() % S.totalPages(), S.random() % 2);
    };
    run(R, plainMachine(), 30 * EK_PAGE, P);
  }
  for (uint64_t Times : {Fast, Slow, Gone, Used})
    EXPECT_GT(Times, 0u);
}

TEST(RandomNumbers, AreTheSameInAnyOrder) {
  std::vector<uint64_t> One, Other;
  for (bool Ahead : {false, true}) {
    Probe P;
    P.W.TickNs = 1000;
    P.Tick = [&](System &S) {
      std::vector<uint64_t> &Out = Ahead ? Other : One;
      Out.push_back(S.random());
      RandomNumbers Taken;
      if (Ahead)
        Taken = S.takeRandom(100);
      for (unsigned I = 0; I < 100; ++I)
        Out.push_back(Ahead ? Taken[I] : S.random());
    };
    run(pulse(3), plainMachine(), 0, P);
  }
  EXPECT_EQ(One, Other);
  EXPECT_EQ(std::set(One.begin(), One.end()).size(), One.size());
  EXPECT_GT(One.size(), 101u);
}

// A record's pages are those of its address space. Policies ignore pages that
// are never touched.
TEST(Properties, UntouchedMemoryMakesNoDifference) {
  for (unsigned Seed = 0; Seed < 4; ++Seed)
    for (const char *Name : {"hot-page", "numa-balancing", "tpp", "alto",
                             "memtis", "colloid", "arms"}) {
      MissRecord R = randomRecord(Seed);
      Machine M = plainMachine();
      M.MigrationPageUs = 0.1;
      std::vector<PolicyResult> Results;
      for (bool Large : {false, true}) {
        if (Large) // behind all others, so that their numbers stay
          R.Instances.push_back({99, 0, 0, 0, uint64_t(1) << 30,
                                 uint32_t(R.Phases.size() - 1), EK_NO_TASK, 0,
                                 0});
        ReplayRequest Q{&R, &M, 30 * EK_PAGE};
        Q.Tuned = quick(Name);
        if (Name == std::string("hot-page"))
          Q.Tuned["sampled"] = 1; // or it chooses among all pages
        auto P = makePolicy(Name, Q);
        ASSERT_TRUE(bool(P)) << P.message();
        auto Result = replay(Q, **P);
        ASSERT_TRUE(bool(Result)) << Result.message();
        Results.push_back(*Result);
      }
      EXPECT_EQ(Results[0].MakespanSeconds, Results[1].MakespanSeconds) << Name;
      EXPECT_EQ(Results[0].MigratedBytes, Results[1].MigratedBytes) << Name;
      EXPECT_EQ(Results[0].Faults, Results[1].Faults) << Name;
      EXPECT_EQ(Results[0].Samples, Results[1].Samples) << Name;
    }
}

TEST(Settings, UnknownOnesAreRefused) {
  MissRecord R = pulse(1);
  Machine M = plainMachine();
  ReplayRequest Q{&R, &M, 0};
  Q.Tuned["window"] = 5;
  EXPECT_TRUE(bool(makePolicy("shambles-window", Q)));
  auto P = makePolicy("shambles-lru", Q);
  ASSERT_FALSE(bool(P));
  EXPECT_EQ(P.message(), "'shambles-lru' has no setting 'window'; it has "
                         "interval_us, chunk_kib");
  Q.Tuned["window"] = -1;
  EXPECT_FALSE(bool(makePolicy("shambles-window", Q)));
}

TEST(Settings, DefaultsLieOnTheGrid) {
  unsigned Points = 0;
  for (const std::string &Name : policyNames()) {
    const std::vector<Tunable> &All = policyTunables(Name);
    for (const Tunable &T : All) {
      EXPECT_TRUE(std::is_sorted(T.Grid.begin(), T.Grid.end())) << T.Name;
      EXPECT_EQ(std::count(T.Grid.begin(), T.Grid.end(), T.Default), 1)
          << Name << "." << T.Name;
    }
    Points += All.empty() ? 0 : unsigned(gridPoints(All).size());
  }
  EXPECT_GT(Points, 100u);
}
