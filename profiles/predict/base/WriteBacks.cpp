//===- WriteBacks.cpp - dirty lines that wait in caches -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WriteBacks.h.
//===----------------------------------------------------------------------===//
#include "WriteBacks.h"
#include "Digest.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace evenkeel;
using namespace evenkeel::prediction;

double DirtyCaches::run(uint32_t Worker, const std::vector<Fetch> &All,
                        std::unordered_map<uint32_t, Back> &Out) {
  Cache &C = Of[Worker];
  Segment Own{0, {}};
  for (const Fetch &F : All)
    if (F.Lines > 0) {
      Own.Lines += F.Lines;
      Own.Parts.push_back(F);
    }
  if (Own.Lines <= 0)
    return 1;
  const double Opening = std::min(1.0, Capacity / Own.Lines);
  auto Evict = [&](Segment &S, double Lines) {
    const double Share = std::min(1.0, Lines / S.Lines);
    for (Fetch &F : S.Parts) {
      if (F.Dirty > 0) {
        Back &B = Out[F.Inst];
        B.Lines += F.Dirty * Share;
        B.Own += &S == &Own ? F.Dirty * Share : 0;
      }
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
  return Opening;
}

std::pair<uint64_t, uint64_t> DirtyCaches::digest() const {
  Digest Out;
  auto Add = [&](double X) { Out.add(std::round(X * 1024)); };
  std::map<uint32_t, const Cache *> Sorted;
  for (const auto &[Worker, Its] : Of)
    Sorted[Worker] = &Its;
  for (const auto &[Worker, Its] : Sorted) {
    Out.add(uint64_t(Worker));
    for (const Segment &S : Its->Held) {
      Add(S.Lines);
      for (const Fetch &F : S.Parts) {
        Out.add(uint64_t(F.Inst));
        Add(F.Dirty);
      }
    }
  }
  return Out.value();
}
