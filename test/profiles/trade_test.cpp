//===- trade_test.cpp - few moves that pay --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: small cases by hand, and properties of all trades. A line in the fast
// tier saves 200 ns; objects are 64 KiB, so one step moves a whole object.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "models/Phase.h"
#include "planner/HookPlanner.h"
#include "planner/HooksToWeigh.h"
#include "planner/Trade.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <random>

using namespace evenkeel;

namespace {

constexpr double KiB = 1024, Object = 64 * KiB;
using Shares = std::vector<double>;

struct Case : Problem {
  Machine M = roundMachine();
  std::unique_ptr<Model> Mod;

  explicit Case(uint32_t PhaseCount, double Fast = Object) {
    auto Made = makeModel("overlap");
    EXPECT_TRUE(static_cast<bool>(Made));
    Mod = std::move(*Made);
    Phases.resize(PhaseCount);
    for (uint32_t H = 0; H < PhaseCount; ++H)
      Phases[H].Phase = H;
    FastBytes = Fast;
  }
  uint32_t object(double Bytes = Object, uint32_t Alloc = 0,
                  uint32_t Free = EK_NO_TASK) {
    auto I = static_cast<uint32_t>(Instances.size());
    PredictedInstance X;
    X.Site = I + 1;
    X.Bytes = Bytes;
    X.AllocPhase = Alloc;
    X.FreePhase = Free;
    Instances.push_back(X);
    Units.push_back({I, 0, EK_CHUNKS, Bytes});
    return I;
  }
  /// A task that reads \p Lines of each object, none at once.
  PredictedTask &task(uint32_t Phase, double CoreUs,
                      const std::vector<std::pair<uint32_t, double>> &Lines) {
    PredictedTask T;
    T.Index = static_cast<uint32_t>(Phases[Phase].Tasks.size());
    T.Demand.CoreSeconds = CoreUs * 1e-6;
    for (auto [U, N] : Lines)
      T.Demand.Units.push_back({U, N, 0, N});
    Phases[Phase].Workers = T.Index + 1;
    Phases[Phase].Tasks.push_back(T);
    return Phases[Phase].Tasks.edit().back();
  }
  /// A page takes the copier \p PageUs; an object has 16.
  Shares trade(Shares Fast, double PageUs, uint32_t Hook = 0,
               bool MoveLive = true) {
    M.MigrationPageUs = PageUs;
    M.MigrationBandwidthGBps = 0;
    Trades T = tradeAtHook(*this, Fast, Hook, M, *Mod, MoveLive);
    // The steps lead to the shares.
    for (const TradeStep &S : T.Steps) {
      Fast[S.In] += S.Bytes / Units[S.In].Bytes;
      if (S.Out != EK_NO_TASK)
        Fast[S.Out] -= S.Bytes / Units[S.Out].Bytes;
    }
    for (size_t U = 0; U < Fast.size(); ++U)
      EXPECT_NEAR(Fast[U], T.Fast[U], 1e-9);
    return T.Fast;
  }
  /// Of the phases after \p Hook, up to the next one.
  double untilNext(const Shares &Fast, uint32_t Hook) const {
    double Sum = 0;
    for (const PredictedPhase &H : Phases)
      if (H.Phase > Hook) {
        Sum += phaseSeconds(H, Fast, M, *Mod);
        if (H.Tasks.size() > 1)
          break;
      }
    return Sum;
  }
};

/// 1000 lines save 200 us of 400. At 10 us a page the object arrives after
/// 160 us on average, with 0.6 of the phase left: 120 us. Meanwhile each page
/// is out of reach for 10 us, in which a line of it is needed with 1 -
/// exp(-1.56): 16 * (10 - 0.79 / 0.156) = 79 us.
TEST(Trade, PaysOrNotByItsCost) {
  Case P(2);
  P.object();
  P.object();
  P.task(1, 100, {{1, 1000}});
  EXPECT_EQ(P.trade({1, 0}, 10), Shares({0, 1}));
  EXPECT_EQ(P.trade({1, 0}, 20), Shares({1, 0})) << "0.2 of the phase is left";
  EXPECT_EQ(P.trade({1, 0}, 10, 0, false), Shares({1, 0}));
}

/// Three objects in turn, and room for two. The one that is next but one comes
/// now, while the copier has nothing else to do; for it goes the one whose turn
/// is last, which a later hook brings back in time. With room for one, only the
/// next one comes: it would cost more of its phase than of any later one.
TEST(Trade, BringsWhatIsNextForWhatIsLater) {
  for (double Fast : {2 * Object, Object}) {
    Case P(7, Fast);
    for (int K = 0; K < 3; ++K)
      P.object();
    for (uint32_t H = 0; H < 7; ++H)
      for (int K = 0; K < 2; ++K)
        P.task(H, 100, {{H % 3, 5000}});
    if (Fast > Object)
      EXPECT_EQ(P.trade({1, 1, 0}, 3), Shares({0, 1, 1}));
    else
      EXPECT_EQ(P.trade({1, 0, 0}, 3), Shares({0, 1, 0}));
  }
}

/// An object not used in the next phase moves at no cost, if it arrives in
/// time: phase 1 lasts 1000 us, the copies 16 pages each.
TEST(Trade, MovesBehindAnotherPhase) {
  Case P(3);
  P.object();
  P.object();
  P.task(1, 1000, {});
  P.task(2, 100, {{1, 1000}});
  EXPECT_EQ(P.trade({1, 0}, 10), Shares({0, 1}));
  EXPECT_EQ(P.trade({1, 0}, 40), Shares({0, 1}));
  EXPECT_EQ(P.trade({1, 0}, 90), Shares({1, 0})) << "1440 of 1400 us";
}

/// The time of a look does not grow with memory: what it could move in steps of
/// 64 KiB, 4,096 at most, would be a small part of large objects.
TEST(Trade, LargeObjectsMoveWhole) {
  constexpr double Large = 65536 * Object; // 4 GiB
  Case P(3, Large);
  P.object(Large);
  P.object(Large);
  P.task(1, 1e9, {});
  P.task(2, 100, {{1, 1e9}});
  EXPECT_EQ(P.trade({1, 0}, 10), Shares({0, 1}));
}

/// An object that gains 20 us by 160 us of copying behind another phase, among
/// fifteen that gain 1 us each: it comes alone, though all of them together
/// would not be worth 0.02 of the time that they take.
TEST(Trade, StepsThatGainLittleAreNotMade) {
  Case P(3, 16 * Object);
  std::vector<std::pair<uint32_t, double>> All;
  Shares Want(16, 0);
  for (uint32_t K = 0; K < 16; ++K)
    All.push_back({P.object(), K == 7 ? 100 : 5});
  Want[7] = 1;
  P.task(1, 1e5, {});
  P.task(2, 100, All);
  EXPECT_EQ(P.trade(Shares(16, 0), 10), Want);
}

/// 320 us of copying behind another phase for 4 us, or 8 us, in the next.
TEST(Trade, SmallGainsAreNotWorthCopies) {
  for (double Lines : {20., 40.}) {
    Case P(3);
    P.object();
    P.object();
    P.task(1, 1000, {});
    P.task(2, 100, {{1, Lines}});
    EXPECT_EQ(P.trade({1, 0}, 10), Lines < 30 ? Shares({1, 0}) : Shares({0, 1}))
        << Lines;
  }
}

/// Two tasks that each need one object, and room for one: whichever is slow,
/// its task is the slowest. Turns of half the time each would help, but there
/// is no hook in between; going to and fro at this one brings nothing.
TEST(Trade, NothingGoesToAndFro) {
  Case P(2);
  P.object();
  P.object();
  P.task(1, 100, {{0, 1000}});
  P.task(1, 100, {{1, 1000}});
  P.M.MigrationPageUs = 0.001;
  P.M.MigrationBandwidthGBps = 0;
  Trades T = tradeAtHook(P, {1, 0}, 0, P.M, *P.Mod);
  EXPECT_LE(T.Steps.size(), 1u);
}

/// The same for objects that are not allocated yet, which cost nothing to
/// place: steps without gain are undone.
TEST(Trade, VainStepsAreTakenBack) {
  Case P(2);
  P.object(Object, 1);
  P.object(Object, 1);
  P.task(1, 100, {{0, 1000}});
  P.task(1, 100, {{1, 1000}});
  Trades T = tradeAtHook(P, {1, 0}, 0, P.M, *P.Mod);
  EXPECT_TRUE(T.Steps.empty()) << T.Steps.size();
  EXPECT_EQ(T.Fast, Shares({1, 0}));
  // A third task gains 500 us by one step; the first two go on as before.
  Case Q(2, 2 * Object);
  for (uint32_t K : {0u, 1u, 2u}) {
    Q.object(Object, 1);
    Q.task(1, 100, {{K, K < 2 ? 1000. : 2500.}});
  }
  T = tradeAtHook(Q, {1, 1, 0}, 0, Q.M, *Q.Mod);
  EXPECT_EQ(T.Steps.size(), 1u);
  EXPECT_EQ(T.Fast[0] + T.Fast[1], 1);
  EXPECT_EQ(T.Fast[2], 1);
}

/// Latency alone speaks for all eight objects, 0.8 ms against 2.4 ms. A narrow
/// fast tier hands out all of them in 4 ms, but half of them in 2 ms.
TEST(Trade, WhatBandwidthTakesBackIsLeft) {
  Case P(2, 8 * Object);
  std::vector<std::pair<uint32_t, double>> All;
  for (uint32_t K = 0; K < 8; ++K)
    All.push_back({P.object(), 1000});
  P.task(1, 0, All);
  P.M.MigrationPageUs = 0.001;
  P.M.MigrationBandwidthGBps = 0;
  for (bool Narrow : {false, true}) {
    P.M.Tiers[0].ReadBandwidthGBps = Narrow ? 0.128 : 1000;
    const Shares Now(8, 0);
    Trades Chosen = tradeAtHook(P, Now, 0, P.M, *P.Mod);
    ASSERT_EQ(Chosen.Steps.size(), 8u);
    keepWhatPays(P, Now, Chosen, 0, P.M, *P.Mod);
    EXPECT_EQ(Chosen.Steps.size(), Narrow ? 4u : 8u);
    EXPECT_LT(P.untilNext(Chosen.Fast, 0), P.untilNext(Now, 0));
    EXPECT_EQ(Chosen.CopySeconds, Chosen.Steps.back().Copied);
  }
}

/// Two teams, one object each, 1 s of stalls if it is slow: what the second
/// uses can be brought at the hook between them, and the 320 us that this takes
/// is all that it is worth now. Without that hook, serial code in between, it
/// keeps its place.
TEST(Trade, LaterPhasesHaveHooksOfTheirOwn) {
  for (bool Hook : {true, false}) {
    Case P(3);
    P.object();
    P.object();
    P.task(1, 100, {{0, 2e6}});
    if (Hook)
      P.task(1, 100, {{0, 2e6}});
    P.task(2, 100, {{1, 3e6}});
    EXPECT_EQ(P.trade({0, 1}, 10), Hook ? Shares({1, 0}) : Shares({0, 1}));
  }
}

/// Two objects are copied, 160 us each, while a team runs that lasts 200 us
/// with the one that it uses in the fast tier: if that is copied first, a fifth
/// of the phase has it; if it comes second, nothing has.
TEST(Trade, TimesWhileMovesArrive) {
  Case P(2, 2 * Object);
  P.object();
  P.object();
  P.task(1, 100, {{0, 1000}});
  Trades Moves{
      {1, 1}, {{0, EK_NO_TASK, Object}, {1, EK_NO_TASK, Object}}, 320e-6};
  double Took = 0;
  auto Say = [&](const PredictedPhase &, const std::vector<double> &T,
                 const std::vector<double> &) { Took = T[0]; };
  EXPECT_NEAR(predictWhileMoving(P, 1, {0, 0}, Moves, P.M, *P.Mod, Say), Took,
              1e-12);
  EXPECT_NEAR(Took, 400e-6 - 0.2 * 200e-6, 1e-9);
  std::swap(Moves.Steps[0], Moves.Steps[1]);
  predictWhileMoving(P, 1, {0, 0}, Moves, P.M, *P.Mod, Say);
  EXPECT_NEAR(Took, 400e-6, 1e-9) << "it arrives when the phase is over";
}

/// Three teams with 10 ms of reads, 30 ms if slow: the first reads what lies in
/// the fast tier, the others what hooks have to bring. That takes no time, or
/// so long that much of it is left when the third team begins, or longer than
/// all of them.
TEST(Trade, TimesWithHooks) {
  Case P(3, 8 * Object);
  P.object(8 * Object);
  P.object(8 * Object);
  for (uint32_t H = 0; H < 3; ++H)
    for (int K = 0; K < 2; ++K)
      P.task(H, 0, {{H > 0, 1e5}});
  P.M.MigrationPageUs = 0.001;
  auto Total = [&](double CopyMs, const Shares &From) {
    P.M.MigrationBandwidthGBps =
        CopyMs > 0 ? 2 * 8 * Object / (CopyMs * 1e6) : 0;
    const HookedRun Out = predictWithHooks(P, From, P.M, *P.Mod);
    EXPECT_EQ(Out.Left, 0u);
    return 1e3 * Out.Seconds;
  };
  EXPECT_NEAR(Total(0, {1, 0}), 30, 0.5);
  // At an even pace it is 52 ms; with all of it there for the third, below 50.
  EXPECT_GT(Total(51, {1, 0}), 51.5);
  EXPECT_LT(Total(51, {1, 0}), 60);
  EXPECT_NEAR(Total(1e6, {1, 0}), 70, 0.5);
  // From where nothing lies fast that the first reads, there is no way back.
  EXPECT_NEAR(Total(0, {0, 1}), 50, 0.5);
  // The change is made at the first hook, if it ends in time.
  Total(1e6, {1, 0});
  EXPECT_TRUE(predictWithHooks(P, {1, 0}, P.M, *P.Mod).Changes.empty());
  Total(1, {1, 0});
  const HookedRun Moved = predictWithHooks(P, {1, 0}, P.M, *P.Mod);
  ASSERT_EQ(Moved.Changes.size(), 1u);
  EXPECT_EQ(Moved.Changes[0].Phase, 1u);
  EXPECT_EQ(Moved.Changes[0].FastShare, Shares({0, 1}));
}

/// Two objects in turns, many times: each hook brings what the next phase
/// reads, and the number of hooks considered is limited.
TEST(Trade, MovesToAndFroWherePhasesTakeTurns) {
  for (uint32_t Phases : {8u, 400u}) {
    Case P(Phases);
    P.object();
    P.object();
    for (uint32_t H = 0; H < Phases; ++H)
      for (int K = 0; K < 2; ++K)
        P.task(H, 0, {{H % 2, 1e5}});
    P.M.MigrationPageUs = 0.001;
    P.M.MigrationBandwidthGBps = 0;
    const HookedRun Out = predictWithHooks(P, {1, 0}, P.M, *P.Mod);
    if (Phases == 8) {
      ASSERT_EQ(Out.Changes.size(), 7u);
      for (uint32_t K = 0; K < 7; ++K) {
        EXPECT_EQ(Out.Changes[K].Phase, K + 1);
        EXPECT_EQ(Out.Changes[K].FastShare,
                  K % 2 ? Shares({1, 0}) : Shares({0, 1}));
      }
      EXPECT_EQ(Out.Left, 0u);
    } else {
      EXPECT_EQ(Out.Left, 399 - unsigned(figures().MostHooksWeighed));
    }
  }
}

/// Fifty phases of a kind, fifty of another, and the first kind again: where
/// one follows the other, hooks are weighed, however many there are.
TEST(Trade, WeighsEveryRareTurn) {
  std::vector<HookKind> Kinds;
  auto Add = [&](HookKind Kind, int N) { Kinds.insert(Kinds.end(), N, Kind); };
  Add({0, 0}, 49);
  Add({0, 1}, 1);
  Add({1, 1}, 49);
  Add({1, 0}, 1);
  Add({0, 0}, 49);
  const std::vector<size_t> Few = hooksToWeigh(Kinds, 10);
  EXPECT_EQ(Few,
            (std::vector<size_t>{0, 24, 49, 50, 62, 74, 86, 99, 100, 124}));
  EXPECT_EQ(hooksToWeigh(Kinds, 1000).size(), Kinds.size());
  EXPECT_EQ(hooksToWeigh(Kinds, 2), (std::vector<size_t>{0, 74}));
  EXPECT_TRUE(hooksToWeigh({}, 64).empty());
}

/// 200 us of gain, and 16 pages in and out at 3 us each, 96 us: a copier on a
/// core of its own costs next to nothing, one beside as many tasks as cores all
/// of it.
TEST(Trade, CopierTakesTimeWhereCoresAreBusy) {
  for (unsigned Cores : {1u, 2u})
    for (double PageUs : {3., 5.}) {
      Case P(2);
      P.M.Cores = Cores;
      P.object();
      P.object();
      P.task(1, 100, {{1, 1000}});
      EXPECT_EQ(disturbance(P, 0, P.M), Cores == 1 ? 1 : figures().Disturbance);
      EXPECT_EQ(P.trade({1, 0}, PageUs),
                Cores == 2 || PageUs == 3 ? Shares({0, 1}) : Shares({1, 0}));
    }
}

/// What object 0 loses counts as well: 200 us against 60 us, and against 220.
TEST(Trade, LossOfThePartner) {
  for (bool More : {false, true}) {
    Case P(2);
    P.object();
    P.object();
    P.task(1, 100, {{0, More ? 1100 : 300}, {1, 1000}});
    EXPECT_EQ(P.trade({1, 0}, 0.1), More ? Shares({1, 0}) : Shares({0, 1}));
  }
}

TEST(Trade, PhasesThatAreOverDoNotCount) {
  Case P(3);
  P.object();
  P.object();
  P.task(1, 100, {{1, 1000}});
  P.task(2, 100, {{0, 1000}});
  EXPECT_EQ(P.trade({0, 1}, 0.1, 1), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 0.1, 1), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 0.1, 2), Shares({1, 0})) << "nothing is to come";
}

