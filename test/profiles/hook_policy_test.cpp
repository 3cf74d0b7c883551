//===- hook_policy_test.cpp - planning again during the run ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the effect of unexpected sizes, and when predictions are recorded. A
// line in the slow tier costs 200 ns more; tasks compute for 1 us.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "cli/replay/HookPolicy.h"
#include "cli/replay/LookBudget.h"
#include "simulator/PageMap.h"
#include <algorithm>
#include <numeric>
#include <optional>

using namespace evenkeel;
using namespace evenkeel::cli;

namespace {

constexpr uint64_t KiB = 1024;

/// Serial phases with one task each. The record equals the base run, except for
/// sizes.
struct Program : Scenario {
  MissRecord Record;
  std::unique_ptr<PreparedRecord> Prepared;
  ReplayRequest Q;
  PolicyResult Result;
  std::vector<unsigned> FastPages; // per instance, at the end
  std::vector<uint64_t> TierBytes; // at the end
  std::vector<TaskTimes> By;       // the end of each phase
  std::vector<std::string> Notes;
  std::map<uint32_t, uint32_t> TouchedFrom; // by instance: phase
  std::optional<uint32_t> Missing; // a phase that the base run had in addition

  explicit Program(uint32_t Phases) {
    B.Phases.assign(Phases, {0x40, 0, 0});
    B.Config.workers = 1;
    B.Config.quantum_cycles = 1000;
    B.Config.line_bytes = 64;
    for (uint32_t H = 1; H < Phases; ++H)
      B.Tasks.push_back({Region, H, 0, 0, 0, 1000, 1000, 0});
    M.MigrationPageUs = 1;
  }
  uint32_t object(uint64_t Site, uint64_t Bytes, uint32_t Phase) {
    uint32_t I = addObject(Site, Bytes);
    B.Instances[I].alloc_phase = Phase;
    return I;
  }

  /// Notes where pages are when a phase ends, and the prediction at that time.
  class Spy : public Policy {
    HookPolicy &Inner;
    Program &S;

  public:
    Spy(HookPolicy &P, Program &S) : Inner(P), S(S) {}
    std::string name() const override { return Inner.name(); }
    void orderAllocations(const PageMap &Map,
                          std::vector<uint32_t> &I) override {
      Inner.orderAllocations(Map, I);
    }
    void onAlloc(PageMap &Map, uint32_t I) override { Inner.onAlloc(Map, I); }
    unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override {
      return Inner.onFirstTouch(Map, I, Page);
    }
    void onPhaseEnd(PageMap &Map, uint32_t Phase,
                    const std::vector<TaskResult> &Tasks) override {
      Inner.onPhaseEnd(Map, Phase, Tasks);
      S.By.push_back(Inner.predicted());
      for (uint32_t I = 0; I < S.FastPages.size(); ++I) {
        S.FastPages[I] = 0;
        for (uint32_t Page = 0; Page < Map.pages(I); ++Page)
          S.FastPages[I] += Map.tier(I, Page) == 0;
      }
      S.TierBytes.clear();
      for (unsigned T = 0; T < Map.tiers(); ++T)
        S.TierBytes.push_back(Map.used(T));
    }
  };

