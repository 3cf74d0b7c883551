//===- ReportData.h - the figures that a report shows -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what each view of a report needs, with what is alike folded so that a
// run of a hundred thousand tasks and a thousand objects still makes a page
// that opens at once. What was folded is counted.
// Not here: how the values are made (MakeData.h), sentences (Headlines.h), text
// of data and page (Page.h). All are in seconds and bytes.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_REPORTDATA_H
#define EVENKEEL_UTILS_CLI_REPORT_REPORTDATA_H

#include "HeatMap.h"
#include "ReportInput.h"
#include "Timelines.h"

namespace evenkeel::cli {

/// What a page shows at most; the rest is folded.
constexpr size_t MostGroups = 40, MostLanes = 64, MostBars = 5000,
                 MostObjects = 24, MostPoints = 3000, MostUnfolded = 20000;

/// Makespans in seconds.
struct Answer {
  double AllSlow = 0, FirstTouch = 0, Plan = 0, AllFast = 0;
  std::optional<double> Limit;     // for placements that stay
  std::optional<double> Predicted; // of the plan, where Plan is replayed
  std::optional<double> BestFound; // by the oracle's search
  std::optional<double> AtHooks;   // ours, planning again at hooks
  double MovedAtHooks = 0;         // bytes
  std::optional<double> Moving;    // the plan and its moves, as predicted
  double Within = 0;               // relative error of a predicted makespan

  /// With what moves during the run; as Plan, where nothing does.
  double withMoves(bool Replayed) const {
    return (!Replayed          ? Moving
            : MovedAtHooks > 0 ? AtHooks
                               : std::nullopt)
        .value_or(Plan);
  }
};

/// Phases that are shown as one.
struct GroupData {
  PhaseGroup Its;
  std::string Function, At; // of its region; "" if there is none
  bool Serial = false, Rest = false;
  std::string Named; // "multiply cg.c:88", "12 other phases"
};

/// Bytes in one phase of a group, at most.
struct OccupancyData {
  double Allocated = 0;
  double FirstTouch = 0, Plan = 0; // of these in fast memory
};

/// One placement over time, the phases of each group added up.
struct RunData {
  std::vector<LaidOutPhase> Groups;
  std::vector<LaidOutPhase> Unfolded; // each phase by itself; may be empty
  double Makespan = 0, Waited = 0;
};

struct ObjectData {
  ObjectName Which;
  std::string Name, At; // variable and place; Name may be ""
  double Bytes = 0, FastShare = 0, GainSeconds = 0;
  double PlacedBytes = 0;          // in fast memory, of the predicted size
  std::optional<double> WouldGain; // if all of an object that is slow were fast
  std::string Classes;
  std::string Reason;
  std::optional<uint32_t> Group; // where it matters most
  std::optional<uint32_t> Task;  // that would be the slowest there
  std::string Bound;
  HeatRow Heat;
};

/// A task's predicted and replayed time, or its predicted time and error.
struct TaskPoint {
  uint32_t Group = 0, Task = 0;
  bool Explicit = false;
  double Predicted = 0, Replayed = 0, Bound = 0;
};

struct BeliefData {
  std::vector<TaskPoint> Points; // of tasks that take 0.1 ms or more
  size_t Tasks = 0;              // of which these are the points, or a sample
  size_t Inside = 0;             // off by 10 % or less
  double Worst = 0, Mean = 0;    // relative errors
};

/// Objects that the plan moves before a phase.
struct MoveData {
  uint32_t Phase = 0;
  size_t Objects = 0;
  double Bytes = 0;
};

struct ReportData {
  Answer Times;
  bool Replayed = false;
  std::vector<AmountPoint> Amounts;
  std::optional<size_t> Knee;            // in Amounts
  std::optional<double> FirstTouchNeeds; // bytes, to be as fast as the plan
  double FastBytes = 0, PeakBytes = 0, PlacedBytes = 0;
  double PlacedAtOnce = 0; // of the objects that the plan puts there

  std::vector<GroupData> Groups;
  size_t ShortPhases = 0, AllPhases = 0;
  double ShortSeconds = 0;
  size_t Lanes = 0, LanesPerBand = 1; // before joining
  bool Explicit = false;              // some phase has explicit tasks
  bool JoinedBars = false;
  RunData FirstTouch, Plan;
  std::vector<OccupancyData> Occupancy; // by group

  std::vector<ObjectData> Objects; // most saved per byte first
  size_t OtherObjects = 0;         // not in the list
  double OtherBytes = 0, OtherPlaced = 0, OtherGain = 0;
  size_t PlacedObjects = 0, AllObjects = 0;
  double Gain = 0; // of all objects

  BeliefData Belief;
  std::vector<MoveData> Moves;
};

} // namespace evenkeel::cli

#endif
