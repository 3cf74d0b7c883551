//===- Reshape.h - code as ScalarEvolution likes it -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: shapes that hide how an address moves, and what to write instead. For
// code that is analysed and thrown away: more may be assumed of it than an
// optimiser may assume.
// Leaves out: loads and whether memory changes (access/values/Loads.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_RESHAPE_H
#define EVENKEEL_PASSES_UNIT_RESHAPE_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DominatorTree;
class Function;
class Value;
} // namespace llvm

namespace evenkeel {

/// Addresses that were computed as integers, (T *)((long)p + n), become pointer
/// arithmetic on p, also where loops carry them as integers.
void pointersOfIntegers(llvm::Function &F);

/// Conditions that hold, or not, whenever they are asked, because the same was
/// asked on the way to them, are asked no more: a way that the compiler made
/// for one answer has no branches for the other. Blocks and the rest of the
/// code stay.
void dropKnownBranches(llvm::Function &F);

/// PHIs that can only have one value, however they feed each other, become that
/// value. \p Same maps values that are equal to one of them; what stands for a
/// PHI is a value of the kind that dominates it.
void collapsePhis(llvm::Function &F, const llvm::DominatorTree &DT,
                  llvm::function_ref<llvm::Value *(llvm::Value *)> Same);

} // namespace evenkeel

#endif