/// Less than a page does not count as room.
TEST(Trade, UsesFreeRoom) {
  Case P(2, 2 * Object);
  P.object();
  P.object();
  P.task(1, 100, {{0, 1000}, {1, 1000}});
  EXPECT_EQ(P.trade({1, 0}, 1), Shares({1, 1}));
  EXPECT_EQ(P.trade({1, 0}, 40), Shares({1, 0})) << "640 of 500 us";
  P.FastBytes = 1.5 * Object;
  EXPECT_EQ(P.trade({1, 0}, 1), Shares({1, 0.5}));
  P.FastBytes = Object + 4095;
  EXPECT_EQ(P.trade({1, 0}, 1), Shares({1, 0}));
}

/// A second per page: only what has no pages yet may change places.
TEST(Trade, NotAllocatedYetMovesForNothing) {
  for (uint32_t Alloc : {0, 1, 2}) {
    Case P(3);
    P.object(Object, Alloc);
    P.object(Object, Alloc);
    P.task(2, 100, {{1, 1000}});
    EXPECT_EQ(P.trade({1, 0}, 1e6), Alloc ? Shares({0, 1}) : Shares({1, 0}))
        << Alloc;
    EXPECT_EQ(P.trade({1, 0}, 1e6, 0, false),
              Alloc ? Shares({0, 1}) : Shares({1, 0}))
        << Alloc;
  }
  // Its partner has, and has to leave in time.
  Case P(3);
  P.object(Object, 0);
  P.object(Object, 2);
  P.task(1, 1000, {});
  P.task(2, 100, {{1, 1000}});
  P.Instances[0].AllocPhase = 0;
  EXPECT_EQ(P.trade({1, 0}, 100), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 50), Shares({0, 1}));
  P.Instances[1].AllocPhase = 1; // in the next phase: at once
  EXPECT_EQ(P.trade({1, 0}, 50), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 0), Shares({0, 1}));
}

