//===- RowMask.h - bytes of a line touched by many accesses -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses of one size to one line, evenly spread between the first and
// the last.
// Makes: a mask of the line's bytes; without a loop if they are adjacent or
// equidistant.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ROWMASK_H
#define EVENKEEL_RUNTIME_RECORD_ROWMASK_H

#include "record/caches/Options.h"

namespace ekrec {

/// A mask of \p Bytes (at least 1) of a line, from byte \p From on.
constexpr uint64_t maskOf(uint64_t From, uint64_t Bytes) {
  return ~0ull >> (LineBytes - Bytes) << From;
}

/// Every Step-th bit.
struct EachBit {
  uint64_t Of[LineBytes] = {};
  constexpr EachBit() {
    for (unsigned Step = 1; Step < LineBytes; ++Step)
      for (unsigned I = 0; I < LineBytes; I += Step)
        Of[Step] |= 1ull << I;
  }
};
inline constexpr EachBit Each;

/// Unequal distances: the I-th of N is at Apart * I / N, rounded down.
inline uint64_t unevenRowMask(uint64_t From, uint64_t Apart, uint64_t N,
                              uint64_t Bytes) {
  uint64_t Mask = 0;
  for (uint64_t I = 0, At = 0, Carry = 0; I <= N; ++I) {
    Mask |= maskOf(From + At, Bytes);
    At += Apart / N;
    if ((Carry += Apart % N) >= N) {
      Carry -= N;
      ++At;
    }
  }
  return Mask;
}

/// N + 1 accesses of \p Bytes: the lowest \p From bytes after the start of the
/// line, the highest \p Apart further. 0: they leave the line, or have no
/// bytes.
inline uint64_t rowMask(uint64_t From, uint64_t Apart, uint64_t N,
                        uint64_t Bytes) {
  if (__builtin_expect(!Bytes || From + Apart + Bytes > LineBytes, 0))
    return 0;
  if (Apart <= N * Bytes) // adjacent
    return maskOf(From, Apart + Bytes);
  // Now N is less than Apart.
  const uint32_t Step = static_cast<uint32_t>(Apart) / static_cast<uint32_t>(N);
  if (__builtin_expect(Step * N != Apart, 0))
    return unevenRowMask(From, Apart, N, Bytes);
  // The first byte of each; accesses do not overlap.
  const uint64_t First = Each.Of[Step] & ((2ull << Apart) - 1);
  return ((First << Bytes) - First) << From;
}

} // namespace ekrec

#endif
