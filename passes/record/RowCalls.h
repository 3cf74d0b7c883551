//===- RowCalls.h - look-ups of a table's rows ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses whose rows data select (unit/RowSteps.h), and where code
// looks the next row up: before the access, or before the loops that walk the
// row. Makes: one call of the recorder per look-up, however many elements of
// the row are accessed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_RECORD_ROWCALLS_H
#define EVENKEEL_PASSES_RECORD_ROWCALLS_H

#include "record/samples/Sampling.h"
#include <vector>

namespace llvm {
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

/// A look-up: what is told, and before which instruction.
struct RowCall {
  llvm::Instruction *Before;
  llvm::Value *Base, *Address, *RowBytes;
};

/// The look-ups among \p Accesses, which are in code order. Their addresses and
/// row sizes are computed in the code.
std::vector<RowCall> findRowCalls(llvm::ArrayRef<RecordedAccess> Accesses,
                                  llvm::DominatorTree &DT, llvm::LoopInfo &LI,
                                  llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
