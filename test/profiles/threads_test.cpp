//===- threads_test.cpp - base profiles for other thread counts -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scenario.h"
#include "predict/base/Threads.h"
#include <random>
#include <set>

using namespace evenkeel;

namespace {

constexpr uint64_t MiB = 1 << 20;

Profile dealt(const Scenario &S, unsigned Threads) {
  Expected<Profile> P = withThreads(S.B, S.F, Threads);
  EXPECT_TRUE(static_cast<bool>(P)) << (P ? "" : P.message());
  return P ? *P : Profile();
}

/// The lines that task \p T of a profile fetches of an object.
struct Fetched {
  uint64_t Reads = 0, Writes = 0;
  double Weight = 0;
  unsigned First = EK_CHUNKS, Last = 0;
};
Fetched fetched(const Profile &P, uint32_t T, uint32_t Inst) {
  Fetched F;
  for (const ek_raw_miss &M : P.Misses)
    if (M.task == T && M.inst == Inst && M.reads + M.writes) {
      F.Reads += M.reads;
      F.Writes += M.writes;
      F.Weight += M.weight;
      F.First = std::min(F.First, M.chunk);
      F.Last = std::max(F.Last, M.chunk);
    }
  return F;
}
uint64_t accesses(const Profile &P, uint32_t T, uint32_t Inst) {
  uint64_t Sum = 0;
  for (const ek_raw_access &A : P.Accesses)
    if (A.task == T && A.inst == Inst)
      Sum += A.reads + A.writes;
  return Sum;
}

/// Two threads walk through a half each of object 0, fetch all of object 1,
/// which they gather from, and all of object 2, which they walk through.
struct Halves : Scenario {
  Halves() : Scenario(2, 8000) {
    for (uint64_t Site : {1, 2, 3})
      addObject(Site, MiB);
    addAccess(1, "stream", makeOp("share", {n()}));
    addAccess(2, "random", makeOp("share", {n()}));
    addAccess(3, "stream", n());
    for (uint32_t T : {0u, 1u}) {
      addMisses(T, 0, 12800, 0.5, 6400, T * 128, T * 128 + 128);
      addMisses(T, 1, 25600, 0.25);
      addMisses(T, 2, 25600, 0.125);
    }
  }
};

TEST(Threads, PartsOfTheWork) {
  Halves S;
  const Profile P = dealt(S, 4);
  ASSERT_EQ(P.Tasks.size(), 4u);
  EXPECT_EQ(P.Phases[0].width, 4u);
  EXPECT_EQ(P.Config.workers, 4u);
  for (uint32_t T = 0; T < 4; ++T) {
    EXPECT_EQ(P.Tasks[T].index, T);
    EXPECT_EQ(P.Tasks[T].worker, T);
    const Fetched Own = fetched(P, T, 0);
    EXPECT_EQ(Own.Reads, 6400u);
    EXPECT_EQ(Own.Writes, 3200u);
    EXPECT_DOUBLE_EQ(Own.Weight, 3200);
    EXPECT_EQ(Own.First, T * 64);
    EXPECT_EQ(Own.Last, T * 64 + 63);
    // Half of the gathered lines, from everywhere.
    const Fetched Any = fetched(P, T, 1);
    EXPECT_EQ(Any.Reads, 12800u);
    EXPECT_EQ(Any.First, 0u);
    EXPECT_EQ(Any.Last, 255u);
    // Each walks through all of it, the expression says.
    EXPECT_EQ(fetched(P, T, 2).Reads, 25600u);
    EXPECT_EQ(accesses(P, T, 0), 8u * 6400 + 8 * 3200);
    EXPECT_EQ(accesses(P, T, 2), 8u * 25600);
    // Computing goes with accesses: 76.8, 102.4 and 204.8 thousand of 153.6,
    // 204.8 and 204.8.
    EXPECT_EQ(P.Tasks[T].core_cycles,
              uint64_t(8000 * (76.8 + 102.4 + 204.8) / (153.6 + 204.8 + 204.8) +
                       0.5));
  }
  const Profile One = dealt(S, 1);
  ASSERT_EQ(One.Tasks.size(), 1u);
  EXPECT_EQ(fetched(One, 0, 0).Reads, 25600u);
  EXPECT_EQ(fetched(One, 0, 0).Last, 255u);
  EXPECT_EQ(fetched(One, 0, 2).Reads, 25600u);
}

TEST(Threads, TheSameNumberChangesNothing) {
  Halves S;
  const Profile P = dealt(S, 2);
  EXPECT_EQ(P.Misses.size(), S.B.Misses.size());
  EXPECT_EQ(P.Tasks[1].core_cycles, 8000u);
}

/// Three threads from two: the second gets the end of the first's range and the
/// beginning of the other's.
TEST(Threads, PartsOfSeveral) {
  Halves S;
  const Profile P = dealt(S, 3);
  ASSERT_EQ(P.Tasks.size(), 3u);
  uint64_t Sum = 0;
  for (uint32_t T = 0; T < 3; ++T) {
    const Fetched Own = fetched(P, T, 0);
    EXPECT_NEAR(double(Own.Reads), 25.6 * (T ? 333 : 334), 1); // share()
    EXPECT_NEAR(Own.First, T * 256 / 3.0, 1);
    EXPECT_NEAR(Own.Last + 1, (T + 1) * 256 / 3.0, 1);
    Sum += Own.Reads;
  }
  EXPECT_NEAR(double(Sum), 25600, 3);
}

/// Half of an object misses like all of it would in caches twice as large.
TEST(Threads, PartsFitBetter) {
  Halves S;
  for (uint32_t T : {0u, 1u})
    // Sizes 64K 128K 256K 512K 1M(share) 2M 4M 8M.
    S.B.Curves.push_back(
        {T, 0, {12800, 12800, 12800, 12800, 12800, 6400, 0, 0}});
  const Profile P = dealt(S, 4);
  EXPECT_EQ(fetched(P, 3, 0).Reads, 3200u);
  EXPECT_DOUBLE_EQ(fetched(P, 3, 0).Weight, 1600);
  const ek_raw_mrc &C = P.Curves[3];
  EXPECT_EQ(C.task, 3u);
  EXPECT_EQ(C.reads[3], 6400u); // with 512K as with 1M
  EXPECT_EQ(C.reads[4], 3200u);
  EXPECT_EQ(C.reads[5], 0u);
}

/// Bounds, numbers of threads, totals of loops that deal and that do not.
TEST(Threads, Values) {
  Halves S;
  constexpr uint64_t Lower = 0x31, Number = 0x32, Count = 0x33, Dealt = 0x34,
                     Steps = 0x35, Same = 0x36, Upper = 0x37, Last = 0x38,
                     Seed = 0x39;
  S.addSymbol(Count, "main:omp_get_max_threads()", "given", 2);
  for (uint32_t T : {0u, 1u}) {
    S.addSymbol(Lower, "f:lower", "derived", T * 500, T);
    S.addSymbol(Upper, "f:upper", "derived", T * 500 + 500, T);
    S.addSymbol(Last, "f:last", "derived", T * 500 + 499, T);
    S.addSymbol(Seed, "f:seed", "derived", 99 - T * 55, T);
    S.addSymbol(Number, "f:omp_get_thread_num()", "derived", T, T);
    S.addSymbol(Dealt, "f:trip.1", "measured", 4000, T);
    S.addSymbol(Steps, "f:trip.2", "measured", 12, T);
    S.addSymbol(Same, "f:width", "given", 77, T);
  }
  const Profile P = dealt(S, 4);
  auto Of = [&](uint64_t Symbol) {
    std::vector<double> Out;
    for (const ek_raw_symbol &X : P.Symbols)
      if (X.symbol == Symbol)
        Out.push_back(S.F.symbol(Symbol)->Kind == SymbolFact::Measured
                          ? X.sum
                          : double(X.first));
    return Out;
  };
  using V = std::vector<double>;
  EXPECT_EQ(Of(Lower), V({0, 250, 500, 750}));
  EXPECT_EQ(Of(Upper), V({250, 500, 750, 1000}));
  EXPECT_EQ(Of(Last), V({249, 499, 749, 999}));
  EXPECT_EQ(Of(Seed), V({})) << "no bound";
  EXPECT_EQ(Of(Number), V({0, 1, 2, 3}));
  EXPECT_EQ(Of(Count), V({4}));
  EXPECT_EQ(Of(Dealt), V({2000, 2000, 2000, 2000}));
  EXPECT_EQ(Of(Steps), V({12, 12, 12, 12}));
  EXPECT_EQ(Of(Same), V({77, 77, 77, 77}));
}

/// Each thread's own buffer: as many as there are threads, each its own.
TEST(Threads, ObjectsThatEachMakes) {
  Halves S;
  for (uint32_t T : {0u, 1u}) {
    const uint32_t I = S.addObject(9, 65536);
    S.B.Instances[I].creator = T;
    S.B.Instances[I].ordinal = 0;
    S.addMisses(T, I, 2560, 1);
  }
  for (unsigned Threads : {4u, 1u}) {
    const Profile P = dealt(S, Threads);
    ASSERT_EQ(P.Instances.size(), 3u + Threads);
    for (uint32_t T = 0; T < Threads; ++T) {
      EXPECT_EQ(P.Instances[3 + T].creator, T);
      for (uint32_t U = 0; U < Threads; ++U)
        EXPECT_EQ(fetched(P, T, 3 + U).Reads, T == U ? 5120 / Threads : 0u);
    }
  }
}

/// Of four threads two: bounds of what two had together.
TEST(Threads, BoundsOfFewer) {
  Scenario S(4);
  for (uint32_t T = 0; T < 4; ++T) {
    S.addSymbol(0x31, "f:from", "derived", T * 250, T);
    S.addSymbol(0x32, "f:to", "derived", T * 250 + 250, T);
  }
  const Profile P = dealt(S, 2);
  std::map<uint64_t, std::vector<int64_t>> Of;
  for (const ek_raw_symbol &X : P.Symbols)
    Of[X.symbol].push_back(X.first);
  EXPECT_EQ(Of[0x31], (std::vector<int64_t>{0, 500}));
  EXPECT_EQ(Of[0x32], (std::vector<int64_t>{500, 1000}));
}

/// Work of a single thread remains with one thread.
TEST(Threads, SinglesStay) {
  Scenario S(4, 10);
  S.B.Tasks[2].core_cycles = 100000;
  for (unsigned Threads : {2u, 8u}) {
    const Profile P = dealt(S, Threads);
    uint64_t Most = 0;
    for (const ek_raw_task &T : P.Tasks)
      Most = std::max(Most, T.core_cycles);
    EXPECT_GE(Most, 100000u);
    EXPECT_EQ(P.Phases[0].width, Threads);
  }
}

/// Blocks of removed threads follow those of their new owners; small blocks of
/// a thread are one row.
TEST(Threads, ObjectsOfThreadsThatAreGone) {
  Scenario S(4);
  auto Add = [&](uint32_t Creator, uint32_t Ordinal, uint64_t Bytes) {
    const uint32_t I = S.addObject(1, Bytes);
    S.B.Instances[I].creator = Creator;
    S.B.Instances[I].ordinal = Ordinal;
    S.addMisses(Creator, I, 2560 * (I + 1), 1);
  };
  Add(0, 0, 100000);
  Add(0, 1, 200000);
  Add(0, EK_RAW_SMALL, 3000);
  Add(2, 0, 400000);
  Add(2, EK_RAW_SMALL, 5000);
  const Profile P = dealt(S, 2);
  std::vector<std::pair<uint32_t, uint64_t>> Rows;
  for (const ek_raw_inst &X : P.Instances) {
    EXPECT_EQ(X.creator, 0u);
    Rows.emplace_back(X.ordinal, X.bytes);
  }
  EXPECT_EQ(Rows,
            (std::vector<std::pair<uint32_t, uint64_t>>{
                {0, 100000}, {1, 200000}, {2, 400000}, {EK_RAW_SMALL, 8000}}));
  EXPECT_EQ(fetched(P, 0, 1).Reads, 5120u);
  EXPECT_EQ(fetched(P, 1, 2).Reads, 10240u);
  EXPECT_EQ(fetched(P, 0, 3).Reads + fetched(P, 1, 3).Reads,
            2560u * 3 + 2560u * 5);
}

/// A size that depends on the number of threads.
TEST(Threads, SizesThatGoWithThreads) {
  Halves S;
  S.addSymbol(0x33, "main:omp_get_max_threads()", "given", 2);
  S.addObject(8, 2 * 65536, Scenario::times(65536, makeSymbol(0x33)));
  EXPECT_EQ(dealt(S, 5).Instances[3].bytes, 5u * 65536);
}

/// Few lines are not rounded away.
TEST(Threads, FewLinesStay) {
  Scenario S(2);
  const uint32_t A = S.addObject(1, MiB);
  for (uint32_t T : {0u, 1u})
    for (uint32_t C : {10u, 20u})
      S.B.Misses.push_back({T, A, C, 0, 2, 1, 1.5, 0});
  const Profile P = dealt(S, 16);
  double Reads = 0, Writes = 0, Weight = 0;
  for (const ek_raw_miss &M : P.Misses) {
    EXPECT_GT(M.reads + M.writes, 0u);
    Reads += double(M.reads);
    Writes += double(M.writes);
    Weight += M.weight;
  }
  EXPECT_EQ(Reads, 8);
  EXPECT_EQ(Writes, 4);
  EXPECT_NEAR(Weight, 6, 1e-9);
}

/// The number of explicit tasks does not change; they run on the available
/// workers. Teams of unusual size are not converted.
TEST(Threads, ExplicitTasksAndOtherTeams) {
  Halves S;
  S.B.Phases.push_back({0x41, 1, 2});
  S.B.Phases.push_back({0x42, 1, 1});
  for (uint32_t T : {0u, 1u})
    S.B.Tasks.push_back({Scenario::Region, 1, T, T, 0, 10, 10, 0});
  for (uint32_t T = 0; T < 5; ++T)
    S.B.Tasks.push_back({Scenario::Region, 1, T, T % 2, 1, 100, 100, 0});
  S.B.Tasks.push_back({Scenario::Region, 2, 0, 0, 0, 70, 70, 0});
  S.B.Deps.push_back({8, 4});
  S.B.Parts.push_back({7, 5}); // the fourth goes on with the second
  S.addSymbol(0x31, "f:trip.1", "measured", 30, 2);
  S.addSymbol(0x31, "f:trip.1", "measured", 12, 3);
  for (uint32_t T : {0u, 1u}) { // each thread's own, used by explicit tasks
    const uint32_t I = S.addObject(9, 65536);
    S.B.Instances[I].creator = T;
    S.B.Instances[I].ordinal = 0;
    for (uint32_t Row = 4; Row < 9; ++Row)
      S.B.Accesses.push_back({Row, I, 100, 0});
  }
  S.B.Accesses.push_back({3, 0, 42, 0}); // by the second thread
  for (unsigned Threads : {1u, 4u}) {
    const Profile P = dealt(S, Threads);
    unsigned Explicit = 0;
    for (const ek_raw_task &T : P.Tasks) {
      Explicit += T.flags & 1;
      EXPECT_LT(T.worker, Threads);
    }
    EXPECT_EQ(Explicit, 5u);
    EXPECT_EQ(P.Phases[1].width, Threads);
    EXPECT_EQ(P.Phases[2].width, 1u);
    EXPECT_EQ(P.Tasks.back().core_cycles, 70u);
    ASSERT_EQ(P.Deps.size(), 1u);
    EXPECT_EQ(P.Tasks[P.Deps[0].task].index, 4u);
    EXPECT_EQ(P.Tasks[P.Deps[0].pred].index, 0u);
    ASSERT_EQ(P.Parts.size(), 1u);
    EXPECT_EQ(P.Tasks[P.Parts[0].task].index, 3u);
    EXPECT_EQ(P.Tasks[P.Parts[0].first].index, 1u);
    double Trips = 0;
    std::set<uint32_t> Told;
    for (const ek_raw_symbol &X : P.Symbols)
      if (X.symbol == 0x31) {
        EXPECT_TRUE(Told.insert(X.task).second);
        Trips += X.sum;
      }
    EXPECT_EQ(Trips, 42);
    uint64_t Of = 0, Buffers = 0;
    for (uint32_t T = 0; T < P.Tasks.size(); ++T)
      for (uint32_t I = 3; I < P.Instances.size(); ++I)
        Buffers += accesses(P, T, I);
    EXPECT_EQ(Buffers, 1000u);
    for (uint32_t T = 0; T < P.Tasks.size(); ++T)
      Of += P.Tasks[T].phase == 1 ? accesses(P, T, 0) : 0;
    EXPECT_EQ(Of, 42u) << "what a thread did that is gone";
  }
}

TEST(Threads, Refuses) {
  Halves S;
  auto Why = [&](unsigned Threads) {
    Expected<Profile> P = withThreads(S.B, S.F, Threads);
    return P ? std::string() : P.message();
  };
  EXPECT_NE(Why(0).find("1 to 4096"), std::string::npos);
  EXPECT_NE(Why(4097).find("1 to 4096"), std::string::npos);
  EXPECT_EQ(Why(4096), "");
  S.B.Ranks = {0, 1};
  EXPECT_NE(Why(4).find("MPI"), std::string::npos);
  Scenario Alone(1);
  EXPECT_FALSE(static_cast<bool>(withThreads(Alone.B, Alone.F, 4)));
}

/// For any recording: nothing is lost, rows are sorted, and the result can be
/// planned for.
TEST(Threads, Properties) {
  std::mt19937 Random(1);
  auto Below = [&](unsigned N) { return uint32_t(Random() % N); };
  for (unsigned Round = 0; Round < 300; ++Round) {
    const unsigned Old = 2 + Below(7), New = 1 + Below(20);
    Scenario S(Old, 1 + Below(100000));
    for (uint64_t Site = 1; Site <= 3; ++Site)
      S.addObject(Site, 65536 << Below(6));
    S.addAccess(1, "stream", makeSymbol(0x77)); // of which no value is known
    S.addAccess(2, "random", makeSymbol(0x77));
    for (uint32_t T = 0; T < Old; ++T)
      for (uint32_t I = 0; I < 3; ++I)
        if (Below(4)) {
          const unsigned From = Below(200);
          S.addMisses(T, I, Below(100000), 0.5, Below(1000), From,
                      From + 1 + Below(50));
        }
    const Profile P = dealt(S, New);
    auto Reads = [](const Profile &X) {
      double Sum = 0;
      for (const ek_raw_miss &M : X.Misses)
        Sum += double(M.reads);
      return Sum;
    };
    double Weight[2] = {}, Accesses[2] = {};
    for (const Profile *X : {(const Profile *)&S.B, &P}) {
      for (const ek_raw_miss &M : X->Misses)
        Weight[X == &P] += M.weight;
      for (const ek_raw_access &A : X->Accesses)
        Accesses[X == &P] += double(A.reads + A.writes);
    }
    EXPECT_NEAR(Reads(P), Reads(S.B), 3.0);
    EXPECT_NEAR(Weight[1], Weight[0], 1e-6 * Weight[0] + 3);
    EXPECT_NEAR(Accesses[1], Accesses[0], 6.0 * New + 1);
    std::tuple<uint32_t, uint32_t, uint32_t> Before{};
    for (const ek_raw_miss &M : P.Misses) {
      EXPECT_TRUE(M.task < P.Tasks.size() && M.inst < P.Instances.size() &&
                  M.chunk < EK_CHUNKS);
      const std::tuple Now(M.task, M.inst, M.chunk + 1);
      EXPECT_LT(Before, Now) << "in order, each once";
      Before = Now;
    }
    S.B = P;
    S.forSymbol("n=2000");
    const Problem Q = S.predict();
    EXPECT_EQ(Q.Phases[0].Tasks.size(), New);
  }
}

} // namespace
