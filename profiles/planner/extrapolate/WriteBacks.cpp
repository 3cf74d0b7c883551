//===- WriteBacks.cpp - dirty lines that wait in caches -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see WriteBacks.h. Also what a record tells of it:
// which of the lines that a task fetched it made dirty.
//===----------------------------------------------------------------------===//
#include "WriteBacks.h"
#include "Extrapolator.h"
#include "planner/Phase.h"
#include <algorithm>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

void DirtyCaches::run(uint32_t Worker, const std::vector<Fetch> &All,
                      std::unordered_map<uint32_t, double> &Out) {
  Cache &C = Of[Worker];
  Segment Own{0, {}};
  for (const Fetch &F : All)
    if (F.Lines > 0) {
      Own.Lines += F.Lines;
      Own.Parts.push_back(F);
    }
  if (Own.Lines <= 0)
    return;
  auto Evict = [&](Segment &S, double Lines) {
    const double Share = std::min(1.0, Lines / S.Lines);
    for (Fetch &F : S.Parts) {
      if (F.Dirty > 0)
        Out[F.Inst] += F.Dirty * Share;
      F.Dirty *= 1 - Share;
    }
    S.Lines -= Lines;
    C.Lines -= Lines;
  };
  C.Lines += Own.Lines;
  while (C.Lines > Capacity && !C.Held.empty()) {
    Segment &Oldest = C.Held.front();
    Evict(Oldest, std::min(Oldest.Lines, C.Lines - Capacity));
    if (Oldest.Lines <= 0)
      C.Held.pop_front();
  }
  if (C.Lines > Capacity)
    Evict(Own, C.Lines - Capacity);
  C.Held.push_back(std::move(Own));
}

/// Shares of fetched lines that tasks make dirty: all of them where a task only
/// writes an object, none where it only reads. The rest of an instance's lines
/// that were ever written back is left to the tasks that do both.
void Extrapolator::readDirty() {
  struct Lines {
    double Back = 0, Written = 0, Both = 0;
  };
  std::vector<Lines> Of(B.Instances.size());
  for (const std::vector<BaseDemand> &Task : Demands)
    for (const BaseDemand &Q : Task) {
      Of[Q.Inst].Back += Q.Writes;
      if (Q.Stores > 0)
        (Q.Loads > 0 ? Of[Q.Inst].Both : Of[Q.Inst].Written) += Q.Reads;
    }
  for (std::vector<BaseDemand> &Task : Demands)
    for (BaseDemand &Q : Task) {
      const Lines &L = Of[Q.Inst];
      if (Q.Stores > 0)
        Q.Dirty = Q.Loads > 0 && L.Both > 0
                      ? std::clamp((L.Back - L.Written) / L.Both, 0.0, 1.0)
                      : 1;
    }
  DirtyCaches Caches = emptyCaches();
  for (uint32_t T : InOrder) {
    std::vector<DirtyCaches::Fetch> All;
    for (const BaseDemand &Q : Demands[T])
      All.push_back({Q.Inst, Q.Reads, Q.Reads * Q.Dirty});
    std::unordered_map<uint32_t, double> Back;
    Caches.run(B.Tasks[T].worker, All, Back);
    for (BaseDemand &Q : Demands[T])
      if (auto It = Back.find(Q.Inst); It != Back.end())
        Q.PushedOut = It->second;
  }
}

DirtyCaches Extrapolator::emptyCaches() const {
  return DirtyCaches(double(B.Config.llc_share_bytes) / LineBytes);
}

} // namespace extrapolation
} // namespace evenkeel
