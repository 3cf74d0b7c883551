//===- Timelines.cpp - tasks of a run over time ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Timelines.h.
//===----------------------------------------------------------------------===//
#include "Timelines.h"
#include <algorithm>
#include <functional>
#include <queue>

namespace evenkeel::cli {
namespace {

/// Explicit tasks on the workers of a phase (Graham 1969, list scheduling).
class Schedule {
  const TimedPhase &P;
  LaidOutPhase &Out;
  std::vector<std::vector<uint32_t>> Successors;
  std::vector<uint32_t> Missing;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> Ready;
  using Event = std::pair<double, uint32_t>; // time, worker
  std::priority_queue<Event, std::vector<Event>, std::greater<>> Busy;
  std::vector<uint32_t> Idle; // a heap, smallest first
  std::vector<uint32_t> Runs; // by worker: its task

  void start(double Now);

public:
  Schedule(const TimedPhase &Phase, LaidOutPhase &LaidOut);
  void run();
};

constexpr uint32_t None = UINT32_MAX;

} // namespace

Schedule::Schedule(const TimedPhase &Phase, LaidOutPhase &LaidOut)
    : P(Phase), Out(LaidOut), Successors(P.Tasks.size()),
      Missing(P.Tasks.size(), 0), Runs(Out.Busy.size(), None) {
  for (uint32_t T = 0; T < P.Tasks.size(); ++T) {
    if (!P.Tasks[T].Explicit)
      continue;
    for (const uint32_t Q : P.Tasks[T].Preds)
      if (Q < P.Tasks.size() && P.Tasks[Q].Explicit) {
        Successors[Q].push_back(T);
        ++Missing[T];
      }
    if (!Missing[T])
      Ready.push(T);
  }
  std::vector<double> Own(Out.Busy.size(), 0);
  for (const TimedTask &T : P.Tasks)
    if (!T.Explicit && T.Lane < Own.size())
      Own[T.Lane] += T.Seconds;
  for (uint32_t W = 0; W < Own.size(); ++W)
    Busy.push({Own[W], W});
}

void Schedule::start(double Now) {
  while (!Ready.empty() && !Idle.empty()) {
    std::pop_heap(Idle.begin(), Idle.end(), std::greater<>());
    const uint32_t W = Idle.back(), T = Ready.top();
    Idle.pop_back();
    Ready.pop();
    Runs[W] = T;
    Out.Bars.push_back({W, Now, P.Tasks[T].Seconds, 1, P.Tasks[T].Index});
    Out.Busy[W] += P.Tasks[T].Seconds;
    Busy.push({Now + P.Tasks[T].Seconds, W});
  }
}

void Schedule::run() {
  while (!Busy.empty()) {
    const auto [Now, W] = Busy.top();
    Busy.pop();
    if (Runs[W] != None)
      for (const uint32_t S : Successors[Runs[W]])
        if (!--Missing[S])
          Ready.push(S);
    Runs[W] = None;
    Idle.push_back(W);
    std::push_heap(Idle.begin(), Idle.end(), std::greater<>());
    start(Now);
  }
  std::sort(Out.Bars.begin(), Out.Bars.end(), [](const Bar &A, const Bar &B) {
    return A.Lane != B.Lane ? A.Lane < B.Lane : A.From < B.From;
  });
}

LaidOutPhase layOut(const TimedPhase &P) {
  LaidOutPhase Out;
  Out.Seconds = P.Seconds;
  size_t Lanes = 0;
  for (const TimedTask &T : P.Tasks) {
    Out.Explicit |= T.Explicit;
    if (!T.Explicit)
      Lanes = std::max<size_t>(Lanes, T.Lane + 1);
  }
  if (Out.Explicit)
    Lanes = std::max<size_t>(Lanes, P.Workers);
  Out.Busy.assign(Lanes, 0);
  Out.LastTask.assign(Lanes, None);
  for (const TimedTask &T : P.Tasks)
    if (!T.Explicit) {
      Out.Busy[T.Lane] += T.Seconds;
      Out.LastTask[T.Lane] = T.Index;
      if (Out.Explicit && T.Seconds > 0)
        Out.Bars.push_back({T.Lane, 0, T.Seconds, 1, T.Index});
    }
  if (!Out.Explicit)
    return Out;
  Schedule(P, Out).run();
  // Rounding, and contention that the times only average, may leave the last
  // bar a little beyond the end.
  double End = 0;
  for (const Bar &B : Out.Bars)
    End = std::max(End, B.From + B.Seconds);
  if (End > P.Seconds && End > 0)
    for (Bar &B : Out.Bars) {
      B.From *= P.Seconds / End;
      B.Seconds *= P.Seconds / End;
    }
  return Out;
}

size_t joinLanes(LaidOutPhase &P, size_t Most) {
  if (P.Busy.size() <= Most)
    return 1;
  const size_t Each = (P.Busy.size() + Most - 1) / Most;
  std::vector<double> Busy;
  std::vector<uint32_t> Last;
  for (size_t I = 0; I < P.Busy.size(); I += Each) {
    const auto From = P.Busy.begin() + long(I);
    const auto To = P.Busy.begin() + long(std::min(I + Each, P.Busy.size()));
    const auto Busiest = std::max_element(From, To);
    Busy.push_back(*Busiest);
    Last.push_back(P.LastTask[size_t(Busiest - P.Busy.begin())]);
  }
  P.Busy = std::move(Busy);
  P.LastTask = std::move(Last);
  P.Bars.clear();
  return Each;
}

void joinBars(std::vector<Bar> &Bars, double Resolution) {
  std::vector<Bar> Out;
  double LongestOfLast = 0;
  for (const Bar &B : Bars) {
    Bar *Last = Out.empty() ? nullptr : &Out.back();
    if (Last && Last->Lane == B.Lane && B.Seconds < Resolution &&
        Last->Seconds < Resolution &&
        B.From - (Last->From + Last->Seconds) < Resolution) {
      Last->Seconds = B.From + B.Seconds - Last->From;
      Last->Tasks += B.Tasks;
      if (B.Seconds > LongestOfLast) {
        Last->Longest = B.Longest;
        LongestOfLast = B.Seconds;
      }
      continue;
    }
    Out.push_back(B);
    LongestOfLast = B.Seconds;
  }
  Bars = std::move(Out);
}

std::vector<uint32_t> slowLanes(const LaidOutPhase &P) {
  std::vector<uint32_t> Out;
  double Sum = 0, Most = 0;
  size_t Used = 0;
  for (size_t I = 0; I < P.Busy.size(); ++I)
    if (P.LastTask[I] != UINT32_MAX) {
      ++Used;
      Sum += P.Busy[I];
      Most = std::max(Most, P.Busy[I]);
    }
  if (Used < 2 || Most <= 1.05 * Sum / double(Used))
    return Out;
  for (uint32_t I = 0; I < P.Busy.size(); ++I)
    if (P.LastTask[I] != UINT32_MAX && P.Busy[I] > 0.97 * Most)
      Out.push_back(I);
  return Out;
}

double waitedIn(const LaidOutPhase &P) {
  double Sum = 0;
  for (size_t I = 0; I < P.Busy.size(); ++I)
    if (P.Explicit || P.LastTask[I] != None)
      Sum += std::max(0.0, P.Seconds - P.Busy[I]);
  return Sum;
}

} // namespace evenkeel::cli
