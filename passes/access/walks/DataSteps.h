//===- DataSteps.h - steps that data decide ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that conditions, counters and loaded pointers move, and
// blocks that a loop allocates as it goes.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_DATASTEPS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_DATASTEPS_H

#include "access/loops/FunctionInfo.h"

namespace llvm {
class SCEVUnknown;
} // namespace llvm

namespace evenkeel {

/// Whether \p V is a block that \p X has asked for, or lies in one: what grows
/// by realloc, or by copying into a larger block, goes on there.
bool isInNewBlock(const llvm::Value *V, const llvm::Loop *X);
/// Whether \p V follows from a number that doubles, halves or the like from
/// round to round.
bool isGeometric(const llvm::Value *V, const llvm::Loop *X);
/// The constant a header PHI grows by in each iteration in which it changes,
/// but for \p Moves to new blocks; nullopt when anything else happens to it.
std::optional<int64_t> conditionalStep(const llvm::PHINode *P,
                                       const llvm::Loop *X,
                                       bool *Moves = nullptr);
/// The same for a pointer that the loop keeps in memory (a vector's end).
std::optional<int64_t> stepInMemory(const llvm::LoadInst &L,
                                    const llvm::Loop *X, bool &Moves);
/// Whether the steps of \p S, which only counts rounds, grow by the same each
/// time.
bool growsEvenly(const llvm::SCEV *S, const llvm::Loop &X);
/// The constant by which \p S moves whichever address \p Base takes in a round
/// of \p X: each that it chooses from moves like that.
std::optional<int64_t> stepOfChosen(const llvm::SCEV *S,
                                    const llvm::SCEVUnknown &Base,
                                    const llvm::Loop &X,
                                    const FunctionInfo &FI);
/// Whether \p U is one of a few addresses that \p X takes in turn: buffers that
/// change places from round to round.
bool isTakenInTurn(const llvm::SCEVUnknown &U, const llvm::Loop &X);
/// Whether the number that \p Call returns is made of what memory holds, or of
/// chance: no order in either.
bool returnsData(const llvm::CallBase &Call);
/// Whether all that \p F returns are blocks that it, or a function that it
/// calls, has just allocated; or null.
bool makesBlocks(const llvm::Function &F, unsigned Depth = 0);

} // namespace evenkeel

#endif
