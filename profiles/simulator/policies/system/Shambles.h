//===- Shambles.h - objects in chunks, and samples of the next access -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the common part of the LRU and Window plugins of SHAMBLES (repository
// CARV-ICS-FORTH/shambles). Objects of 64 KiB or more are cut into chunks (or
// are one chunk each), and chunks go to fast memory while there is room, in
// order of allocation. A timer invalidates page-table entries, and the next
// fault shows which address is accessed. Chunks are migrated as a whole by the
// thread that reads the samples; it takes no samples meanwhile. Smaller objects
// are placed by first touch in the remaining space.
// Not here: which chunks change places (chunks/ek_swaps.h, as at run time).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SHAMBLES_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SHAMBLES_H

#include "SystemPolicy.h"
#include "chunks/ek_swaps.h"
#include <map>

namespace evenkeel {

class Shambles : public SystemPolicy {
public:
  /// \p ChunkBytes 0 = whole objects.
  Shambles(ek_swap_rule Rule, double IntervalNs, uint64_t ChunkBytes)
      : Rule(Rule), IntervalNs(IntervalNs), ChunkBytes(ChunkBytes) {}

  Watch watch() const override;
  void onAlloc(PageMap &Map, uint32_t Instance) override;
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override;
  void onTick(System &S) override;

protected:
  struct Chunk {
    uint32_t Instance = 0;
    uint64_t From = 0, To = 0; // global pages
    ek_chunk_heat Heat{};
  };
  std::map<uint64_t, Chunk> Chunks; // live chunks, by their last page
  uint64_t Samples = 0;

  /// A sample hit \p C.
  virtual void onSample(Chunk &C) {}
  /// Whether an instance's chunks begin in fast memory if there is room.
  virtual bool startsFast(const PageMap &Map, uint32_t Instance) const {
    return true;
  }

private:
  const ek_swap_rule Rule;
  const double IntervalNs;
  const uint64_t ChunkBytes;
  uint64_t FastBytes = 0; // of chunks
  uint64_t Forgotten = 0; // releases that are reflected in Chunks

  void swap(System &S, Chunk &Up);
  void move(System &S, Chunk &C, bool Fast);
  void forget(PageMap &Map);
};

} // namespace evenkeel

#endif
