//===- trade_test.cpp - few moves that pay --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: small cases by hand, and what must hold for any. A line in the fast
// tier saves 200 ns; objects are 64 KiB, so one step moves a whole object.
//===----------------------------------------------------------------------===//
#include "Scenario.h"
#include "planner/Phase.h"
#include "planner/Trade.h"
#include <algorithm>
#include <cmath>
#include <random>

using namespace evenkeel;

namespace {

constexpr double KiB = 1024, Object = 64 * KiB;
using Shares = std::vector<double>;

struct Trades : Problem {
  Machine M = roundMachine();
  std::unique_ptr<Model> Mod;

  explicit Trades(uint32_t PhaseCount, double Fast = Object) {
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
    return Phases[Phase].Tasks.back();
  }
  /// \p Cost is that of moving one object, in microseconds.
  Shares trade(Shares Fast, double Cost, double Margin = 1,
               uint32_t Hook = 0) const {
    return tradeAtHook(*this, std::move(Fast), Hook, M, *Mod,
                       Cost * 1e-6 / Object, Margin);
  }
  double rest(const Shares &Fast, uint32_t Hook) const {
    double Sum = 0;
    for (const PredictedPhase &H : Phases)
      if (H.Phase > Hook)
        Sum += phaseSeconds(H, Fast, M, *Mod);
    return Sum;
  }
};

/// 1000 lines save 200 us; the trade moves two objects.
TEST(Trade, PaysOrNotByItsCost) {
  Trades P(2);
  P.object();
  P.object();
  P.task(1, 100, {{1, 1000}});
  EXPECT_EQ(P.trade({1, 0}, 80), Shares({0, 1}));
  EXPECT_EQ(P.trade({1, 0}, 120), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 80, 1.5), Shares({1, 0})) << "margin: 240 us";
  // 206 us lie between what the phase saves and that with the hedge of 5 %.
  EXPECT_EQ(P.trade({1, 0}, 103), Shares({1, 0}));
}

/// What object 0 loses counts as well: 200 us - 60 us.
TEST(Trade, LossOfThePartner) {
  Trades P(2);
  P.object();
  P.object();
  P.task(1, 100, {{0, 300}, {1, 1000}});
  EXPECT_EQ(P.trade({1, 0}, 60), Shares({0, 1}));
  EXPECT_EQ(P.trade({1, 0}, 80), Shares({1, 0}));
}

TEST(Trade, PhasesThatAreOverDoNotCount) {
  Trades P(3);
  P.object();
  P.object();
  P.task(1, 100, {{1, 1000}});
  P.task(2, 100, {{0, 1000}});
  EXPECT_EQ(P.trade({0, 1}, 1, 1, 1), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 1, 1, 1), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 1, 1, 2), Shares({1, 0})) << "nothing is to come";
}

/// Into free room there is one move, not two; less than a page is no room.
TEST(Trade, UsesFreeRoom) {
  Trades P(2, 2 * Object);
  P.object();
  P.object();
  P.task(1, 100, {{0, 1000}, {1, 1000}});
  EXPECT_EQ(P.trade({1, 0}, 150), Shares({1, 1}));
  EXPECT_EQ(P.trade({1, 0}, 250), Shares({1, 0}));
  P.FastBytes = 1.5 * Object;
  EXPECT_EQ(P.trade({1, 0}, 150), Shares({1, 0.5}));
  P.FastBytes = Object + 4095;
  EXPECT_EQ(P.trade({1, 0}, 150), Shares({1, 0}));
}

/// A second per byte: only what has no pages yet may change places.
TEST(Trade, NotAllocatedYetMovesForFree) {
  for (uint32_t Alloc : {0, 1, 2}) {
    Trades P(3);
    P.object(Object, Alloc);
    P.object(Object, Alloc);
    P.task(2, 100, {{1, 1000}});
    EXPECT_EQ(P.trade({1, 0}, Object * 1e6),
              Alloc ? Shares({0, 1}) : Shares({1, 0}))
        << Alloc;
  }
  // Its partner has.
  Trades P(2);
  P.object(Object, 0);
  P.object(Object, 1);
  P.task(1, 100, {{1, 1000}});
  EXPECT_EQ(P.trade({1, 0}, Object * 1e6), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 190), Shares({0, 1})) << "one move";
}

