//===- PackedColumn.h - numbers of many rows in few bytes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: neighbouring rows have similar numbers, so differences are short. In
// the bytes of a column, each number is seven bits a byte, lowest first, with
// the top bit set in all bytes but the last:
//   whole numbers  the difference D to the row before as 2 * D, or -2 * D - 1
//                  if D is negative; all modulo 2^64
//   doubles        the bits that differ from the row before, the bytes in
//                  reverse order
// The first row of the bytes follows a 0.
// Makes: those bytes, and the column again, bit by bit.
// Not here: where the bytes are stored (ProfileWriter.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PROFILE_PACKEDCOLUMN_H
#define EVENKEEL_PROFILES_FORMAT_PROFILE_PACKEDCOLUMN_H

#include "ProfileTables.h"
#include <string>
#include <string_view>

namespace evenkeel {

/// Packs column \p C of \p Count rows of \p Stride bytes each.
std::string packColumn(const Column &C, const void *Rows, size_t Stride,
                       size_t Count);

/// Sets column \p C of \p Count rows to the numbers of \p Data. False: \p Data
/// has fewer or more numbers, or numbers of another type.
bool unpackColumn(const Column &C, std::string_view Data, void *Rows,
                  size_t Stride, size_t Count);

} // namespace evenkeel

#endif
