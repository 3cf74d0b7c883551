//===- Remaining.h - the phases after a hook, for trades --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what tasks of the phases to come take and what each unit saves them,
// by groups of phases alike (AlikePhases.h): a step of the search takes time by
// their kinds. Phases that begin before a page arrives gain less of it than
// those after them, and part from their group then.
// Leaves out: which trades are made (Trade.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_REMAINING_H
#define EVENKEEL_PROFILES_PLANNER_REMAINING_H

#include "models/Model.h"
#include "problem/AlikePhases.h"

namespace evenkeel {

class Remaining {
public:
  /// Consecutive units of one instance that a task uses; all the gains of a
  /// group lie in one array, so that a step is a few passes over plain memory.
  struct Run {
    uint32_t First = 0, Count = 0; // units
    uint32_t Instance = 0;
    size_t At = 0; // of the first unit's gain
  };
  /// One task of phases to come: its time, and its weight in the smoothed
  /// maximum.
  struct Row {
    double Seconds = 0, Weight = 0;
  };
  /// Phases of one group for which trades have done the same so far.
  struct Class {
    uint32_t Group = 0;
    uint32_t Phase = 0; // of those to come, if it is one that has begun
    double Count = 0;
    double Worth = 1; // of what they gain
    double Left = 1;  // of them, when the next page arrives
    bool Changed = true;
    double Smoothed = 0; // what each lasts, as the weights see it
    std::vector<Row> Rows;
  };

  Remaining(const Problem &P, const std::vector<double> &Fast, uint32_t Hook,
            const Machine &M, const Model &Mod);

  /// Up to the next hook all counts that is gained. What only later phases gain
  /// can be brought then: worth having now is what they would lose meanwhile,
  /// when all of the fast tier is exchanged within \p Copying seconds, one page
  /// after the other. Not called: all is worth having.
  void findWorth(double Copying);

  /// The next page arrives \p Later than the hook; never before the last one.
  void arrive(double Later);

  /// What each unit saves: adds to \p Value. \p Lives: whether it is copied;
  /// \p ToCome: whether any is not.
  void addValues(const std::vector<char> &Lives, bool ToCome,
                 std::vector<double> &Value);
  /// Seconds that all phases last, and as the weights of the last addValues see
  /// it.
  double seconds() const;
  double smoothed() const;
  /// So much more of unit \p U lies in the fast tier.
  void shift(uint32_t U, double Share, bool Lives);

  /// What tasks wait per byte of each unit that moves when the next page
  /// arrives; null: no phase runs then.
  const std::vector<double> *waits(const Machine &M);

  /// When the first phase from number \p Phase on begins; infinite: none does.
  double startOf(uint32_t Phase) const;
  /// Worth by phase to come, in order.
  const std::vector<double> &worth() const { return Worth; }

private:
  const Problem &P;
  const AlikePhases Alike;
  std::vector<std::vector<std::vector<Run>>> Runs; // by group and row
  std::vector<std::vector<double>> Gains;          // by group: seconds per unit
  std::vector<std::vector<double>> Waits; // by group, unit; empty: not yet
  std::vector<Class> Classes;
  std::vector<std::vector<uint32_t>> ClassesOf; // by group
  // By phase to come:
  std::vector<double> Start, End; // in seconds from the hook
  std::vector<uint32_t> Place;    // in the problem
  std::vector<uint32_t> ClassOf;
  std::vector<double> Worth;
  size_t Begun = 0;              // phases, when the next page arrives
  size_t Meanwhile = 0;          // the one that runs then
  std::vector<uint32_t> Running; // classes of one phase that has begun
  /// Rows (group, row) by unit; empty until a unit is shifted.
  std::vector<std::pair<uint32_t, uint32_t>> Users;
  std::vector<size_t> UsersOf; // where a unit's begin, and one more

  void addGroup(const PredictedPhase &H, const std::vector<double> &Seconds,
                const std::vector<double> &LatencyNs, const Machine &M,
                const Model &Mod);
  void makeClasses();
  uint32_t part(uint32_t Phase, uint32_t From);
  void weigh(Class &C);
  void findUsers();
  std::vector<std::vector<Row>> FirstRows; // by group
};

} // namespace evenkeel

#endif