/// Task 0 lasts 1000 us + 300, task 1 100 us + 600: what only task 1 uses
/// shortens nothing, however much it saves there.
TEST(Trade, OnlySlowTasksCount) {
  Trades P(2);
  P.object();
  P.object();
  P.object();
  P.task(1, 1000, {{2, 1000}});
  P.task(1, 100, {{1, 2000}});
  EXPECT_EQ(P.trade({1, 0, 0}, 1), Shares({0, 0, 1}));
  P.Phases[1].Tasks[0].Demand.Units.clear();
  EXPECT_EQ(P.trade({1, 0, 0}, 1), Shares({1, 0, 0}));
}

/// Four explicit tasks on two workers save 4 * 250 * 200 ns / 2 = 100 us of
/// 150, a quarter of it with each step.
TEST(Trade, ExplicitTasksShareTheWorkers) {
  Trades P(2, 4 * Object);
  P.object(4 * Object);
  for (int T = 0; T < 4; ++T)
    P.task(1, 0, {{0, 250}}).Explicit = true;
  P.Phases[1].Workers = 2;
  EXPECT_EQ(P.trade({0}, 24), Shares({1}));
  EXPECT_EQ(P.trade({0}, 27), Shares({0}));
  // Above 25 us by less than the hedge: tried, and found not to pay.
  EXPECT_EQ(P.trade({0}, 25.5), Shares({0}));
}

/// Neither does a freed object get anything, nor does it take room.
TEST(Trade, FreedObjects) {
  Trades P(2);
  P.object(Object, 0, 0);
  P.object(Object, 0, 0);
  P.object();
  P.task(1, 100, {{0, 5000}, {2, 1000}});
  EXPECT_EQ(P.trade({0, 1, 0}, 1), Shares({0, 1, 1}));
}

/// Object 1 would help in phase 2, but in phase 1 object 0 still fills the
/// tier; they do not live equally long, so that they may not trade either.
TEST(Trade, RoomInEveryPhase) {
  Trades P(3);
  P.object(Object, 0, 1);
  P.object();
  P.task(1, 100, {{0, 1000}});
  P.task(2, 100, {{1, 5000}});
  EXPECT_EQ(P.trade({1, 0}, 1), Shares({1, 0}));
  EXPECT_EQ(P.trade({1, 0}, 1, 1, 1), Shares({1, 1})) << "0 is gone";
  P.FastBytes = 2 * Object;
  EXPECT_EQ(P.trade({1, 0}, 1), Shares({1, 1}));
}

/// Any problem: no phase to come holds more than before or than fits, and what
/// is saved exceeds what the moves cost.
TEST(Trade, Properties) {
  for (unsigned Seed = 0; Seed < 40; ++Seed) {
    std::mt19937 Random(Seed);
    auto Pick = [&](uint32_t From, uint32_t To) {
      return From + static_cast<uint32_t>(Random() % (To - From + 1));
    };
    Trades P(4, Object * Pick(1, 6));
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
    const double Cost = Pick(0, 50);
    Shares X = P.trade(Start, Cost, 1.2, Hook);
    double Paid = 0;
    for (size_t U = 0; U < X.size(); ++U) {
      EXPECT_TRUE(X[U] >= 0 && X[U] <= 1) << Seed;
      if (P.Instances[U].FreePhase <= Hook)
        EXPECT_EQ(X[U], Start[U]) << Seed;
      if (P.Instances[U].AllocPhase <= Hook)
        Paid += std::fabs(X[U] - Start[U]) * P.Units[U].Bytes * Cost * 1e-6 /
                Object;
    }
    if (X != Start)
      EXPECT_LT(P.rest(X, Hook), P.rest(Start, Hook) - 1.2 * Paid + 1e-9)
          << Seed;
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
