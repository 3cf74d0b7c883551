//===- residence.h - what is in the required tier -----------------*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the ranges of the program's memory that are in the tier, and which
// threads hold them. A thread gets all ranges that it asks for in one call, or
// none. Where room is missing, ranges that nobody holds leave, the least
// recently used first; then the thread waits for others to release. Threads
// that lack room take turns, first come first served, so the one whose turn it
// is may keep the room it has so far. Used bytes are within the capacity at
// every moment, while data moves as well. One more thread, the copier, brings
// in what tasks to come need (ahead.h), in room that nobody waits for: what it
// brought in and nobody holds leaves like anything else.
// Makes: a failure instead of a wait wherever no thread is left that could
// release: every thread that holds something waits itself.
// Not here: how data moves (room.h), messages and the C interface
// (acquire.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_REQUIRED_RESIDENCE_H
#define EVENKEEL_RUNTIME_REQUIRED_RESIDENCE_H

#include "required/ahead.h"
#include "required/counts.h"

#include <deque>
#include <map>
#include <pthread.h>
#include <vector>

namespace evenkeel::acquire {

enum class Outcome {
  Done,
  NoRoom,   // and nobody else can release any
  TooLarge, // does not fit even if the tier is empty otherwise
  Twice,    // overlaps what the thread holds, or what it asks for besides
  NotHeld,
  Apart // data that is used in place, and a tier with copies
};

class Residence {
public:
  struct Thread;

  /// \p AheadHeavy: so many heavy tasks ahead, for each thread that runs tasks,
  /// the copier brings in the data of.
  explicit Residence(std::unique_ptr<Room> R, unsigned AheadHeavy = 0);
  Residence(const Residence &) = delete;
  Residence &operator=(const Residence &) = delete;
  ~Residence();

  /// \p T, which is the calling thread's alone, is known from now on.
  Thread *join();
  /// \p T ends. Releases what it still holds, and returns how many ranges that
  /// were.
  unsigned leave(Thread *T);

  /// On Done, \p T holds all of \p Asked, and \p Where has their addresses in
  /// the tier; else nothing has changed, and no copy of them is newer than the
  /// program's own memory unless another thread holds it. \p Bytes: what they
  /// take together with what the thread holds, for messages. \p Task: as it was
  /// announced.
  Outcome acquire(Thread *T, const std::vector<Wanted> &Asked,
                  std::vector<void *> &Where, uint64_t &Bytes,
                  uint64_t Task = 0);
  /// The range that \p T acquired with its first byte at \p P.
  Outcome release(Thread *T, uintptr_t P);

  /// Takes back all that nobody holds. What was announced is void.
  void bringHome();
  /// Takes back what nobody holds of \p W: a task uses it at its own address.
  /// If it writes there, the copier leaves the range alone from now on, because
  /// nobody says when that task ends.
  void useInPlace(const Wanted &W);
  /// The memory of \p R is freed: its data is not copied back.
  void forget(const Range &R);

  // --- what comes ahead ---
  enum class Announced { Kept, First, TooMany };
  /// A task that will acquire \p Needs has been created. First: no copier runs;
  /// the caller starts a thread that calls copyAhead().
  Announced announce(uint64_t Task, std::vector<Wanted> Needs);
  /// All tasks that were announced have ended, or never start.
  void announcedEnded();
  /// The copier: returns after stopAhead().
  void copyAhead();
  /// One step of the copier. False: there is nothing to do now.
  bool stepAhead();
  void stopAhead();

  uint64_t capacity() const { return Tier->capacity(); }
  bool isApart() const { return Tier->isApart(); }
  Counts counts();

