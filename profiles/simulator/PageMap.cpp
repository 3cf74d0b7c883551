//===- PageMap.cpp - the tier of every page -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PageMap.h.
//===----------------------------------------------------------------------===//
#include "PageMap.h"
#include "PreparedRecord.h"
#include <algorithm>

namespace evenkeel {

PageMap::PageMap(const PreparedRecord &R, std::vector<uint64_t> Capacities)
    : R(R), Capacity(std::move(Capacities)), Used(Capacity.size(), 0),
      Peak(Capacity.size(), 0), Tier(R.totalPages(), Unplaced),
      Live(R.Record->Instances.size(), false),
      BesideOf(R.Record->Instances.size(), 0) {}

void PageMap::keepSets() {
  KeepsSets = true;
  Fast = Slow = Placed = PageSet(R.totalPages());
}

const ek_raw_inst &PageMap::instance(uint32_t Instance) const {
  return R.Record->Instances[Instance];
}

uint32_t PageMap::pages(uint32_t Instance) const { return R.pages(Instance); }

uint64_t PageMap::firstPage(uint32_t Instance) const {
  return R.FirstPage[Instance];
}

uint64_t PageMap::pageBytes(uint32_t Instance, uint32_t Page) const {
  return R.pageBytes(Instance, Page);
}

uint8_t PageMap::tier(uint32_t Instance, uint32_t Page) const {
  return Tier[R.FirstPage[Instance] + Page];
}

void PageMap::charge(unsigned T, uint64_t Bytes) {
  Used[T] += Bytes;
  Peak[T] = std::max(Peak[T], Used[T]);
}

bool PageMap::fits(uint32_t Instance, uint32_t Page, unsigned T) const {
  // The slowest tier accepts everything; a real system would swap.
  if (T + 1 == tiers())
    return true;
  return pageBytes(Instance, Page) <=
         Capacity[T] - std::min(Used[T], Capacity[T]);
}

bool PageMap::place(uint32_t Instance, uint32_t Page, unsigned T) {
  uint64_t Bytes = pageBytes(Instance, Page);
  if (!fits(Instance, Page, T)) {
    Refused += Bytes;
    return false;
  }
  const uint64_t Global = R.FirstPage[Instance] + Page;
  uint8_t &Now = Tier[Global];
  if (Now != Unplaced || !Live[Instance])
    return false;
  Now = uint8_t(T);
  if (KeepsSets) {
    (T ? Slow : Fast).insert(Global);
    Placed.insert(Global);
  }
  charge(T, Bytes);
  return true;
}

unsigned PageMap::placeFrom(uint32_t Instance, uint32_t Page, unsigned T) {
  while (!place(Instance, Page, T) && T + 1 < tiers())
    ++T;
  return tier(Instance, Page);
}

unsigned PageMap::placeBeside(uint32_t Instance, uint32_t Page,
                              uint64_t Reserved) {
  const uint64_t Bytes = pageBytes(Instance, Page),
                 Others = Used[0] - std::min(Used[0], Beside),
                 Taken = Beside + std::max(Reserved, Others);
  if (Taken > Capacity[0] || Bytes > Capacity[0] - Taken)
    return placeFrom(Instance, Page, 1);
  if (place(Instance, Page, 0)) {
    Beside += Bytes;
    BesideOf[Instance] += Bytes;
  }
  return tier(Instance, Page);
}

void PageMap::requestMove(uint32_t Instance, uint32_t Page, unsigned To) {
  if (tier(Instance, Page) != Unplaced && To < tiers())
    Moves.push_back({Instance, Page, uint8_t(To)});
}

void PageMap::release(uint32_t Instance) {
  if (!Live[Instance])
    return;
  for (uint32_t Page = 0, E = pages(Instance); Page < E; ++Page)
    if (uint8_t T = tier(Instance, Page); T != Unplaced)
      Used[T] -= pageBytes(Instance, Page);
  if (KeepsSets) {
    Fast.erase(R.FirstPage[Instance], R.FirstPage[Instance + 1]);
    Slow.erase(R.FirstPage[Instance], R.FirstPage[Instance + 1]);
  }
  for (const Move &M : UnderWay)
    if (M.Instance == Instance)
      Used[M.To] -= pageBytes(M.Instance, M.Page);
  UnderWay.erase(
      std::remove_if(UnderWay.begin(), UnderWay.end(),
                     [&](const Move &M) { return M.Instance == Instance; }),
      UnderWay.end());
  Beside -= BesideOf[Instance];
  BesideOf[Instance] = 0;
  Live[Instance] = false;
  ++Released;
}

bool PageMap::beginMove(const Move &M) {
  if (!Live[M.Instance] || tier(M.Instance, M.Page) == M.To)
    return false;
  for (const Move &Other : UnderWay)
    if (Other.Instance == M.Instance && Other.Page == M.Page)
      return false;
  uint64_t Bytes = pageBytes(M.Instance, M.Page);
  if (!fits(M.Instance, M.Page, M.To)) {
    Refused += Bytes;
    return false;
  }
  charge(M.To, Bytes);
  UnderWay.push_back(M);
  return true;
}

bool PageMap::finishMove(const Move &M) {
  auto It = std::find_if(UnderWay.begin(), UnderWay.end(), [&](const Move &O) {
    return O.Instance == M.Instance && O.Page == M.Page;
  });
  if (It == UnderWay.end())
    return false;
  UnderWay.erase(It);
  const uint64_t Global = R.FirstPage[M.Instance] + M.Page;
  uint8_t &Now = Tier[Global];
  // Pages that leave tier 0 are first those that placeBeside() put there.
  if (const uint64_t Bytes = pageBytes(M.Instance, M.Page);
      Now == 0 && BesideOf[M.Instance] >= Bytes) {
    BesideOf[M.Instance] -= Bytes;
    Beside -= Bytes;
  }
  Used[Now] -= pageBytes(M.Instance, M.Page);
  if (KeepsSets) {
    (Now ? Slow : Fast).erase(Global);
    (M.To ? Slow : Fast).insert(Global);
  }
  Now = M.To;
  return true;
}

uint64_t recordedPeakBytes(const Profile &R) {
  // +bytes where a lifetime begins, -bytes after the phase that frees the
  // block: lifetimes are recorded by phase, so a block counts in the phase of
  // its free.
  std::vector<int64_t> Change(R.Phases.size() + 1, 0);
  for (const ek_raw_inst &I : R.Instances) {
    if (I.alloc_phase >= R.Phases.size())
      continue;
    Change[I.alloc_phase] += int64_t(I.bytes);
    if (I.free_phase < R.Phases.size() && I.free_phase >= I.alloc_phase)
      Change[I.free_phase + 1] -= int64_t(I.bytes);
  }
  int64_t Live = 0, Peak = 0;
  for (int64_t C : Change)
    Peak = std::max(Peak, Live += C);
  return uint64_t(Peak);
}

} // namespace evenkeel
