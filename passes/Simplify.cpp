//===- Simplify.cpp - the shape in which code is analysed -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: see Simplify.h.
//===----------------------------------------------------------------------===//
#include "Simplify.h"
#include "Managers.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace evenkeel {

static void run(Module &M, StringRef Further, bool Simplify) {
  std::string Ignored;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Ignored);
  std::unique_ptr<TargetMachine> TM;
  if (T)
    TM.reset(T->createTargetMachine(M.getTargetTriple(), "", "",
                                    TargetOptions(), std::nullopt));
  PipelineTuningOptions Tuning;
  Tuning.LoopUnrolling = false;
  PassBuilder PB(TM.get(), Tuning);
  Managers Of(PB);
  ModulePassManager MPM;
  if (Simplify)
    MPM.addPass(PB.buildModuleSimplificationPipeline(OptimizationLevel::O2,
                                                     ThinOrFullLTOPhase::None));
  cantFail(PB.parsePassPipeline(MPM, Further));
  MPM.run(M, Of.MAM);
}

void simplifyModule(Module &M) {
  run(M, "elim-avail-extern,rpo-function-attrs", true);
}

void finishLink(Module &M) { run(M, "rpo-function-attrs", false); }

void unrollShortLoops(Module &M) {
  run(M,
      "function(loop-simplify,lcssa,"
      "loop-unroll<O3;no-partial;no-runtime;no-peeling;no-upperbound>,sroa,"
      "early-cse,instcombine<no-verify-fixpoint>,simplifycfg)",
      false);
}

} // namespace evenkeel
