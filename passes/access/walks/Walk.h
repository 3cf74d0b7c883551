//===- Walk.h - how an access moves -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one access: how it moves, how often it runs, and its sites.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_WALK_H
#define EVENKEEL_PASSES_ACCESS_WALKS_WALK_H

#include "access/Rows.h"
#include "access/loops/Times.h"
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
  const llvm::SCEV *Address = nullptr; // the whole address
  const llvm::SCEV *Pointer = nullptr; // the part that moves, in most
                                       // iterations
  const llvm::SCEV *Step = nullptr;
  CountRef StepBy; // the step in a caller's loops; may be null
  llvm::Loop *Moving = nullptr;
  unsigned Points = 1, Dimensions = 0;
  std::vector<uint64_t> IndexSites;
  std::optional<RowTable> Table; // if data select where it goes on
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
  /// For a block operation: how the block moves; W is how its bytes are
  /// visited.
  std::optional<Walk> Block;
  std::optional<AccessClass> Blocks; // these three are as in AccessRow
  CountRef BlockBytes, BlockStride;
  Times T;
  std::string Lost;    // reason why Sites is empty
  std::string Private; // kind of memory, if it cannot be placed
  /// The library function that makes the access; empty: the instruction.
  std::string Library;
  /// It may also access memory without a site, so the count per site is not
  /// known.
  bool Elsewhere = false;
};

/// Merges \p More, a second walk of the same access, into \p All; \p Why is the
/// reason if they disagree.
void join(Walk &All, const Walk &More, llvm::StringRef Why);

} // namespace evenkeel

#endif
