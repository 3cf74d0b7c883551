//===- Loads.h - move loads out of loops ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which loads return the same value in each iteration of a loop, and
// code that hides it: bounds that OpenMP's runtime sets once, captured scalars
// that are never written, one computation on several paths.
// Makes: a module (the analysis' own copy) in which ScalarEvolution sees this.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_VALUES_LOADS_H
#define EVENKEEL_PASSES_ACCESS_VALUES_LOADS_H

#include "access/calls/CallGraph.h"
#include "access/values/Writes.h"
#include "llvm/IR/PassManager.h"

namespace evenkeel {

struct HoistedLoads {
  /// The original blocks of loads that were moved out of loops.
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> Home;

  /// The block of \p I in the program.
  const llvm::BasicBlock *home(const llvm::Instruction &I) const;
};

/// Changes \p M, and updates \p Obj for replaced values.
HoistedLoads hoistLoads(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                        Objects &Obj, const CallGraph &Calls,
                        const Writes &Written);

/// Whether \p CB is the call that gives a thread its share of a statically
/// scheduled loop.
bool isStaticInit(const llvm::CallBase &CB);

} // namespace evenkeel

#endif
