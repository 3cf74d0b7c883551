//===- Oracle.cpp - the best placement that a search finds ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: our own yardstick, not a policy that could run in reality. It knows
// every miss of the record that is replayed. First without migration: pages
// stay where they are first touched. Starting points are first-touch,
// interleave, the plan if one is given, and placements from an analytic search
// (OracleModel). Then replays decide: the model is corrected by the best replay
// and asked again, and units are exchanged in the best placement. Then with
// migration: units are exchanged between phases if that pays over the next
// phases, with several horizons and margins. The best replayed placement wins,
// so the result is never worse than a starting point. OracleBound bounds the
// distance from the optimum. Finally, it searches for the smallest differences
// between task times at hardly more time.
// Parameters: at most MostReplays replays, fewer for long records (the number
// depends only on the record).
// Not here: moves inside phases; tiers beyond the second take the rest.
//===----------------------------------------------------------------------===//
#include "OracleBound.h"
#include "OracleModel.h"
#include "simulator/ReplayEngine.h"
#include "simulator/policies/Policies.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <limits>

namespace evenkeel {
namespace {

/// Places each page by a table at first touch, and moves pages between phases
/// if given a schedule.
class Fixed : public Policy {
  std::vector<uint64_t> FirstPage; // a copy: the index may be destroyed first
  OracleModel::Table Fast;
  std::vector<OracleModel::Moves> Moves; // by the phase they precede

public:
  OracleReport Report;

  Fixed(const PreparedRecord &R, OracleModel::Table Fast,
        std::vector<OracleModel::Moves> Moves = {})
      : FirstPage(R.FirstPage), Fast(std::move(Fast)), Moves(std::move(Moves)) {
  }
  std::string name() const override { return "oracle"; }
  std::optional<OracleReport> oracleReport() const override { return Report; }
  void onPhaseEnd(PageMap &Map, uint32_t Phase,
                  const std::vector<TaskResult> &) override {
    if (Phase + 1 >= Moves.size())
      return;
    for (auto [Page, IsFast] : Moves[Phase + 1]) {
      auto Next = std::upper_bound(FirstPage.begin(), FirstPage.end(), Page);
      uint32_t I = uint32_t(Next - FirstPage.begin()) - 1;
      Map.requestMove(I, uint32_t(Page - FirstPage[I]), IsFast ? 0 : 1);
    }
  }
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override {
    return Map.placeFrom(I, Page, Fast[FirstPage[I] + Page] ? 0 : 1);
  }
};

class Search {
  const ReplayRequest &Request;
  const PreparedRecord &R;
  uint64_t Left; // replays left
  OracleModel::Table Best;
  PolicyResult BestResult;
  std::vector<std::pair<double, double>>
      Seen; // makespan and A.C.V. of each replay

public:
  explicit Search(const ReplayRequest &Request)
      : Request(Request), R(*Request.Prepared) {
    // A replay reads each row once and solves for all running tasks at the end
    // of each interval; about 5 s in total, at 10 ns a step.
    uint64_t Cost = R.Rows.size() + 1 +
                    10 * R.Intervals.size() *
                        *std::max_element(R.Workers.begin(), R.Workers.end());
    Left = std::clamp(500'000'000 / Cost, uint64_t(figures().LeastReplays),
                      uint64_t(figures().MostReplays));
  }

  Expected<std::unique_ptr<Policy>> run() {
    std::vector<std::unique_ptr<Policy>> Starts;
    Starts.push_back(makeFirstTouch());
    Starts.push_back(makeInterleave());
    if (Request.P)
      Starts.push_back(makePlanned(Request.P->Planner, Request));
    for (auto &P : Starts) {
      std::vector<uint8_t> Tiers;
      auto Result =
          replayPrepared(R, *Request.M, Request.FastBytes, *P, &Tiers);
      if (!Result)
        return Result.takeError();
      OracleModel::Table Fast(Tiers.size(), 0);
      for (const PreparedRecord::TouchedPage &T : R.Touches) {
        uint64_t Page = R.FirstPage[T.Instance] + T.Page;
        Fast[Page] = Tiers[Page] == 0;
      }
      note(*Result);
      keep(std::move(Fast), std::move(*Result));
      Left -= Left > 0;
    }

    OracleModel Model(R, *Request.M, Request.FastBytes);
    for (const OracleModel::Table &T : Model.propose(4))
      if (Expected<bool> E = tryOut(T); !E)
        return E.takeError();
    // Correct the model and ask again while that helps, with a third of the
    // replays.
    for (uint64_t Rounds = Left / 3; Rounds-- && Left;) {
      Model.learn(Best, BestResult);
      bool Better = false;
      for (const OracleModel::Table &T : Model.propose(2)) {
        Expected<bool> E = tryOut(T);
        if (!E)
          return E.takeError();
        Better |= *E;
      }
      if (!Better)
        break;
    }
    for (double Part = figures().FirstExchange;
         Part > figures().LeastExchange && Left;) {
      Expected<bool> E = tryOut(Model.exchange(Best, BestResult, Part));
      if (!E)
        return E.takeError();
      if (!*E)
        Part /= 2;
    }
    return finish(Model);
  }

private:
  /// Searches for moves between phases that pay, and computes the bounds.
  Expected<std::unique_ptr<Policy>> finish(const OracleModel &Model) {
    OracleReport Report;
    Report.StaticSeconds = BestResult.MakespanSeconds;
    OracleModel::Schedule Chosen{Best, {}};
    double Fastest = Report.StaticSeconds;
    if (MaybeError E = searchMoves(Model, Chosen, Fastest))
      return std::move(*E);
    Expected<double> Acv = leastAcv(Model, figures().LeastAcvWithin * Fastest);
    if (!Acv)
      return Acv.takeError();
    Report.LeastAcv = *Acv;
    OracleBounds B = oracleBounds(R, *Request.M, Request.FastBytes);
    Report.StaticLowerBound = B.StaticSeconds;
    Report.LowerBound = B.MovingSeconds;
    Report.StaticBoundExact = B.StaticExact;
    auto P = std::make_unique<Fixed>(R, std::move(Chosen.First),
                                     std::move(Chosen.Before));
    P->Report = Report;
    return std::unique_ptr<Policy>(std::move(P));
  }