/// Task 0 lasts 1000 us + 300, task 1 100 us + 600: what only task 1 uses
/// shortens nothing, however much it saves there.
TEST(Trade, OnlySlowTasksCount) {
  Case P(2);
  P.object();
  P.object();
  P.object();
  P.task(1, 1000, {{2, 1000}});
  P.task(1, 100, {{1, 2000}});
  EXPECT_EQ(P.trade({1, 0, 0}, 0.1), Shares({0, 0, 1}));
  P.Phases[1].Tasks.edit()[0].Demand.Units.clear();
  EXPECT_EQ(P.trade({1, 0, 0}, 0.1), Shares({1, 0, 0}));
}

/// Four explicit tasks on two workers save 4 * 250 * 200 ns / 2 = 100 us of
/// 150, a quarter of it with each step. At 3 us a page a step takes 48 us, and
/// the third would come too late.
TEST(Trade, ExplicitTasksShareTheWorkers) {
  Case P(2, 4 * Object);
  P.object(4 * Object);
  for (int T = 0; T < 4; ++T)
    P.task(1, 0, {{0, 250}}).Explicit = true;
  P.Phases[1].Workers = 2;
  EXPECT_EQ(P.trade({0}, 1), Shares({1}));
  EXPECT_EQ(P.trade({0}, 3), Shares({0.5}));
  EXPECT_EQ(P.trade({0}, 10), Shares({0}));
}

