//===- EvenSteps.h - walks that are even most of the time -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that a loop moves by the same step from iteration to
// iteration, but for some of them: indices that wrap around or are clamped at
// an edge, that are narrow integers, or move every few iterations only; or a
// condition adds a constant to them.
// Leaves out: steps that depend on data (access/walks/Irregular.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_WALKS_EVENSTEPS_H
#define EVENKEEL_PASSES_ACCESS_WALKS_EVENSTEPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class LoadInst;
class Loop;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

/// Whether a load of the loop brings the same in each round.
using ReadAgain = llvm::function_ref<bool(const llvm::LoadInst &)>;

/// \p S as it moves with \p L in most iterations; null: it has no even step.
/// What is \p Again read is left out of it.
const llvm::SCEVAddRecExpr *evenSteps(const llvm::SCEV *S, const llvm::Loop &L,
                                      llvm::ScalarEvolution &SE,
                                      ReadAgain Again = nullptr);

/// Whether \p S is the same in all rounds of \p L, where loads that \p Again
/// names are.
bool standsStill(const llvm::SCEV *S, const llvm::Loop &L,
                 llvm::ScalarEvolution &SE, ReadAgain Again);

/// The bytes that \p S moves by whenever its function, which keeps in memory
/// what the integer \p Leaf is computed of, counts that on, in one variable for
/// all rounds of \p X (null: no loop); masks and remainders let it wrap around
/// now and then. Null: nothing of the kind.
std::optional<int64_t> stepOfStored(const llvm::SCEV *S,
                                    const llvm::Instruction &Leaf,
                                    const llvm::Loop *X,
                                    llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
