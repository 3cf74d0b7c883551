//===- Fragmentation.h - how much free room a request cannot use -*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Gorman and Whitcroft, "The what, the why and the where to of
// anti-fragmentation", OLS 2006; in Yang 2022 as
//   U_f(j) = (TotalFree - sum_{i>=j} 2^i k_i) / TotalFree
// for a request of 2^j bytes with k_i free blocks of 2^i. Blocks of other sizes
// count as they are, so for blocks of powers of two it is that formula.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_REQUIRED_POOLS_FRAGMENTATION_H
#define EVENKEEL_PROFILES_REQUIRED_POOLS_FRAGMENTATION_H

#include <cstdint>
#include <vector>

namespace evenkeel::required {

/// The share of free bytes in blocks that are too small for \p Bytes: 0 none,
/// 1 all of them. 0 if nothing is free, because then nothing is in pieces.
inline double unusableShare(const std::vector<uint64_t> &FreeBlocks,
                            uint64_t Bytes) {
  double All = 0, Usable = 0;
  for (uint64_t B : FreeBlocks) {
    All += double(B);
    if (B >= Bytes)
      Usable += double(B);
  }
  return All > 0 ? (All - Usable) / All : 0;
}

} // namespace evenkeel::required

#endif
