//===- Windows.h - small loops over neighbours ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: inner loops with a small constant trip count that read around the
// current element of outer loops: at a range of distances, or at distances from
// a table.
// Makes: the address of each of their reads.
// Not here: loops with a trip count known only at run time.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_WINDOWS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_WINDOWS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

class ForeignValues;
class Objects;

struct Window {
  llvm::SmallVector<const llvm::SCEV *, 4> Points; // empty: not a window
  llvm::Loop *Moving = nullptr;                    // all of the loops
  const llvm::SCEV *Step = nullptr;
};

/// The window to which an access in \p B at \p Address belongs.
Window windowOf(const llvm::SCEV *Address, const llvm::BasicBlock &B,
                llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
                const Objects &Obj, ForeignValues &Foreign);

} // namespace evenkeel

#endif
