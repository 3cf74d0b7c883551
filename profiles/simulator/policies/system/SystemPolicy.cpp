//===- SystemPolicy.cpp - common parts of tiering by page -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SystemPolicy.h.
//===----------------------------------------------------------------------===//
#include "SystemPolicy.h"
#include <algorithm>

namespace evenkeel {

void SystemPolicy::onAlloc(PageMap &Map, uint32_t Instance) {
  ++Allocated;
  Live.insert(std::upper_bound(Live.begin(), Live.end(), Instance), Instance);
  if (Range.size() <= Instance)
    Range.resize(Instance + 1);
  uint64_t First = Map.firstPage(Instance);
  Range[Instance] = {First, First + Map.pages(Instance)};
}

unsigned SystemPolicy::onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) {
  double Most = double(Map.capacity(0)) * (1 - Reserve);
  bool Fast =
      StartsFast && double(Map.used(0) + Map.pageBytes(I, Page)) <= Most;
  return Map.placeFrom(I, Page, Fast ? 0 : 1);
}

const std::vector<uint32_t> &SystemPolicy::livePages(const PageMap &Map) {
  if (Forgotten == Map.releases())
    return Live;
  Forgotten = Map.releases();
  Live.erase(std::remove_if(Live.begin(), Live.end(),
                            [&](uint32_t I) { return !Map.isLive(I); }),
             Live.end());
  return Live;
}

int64_t SystemPolicy::freeFast(System &S) {
  int64_t Free = int64_t(S.Map.capacity(0)) - int64_t(S.Map.used(0));
  for (const PageMap::Move &M : S.Map.moves()) {
    int64_t Bytes = int64_t(S.Map.pageBytes(M.Instance, M.Page));
    if (M.To == 0)
      Free -= Bytes;
    else if (S.Map.tier(M.Instance, M.Page) == 0)
      Free += Bytes;
  }
  return Free;
}

std::vector<uint64_t>
SystemPolicy::coldest(System &S, uint64_t Bytes, double Limit,
                      const std::function<double(uint64_t)> &Heat) {
  std::vector<std::pair<double, uint64_t>> Found;
  const PageSet &Fast = S.Map.fastPages();
  for (uint64_t P = Fast.next(0); P != PageSet::None; P = Fast.next(P + 1))
    if (double H = Heat(P); H < Limit)
      Found.push_back({H, P});
  std::sort(Found.begin(), Found.end());
  std::vector<uint64_t> Out;
  for (uint64_t Sum = 0; Sum < Bytes && Out.size() < Found.size();) {
    Out.push_back(Found[Out.size()].second);
    Sum += S.bytes(Out.back());
  }
  return Out;
}

} // namespace evenkeel
