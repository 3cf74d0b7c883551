//===- Plugin.cpp - where the passes hook into opt, clang and ld.lld ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the extension points. PipelineStart takes the inventory while IR and
// source agree; OptimizerEarly (a unit, or a linked module under opt) and
// FullLinkTimeOptimizationEarly (ld.lld) analyse, before vectoriser and
// unroller make copies of accesses.
//   EVENKEEL_FACTS=FILE   write facts.json of the module, from a clone
//   EVENKEEL_PASS=record  instrument for recording
//   EVENKEEL_PASS=print   print what the analysis knows at that point
// Pipeline names: ek-inventory, ek-prep, ek-facts, ek-record,
// print<ek-inventory>, print<ek-access>.
// Leaves out: options by cl::opt: clang and ld.lld do not pass them on.
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Emit.h"
#include "Inventory.h"
#include "Prep.h"
#include "Record.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstdlib>

using namespace llvm;

namespace evenkeel {
namespace {

struct PrepPass : PassInfoMixin<PrepPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    prepareModule(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

/// Analyses a clone: what the compiler goes on to build stays untouched.
struct FactsPass : PassInfoMixin<FactsPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    const char *Path = std::getenv("EVENKEEL_FACTS");
    if (!Path || !*Path) {
      M.getContext().emitError("ek-facts: EVENKEEL_FACTS names no file");
      return PreservedAnalyses::all();
    }
    std::unique_ptr<Module> Clone = CloneModule(M);
    prepareModule(*Clone);
    ModuleAnalysisManager Own;
    EkAccessResult R = EkAccess().run(*Clone, Own);
    if (Error E = writeFacts(R, Path))
      M.getContext().emitError("cannot write facts: " + toString(std::move(E)));
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

/// print<ek-access> where production compiles analyse.
struct PrintClonePass : PassInfoMixin<PrintClonePass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    std::unique_ptr<Module> Clone = CloneModule(M);
    prepareModule(*Clone);
    ModuleAnalysisManager Own;
    printAccesses(EkAccess().run(*Clone, Own), outs());
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

#ifdef EVENKEEL_HAS_RECORD
struct RecordPass : PassInfoMixin<RecordPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    prepareModule(M);
    ModuleAnalysisManager Own;
    EkAccessResult R = EkAccess().run(M, Own);
    instrumentForRecording(M, R);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
#endif

void addAnalysis(ModulePassManager &MPM) {
  if (const char *F = std::getenv("EVENKEEL_FACTS"); F && *F)
    MPM.addPass(FactsPass());
  const char *Pass = std::getenv("EVENKEEL_PASS");
  StringRef Mode = Pass ? Pass : "";
  if (Mode == "print")
    MPM.addPass(PrintClonePass());
#ifdef EVENKEEL_HAS_RECORD
  if (Mode == "record")
    MPM.addPass(RecordPass());
#endif
}

bool parse(StringRef Name, ModulePassManager &MPM) {
  if (Name == "ek-inventory")
    MPM.addPass(InventoryPass());
  else if (Name == "print<ek-inventory>")
    MPM.addPass(InventoryPrinter(outs()));
  else if (Name == "ek-prep")
    MPM.addPass(PrepPass());
  else if (Name == "ek-facts")
    MPM.addPass(FactsPass());
  else if (Name == "print<ek-access>")
    MPM.addPass(AccessPrinter(outs()));
#ifdef EVENKEEL_HAS_RECORD
  else if (Name == "ek-record")
    MPM.addPass(RecordPass());
#endif
  else
    return false;
  return true;
}

void registerAll(PassBuilder &PB) {
  PB.registerAnalysisRegistrationCallback([](ModuleAnalysisManager &MAM) {
    MAM.registerPass([] { return EkAccess(); });
  });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM,
         ArrayRef<PassBuilder::PipelineElement>) { return parse(Name, MPM); });
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(InventoryPass());
      });
  PB.registerOptimizerEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { addAnalysis(MPM); });
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { addAnalysis(MPM); });
}

} // namespace
} // namespace evenkeel

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT
    LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "evenkeel", EVENKEEL_VERSION,
          evenkeel::registerAll};
}
