//===- Managers.h - analysis managers for a pass pipeline -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the analysis managers that our own pipelines need, and their
// cross-registration.
// Not here: which passes run.
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
