//===- Traffic.h - the fourth stage: lines from and to memory ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: fetches and write-backs of tasks on the base input, the growth of
// their accesses, sizes, and what fits into the caches.
// Makes: the fetches and write-backs of each task on the target, by unit:
// N'(o,t) = N(o,t) * C'(o,t)/C(o,t) * alpha'/alpha, with alpha from the base
// run's own miss-ratio curve (after Merchandiser, PPoPP 2023).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_TRAFFIC_TRAFFIC_H
#define EVENKEEL_PROFILES_PREDICT_TRAFFIC_TRAFFIC_H

#include "Shapes.h"
#include "predict/counts/AccessCounts.h"
#include "predict/demands/CacheStates.h"

namespace evenkeel {
namespace prediction {

/// The lines of a page; fewer lines of an object count as none.
constexpr double LeastLines = 64;

/// alpha'/alpha, or the lines themselves if alpha was 0.
struct CacheEffect {
  double Ratio = 1;
  std::optional<double> Lines;
  CacheWay Way = CacheWay::Same;
};
/// For an object that is \p S times as large as on the base input.
CacheEffect cacheEffect(const Profile &B, const ek_raw_mrc *Curve, double S);

/// Lines that a task fetches of an object.
struct FetchedLines {
  double Lines = 0;
  CacheWay Way = CacheWay::Same;
};
FetchedLines linesOf(const Profile &B, const BaseDemand &Q, const Ratio &C,
                     double S);

/// The exposed latency of each of \p Lines of an instance that a task of the
/// phase fetches, but did not fetch on the base input: the latency of its own
/// lines there, or of its team's, or of all accesses to the instance, or of
/// accesses with the same pattern. \p Workers: of the phase.
double exposureOf(const Overlaps &Of, uint32_t Phase, unsigned Workers,
                  const BaseDemand &Q, double Lines);
/// The same, \p Each, corrected by the weight that lines held by the base
/// input's caches would have had (FarLines.cpp). \p Sync: of the phase;
/// \p Lines: the number of lines that the base input's accesses would have
/// lost.
double farExposure(const Overlaps &Of, uint64_t Sync, const BaseDemand &Q,
                   double Lines, double Each);

/// Distributes \p New lines of an object, which its task did not fetch on the
/// base input, to the units of \p Shape, whose lines are multiplied by
/// \p Scale. \p Walked: in the order of their addresses.
std::vector<double> newLines(const std::vector<UnitDemand> &Shape, double Scale,
                             double New, bool Walked);

/// The size of a team, or the number of threads that run explicit tasks.
unsigned workersOf(const Profile &B, uint32_t Phase);

/// The fetches of each task, by row of Profile.Tasks.
using FetchesOfTasks = std::vector<std::vector<DirtyCaches::Fetch>>;

struct TaskTraffic {
  std::vector<UnitDemand> Units;
  double Opening = 0;              // as TaskDemand
  std::vector<FetchedLines> Lines; // by demand
};

struct Traffic {
  std::vector<TaskTraffic> Of; // by row of tasks; empty if not requested
  FetchesOfTasks Fetched;
};

/// \p Predicted: by row of tasks, whether it is requested. For other tasks,
/// fetches are taken from \p Fetched, as last predicted, or else from In and
/// Counts. \p FirstUnit: by instance, and the number of units.
Traffic predictTraffic(const CountInputs &In, const AccessCounts &Counts,
                       const std::vector<double> &Stretches,
                       const std::vector<uint32_t> &FirstUnit,
                       const std::vector<bool> &Predicted,
                       FetchesOfTasks Fetched, Shapes &Known, const Rules &Use);

} // namespace prediction
} // namespace evenkeel

#endif
