//===- FunctionInfo.h - analyses of one function ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a function's loops, as LLVM sees them, and which of them a team or
// tasks share.
// Not here: how shared loops are found (formulas/FunctionTable.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_FUNCTIONINFO_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_FUNCTIONINFO_H

#include "access/loops/Times.h"
#include "unit/Distances.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class DominatorTree;
class ICmpInst;
class Loop;
class LoopInfo;
class MemIntrinsic;
class PHINode;
class PostDominatorTree;
class SCEV;
class SCEVUDivExpr;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

/// A work-shared loop with the iterations of the whole team.
struct SharedLoop {
  CountRef N; // null: no closed form
  Level::ModeType Mode = Level::Static;
  CountRef Chunk;
  const llvm::SCEV *Iterations = nullptr; // N, if it is fully known
  /// The bounds of the task's share.
  llvm::SmallPtrSet<const llvm::Value *, 8> Bounds;
  /// Loads of the lower bound, which is the task's first iteration -> the value
  /// in the first iteration of all.
  llvm::DenseMap<const llvm::Value *, const llvm::SCEV *> First;
};

/// A load of a bound of the task's contiguous share.
struct ShareBound {
  CountRef Value;
  const llvm::SCEV *Iterations = nullptr; // of the whole team
  const llvm::SCEV *Highest = nullptr;    // upper bounds: their maximum
};

/// Analyses of one function, and its work-shared loops.
struct FunctionInfo {
  llvm::Function *F = nullptr;
  llvm::LoopInfo *LI = nullptr;
  llvm::DominatorTree *DT = nullptr;
  llvm::PostDominatorTree *PDT = nullptr;
  llvm::ScalarEvolution *SE = nullptr;
  llvm::DenseMap<const llvm::Loop *, SharedLoop> Shared;
  llvm::DenseMap<const llvm::Value *, ShareBound> ShareBounds;
  /// Loops over the chunks of a work-shared loop: they add no iterations.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Chunks;
  llvm::DenseMap<const llvm::Loop *, unsigned> LoopOrdinal;
  /// Numbers of elements between pointers that the code computes, by the base
  /// of the end pointer; none: not yet searched.
  std::optional<llvm::DenseMap<
      const llvm::SCEV *,
      llvm::SmallVector<std::pair<Distance, llvm::Instruction *>, 2>>>
      Distances;
  /// Words that the code widens -> whether every extension says that they are
  /// not negative; none: not yet searched.
  std::optional<llvm::DenseMap<const llvm::SCEV *, bool>> Widened;
};

/// Adds the leaf values of \p S to \p Out.
void leavesOf(const llvm::SCEV *S,
              llvm::SmallPtrSetImpl<const llvm::Value *> &Out);

} // namespace evenkeel

#endif
