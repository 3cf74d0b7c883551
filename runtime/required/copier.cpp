//===- copier.cpp - the thread that copies ahead --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what residence.h promises of the copier. It walks the tasks to come,
// as far as so many heavy ones (Yang 2022, section 4, algorithm 3; cheap ones
// without limit), and brings in what is missing for the first one that lacks
// something. It makes room of what no task needs up to there. While a thread
// waits for room, it takes none.
//===----------------------------------------------------------------------===//
#include "required/residence.h"

#include <algorithm>
#include <new>

namespace evenkeel::acquire {

namespace {
struct Locked {
  pthread_mutex_t &Lock;
  explicit Locked(pthread_mutex_t &Lock) : Lock(Lock) {
    pthread_mutex_lock(&Lock);
  }
  ~Locked() { pthread_mutex_unlock(&Lock); }
};
} // namespace

Residence::Announced Residence::announce(uint64_t Task,
                                         std::vector<Wanted> Needs) {
  Locked L(Lock);
  std::vector<Range> Ranges;
  for (const Wanted &W : Needs)
    Ranges.push_back(W.R);
  if (!AheadHeavy || Stops || !Tier->fit(Ranges))
    return Announced::Kept; // and nothing of it comes ahead
  if (!Tasks.announce(Task, std::move(Needs)))
    return Announced::TooMany;
  ++Sum.Announced;
  if (!CopierRuns) {
    CopierRuns = true;
    return Announced::First;
  }
  pthread_cond_signal(&News);
  return Announced::Kept;
}

void Residence::announcedEnded() {
  Locked L(Lock);
  Tasks.clear();
}

void Residence::stopAhead() {
  Locked L(Lock);
  Stops = true;
  Tasks.clear();
  pthread_cond_broadcast(&News);
}

void Residence::copyAhead() {
  Locked L(Lock);
  while (!Stops)
    if (!step() && !Stops)
      pthread_cond_wait(&News, &Lock);
}

bool Residence::stepAhead() {
  Locked L(Lock);
  return step();
}

bool Residence::mayComeAhead(const Wanted &W,
                             const std::vector<Wanted> &Before) {
  if (firstOverlap(W.R) != All.end())
    return false; // it is there, or the task itself sorts out the bounds
  // What a task before this one writes will be in the tier then.
  if (std::any_of(Before.begin(), Before.end(), [&](const Wanted &B) {
        return B.Writes && B.R.overlaps(W.R);
      }))
    return false;
  auto It = InPlace.lower_bound(W.R.To);
  while (It != InPlace.begin())
    if ((--It)->second > W.R.From)
      return false;
  return true;
}

/// \p W is a copy: its task may start, and be forgotten, meanwhile.
void Residence::enterAhead(Wanted W, uint64_t At) {
  Resident New;
  New.R = W.R;
  New.At = At;
  New.Is = State::Entering;
  New.Ahead = true;
  New.Empty = isApart() && !W.Reads;
  Residents::iterator It;
  try {
    It = All.emplace(W.R.From, New).first;
  } catch (const std::bad_alloc &) {
    Tier->give(W.R, At);
    throw;
  }
  Sum.PeakBytes = std::max(Sum.PeakBytes, Tier->usedBytes());
  ++Moving;
  pthread_mutex_unlock(&Lock);
  // Nobody else changes a range that enters, other than its holds.
  const uint64_t Bytes = Tier->bringIn(W.R, At, W.Reads);
  pthread_mutex_lock(&Lock);
  --Moving;
  Resident &In = It->second;
  In.Is = State::In;
  In.Used = ++Clock;
  ++Sum.In;
  Sum.InBytes += Bytes;
  ++Sum.Ahead;
  Sum.AheadBytes += Bytes;
  if (In.Gone && !In.Holds)
    drop(It);
  ++Releases;
  changed();
}

bool Residence::step() {
  if (Forks || !Queue.empty() || Tasks.empty())
    return false;
  std::vector<Wanted> Before = held();
  std::vector<Range> Kept;
  const size_t Most = AheadHeavy * std::max<size_t>(1, Threads.size());
  size_t Heavy = 0;
  for (Ahead::Announced *A : Tasks.next(Before)) {
    for (const Wanted &W : A->Needs)
      Kept.push_back(W.R);
    for (const Wanted &W : A->Needs) {
      if (!mayComeAhead(W, Before))
        continue;
      if (const std::optional<uint64_t> At = Tier->take(W.R, kindOf(W.R))) {
        enterAhead(W, *At);
        return true;
      }
      const auto Out = victim(Kept);
      if (Out == All.end()) {
        A->LackedRoom = true;
        return false;
      }
      evict(Out);
      return true;
    }
    Before.insert(Before.end(), A->Needs.begin(), A->Needs.end());
    Heavy += Tasks.isHeavy(A->Task);
    if (Heavy >= Most)
      return false;
  }
  return false;
}

} // namespace evenkeel::acquire
