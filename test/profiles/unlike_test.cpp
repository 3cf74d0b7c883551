//===- unlike_test.cpp - phases without a counterpart in the base ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Scenario.h"
#include "planner/HookPlanner.h"
#include "predict/base/Unlike.h"

using namespace evenkeel;

namespace {

constexpr uint64_t KiB = 1024;

/// Two threads whose region walks through site 1 in order; by the facts it may
/// walk through site 2 as well, and another region gathers from site 3.
struct Case : Scenario {
  static constexpr uint64_t Other = 0x21;
  uint32_t A;

  Case() : Scenario(2, 1000) {
    A = addObject(1, 256 * KiB);
    addAccess(1, "stream", n());
    addAccess(2, "stream", n());
    addAccess(3, "random", n(), n());
    F.Accesses.back().Region = Other;
    F.Regions.push_back({Other, "parallel", "a.c:30:1", "main"});
    for (uint32_t T : {0u, 1u})
      addMisses(T, A, 2048, 0.25, 0, 128 * T, 128 * T + 128);
  }
  static LiveObject alive(uint64_t Site, double Bytes) {
    LiveObject O;
    O.Name.Site = Site;
    O.Bytes = Bytes;
    return O;
  }
  Profile with(const std::vector<LiveObject> &Alive,
               const std::vector<UnlikePhase> &Seen) const {
    return withUnlike(B, F, Alive, Seen);
  }
};

struct Sums {
  double Reads = 0, Writes = 0, Weight = 0;
  unsigned First = EK_CHUNKS, Last = 0;
};
Sums sumsOf(const Profile &P, uint32_t Task, uint64_t Site) {
  Sums Out;
  for (const ek_raw_miss &M : P.Misses)
    if (M.task == Task && P.Instances[M.inst].site == Site) {
      Out.Reads += double(M.reads);
      Out.Writes += double(M.writes);
      Out.Weight += M.weight;
      Out.First = std::min(Out.First, M.chunk);
      Out.Last = std::max(Out.Last, M.chunk);
    }
  return Out;
}

/// Tasks of a region in the base repeat their accesses, and fetch new objects
/// once, waiting as they did for accesses of that class.
TEST(Unlike, AKnownRegionMeetsOtherData) {
  const Case S;
  const Profile P =
      S.with({Case::alive(1, 256 * KiB), Case::alive(2, 512 * KiB)},
             {{0x41, Case::Region, 2, 3}});
  ASSERT_EQ(P.Phases.size(), 4u);
  ASSERT_EQ(P.Tasks.size(), 6u);
  EXPECT_EQ(P.Like, (std::vector<uint32_t>{0, 1, 2, 2})); // as the second
  EXPECT_EQ(P.Phases[3].sync, 0x41u);
  for (uint32_t T = 2; T < 6; ++T) {
    EXPECT_EQ(P.Tasks[T].phase, T / 2);
    EXPECT_EQ(P.Tasks[T].region, Case::Region);
    EXPECT_EQ(sumsOf(P, T, 1).Reads, 2048);
    const Sums New = sumsOf(P, T, 2);
    EXPECT_EQ(New.Reads, 4096);
    EXPECT_EQ(New.Writes, 0);
    EXPECT_NEAR(New.Weight, 1024, 1);
    EXPECT_EQ(New.First, T % 2 ? 128u : 0u);
    EXPECT_EQ(New.Last, T % 2 ? 255u : 127u);
  }
  EXPECT_TRUE(std::is_sorted(
      P.Misses.begin(), P.Misses.end(),
      [](const auto &X, const auto &Y) { return X.task < Y.task; }));
}

/// If an access may go to either of two objects, the new one.
TEST(Unlike, AnAccessLeavesWhatItWentTo) {
  Case S;
  S.F.Accesses[1].Sites = {1, 2};
  S.F.Accesses.erase(S.F.Accesses.begin());
  for (const bool New : {false, true}) {
    std::vector<LiveObject> Alive = {Case::alive(1, 256 * KiB)};
    if (New)
      Alive.push_back(Case::alive(2, 512 * KiB));
    const Profile P = S.with(Alive, {{0x41, Case::Region, 2, 1}});
    EXPECT_EQ(sumsOf(P, 2, 1).Reads, New ? 0 : 2048);
    EXPECT_EQ(sumsOf(P, 2, 2).Reads, New ? 4096 : 0);
  }
}

/// For a region that the base does not have, the facts decide: each task
/// gathers from all of the data and waits in full.
TEST(Unlike, ARegionThatTheBaseDoesNotHave) {
  const Case S;
  const Profile P =
      S.with({Case::alive(3, 512 * KiB)}, {{0x42, Case::Other, 4, 1}});
  ASSERT_EQ(P.Tasks.size(), 6u);
  for (uint32_t T = 2; T < 6; ++T) {
    const Sums New = sumsOf(P, T, 3);
    EXPECT_EQ(New.Reads, 2048);
    EXPECT_EQ(New.Writes, 2048);
    EXPECT_EQ(New.Weight, 2048);
    EXPECT_EQ(New.First, 0u);
    EXPECT_EQ(New.Last, 255u);
  }
  // Objects of the base that are gone take no room.
  EXPECT_EQ(P.Instances[S.A].free_phase, 0u);
}

/// If a run reports no regions, its sync points identify them: as in the base,
/// or by their places.
TEST(Unlike, RegionsOfSyncPoints) {
  Case S;
  S.F.Syncs.push_back({0x43, "for", "a.c:35:1", "main", "team"});
  S.F.Syncs.push_back({0x44, "for", "a.c:10:1", "main", "team"});
  const Profile P = S.with(
      {Case::alive(1, 256 * KiB)},
      {{0x40, 0, 2, 1}, {0x43, 0, 2, 1}, {0x44, 0, 2, 1}, {0x45, 0, 2, 1}});
  ASSERT_EQ(P.Tasks.size(), 10u);
  EXPECT_EQ(P.Tasks[2].region, Case::Region);
  EXPECT_EQ(P.Tasks[4].region, Case::Other);
  EXPECT_EQ(P.Tasks[6].region, 0u);
  EXPECT_EQ(P.Tasks[8].region, 0u);
}

/// If no fact names live objects, fetches are not known.
TEST(Unlike, NothingIsMadeUp) {
  const Case S;
  const Profile P = S.with({Case::alive(9, 512 * KiB)},
                           {{0x42, Case::Other, 4, 1}, {0x43, 0, 4, 1}});
  EXPECT_EQ(P.Phases.size(), 3u);
  EXPECT_EQ(P.Misses.size(), S.B.Misses.size());
}

/// At a hook, data that the rest of the run uses replaces data that it does not
/// use.
TEST(Unlike, IsPlannedFor) {
  Case S;
  S.R.Fast = "256KiB";
  const std::vector<LiveObject> Alive = {Case::alive(1, 256 * KiB),
                                         Case::alive(3, 256 * KiB)};
  const Profile P = S.with(Alive, {{0x42, Case::Other, 2, 60}});
  PlanRequest Again = S.R;
  Again.Base = &P;
  TargetPredictor Predictor(Again);
  for (const LiveObject &O : Alive) {
    Again.KnownSizes.emplace_back();
    Again.KnownSizes.back().Site = O.Name.Site;
    Again.KnownSizes.back().Bytes = O.Bytes;
    Again.KnownSizes.back().AllocPhase = EK_NO_TASK;
  }
  const auto Mod = makeModel("overlap");
  ASSERT_TRUE(bool(Mod));
  S.M.MigrationPageUs = 0.5;
  const Expected<HookDecision> D =
      decideAtHook(Predictor, Again, **Mod, 0, [](const Problem &Q) {
        std::vector<double> Fast;
        for (const Unit &U : Q.Units)
          Fast.push_back(Q.Instances[U.Instance].Site == 1);
        return Fast;
      });
  ASSERT_TRUE(bool(D)) << D.message();
  for (size_t U = 0; U < D->P.Units.size(); ++U)
    EXPECT_NEAR(D->Chosen.Fast[U],
                D->P.Instances[D->P.Units[U].Instance].Site == 3, 1e-6)
        << U;
}

} // namespace
