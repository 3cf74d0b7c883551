//===- residence.cpp - what is in the required tier -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See residence.h.
//===----------------------------------------------------------------------===//
#include "required/residence.h"

#include "core/stats.h"
#include "required/link.h"

#include <algorithm>
#include <tuple>

namespace evenkeel::acquire {

struct Residence::Thread {
  struct Hold {
    Range R;
    uintptr_t Base; // of the range in the tier that it is part of
    bool Writes;
  };
  std::vector<Hold> Holds;
  // Of the request under way, by first byte: what others had brought in
  // (pinned), and what has new room. \p Next: so many ranges have either.
  std::vector<uintptr_t> Pinned, Reserved;
  size_t Next = 0;
  bool Waiting = false;
  // Releases when it began anew, and when nothing was left to wait for.
  uint64_t AnewAt = UINT64_MAX, StuckAt = UINT64_MAX;
  // The task that the thread runs, since it holds something.
  uint64_t Task = 0, Since = 0;
};

struct Residence::Guard {
  pthread_mutex_t &Lock;
  explicit Guard(pthread_mutex_t &Lock) : Lock(Lock) {
    pthread_mutex_lock(&Lock);
  }
  ~Guard() { pthread_mutex_unlock(&Lock); }
};

Residence::Residence(std::unique_ptr<Room> R, unsigned AheadHeavy)
    : Tier(std::move(R)), AheadHeavy(AheadHeavy) {}
Residence::~Residence() = default;

Residence::Thread *Residence::join() {
  Guard G(Lock);
  Threads.push_back(std::make_unique<Thread>());
  return Threads.back().get();
}

unsigned Residence::leave(Thread *T) {
  Guard G(Lock);
  const unsigned Held = unsigned(T->Holds.size());
  for (const Thread::Hold &H : T->Holds)
    unhold(H.Base, H.Writes);
  Threads.erase(std::find_if(Threads.begin(), Threads.end(),
                             [&](const auto &P) { return P.get() == T; }));
  ++Releases;
  changed();
  return Held;
}

// --- looking ---------------------------------------------------------------

Residence::Residents::iterator Residence::firstOverlap(const Range &R) {
  auto It = All.lower_bound(R.From);
  if (It != All.begin() && std::prev(It)->second.R.overlaps(R))
    return std::prev(It);
  return It != All.end() && It->second.R.overlaps(R) ? It : All.end();
}

Residence::Resident *Residence::usable(const Wanted &W) {
  auto It = firstOverlap(W.R);
  if (It == All.end())
    return nullptr;
  Resident &In = It->second;
  if (!In.R.contains(W.R) || In.Gone ||
      (In.Is != State::In && In.Is != State::Entering))
    return nullptr;
  if (In.Empty && (W.Reads || !W.R.contains(In.R)))
    return nullptr;
  return &In;
}

std::vector<Wanted> Residence::held() const {
  std::vector<Wanted> Out;
  for (const auto &T : Threads)
    for (const Thread::Hold &H : T->Holds)
      Out.push_back({H.R, true, H.Writes});
  return Out;
}

/// What is known of the future at run time is the past: a range that several
/// tasks have acquired will have further consumers.
required::Request Residence::kindOf(const Range &R) const {
  auto It = Times.find(R.From);
  const uint32_t Seen = It == Times.end() ? 0 : It->second;
  const required::Mobility Kind = Tier->isSmall(R)
                                      ? required::Mobility::Reclaimed
                                  : Seen > 1 ? required::Mobility::Temporary
                                             : required::Mobility::Movable;
  return {R.bytes(), Kind, std::max(Seen, 1u)};
}

std::vector<Wanted> Residence::inOrder(std::vector<Wanted> Asked) {
  auto Key = [&](const Wanted &W) {
    return std::make_tuple(!usable(W), -int64_t(kindOf(W.R).References),
                           W.R.From);
  };
  std::sort(Asked.begin(), Asked.end(),
            [&](const Wanted &A, const Wanted &B) { return Key(A) < Key(B); });
  return Asked;
}

Outcome Residence::check(const Thread *T, const std::vector<Wanted> &Asked,
                         uint64_t &Bytes) const {
  std::vector<Range> Together;
  for (const Thread::Hold &H : T->Holds)
    Together.push_back(H.R);
  for (const Wanted &W : Asked) {
    for (const Range &R : Together)
      if (R.overlaps(W.R))
        return Outcome::Twice;
    Together.push_back(W.R);
  }
  Bytes = Tier->bytesOf(Together);
  return Tier->fit(Together) ? Outcome::Done : Outcome::TooLarge;
}

bool Residence::othersCanRelease(const Thread *T) const {
  if (Moving)
    return true;
  for (const auto &O : Threads)
    if (O.get() != T && !O->Waiting &&
        !(O->Holds.empty() && O->Pinned.empty() && O->Reserved.empty()))
      return true; // it holds something, or is about to
  return false;
}

// --- leaving ---------------------------------------------------------------

void Residence::drop(Residents::iterator It) {
  Sum.AheadUnused += It->second.Ahead;
  Tier->give(It->second.R, It->second.At);
  All.erase(It);
}

void Residence::evict(Residents::iterator It) {
  Resident &Out = It->second;
  Out.Is = State::Leaving;
  ++Moving;
  const Range Part = Tier->leaves(Out.R);
  pthread_mutex_unlock(&Lock);
  // Nobody else changes a range that leaves.
  const uint64_t Bytes = Tier->takeBack(Part, Out.R, Out.At, Out.Dirty);
  pthread_mutex_lock(&Lock);
  --Moving;
  Sum.Out += Bytes != 0;
  Sum.OutBytes += Bytes;
  drop(It);
  ++Releases;
  changed();
}

Residence::Residents::iterator
Residence::victim(const std::vector<Range> &Kept) {
  std::vector<Ahead::Announced *> Next;
  if (!Tasks.empty())
    Next = Tasks.next(held());
  auto NeededAt = [&](const Range &R) {
    for (size_t I = 0; I < Next.size(); ++I)
      for (const Wanted &W : Next[I]->Needs)
        if (W.R.overlaps(R))
          return I;
    return SIZE_MAX;
  };
  auto Best = All.end();
  std::tuple<bool, size_t, uint64_t> Least;
  for (auto It = All.begin(); It != All.end(); ++It) {
    const Resident &Here = It->second;
    if (Here.Is != State::In || Here.Holds ||
        std::any_of(Kept.begin(), Kept.end(),
                    [&](const Range &R) { return R.overlaps(Here.R); }))
      continue;
    const auto Key = std::make_tuple(Tier->isSmall(Here.R),
                                     SIZE_MAX - NeededAt(Here.R), Here.Used);
    if (Best == All.end() || Key < Least) {
      Best = It;
      Least = Key;
    }
  }
  return Best;
}

bool Residence::evictOne() {
  auto It = victim({});
  if (It == All.end())
    return false;
  evict(It);
  return true;
}

/// All idle ranges in \p R. Each turn begins anew, because the lock was
/// released.
void Residence::evictIdle(const Range &R) {
  for (auto It = firstOverlap(R); It != All.end() && It->second.R.overlaps(R);)
    if (It->second.Is == State::In && !It->second.Holds) {
      evict(It);
      It = firstOverlap(R);
    } else {
      ++It;
    }
}

void Residence::settle(const Range &R) {
  for (auto It = firstOverlap(R); It != All.end() && It->second.R.overlaps(R);)
    if (It->second.Is == State::Entering || It->second.Is == State::Leaving) {
      wait();
      It = firstOverlap(R);
    } else {
      ++It;
    }
}

void Residence::bringHome() {
  Guard G(Lock);
  Tasks.clear();
  if (All.empty())
    return;
  settle({0, UINTPTR_MAX});
  evictIdle({0, UINTPTR_MAX});
}

void Residence::useInPlace(const Wanted &W) {
  Guard G(Lock);
  leaveInPlace(W);
}

void Residence::leaveInPlace(const Wanted &W) {
  if (isApart()) {
    if (W.Writes && AheadHeavy) {
      uintptr_t &To = InPlace[W.R.From];
      To = std::max(To, W.R.To);
    }
    settle(W.R); // what is on its way home is not there yet
  }
  evictIdle(W.R);
}

void Residence::forget(const Range &R) {
  Guard G(Lock);
  Tasks.forget(R);
  InPlace.erase(InPlace.lower_bound(R.From), InPlace.lower_bound(R.To));
  auto It = firstOverlap(R);
  while (It != All.end() && It->second.R.overlaps(R)) {
    if (It->second.Is == State::Leaving || It->second.Is == State::Entering) {
      wait();
      It = firstOverlap(R);
      continue;
    }
    auto Here = It++;
    if (Here->second.Is != State::In || Here->second.Holds) {
      Here->second.Gone = isApart(); // pages stay until they are moved
    } else if (isApart()) {
      drop(Here);
    } else { // its pages are the next object's
      evict(Here);
      It = firstOverlap(R);
    }
  }
  Times.erase(Times.lower_bound(R.From), Times.lower_bound(R.To));
  ++Releases;
  changed();
}

void Residence::unhold(uintptr_t Base, bool Writes) {
  auto It = All.find(Base);
  Resident &In = It->second;
  --In.Holds;
  In.Dirty |= Writes;
  In.Used = ++Clock;
  if (!In.Holds && In.Gone)
    drop(It);
}

Outcome Residence::release(Thread *T, uintptr_t P) {
  Guard G(Lock);
  auto It = std::find_if(T->Holds.begin(), T->Holds.end(),
                         [&](const Thread::Hold &H) { return H.R.From == P; });
  if (It == T->Holds.end())
    return Outcome::NotHeld;
  unhold(It->Base, It->Writes);
  T->Holds.erase(It);
  if (T->Holds.empty())
    Tasks.took(T->Task, nowNs() - T->Since);
  ++Releases;
  changed();
  return Outcome::Done;
}

// --- taking room -----------------------------------------------------------

bool Residence::takeRoom(Thread *T, const std::vector<Wanted> &Asked) {
  while (T->Next < Asked.size()) {
    const Range &R = Asked[T->Next].R;
    if (Resident *In = usable(Asked[T->Next])) {
      ++In->Holds;
      T->Pinned.push_back(In->R.From);
      ++T->Next;
      continue;
    }
    // Other bounds than before: a second copy of the same bytes must not be.
    auto Other = firstOverlap(R);
    if (Other != All.end()) {
      if (Other->second.Is != State::In || Other->second.Holds)
        return false;
      evict(Other);
      continue;
    }
    const std::optional<uint64_t> At = Tier->take(R, kindOf(R));
    if (!At) {
      if (capacity() - Tier->usedBytes() >= R.bytes())
        Sum.WorstUnusable = std::max(Sum.WorstUnusable, Tier->unusableShare(R));
      if (!evictOne())
        return false;
      continue;
    }
    Resident New;
    New.R = R;
    New.At = *At;
    New.Holds = 1;
    All.emplace(R.From, New);
    T->Reserved.push_back(R.From);
    ++T->Next;
    Sum.PeakBytes = std::max(Sum.PeakBytes, Tier->usedBytes());
  }
  return true;
}

void Residence::undo(Thread *T) {
  for (uintptr_t Base : T->Reserved)
    drop(All.find(Base));
  for (uintptr_t Base : T->Pinned) {
    auto It = All.find(Base);
    if (!--It->second.Holds && It->second.Gone)
      drop(It);
  }
  T->Reserved.clear();
  T->Pinned.clear();
  T->Next = 0;
}

void Residence::waitIdly(Thread *T) {
  T->Waiting = true;
  changed(); // others may now have nobody left to wait for
  wait();
  T->Waiting = false;
}

void Residence::awaitTurn(Thread *T) {
  T->Waiting = true;
  changed();
  while (Queue.front() != T)
    wait();
  T->Waiting = false;
}

bool Residence::waitForRoom(Thread *T) {
  if (othersCanRelease(T)) {
    waitIdly(T);
    return true;
  }
  undo(T);
  // What was there already, or came first, may lie so that the free room is in
  // pieces: in a tier that is empty, what fits together finds room.
  if (T->AnewAt != Releases) {
    evictIdle({0, UINTPTR_MAX});
    T->AnewAt = Releases;
    return true;
  }
  // Another request may need less, and its task release something then.
  T->StuckAt = Releases;
  for (const Thread *O : Queue)
    if (O->StuckAt != Releases) {
      Queue.pop_front();
      Queue.push_back(T);
      awaitTurn(T);
      return true;
    }
  return false;
}

bool Residence::takeTurn(Thread *T, const std::vector<Wanted> &Asked) {
  Queue.push_back(T);
  uint64_t Since = Queue.front() == T ? 0 : nowNs();
  awaitTurn(T);
  bool Has = takeRoom(T, Asked);
  while (!Has) {
    Since = Since ? Since : nowNs();
    if (!waitForRoom(T))
      break;
    Has = takeRoom(T, Asked);
  }
  if (!Has)
    undo(T);
  if (Since) {
    ++Sum.Waits;
    Sum.WaitNs += nowNs() - Since;
  }
  Queue.pop_front();
  changed();
  return Has;
}

// --- entering --------------------------------------------------------------

void Residence::enter(Thread *T, const std::vector<Wanted> &Asked) {
  for (uintptr_t Base : T->Reserved) {
    All.find(Base)->second.Is = State::Entering;
    ++Moving;
  }
  for (uintptr_t Base : T->Reserved) {
    Resident &In = All.find(Base)->second;
    const bool Reads =
        std::any_of(Asked.begin(), Asked.end(), [&](const Wanted &W) {
          return W.R.From == Base && W.Reads;
        });
    pthread_mutex_unlock(&Lock);
    // Nobody else changes a range that enters, other than its holds.
    const uint64_t Bytes = Tier->bringIn(In.R, In.At, Reads);
    pthread_mutex_lock(&Lock);
    --Moving;
    In.Is = State::In;
    ++Sum.In;
    Sum.InBytes += Bytes;
    changed();
  }
  for (uintptr_t Base : T->Pinned)
    while (All.find(Base)->second.Is == State::Entering)
      wait();
}

void Residence::hold(Thread *T, const std::vector<Wanted> &Asked,
                     std::vector<void *> &Where) {
  Where.clear();
  if (T->Holds.empty())
    T->Since = nowNs();
  for (uintptr_t Base : T->Pinned)
    Sum.AheadFound += All.find(Base)->second.Ahead;
  for (const Wanted &W : Asked) {
    Resident &In = firstOverlap(W.R)->second;
    In.Ahead = In.Empty = false;
    Where.push_back(Tier->address(W.R.From, In.R, In.At));
    T->Holds.push_back({W.R, In.R.From, W.Writes});
    ++Times[W.R.From];
  }
  Sum.Acquired += Asked.size();
  Sum.Found += T->Pinned.size();
  T->Reserved.clear();
  T->Pinned.clear();
  T->Next = 0;
}

Outcome Residence::acquire(Thread *T, const std::vector<Wanted> &Asked,
                           std::vector<void *> &Where, uint64_t &Bytes,
                           uint64_t Task) {
  Guard G(Lock);
  const uint64_t Start = nowNs();
  const bool LackedRoom = Tasks.started(Task, Asked);
  Outcome Out = check(T, Asked, Bytes);
  if (Out == Outcome::Done) {
    // What is there needs no room, so it needs no turn.
    const bool Quick = std::all_of(Asked.begin(), Asked.end(),
                                   [&](const Wanted &W) { return usable(W); });
    if (LackedRoom && !Quick)
      ek_count(EK_WHY_no_room_ahead, 1);
    if (Quick ? !takeRoom(T, Asked) : !takeTurn(T, inOrder(Asked)))
      Out = Outcome::NoRoom;
  }
  if (Out == Outcome::Done) {
    enter(T, Asked);
    if (T->Holds.empty())
      T->Task = Task;
    hold(T, Asked, Where);
    changed(); // the copier looks further ahead
  } else {
    for (const Wanted &W : Asked)
      leaveInPlace(W);
  }
  Sum.AcquireNs += nowNs() - Start;
  return Out;
}

Counts Residence::counts() {
  Guard G(Lock);
  Counts Out = Sum;
  Out.CapacityBytes = capacity();
  Out.UsedBytes = Tier->usedBytes();
  Out.CopyNs = Tier->copyNs();
  return Out;
}

// --- fork ------------------------------------------------------------------

void Residence::forkPrepare() {
  pthread_mutex_lock(&Lock);
  Forks = true;
  while (Moving)
    wait();
}

void Residence::forkParent() {
  Forks = false;
  pthread_cond_signal(&News);
  pthread_mutex_unlock(&Lock);
}

unsigned Residence::forkChild(Thread *Own) {
  unsigned Held = 0;
  Changed = PTHREAD_COND_INITIALIZER; // other threads may have waited
  News = PTHREAD_COND_INITIALIZER;
  CopierRuns = Forks = false;
  Tasks.clear(); // of threads that do not exist here
  Queue.clear();
  for (auto &T : Threads) {
    if (T.get() == Own)
      continue;
    undo(T.get());
    Held += unsigned(T->Holds.size());
    for (const Thread::Hold &H : T->Holds)
      unhold(H.Base, H.Writes);
  }
  Threads.erase(std::remove_if(Threads.begin(), Threads.end(),
                               [&](auto &T) { return T.get() != Own; }),
                Threads.end());
  pthread_mutex_unlock(&Lock);
  return Held;
}

} // namespace evenkeel::acquire
