//===- RowSteps.h - rows that an index from data selects --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses of the form start + row size * index, in which only the
// index changes with a loop.
// Makes: the row size, or the reason why there is none.
// Not here: which objects are tables, from all their accesses
// (access/regions/RowTables.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_ROWSTEPS_H
#define EVENKEEL_PASSES_UNIT_ROWSTEPS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Loop;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace evenkeel {

struct RowStep {
  /// Bytes from a row to the next; null: not known, for the reason Why.
  const llvm::SCEV *Bytes = nullptr;
  llvm::StringRef Why;
  /// The index is a variable of the function, as the first iteration of a part
  /// that a thread was dealt: no data select anything.
  bool IsOwn = false;
  /// The index is an element of another object, as it is stored there but for a
  /// constant; else it is computed (hashed, masked, drawn).
  bool Loaded = false;
  /// The value that the index follows, if it is one value; null: a formula.
  const llvm::Value *Index = nullptr;
};

/// How the index that changes with \p X selects rows at the address \p S.
RowStep rowStep(const llvm::SCEV *S, const llvm::Loop &X,
                llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
