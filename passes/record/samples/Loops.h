//===- Loops.h - describe loops once per entry ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: innermost loops whose trip counts are known before they begin, and
// accesses that every iteration makes at a constant distance from the previous
// one: start address, distance and trip count describe them completely.
// Makes: these values before the loop. The loop itself does not change, so it
// can still be vectorised. Also: code that neither is in a loop nor is called
// from one.
// Not here: what is reported to the recorder (Sampling.cpp).
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
  /// Streams with the same number advance side by side, Offset bytes from the
  /// first of them.
  unsigned Group;
  int64_t Offset;
};

struct DescribedLoop {
  llvm::Instruction *Before; // end of the block before the loop
  llvm::Value *Trips;        // i64
  llvm::BasicBlock *Latch, *Exit;
  llvm::SmallVector<const llvm::BasicBlock *, 4> EachTime; // blocks that every
                                                           // iteration runs
  std::vector<LoopStream> Streams;
  uint64_t Slots = 0, Instructions = 0; // of those blocks
  bool Whole = true; // no access of the loop keeps a test of its own
  llvm::SmallVector<const llvm::Instruction *, 8> Rest; // accesses that keep
                                                        // their own test
  llvm::AllocaInst *Iteration = nullptr;
  bool Strips = false; // runs in strips, if possible (Scouts.h)
};

/// The recorder's limit for the streams of a loop.
constexpr unsigned MaxStreams = 16;

/// Finds such loops in \p F and removes the described accesses from
/// \p Accesses. Loops with \p Headers are described even if no access is.
std::vector<DescribedLoop>
describeLoops(llvm::Function &F,
              llvm::SmallVectorImpl<RecordedAccess> &Accesses,
              const llvm::SmallPtrSetImpl<const llvm::BasicBlock *> &Headers);

/// Finds code that runs at most a few times: code that main and constructors
/// call outside loops and no other function calls, and code after a landing
/// pad, which runs only when an exception is thrown. Outside loops, such code
/// need not be fast; making it small speeds up the build.
class RarelyRun {
  llvm::SmallPtrSet<const llvm::Function *, 32> Functions;

public:
  explicit RarelyRun(llvm::Module &M);
  /// The blocks of \p F that run rarely.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32>
  blocksOf(llvm::Function &F) const;
};

} // namespace evenkeel

#endif