  void note(const PolicyResult &R) {
    Seen.push_back({R.MakespanSeconds, R.Acv});
  }

  /// The smallest A.C.V. of all replays, and of exchanges that make task times
  /// more even, within \p Most seconds.
  Expected<double> leastAcv(const OracleModel &Model, double Most) {
    OracleModel::Table Now = Best;
    PolicyResult Result = BestResult;
    double Part = figures().FirstExchange;
    for (unsigned Try = 0; Try < unsigned(figures().EvenReplays) &&
                           Part > figures().LeastExchange;
         ++Try) {
      OracleModel::Table T = Model.exchangeForEvenness(Now, Result, Part);
      if (T == Now)
        break;
      Fixed P(R, T);
      auto Replayed = replayPrepared(R, *Request.M, Request.FastBytes, P);
      if (!Replayed)
        return Replayed.takeError();
      note(*Replayed);
      if (Replayed->MakespanSeconds <= Most && Replayed->Acv < Result.Acv) {
        Now = std::move(T);
        Result = std::move(*Replayed);
      } else {
        Part /= 2;
      }
    }
    double Least = std::numeric_limits<double>::infinity();
    for (auto [Makespan, Acv] : Seen)
      if (Makespan <= Most)
        Least = std::min(Least, Acv);
    return Least;
  }

  /// Coarse steps over horizons and starts, then one parameter at a time.
  MaybeError searchMoves(const OracleModel &Model,
                         OracleModel::Schedule &Chosen, double &Fastest) {
    const uint32_t Phases = uint32_t(R.Record->Phases.size());
    if (Phases < 2)
      return {};
    // If no coarse step pays, try pages that are allocated late.
    OracleModel::Moving Found{std::min(4u, Phases), 0.5, 0, false};
    auto Try = [&](const OracleModel::Moving &H) -> Expected<bool> {
      auto Tried = Model.moving(Best, BestResult, H);
      if (!Tried.movesAny())
        return false; // a larger margin would not help either
      Fixed P(R, Tried.First, Tried.Before);
      auto Result = replayPrepared(R, *Request.M, Request.FastBytes, P);
      if (!Result)
        return Result.takeError();
      note(*Result);
      if (Result->MakespanSeconds < Fastest) {
        Fastest = Result->MakespanSeconds;
        Chosen = std::move(Tried);
        Found = H;
      }
      return true;
    };
    for (unsigned Ahead : {1u, 2u, 4u, 8u, Phases}) {
      if (Ahead > Phases)
        break;
      for (bool Fresh : {false, true})
        for (double Margin : {0.05, 0.25, 1.0, 3.0}) {
          auto Moved = Try({Ahead, 1, Margin, Fresh});
          if (!Moved)
            return Moved.takeError();
          if (!*Moved)
            break;
        }
    }
    for (double Now : {0.5, 0.25, 0.0}) {
      OracleModel::Moving How = Found;
      How.Now = Now;
      if (auto Moved = Try(How); !Moved)
        return Moved.takeError();
    }
    for (double Margin : {0.0, 0.02, 0.1, 0.5}) {
      OracleModel::Moving How = Found;
      How.Margin = Margin;
      if (auto Moved = Try(How); !Moved)
        return Moved.takeError();
    }
    return {};
  }

  bool keep(OracleModel::Table T, PolicyResult Result) {
    if (!Best.empty() && Result.MakespanSeconds >= BestResult.MakespanSeconds)
      return false;
    Best = std::move(T);
    BestResult = std::move(Result);
    return true;
  }

  /// Replays a placement; true if it is the best so far.
  Expected<bool> tryOut(const OracleModel::Table &T) {
    if (!Left || T == Best)
      return false;
    --Left;
    Fixed P(R, T);
    auto Result = replayPrepared(R, *Request.M, Request.FastBytes, P);
    if (!Result)
      return Result.takeError();
    note(*Result);
    return keep(T, std::move(*Result));
  }
};

} // namespace

Expected<std::unique_ptr<Policy>> makeOracle(const ReplayRequest &R) {
  return Search(R).run();
}

} // namespace evenkeel
