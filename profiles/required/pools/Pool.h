//===- Pool.h - room in a memory of fixed size ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the one interface of allocators of a required tier, and how their free
// room is described.
// Makes: offsets into [0, capacity): blocks never overlap and never reach
// outside, and once all blocks are freed, all room is one block again (GTBM:
// one for each of its two spaces; buddy: one for each power of two of the
// capacity).
// Not here: data, and what is copied when (required/Streams.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_POOLS_POOL_H
#define EVENKEEL_PROFILES_REQUIRED_POOLS_POOL_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel::required {

/// How long a block stays, in the words of Yang 2022, section 4 (GTBM).
enum class Mobility {
  Movable,   // one consumer: freed, or copied out, soon
  Temporary, // several consumers, or waits for a join
  Reclaimed  // small, never copied out
};

struct Request {
  uint64_t Bytes = 0; // > 0
  Mobility Kind = Mobility::Movable;
  uint32_t References = 1; // steps that will still use it
};

class Pool {
protected:
  explicit Pool(uint64_t Capacity) : Capacity(Capacity) {}

public:
  virtual ~Pool() = default;
  uint64_t capacity() const { return Capacity; }
  /// The offset of room for \p R; none: no free block is large enough.
  virtual std::optional<uint64_t> allocate(const Request &R) = 0;
  /// Frees the block that allocate() returned \p Offset for.
  virtual void free(uint64_t Offset) = 0;
  /// The sizes of all free blocks, in order of their offsets.
  virtual std::vector<uint64_t> freeBlocks() const = 0;
  /// Bytes that blocks occupy, including what is lost to rounding.
  virtual uint64_t usedBytes() const = 0;
  /// highest available - lowest available: the bytes between the blocks at the
  /// low end and those at the high end, which a smaller pool would lack.
  virtual uint64_t spareBytes() const = 0;

private:
  const uint64_t Capacity;
};

enum class PoolKind { Gtbm, BestFit, Buddy, Caching };
constexpr PoolKind AllPools[] = {PoolKind::Gtbm, PoolKind::BestFit,
                                 PoolKind::Buddy, PoolKind::Caching};
const char *poolName(PoolKind K);

/// \p Reclaimed: bytes that a GTBM pool keeps for reclaimed blocks; the other
/// pools make no difference between kinds.
std::unique_ptr<Pool> makePool(PoolKind K, uint64_t Capacity,
                               uint64_t Reclaimed = 0);

std::unique_ptr<Pool> makeGtbm(uint64_t Capacity, uint64_t Reclaimed);
std::unique_ptr<Pool> makeBestFit(uint64_t Capacity);
std::unique_ptr<Pool> makeBuddy(uint64_t Capacity);
std::unique_ptr<Pool> makeCaching(uint64_t Capacity);

} // namespace evenkeel::required

#endif
