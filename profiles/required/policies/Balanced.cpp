//===- Balanced.cpp - order and copies with the smallest time in replay ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Evenkeel. A search whose objective is the simulated time. It begins
// with dymem's schedule at its best, so it is never slower in replay; it then
// tries other orders and pools with dymem's rule, and schedules in which
// nothing leaves before there is no room; and improves the best of them use by
// use: whether contents leave after it, and how early its step's data is copied
// in, the largest data first, until no change helps. Capacity is a hard limit
// in each of these replays. Settings:
//   tries  most replays of the improvement
//===----------------------------------------------------------------------===//
#include "Policy.h"
#include "Steps.h"
#include <algorithm>

namespace evenkeel::required {

const std::vector<Tunable> &tunablesOfBalanced() {
  static const std::vector<Tunable> T = {
      {"tries", 2000, {2000}, "most replays of the improvement"}};
  return T;
}

namespace {

class Search {
  const TaskGraph &G;
  const FastMemory &Fast;
  Schedule Best;
  Replayed Result;
  long Left;

public:
  Search(const TaskGraph &G, const FastMemory &Fast, PolicyRun First,
         long Tries)
      : G(G), Fast(Fast), Best(std::move(First.Decided)),
        Result(std::move(First.Result)), Left(Tries) {}

  Schedule run() {
    tryOthers();
    for (bool Improved = true; Improved && Left > 0;) {
      Improved = improveLeaves();
      Improved |= improveCopies();
    }
    return std::move(Best);
  }

private:
  bool consider(Schedule S) {
    const Replayed R = replayStreams(G, S, Fast);
    if (!isBetter(R, Result))
      return false;
    Best = std::move(S);
    Result = R;
    return true;
  }

  /// The schedule of dymem, or one that only evicts, on another order.
  void tryOthers() {
    for (unsigned Number = 0; Number < Orders; ++Number)
      for (PoolKind Pool : {PoolKind::Gtbm, PoolKind::BestFit})
        for (uint32_t Ahead : {1u, 2u, 4u, 16u}) {
          Schedule S = oneAhead(G, orderByNumber(G, Number));
          S.Pool = Pool;
          for (uint32_t P = 0; P < S.After.size(); ++P)
            S.After[P] = P < Ahead ? 0 : P - Ahead + 1;
          consider(S);
          const LiveRanges Live = liveRanges(G, S.Steps);
          for (uint32_t P = 0; P < S.Steps.size(); ++P)
            for (uint32_t I = 0; I < S.Leaves[P].size(); ++I) {
              const UseInOrder &U = Live.at(G, S.Steps, P, I);
              S.Leaves[P][I] = U.LiveAfter && (U.NextUse == Never ||
                                               S.After[U.NextUse] > P + 1);
            }
          consider(std::move(S));
        }
  }

  /// Uses after which contents are live, the largest first.
  std::vector<std::pair<uint32_t, uint32_t>> gaps() const {
    const LiveRanges Live = liveRanges(G, Best.Steps);
    std::vector<std::pair<uint32_t, uint32_t>> Out;
    for (uint32_t P = 0; P < Best.Steps.size(); ++P)
      for (uint32_t I = 0; I < Best.Leaves[P].size(); ++I)
        if (const UseInOrder &U = Live.at(G, Best.Steps, P, I);
            U.LiveAfter && U.NextUse > P + 1)
          Out.push_back({P, I});
    auto Bytes = [&](const std::pair<uint32_t, uint32_t> &X) {
      return G.Data[G.Steps[Best.Steps[X.first]].Uses[X.second].Datum].Bytes;
    };
    std::sort(Out.begin(), Out.end(), [&](const auto &A, const auto &B) {
      return Bytes(A) != Bytes(B) ? Bytes(A) > Bytes(B) : A < B;
    });
    return Out;
  }

  bool improveLeaves() {
    bool Any = false;
    for (auto [P, I] : gaps()) {
      if (Left-- <= 0)
        break;
      Schedule S = Best;
      S.Leaves[P][I] = !S.Leaves[P][I];
      Any |= consider(std::move(S));
    }
    return Any;
  }

  bool improveCopies() {
    bool Any = false;
    for (uint32_t P = 1; P < Best.After.size(); ++P)
      for (int Step : {-1, 1, -4}) {
        if (Left-- <= 0)
          return Any;
        const int64_t To = int64_t(Best.After[P]) + Step;
        if (To < 0 || To > P)
          continue;
        Schedule S = Best;
        S.After[P] = uint32_t(To);
        Any |= consider(std::move(S));
      }
    return Any;
  }
};

} // namespace

Schedule makeBalanced(const TaskGraph &G, const FastMemory &Fast,
                      const Settings &Set) {
  PolicyRun First = runAtBest(**copyPolicy("dymem"), G, Fast);
  return Search(G, Fast, std::move(First),
                long(settingOf(Set, tunablesOfBalanced(), "tries")))
      .run();
}

} // namespace evenkeel::required
