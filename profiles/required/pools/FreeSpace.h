//===- FreeSpace.h - free blocks of an address range ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: free blocks by offset; neighbours are joined at once.
// Not here: which block a pool takes, other than the two searches that several
// pools share.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_POOLS_FREESPACE_H
#define EVENKEEL_PROFILES_REQUIRED_POOLS_FREESPACE_H

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace evenkeel::required {

class FreeSpace {
  std::map<uint64_t, uint64_t> Blocks; // offset -> bytes

public:
  /// [\p Offset, \p Offset + \p Bytes), which must not be free, becomes free.
  void give(uint64_t Offset, uint64_t Bytes);
  /// The same range, which must lie in one free block, is taken.
  void take(uint64_t Offset, uint64_t Bytes);
  /// The offset of the smallest block with \p Bytes or more, of equal ones the
  /// lowest.
  std::optional<uint64_t> bestFit(uint64_t Bytes) const;
  /// The offset of the last \p Bytes of the highest block that has them.
  std::optional<uint64_t> highestFit(uint64_t Bytes) const;
  std::vector<uint64_t> sizes() const;
  /// The size of the free block that reaches up to \p End; 0: none does.
  uint64_t bytesBelow(uint64_t End) const;
};

} // namespace evenkeel::required

#endif
