//===- Replay.cpp - ranks that meet in all-reduces, replayed --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Replay.h. Nothing depends on the clock: ranks that are ready at the same
// time come in the order of their numbers.
//===----------------------------------------------------------------------===//
#include "Replay.h"
#include "ek_choice.h"
#include "ek_groups.h"
#include <algorithm>
#include <limits>

namespace evenkeel {

const char *nameOf(SumWay Way) {
  switch (Way) {
  case SumWay::Allreduce:
    return "allreduce";
  case SumWay::Iallreduce:
    return "iallreduce";
  case SumWay::Majority:
    return "majority";
  case SumWay::Gossip:
    return "gossip";
  case SumWay::Relaxed:
    return "relaxed";
  case SumWay::Groups:
    return "groups";
  }
  return "";
}

namespace {

constexpr double Never = std::numeric_limits<double>::infinity();

/// Adds up what rounds were like.
class Tally {
  ReplayResult R;
  std::vector<double> LastEnds; // by group
  double MergedCount = 0, Waited = 0, Waits = 0;
  uint64_t SeenBy = 0; // contributions with a staleness

public:
  void round(const SumRound &X, uint64_t Number) {
    ++R.Rounds;
    if (X.Group >= LastEnds.size())
      LastEnds.resize(X.Group + 1, R.Seconds);
    R.Response += std::max(0.0, X.Started - LastEnds[X.Group]);
    LastEnds[X.Group] = X.Ended;
    R.Seconds = std::max(R.Seconds, X.Ended);
    for (const RoundPart &P : X.Parts) {
      R.Parts += !P.Iterations.empty();
      R.Contributions += double(P.Iterations.size());
      if (!P.Iterations.empty())
        MergedCount += double(P.Iterations.size() - 1);
      for (uint64_t Seen : P.Seen) {
        const uint64_t Stale = Number - Seen;
        R.Staleness += double(Stale);
        ++SeenBy;
        R.WorstStaleness = std::max(R.WorstStaleness, Stale);
      }
    }
  }
  void wait(double Seconds) {
    Waited += Seconds;
    ++Waits;
  }
  double contributions() const { return R.Contributions; }
  ReplayResult result() const {
    ReplayResult Out = R;
    const double N = double(std::max<uint64_t>(R.Rounds, 1));
    Out.Parts /= N;
    Out.Response /= N;
    Out.Wait = Waits > 0 ? Waited / Waits : 0;
    Out.Staleness = SeenBy ? R.Staleness / double(SeenBy) : 0;
    Out.Merged = R.Contributions > 0 ? MergedCount / R.Contributions : 0;
    return Out;
  }
};

bool tell(const RoundListener &L, const SumRound &R) { return !L || L(R); }

SumRound fullRound(const ReplaySetting &S, uint64_t Iteration, uint64_t Seen) {
  SumRound R;
  for (uint32_t Rank = 0; Rank < S.Ranks; ++Rank)
    R.Parts.push_back({Rank, {Iteration}, {Seen}});
  return R;
}

ReplayResult allreduce(const ReplaySetting &S, const WorkOf &Work,
                       const RoundListener &L) {
  Tally T;
  double Now = 0;
  for (uint64_t I = 0; I < S.Iterations; ++I) {
    double Longest = 0;
    std::vector<double> Took;
    for (uint32_t R = 0; R < S.Ranks; ++R) {
      Took.push_back(Work(R, I));
      Longest = std::max(Longest, Took.back());
    }
    for (double X : Took)
      T.wait(Longest - X + S.Cost);
    SumRound R = fullRound(S, I, I);
    R.Started = Now + Longest;
    Now = R.Ended = R.Started + S.Cost;
    T.round(R, I);
    if (!tell(L, R))
      break;
  }
  return T.result();
}

/// In iteration I the sum of I - 2 has been seen.
ReplayResult iallreduce(const ReplaySetting &S, const WorkOf &Work,
                        const RoundListener &L) {
  Tally T;
  std::vector<double> Free(S.Ranks, 0);
  double Before = 0; // end of the sum of the last iteration
  for (uint64_t I = 0; I < S.Iterations; ++I) {
    double Last = Before;
    for (uint32_t R = 0; R < S.Ranks; ++R) {
      Free[R] += Work(R, I);
      Last = std::max(Last, Free[R]);
    }
    SumRound R = fullRound(S, I, I ? I - 1 : 0);
    R.Started = Last;
    R.Ended = Last + S.Cost;
    for (uint32_t Rank = 0; Rank < S.Ranks; ++Rank) {
      T.wait(std::max(0.0, Before - Free[Rank]));
      Free[Rank] = std::max(Free[Rank], Before);
    }
    Before = R.Ended;
    T.round(R, I);
    if (!tell(L, R))
      break;
  }
  return T.result();
}

ReplayResult gossip(const ReplaySetting &S, const WorkOf &Work,
                    const RoundListener &L) {
  Tally T;
  std::vector<double> Ready(S.Ranks);
  std::vector<uint64_t> Iteration(S.Ranks, 0), LastRound(S.Ranks, 0);
  for (uint32_t R = 0; R < S.Ranks; ++R)
    Ready[R] = Work(R, 0);
  const uint64_t All = S.Iterations * S.Ranks;
  for (uint64_t N = 0; N < All; ++N) {
    const uint32_t R =
        uint32_t(std::min_element(Ready.begin(), Ready.end()) - Ready.begin());
    uint32_t Other = R;
    if (S.Ranks > 1)
      Other = uint32_t((R + 1 + ek_choice_hash(N) % (S.Ranks - 1)) % S.Ranks);
    SumRound X;
    X.Started = Ready[R];
    X.Ended = Ready[R] + S.Cost;
    X.Parts = {{R, {Iteration[R]}, {N}}, {Other, {}, {}}};
    T.wait(S.Cost);
    T.round(X, N);
    if (!tell(L, X))
      break;
    Ready[R] = X.Ended + Work(R, ++Iteration[R]);
  }
  return T.result();
}

/// Majority, relaxed and groups: rounds that not all ranks contribute to.
class PartialSums {
  const SumWay Way;
  const ReplaySetting &S;
  const WorkOf &Work;
  const RoundListener &L;
  struct RankState {
    double Ready = 0;  // when its work ends; Never: it waits for a round
    double Since = 0;  // when it began to wait
    double Worked = 0; // in all its iterations
    uint64_t Iteration = 0, Seen = 0;
    uint64_t Age = 1;   // rounds not seen, when its group's last round started
    bool LetGo = false; // since then
    uint32_t Group = 0, Place = 0; // and its place there
    RoundPart Pending;
  };
  struct Group {
    std::vector<uint32_t> Ranks;
    uint64_t Completed = 0;
    bool Flying = false;
    SumRound Now;
    std::vector<double> Means; // of ranks that have worked long enough
  };
  std::vector<RankState> Ranks;
  std::vector<Group> Groups;
  Tally T;

