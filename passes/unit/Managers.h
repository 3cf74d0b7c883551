//===- Managers.h - analysis managers of a run of passes --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which managers a pipeline of our own needs, and that they know each
// other.
// Leaves out: which passes run.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PASSES_UNIT_MANAGERS_H
#define EVENKEEL_PASSES_UNIT_MANAGERS_H

#include "llvm/Passes/PassBuilder.h"

namespace evenkeel {

/// Must not outlive the PassBuilder.
struct Managers {
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;

  explicit Managers(llvm::PassBuilder &PB) {
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }
};

} // namespace evenkeel

#endif
