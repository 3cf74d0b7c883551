//===- HintFaults.cpp - tiering by faults on unmapped pages ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HintFaults.h.
//===----------------------------------------------------------------------===//
#include "HintFaults.h"
#include <algorithm>

namespace evenkeel {

Watch HintFaults::watch() const {
  Watch W;
  W.TickNs = C.ScanNs;
  W.Uses = W.Traps = true;
  return W;
}

void HintFaults::onTick(System &S) {
  Limit.refill(S.nowNs());
  adjust(S);
  reclaim(S);
  scan(S);
}

void HintFaults::scan(System &S) {
  const PageSet &Slow = S.Map.slowPages();
  if (!Slow.size())
    return;
  uint64_t Count =
      std::max<uint64_t>(1, uint64_t(C.ScanShare * double(Slow.size())));
  for (Count = std::min<uint64_t>(Count, Slow.size()); Count; --Count) {
    uint64_t At = Slow.next(Hand);
    if (At == PageSet::None)
      At = Slow.next(0);
    if (!S.isTrapped(At))
      S.trap(At);
    Hand = At + 1;
  }
}

void HintFaults::reclaim(System &S) {
  int64_t Free = freeFast(S);
  double Capacity = double(S.Map.capacity(0));
  if (!Wanted && double(Free) >= C.Low * Capacity)
    return;
  Wanted = false;
  // At least one batch of pages, even if the watermark is smaller.
  int64_t Goal =
      std::max(int64_t(C.High * Capacity), int64_t(32) * int64_t(EK_PAGE));
  if (Goal <= Free)
    return;
  // The inactive list: least recently used first. Pages used since the last two
  // ticks are active.
  double Active = double(S.tick()) - 1;
  for (uint64_t P : coldest(S, uint64_t(Goal - Free), Active,
                            [&](uint64_t P) { return S.lastUse(P); }))
    S.requestMove(P, 1);
}

void HintFaults::onFault(System &S, uint32_t, uint64_t Page, double SinceNs) {
  if (S.tierOf(Page) == 0 || !promotes(S, Page, S.nowNs() - SinceNs))
    return;
  uint64_t Bytes = S.bytes(Page);
  AcceptedBytes += double(Bytes);
  if (S.Map.used(0) + Bytes > S.Map.capacity(0)) {
    Wanted = true; // wakes the reclaimer
    return;
  }
  if (Limit.take(Bytes))
    S.moveNow(Page, 0);
}

} // namespace evenkeel