  void goOn(uint32_t R, double At) {
    RankState &X = Ranks[R];
    X.Seen = Groups[X.Group].Completed;
    const double Takes = Work(R, X.Iteration);
    X.Ready = At + Takes;
    X.Worked += Takes;
    X.LetGo = X.LetGo || S.Bound > 0;
  }

  /// The rank has finished an iteration.
  void arrive(uint32_t R, double At) {
    RankState &X = Ranks[R];
    X.Pending.Rank = R;
    X.Pending.Iterations.push_back(X.Iteration++);
    X.Pending.Seen.push_back(X.Seen);
    X.LetGo = true;
    if (X.Seen < Groups[X.Group].Completed) {
      T.wait(0);
      return goOn(R, At);
    }
    X.Ready = Never;
    X.Since = At;
  }

  bool isHeld(const Group &G) const {
    for (uint32_t R : G.Ranks)
      if (!Ranks[R].LetGo && Ranks[R].Age + 1 > S.Bound)
        return true;
    return false;
  }

  bool mayStart(const Group &G) const {
    if (Way == SumWay::Majority) {
      uint32_t Pending = 0;
      for (uint32_t R : G.Ranks)
        Pending += !Ranks[R].Pending.Iterations.empty();
      return Pending * 2 >= G.Ranks.size();
    }
    for (uint32_t R : G.Ranks)
      if (!Ranks[R].Pending.Iterations.empty() &&
          ek_choice_is_candidate(G.Completed + 1, Ranks[R].Place,
                                 uint32_t(G.Ranks.size()), S.Probes, nullptr))
        return !isHeld(G);
    return false;
  }

