//===- ahead.h - tasks to come, and the order in which they come --*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the tasks that the program has announced and that have not started,
// what each needs, and which of them wait for others: as `depend` orders
// siblings, a task waits for those announced before it that write what it
// needs, or need what it writes. Ready tasks come first. Whether a runtime
// takes the oldest or the newest of its ready tasks shows when tasks start.
// How long tasks took, so that heavy ones are told from cheap ones.
// Not here: what is in the tier, and copies (residence.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_REQUIRED_AHEAD_H
#define EVENKEEL_RUNTIME_REQUIRED_AHEAD_H

#include "required/room.h"

#include <list>
#include <unordered_map>

namespace evenkeel::acquire {

/// What a task asks for.
struct Wanted {
  Range R;
  bool Reads = true, Writes = false;
  bool operator==(const Wanted &O) const {
    return R.From == O.R.From && R.To == O.R.To && Reads == O.Reads &&
           Writes == O.Writes;
  }
};

class Ahead {
public:
  struct Announced {
    uint64_t Task;
    std::vector<Wanted> Needs;
    Range Hull = {0, 0};   // around all that it needs
    unsigned Blockers = 0; // tasks announced before that it waits for
    size_t Passed = 0;     // later ones that started while it was ready
    bool LackedRoom = false;
  };

  bool empty() const { return Waiting.empty(); }
  /// False: as many as are kept wait already.
  bool announce(uint64_t Task, std::vector<Wanted> Needs);
  /// The oldest task that was announced with \p Task and \p Needs starts, if
  /// there is one. Returns whether its data had lacked room.
  bool started(uint64_t Task, const std::vector<Wanted> &Needs);
  /// A task that has started held its data for \p Ns.
  void took(uint64_t Task, uint64_t Ns);
  /// At least the mean time of all tasks; a task without a time is heavy.
  bool isHeavy(uint64_t Task) const;
  /// The memory of \p R is freed: no task to come uses it.
  void forget(const Range &R);
  void clear() {
    Waiting.clear();
    Most = 0;
  }

  /// Tasks to come, those that come first first: ready ones; those that wait
  /// only for \p Running; the others as they were announced. Not all of them:
  /// EK_AHEAD_LOOK at most of each kind.
  std::vector<Announced *> next(const std::vector<Wanted> &Running);

private:
  using Place = std::list<Announced>::iterator;
  struct Took {
    uint64_t Times = 0, Ns = 0;
  };

  std::list<Announced> Waiting; // as they were announced
  std::unordered_map<uint64_t, Took> TimesOf;
  Took All;
  int Newest = 0;  // > 0: of ready tasks, the newest start first
  size_t Most = 0; // tasks that waited at one time

  void learn(Place Started);
  void forgetPassed(Place Started);
  void erase(Place It);
};

/// Whether the order of two tasks that need these matters.
bool conflict(const std::vector<Wanted> &A, const std::vector<Wanted> &B);

} // namespace evenkeel::acquire

#endif