  // Around fork: the child keeps the ranges that the calling thread holds.
  void forkPrepare();
  void forkParent();
  /// Returns the number of ranges that other threads held.
  unsigned forkChild(Thread *Own);

private:
  /// Reserved: has room, but its thread still lacks room for another range.
  enum class State { Reserved, Entering, In, Leaving };
  struct Resident {
    Range R;
    uint64_t At = 0; // in the tier
    State Is = State::Reserved;
    unsigned Holds = 0;
    bool Dirty = false, Gone = false; // Gone: its memory was freed
    bool Ahead = false; // the copier brought it in, and no task has used it
    bool Empty = false; // room only, for a task that writes all of it
    uint64_t Used = 0;  // at the last release
  };
  using Residents = std::map<uintptr_t, Resident>; // by first byte

  const std::unique_ptr<Room> Tier;
  pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t Changed = PTHREAD_COND_INITIALIZER;
  Residents All;
  std::vector<std::unique_ptr<Thread>> Threads;
  std::deque<Thread *> Queue;          // the first one may take room
  std::map<uintptr_t, uint32_t> Times; // acquired, by first byte
  unsigned Moving = 0;                 // copies under way
  uint64_t Releases = 0; // moments at which room may have come free
  uint64_t Clock = 0;
  Counts Sum;

  Ahead Tasks;
  const unsigned AheadHeavy;
  std::map<uintptr_t, uintptr_t> InPlace;         // first byte to end
  pthread_cond_t News = PTHREAD_COND_INITIALIZER; // for the copier
  bool CopierRuns = false, Stops = false;
  bool Forks = false; // a fork waits until nothing moves: begin no copy ahead

  struct Guard;

  void wait() { pthread_cond_wait(&Changed, &Lock); }
  void changed() {
    pthread_cond_broadcast(&Changed);
    if (CopierRuns && !Tasks.empty())
      pthread_cond_signal(&News);
  }
  /// Waits; others see that \p T will not release anything meanwhile.
  void waitIdly(Thread *T);
  Residents::iterator firstOverlap(const Range &R);
  /// The range in the tier that \p W is part of and that can be held at once;
  /// NULL: none.
  Resident *usable(const Wanted &W);
  std::vector<Wanted> held() const;
  required::Request kindOf(const Range &R) const;
  /// Ranges that are in the tier first, so that nothing evicts them; then those
  /// that tasks use most often.
  std::vector<Wanted> inOrder(std::vector<Wanted> Asked);

  Outcome check(const Thread *T, const std::vector<Wanted> &Asked,
                uint64_t &Bytes) const;
  bool othersCanRelease(const Thread *T) const;
  /// Takes room for what \p T lacks; false: there is none right now.
  bool takeRoom(Thread *T, const std::vector<Wanted> &Asked);
  /// Waits for a release; false: nobody can release.
  bool waitForRoom(Thread *T);
  bool takeTurn(Thread *T, const std::vector<Wanted> &Asked);
  void awaitTurn(Thread *T);
  /// Gives back what \p T has of an unfinished request.
  void undo(Thread *T);
  /// Brings in what \p T has room for.
  void enter(Thread *T, const std::vector<Wanted> &Asked);
  void hold(Thread *T, const std::vector<Wanted> &Asked,
            std::vector<void *> &Where);
  void unhold(uintptr_t Base, bool Writes);
  /// The idle range that no task to come needs and that was used least
  /// recently, else the one that is needed last; small ones after all others.
  /// None of \p Kept.
  Residents::iterator victim(const std::vector<Range> &Kept);
  bool evictOne();
  /// The lock is released meanwhile.
  void evict(Residents::iterator It);
  void evictIdle(const Range &R);
  void drop(Residents::iterator It);
  void leaveInPlace(const Wanted &W);
  /// Waits until nothing of \p R is on its way.
  void settle(const Range &R);

  /// Whether the copier may bring in \p W before tasks that have \p Before.
  bool mayComeAhead(const Wanted &W, const std::vector<Wanted> &Before);
  void enterAhead(Wanted W, uint64_t At);
  bool step();
};

} // namespace evenkeel::acquire

#endif
