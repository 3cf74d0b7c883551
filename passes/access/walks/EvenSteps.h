//===- EvenSteps.h - walks with mostly constant steps -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that a loop advances by the same step in most iterations.
// Their index wraps around, is clamped at an edge, is a narrow integer, changes
// only every few iterations, or is a constant higher under some condition.
// Not here: steps that depend on data (access/walks/Irregular.cpp).
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

/// Whether a load in the loop returns the same value in each iteration.
using ReadAgain = llvm::function_ref<bool(const llvm::LoadInst &)>;

/// \p S as it moves with \p L in most iterations; null: it has no constant
/// step. Values that are loaded \p Again are ignored.
const llvm::SCEVAddRecExpr *evenSteps(const llvm::SCEV *S, const llvm::Loop &L,
                                      llvm::ScalarEvolution &SE,
                                      ReadAgain Again = nullptr);

/// Whether \p S is the same in all iterations of \p L, assuming that the loads
/// named by \p Again are.
bool standsStill(const llvm::SCEV *S, const llvm::Loop &L,
                 llvm::ScalarEvolution &SE, ReadAgain Again);

/// The bytes by which \p S moves whenever its function increments the stored
/// counter from which the integer \p Leaf is computed, which is one variable in
/// all iterations of \p X (null: no loop). Masks and remainders may wrap it
/// around now and then. Null: it has another form.
std::optional<int64_t> stepOfStored(const llvm::SCEV *S,
                                    const llvm::Instruction &Leaf,
                                    const llvm::Loop *X,
                                    llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