/// A freed object neither gets nor takes room.
TEST(Trade, FreedObjects) {
  Case P(2);
  P.object(Object, 0, 0);
  P.object(Object, 0, 0);
  P.object();
  P.task(1, 100, {{0, 5000}, {2, 1000}});
  EXPECT_EQ(P.trade({0, 1, 0}, 0.1), Shares({0, 1, 1}));
}

/// Object 1 helps in phase 2, object 0 in phase 1, after which it is gone: the
/// two change places only where that gains more than it loses, not where there
/// is a hook in between.
TEST(Trade, RoomInEveryPhase) {
  Case P(3);
  P.object(Object, 0, 1);
  P.object();
  P.task(1, 100, {{0, 1000}});
  P.task(2, 100, {{1, 5000}});
  EXPECT_EQ(P.trade({1, 0}, 0.1), Shares({0, 1}));
  EXPECT_EQ(P.trade({1, 0}, 0.1, 1), Shares({1, 1})) << "0 is gone";
  P.FastBytes = 2 * Object;
  EXPECT_EQ(P.trade({1, 0}, 0.1), Shares({1, 1}));
  P.FastBytes = Object;
  P.task(1, 50, {});
  EXPECT_EQ(P.trade({1, 0}, 0.1), Shares({1, 0}));
}

