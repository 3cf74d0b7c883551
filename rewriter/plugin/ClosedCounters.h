//===- ClosedCounters.h - counts known without counting --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: counters of loops (Counters.h) whose values at the loop's end follow
// from what is known before it, or from another variable that counts in it.
// Makes: an addition before or after the loop; the counter is gone.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_REWRITER_PLUGIN_CLOSEDCOUNTERS_H
#define EVENKEEL_REWRITER_PLUGIN_CLOSEDCOUNTERS_H

#include "llvm/Transforms/Scalar/LoopPassManager.h"

namespace evenkeel {

struct CloseCounters : llvm::PassInfoMixin<CloseCounters> {
  llvm::PreservedAnalyses run(llvm::Loop &L, llvm::LoopAnalysisManager &,
                              llvm::LoopStandardAnalysisResults &AR,
                              llvm::LPMUpdater &);
};

} // namespace evenkeel

#endif
