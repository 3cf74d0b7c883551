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
    FastBytes -= It->second.Fast ? It->second.Bytes : 0;
    It = Chunks.erase(It);
  }
}

void Shambles::onAlloc(PageMap &Map, uint32_t Instance) {
  SystemPolicy::onAlloc(Map, Instance);
  forget(Map);
  const uint64_t Bytes = Map.instance(Instance).bytes;
  if (Bytes < ShamblesThreshold)
    return;
  const uint64_t First = Map.firstPage(Instance), Pages = Map.pages(Instance);
  const uint64_t Step =
      ChunkBytes ? std::max<uint64_t>(1, ChunkBytes / EK_PAGE) : Pages;
  for (uint64_t From = 0; From < Pages; From += Step) {
    Chunk C;
    C.Instance = Instance;
    C.From = First + From;
    C.To = First + std::min(Pages, From + Step);
    C.Bytes = std::min(Bytes, (C.To - First) * EK_PAGE) - From * EK_PAGE;
    C.Fast = FastBytes + C.Bytes <= Map.capacity(0);
    FastBytes += C.Fast ? C.Bytes : 0;
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
  return Map.placeFrom(I, Page, It->second.Fast ? 0 : 1);
}

void Shambles::onTick(System &S) {
  SampledAccess A;
  if (S.Map.hasMoves() || !S.nextAccess(A))
    return;
  ++Samples;
  auto It = Chunks.lower_bound(A.Page);
  if (It == Chunks.end() || It->second.From > A.Page)
    return;
  It->second.LastSample = Samples;
  onSample(S, It->second);
}

int64_t Shambles::freeChunks(System &S) const {
  return int64_t(S.Map.capacity(0)) - int64_t(FastBytes);
}

void Shambles::move(System &S, Chunk &C, bool Fast) {
  for (uint64_t P = C.From; P < C.To; ++P)
    S.requestMove(P, Fast ? 0 : 1);
  C.Fast = Fast;
  FastBytes += Fast ? C.Bytes : uint64_t(0) - C.Bytes;
}

bool Shambles::swap(System &S, Chunk &Up, const std::vector<Chunk *> &Down) {
  int64_t Room = freeChunks(S);
  size_t Needed = 0;
  for (; Room < int64_t(Up.Bytes) && Needed < Down.size(); ++Needed)
    Room += int64_t(Down[Needed]->Bytes);
  if (Room < int64_t(Up.Bytes))
    return false;
  for (size_t I = 0; I < Needed; ++I)
    move(S, *Down[I], false);
  move(S, Up, true);
  return true;
}

} // namespace evenkeel
