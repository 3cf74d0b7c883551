//===- ahead.cpp - tasks to come, and the order in which they come --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ahead.h.
//===----------------------------------------------------------------------===//
#include "required/ahead.h"

#include "core/tuning.h"

#include <algorithm>
#include <new>

namespace evenkeel::acquire {

bool conflict(const std::vector<Wanted> &A, const std::vector<Wanted> &B) {
  for (const Wanted &X : A)
    for (const Wanted &Y : B)
      if ((X.Writes || Y.Writes) && X.R.overlaps(Y.R))
        return true;
  return false;
}

/// Few tasks are near each other, and most of those that are not differ already
/// in their hulls.
static bool conflict(const Ahead::Announced &A, const Ahead::Announced &B) {
  return A.Hull.overlaps(B.Hull) && conflict(A.Needs, B.Needs);
}

bool Ahead::announce(uint64_t Task, std::vector<Wanted> Needs) {
  if (Waiting.size() >= EK_AHEAD_KEPT)
    return false;
  Announced New = {Task, std::move(Needs)};
  if (!New.Needs.empty())
    New.Hull = New.Needs.front().R;
  for (const Wanted &W : New.Needs)
    New.Hull = {std::min(New.Hull.From, W.R.From),
                std::max(New.Hull.To, W.R.To)};
  for (const Announced &A : Waiting)
    New.Blockers += conflict(A, New);
  Waiting.push_back(std::move(New));
  Most = std::max(Most, Waiting.size());
  return true;
}

void Ahead::erase(Place It) {
  for (Place Later = std::next(It); Later != Waiting.end(); ++Later)
    Later->Blockers -= conflict(*It, *Later);
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
  forgetPassed(It);
  erase(It);
  return LackedRoom;
}

/// A task that was cancelled never starts: it would be ready forever, in the
/// way of those behind it. Where the newest tasks start first, a live one is
/// passed as often as there are others. One that is forgotten wrongly copies
/// itself.
void Ahead::forgetPassed(Place Started) {
  for (Place It = Waiting.begin(); It != Started;) {
    const Place Here = It++;
    if (!Here->Blockers && ++Here->Passed > EK_AHEAD_LOOK + 2 * Most)
      erase(Here);
  }
}

void Ahead::took(uint64_t Task, uint64_t Ns) {
  auto It = TimesOf.find(Task);
  if (It == TimesOf.end()) {
    try {
      It = TimesOf.emplace(Task, Took()).first;
    } catch (const std::bad_alloc &) {
      return; // it stays heavy
    }
  }
  for (Took *T : {&It->second, &All}) {
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
