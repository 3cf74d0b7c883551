//===- FunctionInfo.h - what is known of a function -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a function's loops, as LLVM sees them, and which of them a team or
// tasks share.
// Leaves out: how shared loops are found (formulas/FunctionTable.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_LOOPS_FUNCTIONINFO_H
#define EVENKEEL_PASSES_ACCESS_LOOPS_FUNCTIONINFO_H

#include "access/formulas/Times.h"
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

/// A work-shared loop: iterations of the whole team.
struct SharedLoop {
  CountRef N; // null: no closed form
  Level::ModeType Mode = Level::Static;
  CountRef Chunk;
  const llvm::SCEV *Rounds = nullptr; // N, where all of it is known
  /// What the task learns of its share: its bounds.
  llvm::SmallPtrSet<const llvm::Value *, 8> Bounds;
  /// Values of the slot with the lower bound, which start at the task's first
  /// iteration, and what they are at the first of all.
  llvm::DenseMap<const llvm::Value *, const llvm::SCEV *> First;
};

/// What a task learns of its contiguous share of a loop: a load of a bound.
struct ShareBound {
  CountRef Value;
  const llvm::SCEV *Rounds = nullptr;  // of the whole team
  const llvm::SCEV *Highest = nullptr; // upper bounds: what they do not exceed
};

/// Analyses of one function, and its loops that are dealt out.
struct FunctionInfo {
  llvm::Function *F = nullptr;
  llvm::LoopInfo *LI = nullptr;
  llvm::DominatorTree *DT = nullptr;
  llvm::PostDominatorTree *PDT = nullptr;
  llvm::ScalarEvolution *SE = nullptr;
  llvm::DenseMap<const llvm::Loop *, SharedLoop> Shared;
  llvm::DenseMap<const llvm::Value *, ShareBound> ShareBounds;
  /// Loops that hand out chunks of a work-shared loop: they add no iterations.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Chunks;
  llvm::DenseMap<const llvm::Loop *, unsigned> LoopOrdinal;
  /// Numbers of elements between pointers that the code computes, by the base
  /// of the pointer behind the last element; none: not yet looked for.
  std::optional<llvm::DenseMap<
      const llvm::SCEV *,
      llvm::SmallVector<std::pair<Distance, llvm::Instruction *>, 2>>>
      Distances;
  /// Words that the code widens, and whether it says each time that they are
  /// not below 0; none: not yet looked for.
  std::optional<llvm::DenseMap<const llvm::SCEV *, bool>> Widened;
};

/// Adds the values that \p S is made of to \p Out.
void leavesOf(const llvm::SCEV *S,
              llvm::SmallPtrSetImpl<const llvm::Value *> &Out);

} // namespace evenkeel

#endif
