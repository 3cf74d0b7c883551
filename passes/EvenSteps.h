//===- EvenSteps.h - walks that are even most of the time -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that a loop moves by the same step from iteration to
// iteration, but for some of them: indices that wrap around or are clamped at
// an edge, that are narrow integers, or move every few iterations only.
// Leaves out: steps that depend on data (access/Irregular.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_EVENSTEPS_H
#define EVENKEEL_PASSES_EVENSTEPS_H

#include <cstdint>
#include <optional>

namespace llvm {
class Instruction;
class Loop;
class SCEV;
class SCEVAddRecExpr;
class ScalarEvolution;
} // namespace llvm

namespace evenkeel {

/// \p S as it moves with \p L in most iterations; null: it has no even step.
const llvm::SCEVAddRecExpr *evenSteps(const llvm::SCEV *S, const llvm::Loop &L,
                                      llvm::ScalarEvolution &SE);

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
