//===- room.h - room in the required tier -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the one interface of the two kinds of required tiers. In `pages`
// (pages.cpp) pages move between tiers of the provider and addresses stay. In
// `copies` (copies.cpp) the tier is a region apart: data is copied to and from
// it, and tasks work on the copy.
// Not here: what is in the tier, and who holds it (residence.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_REQUIRED_ROOM_H
#define EVENKEEL_RUNTIME_REQUIRED_ROOM_H

#include "required/pools/Pool.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace evenkeel::acquire {

/// Bytes [From, To) of the program's memory.
struct Range {
  uintptr_t From = 0, To = 0;
  uint64_t bytes() const { return To - From; }
  bool overlaps(const Range &O) const { return From < O.To && O.From < To; }
  bool contains(const Range &O) const { return From <= O.From && O.To <= To; }
};

class Room {
public:
  virtual ~Room() = default;

  // --- under the lock of the residence ---
  virtual uint64_t capacity() const = 0;
  /// Bytes that are taken now; never more than capacity().
  virtual uint64_t usedBytes() const = 0;
  /// Bytes that these ranges, none of which overlap, take together.
  virtual uint64_t bytesOf(const std::vector<Range> &Ranges) const = 0;
  /// Whether they fit together if nothing else is in the tier.
  virtual bool fit(const std::vector<Range> &Ranges) const = 0;
  /// Whether a range is so small that it is the last to be copied out.
  virtual bool isSmall(const Range &R) const = 0;
  /// Takes room for \p R; none: there is no free block that is large enough.
  virtual std::optional<uint64_t> take(const Range &R,
                                       const required::Request &As) = 0;
  virtual void give(const Range &R, uint64_t At) = 0;
  /// The share of free bytes in blocks that are too small for \p R.
  virtual double unusableShare(const Range &R) const = 0;
  /// \p R will be moved out: returns the part of it that no neighbour shares.
  /// Until give(), no new range may touch that part.
  virtual Range leaves(const Range &R) = 0;

  // --- without the lock, for a range that nobody else moves ---
  /// Brings the data in; \p Reads: the task reads what was there before.
  /// Returns the bytes that were copied.
  virtual uint64_t bringIn(const Range &R, uint64_t At, bool Reads) = 0;
  /// Takes back \p Part, which leaves(R) returned; \p Dirty: a task has
  /// written. Returns the bytes that were copied.
  virtual uint64_t takeBack(const Range &Part, const Range &R, uint64_t At,
                            bool Dirty) = 0;

  /// Where a task finds byte \p P of \p R.
  virtual void *address(uintptr_t P, const Range &R, uint64_t At) const = 0;
  /// Whether data that is in the tier is stale at its own address.
  virtual bool isApart() const = 0;
  /// How long data was on its way so far, in both directions.
  virtual uint64_t copyNs() const = 0;
};

/// Pages of the provider's first tier, \p Capacity bytes of it. One range moves
/// at a time in each direction, at \p BytesPerSecond at most (0: as fast as the
/// machine does).
std::unique_ptr<Room> makePages(uint64_t Capacity, uint64_t BytesPerSecond);
/// A region of \p Capacity bytes, and copies in the same way. NULL: no memory.
std::unique_ptr<Room> makeCopies(uint64_t Capacity, uint64_t BytesPerSecond);

} // namespace evenkeel::acquire

#endif