/// What is used longer may take the room of what is gone earlier, if nothing
/// else fills the tier then; what goes earlier makes no room for long.
TEST(Trade, OfOtherLifetimes) {
  for (uint32_t Other : {0, 1}) {
    Case P(4);
    P.object(Object, 1, 2); // goes
    P.object(Object, 2, 3); // comes
    P.object(Object, 3, 3); // fills the tier in phase 3
    P.task(2, 100, {{0, 100}, {1, 1000}});
    P.task(3, 100, {{2, Other ? 5000. : 0.}});
    EXPECT_EQ(P.trade({1, 0, double(Other)}, 0.1),
              Other ? Shares({1, 0, 1}) : Shares({0, 1, 0}));
  }
}

/// All of fast memory has the data of one of two equal tasks. The last rounds
/// exchange several objects with the gains at their start, so the balance is
/// met within one.
TEST(Trade, RoundsOfSeveralStepsFindTheBalance) {
  constexpr uint32_t Half = 128;
  Case P(2, Half * Object);
  std::vector<std::pair<uint32_t, double>> Uses[2];
  Shares Fast;
  for (uint32_t U = 0; U < 2 * Half; ++U) {
    Uses[U % 2].push_back({P.object(), 1e5});
    Fast.push_back(U % 2);
  }
  for (uint32_t T : {0u, 1u})
    P.task(1, 0, Uses[T]);
  const double InRound = 1 + Half / 2.0 / figures().TradeRoundParts;
  ASSERT_GE(InRound, 2);
  const Shares Then = P.trade(Fast, 0.01);
  double Of[2] = {};
  for (uint32_t U = 0; U < 2 * Half; ++U)
    Of[U % 2] += Then[U];
  EXPECT_EQ(Of[0] + Of[1], Half);
  EXPECT_NEAR(Of[0], Of[1], 2 * InRound);
}

