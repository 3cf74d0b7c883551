//===- DataSteps.h - steps that depend on data ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that conditions, counters and loaded pointers move, and
// blocks that a loop allocates as it runs.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_DATASTEPS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_DATASTEPS_H

#include "access/loops/FunctionInfo.h"

namespace llvm {
class SCEVUnknown;
} // namespace llvm

namespace evenkeel {

/// Whether \p V is, or points into, a block allocated in \p X: a buffer that
/// grows by realloc, or by copying into a larger block, continues there.
bool isInNewBlock(const llvm::Value *V, const llvm::Loop *X);
/// Whether \p V follows from a number that is doubled, halved or similar in
/// each iteration.
bool isGeometric(const llvm::Value *V, const llvm::Loop *X);
/// The constant by which a header PHI grows in each iteration in which it
/// changes, except for \p Moves to new blocks; nullopt if it changes in any
/// other way.
std::optional<int64_t> conditionalStep(const llvm::PHINode *P,
                                       const llvm::Loop *X,
                                       bool *Moves = nullptr);
/// The same for a pointer that the loop keeps in memory (a vector's end).
std::optional<int64_t> stepInMemory(const llvm::LoadInst &L,
                                    const llvm::Loop *X, bool &Moves);
/// Whether the steps of \p S, which depends only on iteration numbers, grow by
/// a constant.
bool growsEvenly(const llvm::SCEV *S, const llvm::Loop &X);
/// The constant by which \p S moves for every address that \p Base may have in
/// an iteration of \p X.
std::optional<int64_t> stepOfChosen(const llvm::SCEV *S,
                                    const llvm::SCEVUnknown &Base,
                                    const llvm::Loop &X,
                                    const FunctionInfo &FI);
/// Whether \p U is one of a few addresses that \p X uses in turn: buffers that
/// are swapped in each iteration.
bool isTakenInTurn(const llvm::SCEVUnknown &U, const llvm::Loop &X);
/// Whether the result of \p Call depends on memory contents or random numbers,
/// and so has no order.
bool returnsData(const llvm::CallBase &Call);
/// Whether \p F returns only null and blocks that it, or a function that it
/// calls, has just allocated.
bool makesBlocks(const llvm::Function &F, unsigned Depth = 0);

} // namespace evenkeel

#endif
