//===- Loads.h - loads out of loops -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which loads bring the same in each round of a loop, and code that
// hides it: bounds that OpenMP's runtime sets once, captured scalars nobody
// stores to, one computation done on several ways.
// Makes: a module (the analysis' own copy) where ScalarEvolution sees them.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_ACCESS_VALUES_LOADS_H
#define EVENKEEL_PASSES_ACCESS_VALUES_LOADS_H

#include "access/calls/CallGraph.h"
#include "access/values/Writes.h"
#include "llvm/IR/PassManager.h"

namespace evenkeel {

struct HoistedLoads {
  /// Where loads that were moved out of loops stood.
  llvm::DenseMap<const llvm::Instruction *, const llvm::BasicBlock *> Home;

  /// Where \p I stands in the program.
  const llvm::BasicBlock *home(const llvm::Instruction &I) const;
};

/// Changes \p M, and tells \p Obj of values that take others' places.
HoistedLoads hoistLoads(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                        Objects &Obj, const CallGraph &Calls,
                        const Writes &Written);

/// The call that gives a thread its share of a statically scheduled loop.
bool isStaticInit(const llvm::CallBase &CB);

} // namespace evenkeel

#endif
