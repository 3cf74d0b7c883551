//===- ahead.cpp - tasks to come, and the order in which they come --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ahead.h.
//===----------------------------------------------------------------------===//
#include "required/ahead.h"

#include "core/tuning.h"

#include <algorithm>

namespace evenkeel::acquire {

bool conflict(const std::vector<Wanted> &A, const std::vector<Wanted> &B) {
  for (const Wanted &X : A)
    for (const Wanted &Y : B)
      if ((X.Writes || Y.Writes) && X.R.overlaps(Y.R))
        return true;
  return false;
}

bool Ahead::announce(uint64_t Task, std::vector<Wanted> Needs) {
  if (Waiting.size() >= EK_AHEAD_KEPT)
    return false;
  Announced New = {Task, std::move(Needs)};
  for (const Announced &A : Waiting)
    New.Blockers += conflict(A.Needs, New.Needs);
  Waiting.push_back(std::move(New));
  return true;
}

void Ahead::erase(Place It) {
  for (Place Later = std::next(It); Later != Waiting.end(); ++Later)
    Later->Blockers -= conflict(It->Needs, Later->Needs);
  if (It == Waiting.begin())
    Overtaken = 0;
  Waiting.erase(It);
}

/// Which of the ready tasks has started: the oldest or the newest?
void Ahead::learn(Place Started) {
  bool Before = false, After = false, Passed = false;
  for (Place It = Waiting.begin(); It != Waiting.end(); ++It) {
    Passed |= It == Started;
    if (It != Started && !It->Blockers)
      (Passed ? After : Before) = true;
  }
  const int Most = EK_AHEAD_SURE;
  if (!Started->Blockers && Before != After)
    Newest = std::clamp(Newest + (Before ? 1 : -1), -Most, Most);
}

bool Ahead::started(uint64_t Task, const std::vector<Wanted> &Needs) {
  const Place It =
      std::find_if(Waiting.begin(), Waiting.end(), [&](const Announced &A) {
        return A.Task == Task && A.Needs == Needs;
      });
  if (It == Waiting.end())
    return false;
  const bool LackedRoom = It->LackedRoom;
  learn(It);
  const bool Oldest = It == Waiting.begin();
  erase(It);
  // A task that was cancelled never starts, and would be the oldest forever.
  if (!Oldest && ++Overtaken > EK_AHEAD_KEPT)
    erase(Waiting.begin());
  return LackedRoom;
}

void Ahead::took(uint64_t Task, uint64_t Ns) {
  for (Took *T : {&TimesOf[Task], &All}) {
    ++T->Times;
    T->Ns += Ns;
  }
}

bool Ahead::isHeavy(uint64_t Task) const {
  const auto It = TimesOf.find(Task);
  return It == TimesOf.end() || double(It->second.Ns) * double(All.Times) >=
                                    double(All.Ns) * double(It->second.Times);
}

void Ahead::forget(const Range &R) {
  for (Place It = Waiting.begin(); It != Waiting.end();) {
    const Place Here = It++;
    if (std::any_of(Here->Needs.begin(), Here->Needs.end(),
                    [&](const Wanted &W) { return W.R.overlaps(R); }))
      erase(Here);
  }
}

std::vector<Ahead::Announced *>
Ahead::next(const std::vector<Wanted> &Running) {
  std::vector<Announced *> Ready, Soon, Later;
  for (Announced &A : Waiting) {
    if (A.Blockers) {
      if (Later.size() < EK_AHEAD_LOOK)
        Later.push_back(&A);
    } else {
      (conflict(A.Needs, Running) ? Soon : Ready).push_back(&A);
    }
  }
  for (std::vector<Announced *> *Kind : {&Ready, &Soon}) {
    if (Newest > 0)
      std::reverse(Kind->begin(), Kind->end());
    if (Kind->size() > EK_AHEAD_LOOK)
      Kind->resize(EK_AHEAD_LOOK);
  }
  Ready.insert(Ready.end(), Soon.begin(), Soon.end());
  Ready.insert(Ready.end(), Later.begin(), Later.end());
  return Ready;
}

} // namespace evenkeel::acquire
