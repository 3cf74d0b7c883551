//===- CountKeys.cpp - memory of the texts of count expressions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CountKeys.h.
//===----------------------------------------------------------------------===//
#include "access/counts/CountKeys.h"

namespace evenkeel {

/// \p Levels: of parts that are visited.
static void forgetLongKeys(const CountRef &C, unsigned Levels) {
  constexpr size_t Long = 512;
  if (C->Kind != Count::Op || (!C->Key.empty() && C->Key.size() < Long))
    return; // its parts are shorter
  std::string().swap(C->Key);
  if (Levels)
    for (const CountRef &A : C->Args)
      forgetLongKeys(A, Levels - 1);
}

void forgetLongKeys(const CountRef &C) {
  // countOp requests the texts of terms and of their factors.
  constexpr unsigned Levels = 2;
  if (C)
    forgetLongKeys(C, Levels);
}

} // namespace evenkeel
