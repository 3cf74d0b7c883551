//===- Walk.h - how an access moves -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one access: how it moves, how often it runs, which sites it goes to.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_WALK_H
#define EVENKEEL_PASSES_ACCESS_WALKS_WALK_H

#include "access/Rows.h"
#include "access/formulas/Times.h"
#include "objects/Objects.h"

namespace llvm {
class Loop;
class SCEV;
} // namespace llvm

namespace evenkeel {

/// How one access moves.
struct Walk {
  AccessClass Class = AccessClass::Invariant;
  std::optional<int64_t> Stride;
  bool Dependent = false;
  std::string Why;
  const llvm::SCEV *Address = nullptr; // all of it
  const llvm::SCEV *Pointer = nullptr; // as it moves most of the time
  const llvm::SCEV *Step = nullptr;
  CountRef StepBy; // where the loops of a caller move it; may be null
  llvm::Loop *Moving = nullptr;
  unsigned Points = 1, Dimensions = 0;
  std::vector<uint64_t> IndexSites;
};

struct Access {
  llvm::Instruction *I = nullptr;
  llvm::Value *Pointer = nullptr;
  uint64_t Bytes = 0;
  bool Reads = false, Writes = false, Atomic = false;
  CountRef StrideBy, Reuse, Run; // may be null
  LocationSet Where;
  std::vector<uint64_t> Sites, Contexts, Ranges;
  Walk W;
  /// Of a block operation: how the block moves, W being how it is gone through.
  std::optional<Walk> Block;
  std::optional<AccessClass> Blocks; // these three as in AccessRow
  CountRef BlockBytes, BlockStride;
  Times T;
  std::string Lost;    // reason why Sites is empty
  std::string Private; // whose memory it is, where it is nothing to place
  /// The function that makes it, where that is not the instruction.
  std::string Library;
  /// It may also go to what is no site: how often to a site is not known.
  bool Elsewhere = false;
};

/// \p More is true of an access, too; else \p Why.
void join(Walk &All, const Walk &More, llvm::StringRef Why);

} // namespace evenkeel

#endif
