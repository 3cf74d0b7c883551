//===- Prep.cpp - bring a module into the shape the analysis likes --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the short pipeline that follows forced inlining.
// Leaves out: unrolling and vectorising: they would count accesses twice.
//===----------------------------------------------------------------------===//
#include "Prep.h"
#include "Inventory.h"
#include "Source.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace evenkeel {

/// Marks functions from system headers, cheapest first, until their copies
/// would grow the module too much (template-heavy code grows without end).
/// What is left out is counted in !ek.giveups.
static bool forceInlining(Module &M) {
  SourceMap Source(M);
  std::vector<std::tuple<uint64_t, unsigned, Function *>> Candidates;
  uint64_t Size = 0;
  for (Function &F : M) {
    Size += F.getInstructionCount();
    const DISubprogram *SP = F.getSubprogram();
    if (F.isDeclaration() || !SP || !SP->getFile() || F.use_empty() ||
        F.hasFnAttribute(Attribute::NoInline) ||
        F.hasFnAttribute(Attribute::OptimizeNone) ||
        !Source.path(SP->getFile()).second)
      continue;
    Candidates.emplace_back(uint64_t(F.getInstructionCount()) * F.getNumUses(),
                            Candidates.size(), &F);
  }
  llvm::sort(Candidates);
  uint64_t Budget = 1000 + Size / 4;
  uint64_t LeftOut = 0;
  bool Forced = false;
  for (auto &[Cost, Position, F] : Candidates) {
    if (Cost > Budget) {
      ++LeftOut;
      continue;
    }
    Budget -= Cost;
    F->addFnAttr(Attribute::AlwaysInline);
    Forced = true;
  }
  if (LeftOut)
    noteGiveUp(M, "inline-budget", LeftOut);
  return Forced;
}

void prepareModule(Module &M) {
  bool Forced = forceInlining(M);
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
