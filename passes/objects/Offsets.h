//===- Offsets.h - offsets of pointers into objects -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: four kinds of byte offsets encoded in one number: an exact offset; one
// place in every element of an array (a field of an array of records);
// somewhere in a range that the program carves from an object; anywhere.
// Makes: sums of offsets, and whether two offsets may be equal.
// Not here: the lengths of arrays and ranges.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_OBJECTS_OFFSETS_H
#define EVENKEEL_PASSES_OBJECTS_OFFSETS_H

#include <cstdint>
#include <numeric>

namespace evenkeel {

/// Anywhere in the object.
constexpr int64_t AnyOffset = INT64_MIN;

/// Larger offsets are not distinguished.
constexpr int64_t FarthestOffset = 1 << 20;

/// Somewhere in range \p K, a number below 2^30.
constexpr int64_t offsetInRange(unsigned K) { return AnyOffset + 1 + K; }
constexpr bool isInRange(int64_t Offset) {
  return Offset > AnyOffset && Offset <= AnyOffset + (1 << 30);
}
constexpr unsigned rangeOf(int64_t Offset) {
  return static_cast<unsigned>(Offset - AnyOffset - 1);
}

constexpr int64_t FirstStrided = INT64_C(1) << 62;
constexpr bool isStrided(int64_t Offset) { return Offset >= FirstStrided; }
constexpr bool isExact(int64_t Offset) {
  return !isStrided(Offset) && Offset > AnyOffset + (1 << 30);
}
/// The distance between elements in bytes; 0: not in an array.
constexpr int64_t strideOf(int64_t Offset) {
  return isStrided(Offset) ? (Offset - FirstStrided) / FarthestOffset : 0;
}
/// For an exact offset, the offset itself; for a strided one, the place in its
/// element.
constexpr int64_t placeOf(int64_t Offset) {
  return isStrided(Offset) ? (Offset - FirstStrided) % FarthestOffset : Offset;
}

/// \p Place bytes into any element of \p Stride bytes; if \p Stride is 0, the
/// exact offset. In elements no larger than a pointer, places are not
/// distinguished.
constexpr int64_t makeOffset(int64_t Place, int64_t Stride) {
  if (!Stride)
    return Place < -FarthestOffset || Place > FarthestOffset ? AnyOffset
                                                             : Place;
  if (Stride <= 8 || Stride >= FarthestOffset)
    return AnyOffset;
  return FirstStrided + Stride * FarthestOffset +
         ((Place % Stride) + Stride) % Stride;
}

/// \p Offset plus \p By bytes plus any multiple of \p Stride.
constexpr int64_t movedOffset(int64_t Offset, int64_t By, int64_t Stride = 0) {
  if (!isExact(Offset) && !isStrided(Offset))
    return Offset;
  return makeOffset(placeOf(Offset) + By, std::gcd(strideOf(Offset), Stride));
}

/// Whether \p At may be one of the \p Bytes bytes from \p From on.
constexpr bool mayLieIn(int64_t At, int64_t From, int64_t Bytes) {
  if (!isExact(At) && !isStrided(At))
    return true;
  if (!isExact(From) && !isStrided(From))
    return true;
  int64_t Stride = std::gcd(strideOf(At), strideOf(From));
  int64_t Apart = placeOf(At) - placeOf(From);
  if (Stride)
    Apart = ((Apart % Stride) + Stride) % Stride;
  return Apart >= 0 && Apart < Bytes;
}

} // namespace evenkeel

#endif
