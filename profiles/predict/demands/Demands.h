//===- Demands.h - what tasks did to objects on the base input --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the base profile's rows of misses, accesses and curves.
// Makes: by task and object, lines, exposed latencies, accesses and
// write-backs; and totals by team and by access pattern. Not here: the target.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_DEMANDS_DEMANDS_H
#define EVENKEEL_PROFILES_PREDICT_DEMANDS_DEMANDS_H

#include "predict/base/BaseCounts.h"
#include "predict/base/Tables.h"
#include "predict/base/WriteBacks.h"
#include "problem/Problem.h"
#include <algorithm>
#include <unordered_map>

namespace evenkeel {
namespace prediction {

constexpr uint32_t AnyInstance = ~0u;

/// A task's use of an object on the base input.
struct BaseDemand {
  uint32_t Inst = 0, Pattern = 0;
  double Reads = 0, Writes = 0, Weight = 0, Accesses = 0; // lines; accesses
  double Loads = 0, Stores = 0;                           // of Accesses
  bool Walked = false; // in the order of its addresses
  bool Random = false; // in an order that depends on data
  const ek_raw_mrc *Curve = nullptr;
  std::vector<const ek_raw_miss *> Rows;
  double Dirty = 0;     // Dirty.cpp: share of the lines read that it writes to
  double PushedOut = 0; // Dirty.cpp: of Writes, those that DirtyCaches explains
};

/// By row of Profile.Tasks; sorted by instance within a task.
using DemandsOfTasks = std::vector<std::vector<BaseDemand>>;

/// Exposed latencies and lines.
using Weighed = std::pair<double, double>;

/// The weight of all lines that miss the first cache as if they came from
/// memory; and the weight of the lines that the smallest last level lets
/// through.
struct FarLines {
  double Weight = 0, Reads = 0, Accesses = 0, Through = 0;
  Weighed Came; // lines that the caches did not hold on the base input
};

/// By a first name and an instance. Nobody goes through all of them.
struct NameHash {
  size_t operator()(const std::pair<uint64_t, uint32_t> &X) const {
    return (X.first ^ X.second * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  }
};
template <typename T>
using ByInstance =
    std::unordered_map<std::pair<uint64_t, uint32_t>, T, NameHash>;

/// How lines overlapped on the base input.
struct Overlaps {
  ByInstance<Weighed> ByPattern; // pattern, inst
  ByInstance<Weighed> ByTeam;    // phase, inst
  /// By the sync point that ends phases, and instance: only few lines of each
  /// phase are weighted.
  ByInstance<FarLines> Far;
  Weighed All;
};
Overlaps makeOverlaps(const BaseTables &Base, const DemandsOfTasks &Of);

/// Instances by phase, as in PredictedPhase.
struct Gathering {
  std::vector<SharedList<uint32_t>> Gathered, Scattered;

  bool isGathered(uint32_t Phase, uint32_t Inst) const {
    return std::binary_search(Gathered[Phase].begin(), Gathered[Phase].end(),
                              Inst);
  }
};
Gathering makeGathering(const BaseTables &Base, const DemandsOfTasks &Of);

/// All of the base run's accesses to objects, by task; computed once.
struct BaseDemands {
  DemandsOfTasks Of;
  /// By instance: the first and last chunk that is fetched.
  std::vector<std::pair<unsigned, unsigned>> UsedChunks;
  Overlaps Overlap;
  Gathering Gather;
  /// By (region, site): the mean number of accesses of a task of the region.
  std::map<AccessTable::Key, double> Usual;
  /// By region: rows of tasks that began there and accessed an object.
  std::map<uint64_t, std::vector<uint32_t>> Began;
};

/// Whether the phase is not predicted: it is before \p From, and no team
/// gathers in it, which would be compared with measurements.
inline bool isLeftOut(const BaseTables &Base, const Gathering &Gather,
                      uint32_t Phase, uint32_t From) {
  return Base.Phases.isOver(Phase, From) &&
         (Base.Phases.Explicit[Phase] ||
          (Gather.Gathered[Phase].empty() && Gather.Scattered[Phase].empty()));
}

BaseDemands makeDemands(const BaseTables &Base);

/// A step of makeDemands: lines made dirty and pushed out.
void addWriteBacks(const BaseTables &Base, DemandsOfTasks &Of);

} // namespace prediction
} // namespace evenkeel

#endif
