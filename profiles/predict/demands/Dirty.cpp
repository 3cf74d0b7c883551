//===- Dirty.cpp - lines that the base run's tasks made dirty -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which lines were written back on the base input, and when caches push
// dirty lines out (base/WriteBacks.h).
// Makes: which of its fetched lines a task made dirty, and which of its
// write-backs the cache model explains.
//===----------------------------------------------------------------------===//
#include "CacheStates.h"
#include "Demands.h"
#include "problem/Problem.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

/// Sets the share of fetched lines that tasks make dirty: all if a task only
/// writes an object, none if it only reads. The rest of an instance's
/// written-back lines is assigned to tasks that do both. If these fetched
/// hardly any lines, because the instance was in the caches, as many words as
/// the phase's stores can reach are dirty.
static void addDirty(const BaseTables &Base, DemandsOfTasks &Of) {
  const Profile &B = Base.B;
  struct Lines {
    double Back = 0, Written = 0, Both = 0;
  };
  std::vector<Lines> All(B.Instances.size());
  std::map<std::pair<uint32_t, uint32_t>, double> Stores; // phase, instance
  for (uint32_t T = 0; T < Of.size(); ++T)
    for (const BaseDemand &Q : Of[T]) {
      Lines &L = All[Q.Inst];
      L.Back += Q.Writes * Base.times(T);
      if (Q.Stores > 0)
        (Q.Loads > 0 ? L.Both : L.Written) += Q.Reads * Base.times(T);
      Stores[{B.Tasks[T].phase, Q.Inst}] += Q.Stores;
    }
  for (uint32_t T = 0; T < Of.size(); ++T)
    for (BaseDemand &Q : Of[T]) {
      if (Q.Stores <= 0)
        continue;
      Q.Dirty = 1;
      if (Q.Loads <= 0)
        continue;
      const Lines &L = All[Q.Inst];
      const double Bytes = std::max(1.0, double(B.Instances[Q.Inst].bytes));
      const double Seen = std::min(1.0, L.Both * LineBytes / Bytes);
      Q.Dirty =
          (1 - Seen) * std::min(1.0, Stores.at({B.Tasks[T].phase, Q.Inst}) *
                                         WordBytes / Bytes);
      if (Seen > 0)
        Q.Dirty += Seen * std::clamp((L.Back - L.Written) / L.Both, 0.0, 1.0);
    }
}

void evenkeel::prediction::addWriteBacks(const BaseTables &Base,
                                         DemandsOfTasks &Of) {
  addDirty(Base, Of);
  std::vector<DirtyCaches::Fetch> All;
  auto Fetches = [&](uint32_t T) -> const std::vector<DirtyCaches::Fetch> & {
    All.clear();
    for (const BaseDemand &Q : Of[T])
      All.push_back({Q.Inst, Q.Reads, Q.Reads * Q.Dirty});
    return All;
  };
  eachInOrder(Base, Fetches, [&](uint32_t T, DirtyCaches &Caches) {
    std::unordered_map<uint32_t, DirtyCaches::Back> Back;
    Caches.run(Base.B.Tasks[T].worker, Fetches(T), Back);
    for (BaseDemand &Q : Of[T])
      if (auto It = Back.find(Q.Inst); It != Back.end())
        Q.PushedOut = It->second.Lines;
  });
}
