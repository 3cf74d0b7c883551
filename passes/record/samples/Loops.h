//===- Loops.h - loops described once per entry -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: innermost loops whose iterations are counted before they begin, and
// accesses in them that every iteration makes, at a constant distance from the
// one before: where they begin, the distance and the number say all.
// Makes: those values in front of the loop. The loop itself stays as it is, so
// it can still be vectorised. And code that lies in no loop, nor do the calls
// that lead there.
// Leaves out: what the recorder is told of it (Sampling.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_SAMPLES_LOOPS_H
#define EVENKEEL_PASSES_RECORD_SAMPLES_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"
#include <vector>

namespace evenkeel {

struct RecordedAccess;

/// One access of each iteration.
struct LoopStream {
  llvm::Value *Start; // pointer, in the first iteration
  llvm::Value *Step;  // bytes, i64
  uint64_t Info;
  uint64_t Bytes;
  /// Streams with the same number walk side by side, Offset bytes behind the
  /// first of them.
  unsigned Group;
  int64_t Offset;
};

struct DescribedLoop {
  llvm::Instruction *Before; // end of the block in front of it
  llvm::Value *Trips;        // i64
  llvm::BasicBlock *Latch, *Exit;
  llvm::SmallVector<const llvm::BasicBlock *, 4> EachTime; // run by iterations
  std::vector<LoopStream> Streams;
  uint64_t Slots = 0, Instructions = 0; // of those blocks
  bool Whole = true; // no access of the loop is left to its own test
  llvm::SmallVector<const llvm::Instruction *, 8> Rest; // those that are
  llvm::AllocaInst *Iteration = nullptr;
  bool Strips = false; // runs in strips, if that can be (Scouts.h)
};

/// Streams that one loop may have; the recorder's limit.
constexpr unsigned MaxStreams = 16;

/// Finds such loops in \p F and takes what they describe out of \p Accesses.
/// Loops with \p Headers are described even if that is nothing.
std::vector<DescribedLoop>
describeLoops(llvm::Function &F,
              llvm::SmallVectorImpl<RecordedAccess> &Accesses,
              const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Headers);

/// Code that runs a few times at most. What main and constructors call outside
/// of loops, and nobody else does, runs as often as it is called there; what
/// lies behind a landing pad runs when something is thrown. Outside of loops,
/// such code need not be fast: to make it small makes building fast.
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