TEST(Trade, LeavesFixedAlone) {
  for (const bool Used : {false, true}) {
    Case P(3);
    P.object();
    P.object();
    P.Instances[Used ? 1 : 0].Fixed = PredictedInstance::Small;
    P.task(1, 100, {{1, 5000}});
    P.task(2, 100, {{1, 5000}});
    EXPECT_EQ(P.trade({1, 0}, 0), Shares({1, 0}));
  }
}

/// For any problem: no later phase holds more than fits, freed objects do not
/// move, and if moves cost nothing the time up to the next hook decreases.
TEST(Trade, Properties) {
  for (unsigned Seed = 0; Seed < 40; ++Seed) {
    std::mt19937 Random(Seed);
    auto Pick = [&](uint32_t From, uint32_t To) {
      return From + static_cast<uint32_t>(Random() % (To - From + 1));
    };
    Case P(4, Object * Pick(1, 6));
    Shares Start;
    double Left = P.FastBytes;
    for (int I = 0; I < 8; ++I) {
      uint32_t Alloc = Pick(0, 3);
      P.object(KiB * Pick(1, 300), Alloc,
               Pick(0, 1) ? Pick(Alloc, 3) : EK_NO_TASK);
      double Bytes = std::min(Left, P.Units.back().Bytes) * Pick(0, 2) / 2;
      Left -= Bytes;
      Start.push_back(Bytes / P.Units.back().Bytes);
    }
    for (uint32_t H = 0; H < 4; ++H)
      for (uint32_t T = Pick(1, 4); T; --T) {
        std::vector<std::pair<uint32_t, double>> Lines;
        for (uint32_t U = 0; U < 8; ++U)
          if (isLive(P.Instances[U], H) && Pick(0, 1))
            Lines.emplace_back(U, Pick(1, 3000));
        P.task(H, Pick(1, 500), Lines);
      }
    const uint32_t Hook = Pick(0, 2);
    const double PageUs = Pick(0, 3);
    Shares X = P.trade(Start, PageUs, Hook);
    for (size_t U = 0; U < X.size(); ++U) {
      EXPECT_TRUE(X[U] >= 0 && X[U] <= 1) << Seed;
      if (P.Instances[U].FreePhase <= Hook) {
        EXPECT_EQ(X[U], Start[U]) << Seed;
      }
    }
    if (X != Start && PageUs == 0) {
      EXPECT_LT(P.untilNext(X, Hook), P.untilNext(Start, Hook)) << Seed;
    }
    for (uint32_t H = Hook + 1; H < 4; ++H) {
      double Used = 0;
      for (size_t U = 0; U < X.size(); ++U)
        if (isLive(P.Instances[U], H))
          Used += X[U] * P.Units[U].Bytes;
      EXPECT_LE(Used, P.FastBytes + 1) << Seed << " phase " << H;
    }
  }
}

} // namespace
