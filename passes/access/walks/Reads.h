//===- Reads.h - reads compared with their neighbours -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the properties that show whether reads are points of one stencil.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_READS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_READS_H

#include "access/walks/Walks.h"

namespace evenkeel {

struct Walks::Read {
  Access *A;        // null: in a called function
  FunctionInfo *FI; // of the read, or of the call
  const llvm::BasicBlock *Block;
  llvm::Loop *Moving;
  const llvm::SCEV *Step;
  llvm::SmallVector<const llvm::SCEV *, 4> Points; // their addresses
};

} // namespace evenkeel

#endif
