//===- Remaining.h - the phases after a hook, for trades --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the times of tasks in later phases and how much each unit saves them,
// by groups of equal phases (AlikePhases.h), so that a step of the search takes
// time by the number of groups. A phase that begins before a page arrives gains
// less from it than later phases, and leaves its group then.
// Not here: the choice of trades (Trade.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_REMAINING_H
#define EVENKEEL_PROFILES_PLANNER_REMAINING_H

#include "models/Model.h"
#include "problem/AlikePhases.h"

namespace evenkeel {

class Remaining {
public:
  /// Consecutive units of one instance that a task uses. All gains of a group
  /// are in one array, so that a step is a few passes over contiguous memory.
  struct Run {
    uint32_t First = 0, Count = 0; // units
    uint32_t Instance = 0;
    size_t At = 0; // index of the first unit's gain
  };
  /// A task in later phases: its time, and its weight in the smoothed maximum.
  struct Row {
    double Seconds = 0, Weight = 0;
  };
  /// Phases of one group on which the trades so far have had the same effect.
  struct Class {
    uint32_t Group = 0;
    uint32_t Phase = 0; // its index, if the class is one phase that has begun
    double Count = 0;
    double Worth = 1; // factor for the phases' gains
    double Left = 1;  // fraction left when the next page arrives
    bool Changed = true;
    double Smoothed = 0; // length of each, by the weights
    std::vector<Row> Rows;
  };

  Remaining(const Problem &P, const std::vector<double> &Fast, uint32_t Hook,
            const Machine &M, const Model &Mod);

  /// Discounts gains of later phases: those after the next hook can
  /// also be had by moving data then. The worth of a gain now is the share of
  /// its phase that passes before the data would be there if the next hook
  /// began to copy what each phase needs, in their order, \p PerByte seconds
  /// for a byte in and another out, and as early as the fast tier has room for
  /// it beside what the phases in between need. If not called, all gains count
  /// in full.
  void findWorth(double PerByte);

  /// The next page arrives \p Later seconds after the hook; must not decrease.
  void arrive(double Later);

  /// Adds the seconds that each unit saves to \p Value, and to \p Whole without
  /// the discount. \p Lives: whether it must be copied.
  void addValues(const std::vector<char> &Lives, std::vector<double> &Value,
                 std::vector<double> &Whole);
  /// The sum of all phases' seconds, and as smoothed by the weights of the last
  /// addValues.
  double seconds() const;
  double smoothed() const;
  /// Moves the share \p Share of unit \p U into the fast tier.
  void shift(uint32_t U, double Share, bool Lives);

  /// The seconds that tasks wait per byte of each unit that is moving when the
  /// next page arrives; null: no phase is running then.
  const std::vector<double> *waits(const Machine &M);

  /// The start of the first phase from number \p Phase on; infinite: there is
  /// none.
  double startOf(uint32_t Phase) const;
  /// The worth of each later phase, in order.
  const std::vector<double> &worth() const { return Worth; }

private:
  const Problem &P;
  const AlikePhases Alike;
  std::vector<std::vector<std::vector<Run>>> Runs; // by group and row
  std::vector<std::vector<double>> Gains;          // by group: seconds per unit
  std::vector<std::vector<double>> Waits; // by group, unit; empty: not yet
  /// What a row counts for in all phases of its group.
  struct Weight {
    double Whole = 0, Discounted = 0;
    void add(double Its, double Worth) {
      Whole += Its;
      Discounted += Its * Worth;
    }
  };
  // By group and row, for data that must be copied and for data to be made.
  std::vector<std::vector<Weight>> Copied, Made;
  std::vector<Class> Classes;
  std::vector<std::vector<uint32_t>> ClassesOf; // by group
  // By later phase:
  std::vector<double> Start, End; // in seconds from the hook
  std::vector<uint32_t> Place;    // in the problem
  std::vector<uint32_t> ClassOf;
  std::vector<double> Worth;
  size_t Begun = 0;              // number of phases begun when the next page
                                 // arrives
  size_t Meanwhile = 0;          // the phase that runs then
  std::vector<uint32_t> Running; // classes of a single phase that has begun
  /// Rows (group, row) by unit; empty until a unit is shifted.
  std::vector<std::pair<uint32_t, uint32_t>> Users;
  std::vector<size_t> UsersOf; // start of each unit's users, and the end

  void addGroup(const PredictedPhase &H, const std::vector<double> &Seconds,
                const std::vector<double> &LatencyNs, const Machine &M,
                const Model &Mod);
  double neededBytes(uint32_t Group, std::vector<double> &ByUnit) const;
  void makeClasses();
  uint32_t part(uint32_t Phase, uint32_t From);
  void weigh(Class &C);
  void weighRows();
  void findUsers();
  std::vector<std::vector<Row>> FirstRows; // by group
};

} // namespace evenkeel

#endif
