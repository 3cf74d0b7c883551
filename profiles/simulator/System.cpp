//===- System.cpp - what a policy sees and does at run time ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See System.h.
//===----------------------------------------------------------------------===//
#include "System.h"
#include "PreparedRecord.h"
#include <algorithm>

namespace evenkeel {

System::System(const PreparedRecord &R, PageMap &Map, const Watch &W)
    : Map(Map), R(R), LastUse(W.Uses ? R.totalPages() : 0, 0),
      TrappedAt(W.Traps ? R.totalPages() : 0, -1) {
  if (W.TickNs > 0)
    Map.keepSets();
}

uint64_t System::totalPages() const { return R.totalPages(); }

std::pair<uint32_t, uint32_t> System::locate(uint64_t Page) const {
  uint32_t Instance = R.instanceOf(Page);
  return {Instance, uint32_t(Page - R.FirstPage[Instance])};
}

void System::requestMove(uint64_t Page, unsigned To) {
  auto [Instance, Offset] = locate(Page);
  Map.requestMove(Instance, Offset, To);
}

uint64_t System::bytes(uint64_t Page) const {
  auto [Instance, Offset] = locate(Page);
  return R.pageBytes(Instance, Offset);
}

bool System::moveNow(uint64_t Page, unsigned To) {
  return Phase->moveNow(Page, To);
}

bool System::nextAccess(SampledAccess &Out) { return Phase->nextAccess(Out); }

} // namespace evenkeel
