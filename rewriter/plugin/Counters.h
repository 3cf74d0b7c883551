//===- Counters.h - counters in optimised code -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which variables of a loop count its iterations so that they can be
// handed over (CountingCode.h), in code that the optimiser has changed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_COUNTERS_H
#define EVENKEEL_REWRITER_PLUGIN_COUNTERS_H

#include "llvm/ADT/SetVector.h"

namespace llvm {
class CallBase;
class Loop;
class PHINode;
class SCEVAddRecExpr;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace evenkeel {

/// Whether \p V is a call of ek_total.
bool isHandOver(const llvm::Value *V);
/// The calls of ek_total whose argument \p P becomes: through further additions
/// and the loops around.
llvm::SmallSetVector<llvm::CallBase *, 4> handOversOf(llvm::PHINode &P);
/// \p V as first + step * iteration of \p L; null: it is not.
const llvm::SCEVAddRecExpr *lineOf(llvm::Value *V, const llvm::Loop &L,
                                   llvm::ScalarEvolution &SE);
/// Whether the loop uses \p P, a variable that changes in each iteration
/// (lineOf), for more than the next value.
bool isNeededIn(const llvm::Loop &L, const llvm::PHINode &P);
/// Whether \p P only counts the iterations of \p L, to hand them over.
bool isCounterOf(llvm::PHINode &P, const llvm::Loop &L,
                 llvm::ScalarEvolution &SE);

} // namespace evenkeel

#endif
