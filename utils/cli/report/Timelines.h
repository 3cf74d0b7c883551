//===- Timelines.h - tasks of a run over time -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the lanes of a phase. In a phase of threads or ranks each task has a
// lane. Explicit tasks are laid out on as many lanes as there are workers, each
// free worker taking the first task that is ready, after the threads' own
// tasks. This is the order of the replay and of the models, and repeats their
// schedule but for rounding.
// Makes: bars, few enough to be drawn: many lanes become bands of neighbouring
// ones, and short bars beside each other become one with a count.
// Not here: where the times come from.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_TIMELINES_H
#define EVENKEEL_UTILS_CLI_REPORT_TIMELINES_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::cli {

struct TimedTask {
  uint32_t Index = 0;
  bool Explicit = false;
  uint32_t Lane = 0; // of threads: which one
  double Seconds = 0;
  std::vector<uint32_t> Preds = {}; // explicit tasks: positions in the phase
};

/// The tasks of a phase.
struct TimedPhase {
  uint32_t Phase = 0;
  double Seconds = 0;
  unsigned Workers = 1;
  std::vector<TimedTask> Tasks;
};

struct TimedRun {
  double Makespan = 0;
  double Waited = 0;              // of all lanes
  std::vector<TimedPhase> Phases; // in the order of the run
};

struct Bar {
  uint32_t Lane = 0;
  double From = 0, Seconds = 0; // from the start of the phase
  uint32_t Tasks = 1;
  uint32_t Longest = 0; // index of the longest task
};

/// A phase as it is drawn.
struct LaidOutPhase {
  double Seconds = 0;
  bool Explicit = false;
  std::vector<double> Busy;       // by lane
  std::vector<uint32_t> LastTask; // by lane of threads: whose time it shows
  std::vector<Bar> Bars;          // of explicit tasks, by lane and time
};

LaidOutPhase layOut(const TimedPhase &P);

/// Joins lanes to at most \p Most bands of equal width, each as busy as its
/// busiest lane. Bars of joined lanes are dropped. Returns the lanes of a band.
size_t joinLanes(LaidOutPhase &P, size_t Most);

/// Joins bars of a lane that follow each other within \p Resolution seconds
/// and are shorter than it.
void joinBars(std::vector<Bar> &Bars, double Resolution);

/// The slowest lanes of a group: those within 3 % of the slowest, if the
/// slowest takes 5 % or more longer than the mean; else none. \p P has lanes
/// of threads or ranks.
std::vector<uint32_t> slowLanes(const LaidOutPhase &P);

/// The waiting of all lanes with work of their own; in phases of explicit
/// tasks, of all lanes.
double waitedIn(const LaidOutPhase &P);

} // namespace evenkeel::cli

#endif
