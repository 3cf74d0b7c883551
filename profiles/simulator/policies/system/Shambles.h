//===- Shambles.h - objects in chunks, and samples of the next access -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the LRU and the Window plugin of SHAMBLES share (repository
// CARV-ICS-FORTH/shambles): objects of 64 KiB and more are cut into chunks, or
// are one chunk each; chunks go to fast memory while there is room, in order of
// allocation. A timer invalidates page-table entries, and the fault that
// follows tells which address is accessed next. Chunks are migrated whole, by
// the thread that reads the samples, which takes no further one meanwhile.
// Objects below the threshold lie where first touch puts them in what is left.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SHAMBLES_H
#define EVENKEEL_PROFILES_SIMULATOR_POLICIES_SYSTEM_SHAMBLES_H

#include "SystemPolicy.h"
#include <map>

namespace evenkeel {

class Shambles : public SystemPolicy {
public:
  /// \p ChunkBytes 0 = whole objects.
  Shambles(double IntervalNs, uint64_t ChunkBytes)
      : IntervalNs(IntervalNs), ChunkBytes(ChunkBytes) {}

  Watch watch() const override;
  void onAlloc(PageMap &Map, uint32_t Instance) override;
  unsigned onFirstTouch(PageMap &Map, uint32_t I, uint32_t Page) override;
  void onTick(System &S) override;

protected:
  struct Chunk {
    uint32_t Instance = 0;
    uint64_t From = 0, To = 0, Bytes = 0; // pages of the record
    bool Fast = false;
    uint64_t LastSample = 0; // its number; 0 = never
    unsigned InWindow = 0;   // samples of the last N
  };
  std::map<uint64_t, Chunk> Chunks; // live ones, by their last page
  uint64_t Samples = 0;

  /// A sample hit \p C.
  virtual void onSample(System &S, Chunk &C) = 0;
  /// Moves \p Up to fast memory and \p Down, in this order, out of it; false,
  /// with nothing moved, when that does not make room enough.
  bool swap(System &S, Chunk &Up, const std::vector<Chunk *> &Down);
  int64_t freeChunks(System &S) const;

private:
  const double IntervalNs;
  const uint64_t ChunkBytes;
  uint64_t FastBytes = 0; // of chunks
  uint64_t Forgotten = 0; // releases that Chunks knows of

  void move(System &S, Chunk &C, bool Fast);
  void forget(PageMap &Map);
};

constexpr uint64_t ShamblesThreshold = 64 << 10;

} // namespace evenkeel

#endif
