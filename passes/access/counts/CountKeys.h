//===- CountKeys.h - memory of the texts of count expressions ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: formulas of large programs are nested deeply, and the text of each of
// their parts (keyOfCount) contains those of all parts inside.
// Makes: room, where a formula will hardly be compared again.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_COUNTS_COUNTKEYS_H
#define EVENKEEL_PASSES_ACCESS_COUNTS_COUNTKEYS_H

#include "access/counts/Count.h"

namespace evenkeel {

/// Frees the long texts of \p C and of its outer parts, which are the ones that
/// making it has requested. keyOfCount makes them again.
void forgetLongKeys(const CountRef &C);

} // namespace evenkeel

#endif
