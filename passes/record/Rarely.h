//===- Rarely.h - code that runs a few times at most ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what main and constructors call outside of loops, and nobody else
// does, runs as often as it is called there; what lies behind a landing pad
// runs when something is thrown. Outside of loops, such code need not be fast:
// to make it small makes building fast.
// Leaves out: how often anything else runs; the analysis knows that of some.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_RARELY_H
#define EVENKEEL_PASSES_RECORD_RARELY_H

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class BasicBlock;
class Function;
class Module;
} // namespace llvm

namespace evenkeel {

/// Constructors and destructors of the program, and main.
llvm::SmallPtrSet<const llvm::Function *, 16> runOnce(const llvm::Module &M);

class RarelyRun {
  llvm::SmallPtrSet<const llvm::Function *, 32> Functions;

public:
  explicit RarelyRun(llvm::Module &M);
  /// Those blocks of \p F.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32>
  blocksOf(llvm::Function &F) const;
};

} // namespace evenkeel

#endif
