//===- EntryTests.h - entry tests of loops ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a loop that tests at its end whether to continue has the same test for
// its start values before it, even if its trip count has no formula.
// Not here: loops with known trip counts (LoopGuards.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_ENTRYTESTS_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_ENTRYTESTS_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class BasicBlock;
class Loop;
class Value;
} // namespace llvm

namespace evenkeel {

/// Whether \p Cond is \p Sense exactly if the test at the end of one of
/// \p Exiting, evaluated for the start values of \p L, would continue. Tested
/// on random values, not proved.
bool isEntryTest(const llvm::Value *Cond, bool Sense, const llvm::Loop &L,
                 llvm::ArrayRef<llvm::BasicBlock *> Exiting);

} // namespace evenkeel

#endif