  void start(Group &G, double At) {
    G.Flying = true;
    G.Now = {};
    G.Now.Group = uint32_t(&G - Groups.data());
    G.Now.Started = At;
    G.Now.Ended = At + S.Cost;
    G.Means.clear();
    for (uint32_t R : G.Ranks) {
      RankState &X = Ranks[R];
      const bool Any = !X.Pending.Iterations.empty();
      if (Any)
        G.Now.Parts.push_back(X.Pending);
      X.Pending = {};
      X.Age = G.Completed + 1 - X.Seen;
      X.LetGo = false;
      if (Way != SumWay::Groups || Groups.size() > 1)
        continue;
      // The iteration that a rank works on is not known yet.
      const bool Working = X.Ready != Never;
      const double Worked = X.Worked - (Working ? Work(R, X.Iteration) : 0);
      G.Means.push_back(
          X.Iteration >= EK_GROUPS_LEAST ? Worked / double(X.Iteration) : 0);
    }
  }

  bool end(Group &G) {
    G.Flying = false;
    T.round(G.Now, G.Completed);
    ++G.Completed;
    const bool More = tell(L, G.Now);
    for (uint32_t R : G.Ranks)
      if (Ranks[R].Ready == Never) {
        T.wait(G.Now.Ended - Ranks[R].Since);
        goOn(R, G.Now.Ended);
      }
    return More;
  }

  /// Once: if the ranks are of different speeds.
  void split() {
    std::vector<uint32_t> Of(Ranks.size());
    const Group All = Groups[0];
    const uint32_t N =
        ek_groups_split(All.Means.data(), uint32_t(Ranks.size()), Of.data());
    if (N == 1)
      return;
    Groups.assign(N, {});
    for (uint32_t R = 0; R < Ranks.size(); ++R) {
      Ranks[R].Group = Of[R];
      Ranks[R].Place = uint32_t(Groups[Of[R]].Ranks.size());
      Groups[Of[R]].Ranks.push_back(R);
    }
    for (Group &G : Groups)
      G.Completed = All.Completed;
  }

  /// The group whose round ends first; null: none is under way.
  Group *firstFlying() {
    Group *First = nullptr;
    for (Group &G : Groups)
      if (G.Flying && (!First || G.Now.Ended < First->Now.Ended))
        First = &G;
    return First;
  }

public:
  PartialSums(SumWay Way, const ReplaySetting &S, const WorkOf &Work,
              const RoundListener &L)
      : Way(Way), S(S), Work(Work), L(L), Ranks(S.Ranks), Groups(1) {
    for (uint32_t R = 0; R < S.Ranks; ++R) {
      Ranks[R].Ready = Ranks[R].Worked = Work(R, 0);
      Ranks[R].LetGo = S.Bound > 0;
      Ranks[R].Place = R;
      Groups[0].Ranks.push_back(R);
    }
  }

  ReplayResult run() {
    const double All = double(S.Iterations) * S.Ranks;
    while (T.contributions() < All) {
      uint32_t Next = 0;
      for (uint32_t R = 1; R < S.Ranks; ++R)
        if (Ranks[R].Ready < Ranks[Next].Ready)
          Next = R;
      const double At = Ranks[Next].Ready;
      if (Group *Over = firstFlying(); Over && Over->Now.Ended <= At) {
        const double Ended = Over->Now.Ended;
        if (!end(*Over))
          break;
        if (Way == SumWay::Groups && S.Bound && Groups.size() == 1)
          split();
        for (Group &G : Groups)
          if (!G.Flying && mayStart(G))
            start(G, Ended);
        continue;
      }
      arrive(Next, At);
      Group &G = Groups[Ranks[Next].Group];
      bool Together = false; // others are ready at the same time
      for (uint32_t R : G.Ranks)
        Together |= Ranks[R].Ready <= At;
      if (!Together && !G.Flying && mayStart(G))
        start(G, At);
    }
    ReplayResult R = T.result();
    R.Groups = uint32_t(Groups.size());
    return R;
  }
};

} // namespace

ReplayResult replaySums(SumWay Way, const ReplaySetting &S, const WorkOf &Work,
                        const RoundListener &Listener) {
  switch (Way) {
  case SumWay::Allreduce:
    return allreduce(S, Work, Listener);
  case SumWay::Iallreduce:
    return iallreduce(S, Work, Listener);
  case SumWay::Gossip:
    return gossip(S, Work, Listener);
  case SumWay::Majority:
  case SumWay::Relaxed:
  case SumWay::Groups:
    return PartialSums(Way, S, Work, Listener).run();
  }
  return {};
}

} // namespace evenkeel
