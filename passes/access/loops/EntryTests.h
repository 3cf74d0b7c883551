//===- EntryTests.h - tests that loops start with ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a loop that asks at its end whether to go on asks the same in front,
// of what it starts with; also where no formula says how often it goes on.
// Leaves out: loops whose rounds are known (LoopGuards.cpp).
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

/// Whether \p Cond is \p Sense whenever a test at the end of one of
/// \p Exiting, asked of what \p L starts with, would go on, and only then.
/// Tried out, not proved.
bool isEntryTest(const llvm::Value *Cond, bool Sense, const llvm::Loop &L,
                 llvm::ArrayRef<llvm::BasicBlock *> Exiting);

} // namespace evenkeel

#endif
