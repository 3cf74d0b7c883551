//===- Shambles.cpp - objects in chunks, and samples of the next access ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Shambles.h.
//===----------------------------------------------------------------------===//
#include "Shambles.h"

namespace evenkeel {

Watch Shambles::watch() const {
  Watch W;
  W.TickNs = IntervalNs;
  return W;
}

void Shambles::forget(PageMap &Map) {
  if (Forgotten == Map.releases())
    return;
  Forgotten = Map.releases();
  for (auto It = Chunks.begin(); It != Chunks.end();) {
    if (Map.isLive(It->second.Instance)) {
      ++It;
      continue;
    }
    FastBytes -= It->second.Heat.fast ? It->second.Heat.bytes : 0;
    It = Chunks.erase(It);
  }
}

void Shambles::onAlloc(PageMap &Map, uint32_t Instance) {
  SystemPolicy::onAlloc(Map, Instance);
  forget(Map);
  const uint64_t Bytes = Map.instance(Instance).bytes;
  if (Bytes < EK_SWAP_LEAST_OBJECT)
    return;
  const uint64_t First = Map.firstPage(Instance), Pages = Map.pages(Instance);
  const bool MayBeFast = startsFast(Map, Instance);
  const uint64_t Step =
      ChunkBytes ? std::max<uint64_t>(1, ChunkBytes / EK_PAGE) : Pages;
  for (uint64_t From = 0; From < Pages; From += Step) {
    Chunk C;
    C.Instance = Instance;
    C.From = First + From;
    C.To = First + std::min(Pages, From + Step);
    C.Heat.bytes = std::min(Bytes, (C.To - First) * EK_PAGE) - From * EK_PAGE;
    C.Heat.fast = MayBeFast && FastBytes + C.Heat.bytes <= Map.capacity(0);
    FastBytes += C.Heat.fast ? C.Heat.bytes : 0;
    Chunks[C.To - 1] = C;
  }
}

unsigned Shambles::onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) {
  uint64_t Global = Map.firstPage(I) + Page;
  auto It = Chunks.lower_bound(Global);
  if (It == Chunks.end() || It->second.From > Global) {
    // A small object: uses the space that chunks leave.
    bool Room =
        Map.used(0) + Map.pageBytes(I, Page) + FastBytes <= Map.capacity(0);
    return Map.placeFrom(I, Page, Room ? 0 : 1);
  }
  return Map.placeFrom(I, Page, It->second.Heat.fast ? 0 : 1);
}

void Shambles::onTick(System &S) {
  SampledAccess A;
  if (S.Map.hasMoves() || !S.nextAccess(A))
    return;
  ++Samples;
  auto It = Chunks.lower_bound(A.Page);
  if (It == Chunks.end() || It->second.From > A.Page)
    return;
  Chunk &C = It->second;
  C.Heat.last_sample = Samples;
  onSample(C);
  if (!C.Heat.fast)
    swap(S, C);
}

void Shambles::move(System &S, Chunk &C, bool Fast) {
  for (uint64_t P = C.From; P < C.To; ++P)
    S.requestMove(P, Fast ? 0 : 1);
  C.Heat.fast = Fast;
  FastBytes += Fast ? C.Heat.bytes : uint64_t(0) - C.Heat.bytes;
}

void Shambles::swap(System &S, Chunk &Up) {
  std::vector<ek_chunk_heat *> All;
  for (auto &[Page, C] : Chunks)
    All.push_back(&C.Heat);
  auto At = [](void *Data, size_t I) {
    return static_cast<ek_chunk_heat **>(Data)[I];
  };
  const int64_t Room = int64_t(S.Map.capacity(0)) - int64_t(FastBytes);
  if (!ek_swap_choose(Rule, &Up.Heat, Room, All.size(), At, All.data()))
    return;
  std::map<uint32_t, Chunk *> Leaving; // in order
  for (auto &[Page, C] : Chunks)
    if (C.Heat.leaves)
      Leaving[C.Heat.leaves] = &C;
  for (auto &[Order, C] : Leaving)
    move(S, *C, false);
  move(S, Up, true);
}

} // namespace evenkeel
