//===- Windows.h - small loops over neighbours ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: inner loops of a few rounds, known to the compiler, that read around
// where loops further out stand: by a range of distances, or by a table of
// them.
// Makes: the address of each of their reads.
// Leaves out: loops whose rounds only the run knows.
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
  llvm::SmallVector<const llvm::SCEV *, 4> Points; // none: it is no window
  llvm::Loop *Moving = nullptr;                    // all of them
  const llvm::SCEV *Step = nullptr;
};

/// The window that an access in \p B at \p Address is part of.
Window windowOf(const llvm::SCEV *Address, const llvm::BasicBlock &B,
                llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
                const Objects &Obj, ForeignValues &Foreign);

} // namespace evenkeel

#endif
