//===- Residence.cpp - what the fast tier holds at a moment ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Residence.h.
//===----------------------------------------------------------------------===//
#include "Residence.h"
#include "pools/Fragmentation.h"
#include <algorithm>

namespace evenkeel::required {

Residence::Residence(const TaskGraph &G, std::unique_ptr<Pool> Pool)
    : G(G), Room(std::move(Pool)), All(G.Data.size()),
      LeastSpareBytes(Room->capacity()) {
  for (uint32_t D = 0; D < All.size(); ++D)
    All[D].Backed = All[D].Filled = !G.Data[D].Fresh;
}

bool Residence::admit(uint32_t Datum, Mobility Kind, uint32_t References) {
  const uint64_t Bytes = G.Data[Datum].Bytes;
  const double Unusable = unusableShare(Room->freeBlocks(), Bytes);
  std::optional<uint64_t> At = Room->allocate({Bytes, Kind, References});
  if (!At)
    return false;
  FragmentationSum += Unusable;
  WorstFragmentation = std::max(WorstFragmentation, Unusable);
  ++Requests;
  All[Datum].Offset = At;
  PeakBytes = std::max(PeakBytes, Room->usedBytes());
  LeastSpareBytes = std::min(LeastSpareBytes, Room->spareBytes());
  return true;
}

void Residence::release(uint32_t Datum) {
  Resident &R = All[Datum];
  Room->free(*R.Offset);
  R.Offset.reset();
  R.Leaving = false;
  if (!R.Backed)
    R.Filled = false;
}

} // namespace evenkeel::required
