//===- Reshape.h - rewrite code for ScalarEvolution -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: code shapes that hide how an address changes, and their replacements.
// For code that is analysed and discarded: more may be assumed of it than an
// optimiser may assume.
// Not here: loads, and whether memory changes (access/values/Loads.cpp).
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

/// Turns addresses computed as integers, (T *)((long)p + n), into pointer
/// arithmetic on p, also if loops carry them as integers.
void pointersOfIntegers(llvm::Function &F);

/// Removes conditions whose value is known because the same condition was
/// tested on every path to them: a path specialised for one outcome then has no
/// branches for the other. Blocks and all other code stay.
void dropKnownBranches(llvm::Function &F);

/// Replaces PHIs that can have only one value, even in cycles of PHIs, by that
/// value. \p Same maps values to an equal value; a replacement dominates its
/// PHI.
void collapsePhis(llvm::Function &F, const llvm::DominatorTree &DT,
                  llvm::function_ref<llvm::Value *(llvm::Value *)> Same);

} // namespace evenkeel

#endif
