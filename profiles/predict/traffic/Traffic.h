//===- Traffic.h - the fourth stage: lines from and to memory ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what tasks fetched and wrote back on the base input, how much more
// they access, sizes, and what fits into the caches.
// Makes: what each task fetches and writes back on the target, by unit:
// N'(o,t) = N(o,t) * C'(o,t)/C(o,t) * alpha'/alpha, alpha from the base run's
// own miss-ratio curve (after Merchandiser, PPoPP 2023).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_TRAFFIC_TRAFFIC_H
#define EVENKEEL_PROFILES_PREDICT_TRAFFIC_TRAFFIC_H

#include "Shapes.h"
#include "predict/counts/AccessCounts.h"
#include "predict/demands/CacheStates.h"

namespace evenkeel {
namespace prediction {

/// A page's lines: fewer of an object are none.
constexpr double LeastLines = 64;

/// alpha'/alpha, or the lines themselves where alpha was 0.
struct CacheEffect {
  double Ratio = 1;
  std::optional<double> Lines;
  CacheWay Way = CacheWay::Same;
};
/// Of an object that is \p S times as large as on the base input.
CacheEffect cacheEffect(const Profile &B, const ek_raw_mrc *Curve, double S);

/// Lines that a task fetches of an object.
struct FetchedLines {
  double Lines = 0;
  CacheWay Way = CacheWay::Same;
};
/// Rule: so many accesses miss that often, at least.
double unseenLines(double Accesses);
FetchedLines linesOf(const Profile &B, const BaseDemand &Q, const Ratio &C,
                     double S, bool KnowsTarget, const Rules &Use);

/// Exposed latencies of each of \p Lines of an instance that a task of the
/// phase fetches, and did not on the base input: as many as its own had there,
/// or its team's, or those of all that access the instance, or any, alike.
/// \p Workers: of the phase.
double exposureOf(const Overlaps &Of, uint32_t Phase, unsigned Workers,
                  const BaseDemand &Q, double Lines);
/// The same, \p Each, put right by what the lines that the caches held on the
/// base input would have weighed (FarLines.cpp). \p Sync: of the phase;
/// \p Lines: as many as the base input's accesses would have lost.
double farExposure(const Overlaps &Of, uint64_t Sync, const BaseDemand &Q,
                   double Lines, double Each);

/// What a line of an object weighs on the target, over what it does on the base
/// input, the task's accesses to it being \p Growth times as many (Runs.cpp).
double runWeight(const CountInputs &In, uint32_t Task, const BaseDemand &Q,
                 double Growth);

/// Of \p New lines of an object that its task did not fetch on the base input,
/// what each unit of \p Shape gets, whose lines are \p Scale times as many.
std::vector<double> newLines(const BaseDemand &Q,
                             const std::vector<UnitDemand> &Shape,
                             unsigned Parts, double Scale, double New);

/// Of a team, or of all that run explicit tasks.
unsigned workersOf(const Profile &B, uint32_t Phase);

/// What each task fetches, by row of Profile.Tasks.
using FetchesOfTasks = std::vector<std::vector<DirtyCaches::Fetch>>;

struct TaskTraffic {
  std::vector<UnitDemand> Units;
  double Opening = 0;              // as TaskDemand
  std::vector<FetchedLines> Lines; // by demand
};

struct Traffic {
  std::vector<TaskTraffic> Of; // by row of tasks; empty where nobody asked
  FetchesOfTasks Fetched;
};

/// \p Predicted: by row of tasks, whether it is asked for. Of other tasks,
/// \p Fetched says what they fetched when they were last predicted, or In and
/// Counts tell it. \p FirstUnit: by instance, and the number of units.
Traffic predictTraffic(const CountInputs &In, const AccessCounts &Counts,
                       const std::vector<double> &Stretches,
                       const std::vector<uint32_t> &FirstUnit,
                       const std::vector<bool> &Predicted,
                       FetchesOfTasks Fetched, Shapes &Known, const Rules &Use);

} // namespace prediction
} // namespace evenkeel

#endif
