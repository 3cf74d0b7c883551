//===- Prep.cpp - bring a module into the shape the analysis likes --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the short pipeline that follows forced inlining.
// Leaves out: unrolling and vectorising: they would count accesses twice.
//===----------------------------------------------------------------------===//
#include "Prep.h"
#include "Source.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace evenkeel {

void prepareModule(Module &M) {
  SourceMap Source(M);
  bool Forced = false;
  for (Function &F : M) {
    const DISubprogram *SP = F.getSubprogram();
    if (F.isDeclaration() || !SP || !SP->getFile() ||
        F.hasFnAttribute(Attribute::NoInline) ||
        F.hasFnAttribute(Attribute::OptimizeNone) ||
        !Source.path(SP->getFile()).second)
      continue;
    F.addFnAttr(Attribute::AlwaysInline);
    Forced = true;
  }
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  ModulePassManager MPM;
  cantFail(PB.parsePassPipeline(
      MPM, Forced ? "always-inline,function(sroa,early-cse,"
                    "instcombine<no-verify-fixpoint>,"
                    "simplifycfg,loop-simplify,lcssa)"
                  : "function(loop-simplify,lcssa)"));
  MPM.run(M, MAM);
}

} // namespace evenkeel
