//===- Simplify.cpp - simplify code for the analysis ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Simplify.h.
//===----------------------------------------------------------------------===//
#include "unit/Simplify.h"
#include "unit/Managers.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace evenkeel {

namespace {
enum class First { Nothing, Functions, Module };
}

/// The machine that \p M's target describes; null: not known.
static std::unique_ptr<TargetMachine> machineOf(const Module &M) {
  std::string Ignored;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Ignored);
  std::unique_ptr<TargetMachine> TM;
  if (T)
    TM.reset(T->createTargetMachine(M.getTargetTriple(), "", "",
                                    TargetOptions(), std::nullopt));
  return TM;
}

/// Simplifies with \p What, then runs \p Further.
static void run(Module &M, StringRef Further, First What) {
  std::unique_ptr<TargetMachine> TM = machineOf(M);
  PipelineTuningOptions Tuning;
  Tuning.LoopUnrolling = false;
  PassBuilder PB(TM.get(), Tuning);
  Managers Of(PB);
  ModulePassManager MPM;
  constexpr auto Phase = ThinOrFullLTOPhase::None;
  const OptimizationLevel Level = OptimizationLevel::O2;
  if (What == First::Module)
    MPM.addPass(PB.buildModuleSimplificationPipeline(Level, Phase));
  else if (What == First::Functions)
    MPM.addPass(createModuleToFunctionPassAdaptor(
        PB.buildFunctionSimplificationPipeline(Level, Phase)));
  if (!Further.empty())
    cantFail(PB.parsePassPipeline(MPM, Further));
  MPM.run(M, Of.MAM);
}

void simplifyModule(Module &M) {
  run(M, "elim-avail-extern,rpo-function-attrs", First::Module);
}

void finishLink(Module &M) { run(M, "rpo-function-attrs", First::Nothing); }

void unrollShortLoops(Module &M) {
  run(M,
      "function(loop-simplify,lcssa,"
      "loop-unroll<O3;no-partial;no-runtime;no-peeling;no-upperbound>,sroa,"
      "early-cse,instcombine<no-verify-fixpoint>,simplifycfg)",
      First::Nothing);
}

void simplifyFunctions(Module &M) { run(M, "", First::Functions); }

void simplifyFunctions(Module &M, ArrayRef<Function *> Functions) {
  std::unique_ptr<TargetMachine> TM = machineOf(M);
  PassBuilder PB(TM.get());
  Managers Of(PB);
  FunctionPassManager FPM = PB.buildFunctionSimplificationPipeline(
      OptimizationLevel::O2, ThinOrFullLTOPhase::None);
  for (Function *F : Functions)
    if (!F->hasOptNone())
      FPM.run(*F, Of.FAM);
}

void finishCode(Module &M) {
  std::unique_ptr<TargetMachine> TM = machineOf(M);
  PipelineTuningOptions Tuning;
  Tuning.SLPVectorization = true; // clang's setting
  PassBuilder PB(TM.get(), Tuning);
  Managers Of(PB);
  PB.buildModuleOptimizationPipeline(OptimizationLevel::O2,
                                     ThinOrFullLTOPhase::None)
      .run(M, Of.MAM);
}

} // namespace evenkeel