  /// Replays with the sizes given (by instance); \p Fast in bytes.
  TaskTimes run(const std::vector<uint64_t> &Sizes, uint64_t Fast,
                uint64_t FirstCycles = 0, uint32_t FirstReads = 1) {
    static_cast<Profile &>(Record) = B;
    Record.Pages.clear();
    if (FirstCycles)
      Record.Tasks[0].core_cycles = FirstCycles;
    for (size_t I = 0; I < Sizes.size(); ++I)
      Record.Instances[I].bytes = Sizes[I];
    if (Missing) {
      Record.Phases.erase(Record.Phases.begin() + *Missing);
      Record.Tasks.erase(Record.Tasks.begin() + *Missing);
      for (uint32_t T = *Missing; T < Record.Tasks.size(); ++T)
        --Record.Tasks[T].phase;
    }
    // Touch each page once, so that it is placed.
    for (uint32_t T = 0; T < Record.Tasks.size(); ++T)
      for (uint32_t I = 0; I < Sizes.size(); ++I)
        for (uint32_t Page = 0;
             std::max(Record.Instances[I].alloc_phase, TouchedFrom[I]) <= T &&
             Page < (Sizes[I] + EK_PAGE - 1) / EK_PAGE;
             ++Page)
          Record.Pages.push_back({T, 0, I, Page, T ? 1 : FirstReads, 0,
                                  T ? 1 : float(FirstReads), 0});
    Expected<std::unique_ptr<PreparedRecord>> Made = prepareRecord(Record);
    EXPECT_TRUE(static_cast<bool>(Made)) << Made.message();
    if (!Made)
      return {};
    Prepared = std::move(*Made);
    R.Fast = std::to_string(Fast);
    Q.Record = &Record;
    Q.M = &M;
    Q.FastBytes = Fast;
    Q.Prepared = Prepared.get();
    Expected<std::unique_ptr<HookPolicy>> P = makeHookPolicy(R, Q, {true});
    EXPECT_TRUE(static_cast<bool>(P)) << P.message();
    if (!P)
      return {};
    FastPages.assign(Sizes.size(), 0);
    Spy Watching(**P, *this);
    Notes.clear();
    Expected<PolicyResult> Out = replay(Q, Watching);
    EXPECT_TRUE(static_cast<bool>(Out)) << Out.message();
    if (Out)
      Result = *Out;
    Notes = (*P)->notes();
    return (*P)->predicted();
  }
};

double us(const TaskTimes &P, uint32_t Phase) {
  auto It = P.find(taskKey(Phase, 0, false));
  EXPECT_NE(It, P.end()) << "phase " << Phase;
  return It == P.end() ? 0 : It->second * 1e6;
}

/// Both objects are allocated and used in phase 1; the first, read twice as
/// often, fills the fast tier. When it turns out to be a quarter as large, 48
/// of the other's 64 pages fit; with about the expected size there is no room.
TEST(HookPolicy, SmallerThanExpectedMakesRoom) {
  for (uint64_t Real : {256 * KiB, 246 * KiB, 64 * KiB}) {
    Program S(2);
    S.object(1, 256 * KiB, 1);
    S.object(2, 256 * KiB, 1);
    for (uint64_t Site : {1, 2})
      S.addAccess(Site, "stream", makeConst(1000)); // whatever the size
    S.addMisses(1, 0, 256 * 8, 1);
    S.addMisses(1, 1, 256 * 4, 1);
    auto P = S.run({Real, 256 * KiB}, 256 * KiB);
    const bool Surprise = Real == 64 * KiB;
    EXPECT_EQ(S.FastPages[0], (Real + EK_PAGE - 1) / EK_PAGE) << Real;
    EXPECT_EQ(S.FastPages[1], Surprise ? 48u : 0u) << Real;
    EXPECT_NEAR(us(P, 1), 1 + 204.8 + (Surprise ? 153.6 : 307.2), 0.5) << Real;
    EXPECT_EQ(S.Result.MigratedBytes, 0u) << Real;
  }
}

/// The base run had another round before the last phase: what is predicted for
/// a phase is that of the plan's phase that its hook ends, as in the runtime.
TEST(HookPolicy, PhasesAreThoseThatTheirHooksEnd) {
  Program S(4);
  S.B.Phases[3].sync = 0x41;
  S.object(1, 256 * KiB, 0);
  S.object(2, 256 * KiB, 0);
  for (uint64_t Site : {1, 2})
    S.addAccess(Site, "stream", makeConst(1000));
  for (uint32_t H : {1, 2})
    S.addMisses(H, 0, 256 * 2, 1);
  S.addMisses(3, 1, 256 * 10, 1);
  S.Missing = 2;
  const TaskTimes P = S.run({256 * KiB, 256 * KiB}, 0);
  EXPECT_NEAR(us(P, 1), 1 + 256 * 2 * 0.3, 0.5);
  EXPECT_NEAR(us(P, 2), 1 + 256 * 10 * 0.3, 0.5);
  EXPECT_EQ(P.size(), 3u);
}

/// Four times as large as expected: it gets the bytes planned for it, not the
/// share, and the object read more often per byte takes precedence.
TEST(HookPolicy, LargerThanExpectedKeepsItsBytes) {
  Program S(2);
  S.object(1, 64 * KiB, 1);
  S.object(2, 32 * KiB, 1);
  for (uint64_t Site : {1, 2})
    S.addAccess(Site, "stream", makeConst(1000));
  S.addMisses(1, 0, 256 * 8, 1);
  S.addMisses(1, 1, 256 * 2, 1);
  // Lines per page: expected 128 and 64; really 32 and 64.
  auto P = S.run({256 * KiB, 32 * KiB}, 64 * KiB);
  EXPECT_EQ(S.FastPages[0], 8u);
  EXPECT_EQ(S.FastPages[1], 8u);
  // An eighth of the first and the whole second.
  EXPECT_NEAR(us(P, 1), 1 + 256 * 8 * (0.1 / 8 + 0.3 * 7 / 8) + 256 * 2 * 0.1,
              2);
}

/// One object is used in the first phase, the other equally in the next: no
/// placement is better than first touch, which hooks then leave alone, as the
/// runtime does.
TEST(HookPolicy, FirstTouchIsLeftAlone) {
  for (bool Same : {true, false}) {
    Program S(2);
    S.object(1, 256 * KiB, 0);
    S.object(2, 256 * KiB, 0);
    for (uint64_t Site : {1, 2})
      S.addAccess(Site, "stream", makeConst(1000));
    S.addMisses(0, 0, 256 * 8, 1);
    S.addMisses(1, 1, Same ? 256 * 8 : 256 * 9, 1);
    S.run({256 * KiB, 256 * KiB}, 256 * KiB);
    EXPECT_EQ(S.FastPages[0], Same ? 64u : 0u);
    EXPECT_EQ(S.FastPages[1], Same ? 0u : 64u);
    EXPECT_EQ(S.Result.MigratedBytes, 0u);
  }
}

/// Both objects were predicted to fit, but are twice as large. The first hook
/// after their allocation moves the one that is read more, the second; objects
/// allocated later, or allocated but not yet touched, are placed by then.
TEST(HookPolicy, FirstTouchIsLeftWhereNotAllFits) {
  for (auto [Times, Comes] : {std::pair(1, 3), {2, 3}, {2, 0}}) {
    Program S(4);
    S.TouchedFrom[2] = 3;
    S.M.MigrationPageUs = 0.01;
    S.object(1, 256 * KiB, 0);
    S.object(2, 256 * KiB, 0);
    S.object(3, 64 * KiB, Comes);
    for (uint64_t Site : {1, 2, 3})
      S.addAccess(Site, "stream", makeConst(1000));
    for (uint32_t H : {1, 2, 3}) {
      S.addMisses(H, 0, 256 * 2, 1);
      S.addMisses(H, 1, 256 * 40, 1);
    }
    S.addMisses(3, 2, 256 * 80, 1);
    S.run({Times * 256 * KiB, Times * 256 * KiB, 64 * KiB}, 640 * KiB);
    EXPECT_EQ(S.Result.MigratedBytes > 0, Times > 1);
    EXPECT_EQ(S.FastPages[0] < 20, Times > 1) << S.FastPages[0];
    EXPECT_EQ(S.FastPages[1] > 100, Times > 1) << S.FastPages[1];
    EXPECT_EQ(S.FastPages[2], 16u);
  }
}

/// All slow; counts grow with sizes. The object of phase 2 is unknown before it
/// and assumed to be as on the base input; phase 2 is predicted with both.
TEST(HookPolicy, PredictsAtTheLastHook) {
  Program S(3);
  S.object(1, 64 * KiB, 1);
  S.object(2, 64 * KiB, 2);
  S.addMisses(1, 0, 1024, 1);
  S.addMisses(2, 0, 1024, 1);
  S.addMisses(2, 1, 512, 1);
  auto P = S.run({128 * KiB, 192 * KiB}, 0);
  EXPECT_EQ(P.size(), 3u);
  ASSERT_EQ(S.By.size(), 3u);
  EXPECT_NEAR(us(S.By[0], 1), 1 + 307.2, 1e-6) << "that of the start";
  // Accesses: 8 * (2 * 1024 + 512) against 8 * 1536.
  EXPECT_NEAR(us(S.By[1], 2), 5 / 3. + 2 * 307.2 + 153.6, 1e-6);
  EXPECT_NEAR(us(P, 0), 1, 1e-9);
  EXPECT_NEAR(us(P, 1), 2 + 2 * 307.2, 1e-6);
  // Accesses: 8 * (2 * 1024 + 3 * 512) against 8 * 1536.
  EXPECT_NEAR(us(P, 2), 7 / 3. + 2 * 307.2 + 3 * 153.6, 1e-6);
  Program Same(3);
  Same.object(1, 64 * KiB, 1);
  Same.object(2, 64 * KiB, 2);
  Same.addMisses(1, 0, 1024, 1);
  Same.addMisses(2, 0, 1024, 1);
  Same.addMisses(2, 1, 512, 1);
  P = Same.run({64 * KiB, 64 * KiB}, 0);
  EXPECT_NEAR(us(P, 1), 1 + 307.2, 1e-6);
  EXPECT_NEAR(us(P, 2), 1 + 307.2 + 153.6, 1e-6);
}

/// Phase 0 is predicted to take 1 us of 283, none of it for memory. The plan
/// wants object 1, which is read eight times as often, in the fast tier. If
/// phase 0 waits far longer, the plan is for another run, and object 0, which
/// is touched first, gets there. A longer core time has no such effect.
TEST(HookPolicy, SurpriseMeansFirstTouch) {
  struct {
    uint64_t Cycles;
    uint32_t Reads; // of 300 ns
  } const Cases[] = {{1000, 1}, {1000, 8}, {20000, 1}, {1000, 60}};
  for (const auto &C : Cases) {
    Program S(2);
    S.object(1, 256 * KiB, 1);
    S.object(2, 256 * KiB, 1);
    S.object(3, 4 * KiB, 0);
    for (uint64_t Site : {1, 2, 3})
      S.addAccess(Site, "stream", makeConst(1000));
    S.addMisses(1, 0, 256, 1);
    S.addMisses(1, 1, 256 * 8, 1);
    S.run({256 * KiB, 256 * KiB, 4 * KiB}, 256 * KiB, C.Cycles, C.Reads);
    // 8 reads take three times as long as everything predicted, but less than 1
    // % of the run.
    const bool Other = C.Reads == 60;
    EXPECT_EQ(S.FastPages[0], Other ? 64u : 0u) << C.Cycles << " " << C.Reads;
    EXPECT_EQ(S.FastPages[1], Other ? 0u : 64u) << C.Cycles << " " << C.Reads;
    ASSERT_EQ(S.Notes.size(), Other ? 1u : 0u) << C.Cycles << " " << C.Reads;
    if (Other) {
      EXPECT_NE(S.Notes[0].find("waited for memory 19.0 times as long"),
                std::string::npos)
          << S.Notes[0];
    }
  }
}

/// The base has the first three phases. Later ones run another region, which
/// accesses another object by the facts: that replaces the object used before.
TEST(HookPolicy, PlansForWhatTheBaseDoesNotHave) {
  for (const bool Unlike : {true, false}) {
    Program S(12);
    S.object(3, 256 * KiB, 1); // first touch would have it
    S.object(1, 256 * KiB, 1);
    for (uint64_t Site : {1, 3})
      S.addAccess(Site, "random", makeConst(1000));
    for (uint32_t T : {0u, 1u}) {
      S.addMisses(T, 0, 256, 1);
      S.addMisses(T, 1, 256 * 16, 1);
    }
    Profile Beginning = S.B;
    if (Unlike) {
      Beginning.Phases.resize(3);
      Beginning.Tasks.resize(2);
    }
    S.object(2, 256 * KiB, 3);
    S.addAccess(2, "random", makeConst(1000));
    S.F.Accesses.back().Region = Scenario::Region + 1;
    S.F.Regions.push_back(
        {Scenario::Region + 1, "parallel", "a.c:30:1", "main"});
    for (uint32_t H = 3; H < 12; ++H) {
      S.B.Phases[H].sync = 0x41;
      S.B.Tasks[H - 1].region = Scenario::Region + 1;
    }
    if (!Unlike)
      Beginning = S.B;
    S.M.MigrationPageUs = 0.01;
    S.R.Base = &Beginning;
    S.run({256 * KiB, 256 * KiB, 256 * KiB}, 256 * KiB);
    EXPECT_EQ(S.FastPages[1], Unlike ? 0u : 64u);
    EXPECT_EQ(S.FastPages[2], Unlike ? 64u : 0u);
    ASSERT_EQ(S.Notes.size(), Unlike ? 1u : 0u);
    if (Unlike) {
      EXPECT_NE(S.Notes[0].find("9 phases and 1 objects that the base profile "
                                "does not have; planned again "),
                std::string::npos)
          << S.Notes[0];
    }
  }
}

/// Teams of two, in \p Phases phases, without objects.
struct Teams : Program {
  explicit Teams(uint32_t Phases) : Program(Phases) {
    B.Phases.assign(Phases, {0x40, 1, 2});
    B.Config.workers = 2;
    B.Tasks.clear();
    for (uint32_t H = 0; H < Phases; ++H)
      for (uint32_t T : {0u, 1u})
        B.Tasks.push_back({Region, H, T, T, 0, 1000, 1000, 0});
  }
};

/// Teams wait for one object, then for another; there is room for one, and a
/// page is copied in 1 us. Data that leaves the fast tier, and data that never
/// got there, goes to the next tier with room, not to the slowest.
TEST(HookPolicy, MovesDownToTheNextTier) {
  for (uint64_t Room : {1024 * KiB, 0 * KiB}) {
    Teams S(8);
    S.M.Tiers.push_back({"slowest", 1ull << 40, 900, 900, 1e6, 1e6});
    S.object(1, 64 * KiB, 0);
    S.object(2, 64 * KiB, 0);
    for (uint64_t Site : {1, 2})
      S.addAccess(Site, "stream", makeConst(1000));
    for (uint32_t T = 0; T < 16; ++T)
      S.addMisses(T, T < 8 ? 0 : 1, 10240, 1);
    S.M.Tiers[1].CapacityBytes = Room;
    S.run({64 * KiB, 64 * KiB}, 64 * KiB);
    EXPECT_GT(S.Result.MigratedBytes, 64 * KiB);
    EXPECT_EQ(S.FastPages[1], 16u);
    ASSERT_EQ(S.TierBytes.size(), 3u);
    EXPECT_EQ(S.TierBytes[2], 64 * KiB - std::min(Room, 64 * KiB));
  }
}

/// A hook knows the captured variables of regions that are about to begin, but
/// not what serial code will compute. Values that differ from phase to phase
/// are known for phases that have begun, if all tasks of the phase got the same
/// value.
TEST(HookWatch, SymbolsThatAreLive) {
  Scenario S;
  constexpr uint64_t Later = 0x21, Serial = 0x22, Captured = 0x31,
                     Changing = 0x32, Computed = 0x33, PerTask = 0x34,
                     Handed = 0x35, Trips = 0x36;
  S.F.Regions.push_back({Later, "parallel", "a.c:30:1", "main"});
  S.F.Regions.push_back({Serial, "serial", "a.c:1:1", "main"});
  S.addSymbol(Captured, "main:m", "given", 7);
  S.addSymbol(Changing, "main:k", "given", 1);
  S.B.Symbols.back().max = 2;
  S.addSymbol(Computed, "main:c", "given", 5);
  auto Row = [&](uint64_t Region, ExprRef Reads) {
    S.addAccess(1, "stream", std::move(Reads));
    S.F.Accesses.back().Region = Region;
  };
  S.addObject(1, 4096);
  Row(Scenario::Region, Scenario::n());
  Row(Later, makeOp("+", {makeSymbol(Captured), makeSymbol(Changing)}));
  Row(Later, makeSymbol(PerTask));
  Row(Later, makeSymbol(Handed));
  Row(Later, makeSymbol(Trips));
  Row(Serial, makeSymbol(Computed));
  S.B.Phases.push_back({0, 0, 1});
  S.B.Phases.push_back({0x40, 1, 2});
  S.B.Tasks.push_back({Serial, 1, 0, 0, 0, 1, 1, 0});
  for (uint32_t Index : {0, 1}) { // of a team
    S.B.Tasks.push_back({Later, 2, Index, 0, 0, 1, 1, 0});
    const uint32_t T = uint32_t(S.B.Tasks.size()) - 1;
    S.addSymbol(Handed, "main:h", "derived", 9, T);
    S.addSymbol(PerTask, "main:t", "derived", 5 + Index, T);
    S.addSymbol(Trips, "main:trip.31", "measured", 40 + Index, T);
  }
  MissRecord Record;
  static_cast<Profile &>(Record) = S.B;
  ReplayRequest R;
  R.Record = &Record;
  TargetPredictor Predictor(S.R);
  ASSERT_NE(Predictor.kindOf(2), AnyKind);
  HookWatch W(S.F, S.B, R, Predictor);
  auto At = [&](uint32_t Next) {
    std::map<uint64_t, double> Out;
    for (const KnownSymbol &K : W.symbolsUpTo(Next))
      if (K.Phase == EK_NO_TASK)
        Out[K.Symbol] = K.Value;
      else if (K.Symbol == Trips) // a thread's own, after its phase
        EXPECT_TRUE(K.Value == 40 + K.Task && K.Phase == 2 && Next > 2);
      else
        EXPECT_TRUE(K.Symbol == Handed && K.Value == 9 && K.Phase == 2 &&
                    Next >= 2);
    return Out;
  };
  std::map<uint64_t, double> First{{Scenario::SymN, 1000}};
  EXPECT_EQ(At(0), First);
  EXPECT_EQ(At(1), First);
  First[Captured] = 7;
  EXPECT_EQ(At(2), First);
  const auto All = W.symbolsUpTo(2);
  EXPECT_EQ(std::count_if(All.begin(), All.end(),
                          [](auto &K) { return K.Symbol == Handed; }),
            1);
  const auto After = W.symbolsUpTo(3);
  EXPECT_EQ(std::count_if(After.begin(), After.end(),
                          [](auto &K) { return K.Symbol == Trips; }),
            2);
  for (uint32_t Phase : {0u, 1u, 2u, 9u})
    EXPECT_EQ(W.knownUpTo(Phase),
              W.sizesUpTo(Phase).size() + W.symbolsUpTo(Phase + 1).size());
}

/// All hooks of a program with few phases; in longer ones so many that all
/// looks together visit a number of phases proportional to the program's.
TEST(LookBudget, CostsInProportion) {
  for (size_t Phases : {10u, 200u, 1000u, 5000u, 50000u}) {
    LookBudget Budget;
    double Looks = 0;
    for (size_t H = 0; H < Phases; ++H) {
      Looks += Budget.pays(Phases);
      Budget.phaseEnded();
    }
    if (Phases <= 200)
      EXPECT_EQ(Looks, Phases);
    EXPECT_GE(Looks, 4);
    EXPECT_LE(Looks * double(Phases),
              LookBudget::AtOnce + LookBudget::PerPhase * double(Phases));
  }
}

/// Skipped hooks are counted.
TEST(HookPolicy, SaysWhereItDidNotPlanAgain) {
  for (uint32_t Phases : {100u, 700u}) {
    Teams S(Phases);
    S.object(1, 64 * KiB, 0);
    S.object(2, 64 * KiB, 0);
    S.addMisses(0, 0, 100, 100);
    S.run({64 * KiB, 64 * KiB}, 64 * KiB);
    const std::string All =
        std::accumulate(S.Notes.begin(), S.Notes.end(), std::string());
    EXPECT_EQ(All.find("hooks: each look goes through all phases") !=
                  std::string::npos,
              Phases == 700)
        << All;
  }
}

} // namespace
