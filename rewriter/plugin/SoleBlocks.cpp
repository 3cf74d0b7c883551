//===- SoleBlocks.cpp - blocks that an optimiser may still remove ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SoleBlocks.h.
//===----------------------------------------------------------------------===//
#include "SoleBlocks.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace evenkeel {
namespace {

const char FamilyKey[] = "alloc-family";

/// The function family that frees what \p Name allocates; empty if the
/// optimiser does not remove unused blocks of \p Name.
StringRef familyOf(StringRef Name) {
  if (Name.starts_with("_ZnamN2ek4siteE"))
    return "_Znam";
  if (Name.starts_with("_ZnwmN2ek4siteE"))
    return "_Znwm";
  Name.consume_back("_at");
  return StringSwitch<StringRef>(Name)
      .Cases("ek_malloc", "ek_calloc", "ek_aligned_alloc", "malloc")
      .Cases("ek_memalign", "ek_valloc", "ek_pvalloc", "malloc")
      .Default("");
}

bool runsTwice(const BasicBlock &B) {
  return any_of(successors(&B), [&](const BasicBlock *Next) {
    return isPotentiallyReachable(Next, &B);
  });
}

void describe(CallBase &CB, StringRef Family) {
  LLVMContext &C = CB.getContext();
  const AllocFnKind Contents =
      CB.getCalledFunction()->getName().starts_with("ek_calloc")
          ? AllocFnKind::Zeroed
          : AllocFnKind::Uninitialized;
  CB.addFnAttr(Attribute::get(C, Attribute::AllocKind,
                              uint64_t(AllocFnKind::Alloc | Contents)));
  CB.addFnAttr(Attribute::get(C, FamilyKey, Family));
}

struct SoleBlocks : PassInfoMixin<SoleBlocks> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Function *Main = M.getFunction("main");
    if (!Main || Main->isDeclaration() || !Main->use_empty() ||
        Main->callsFunctionThatReturnsTwice())
      return PreservedAnalyses::all();
    for (Instruction &I : instructions(*Main)) {
      auto *CB = dyn_cast<CallBase>(&I);
      Function *Callee = CB ? CB->getCalledFunction() : nullptr;
      StringRef Family = Callee ? familyOf(Callee->getName()) : "";
      if (!Family.empty() && !runsTwice(*CB->getParent()))
        describe(*CB, Family);
    }
    if (Function *Free = M.getFunction("ek_free");
        Free && Free->isDeclaration()) {
      LLVMContext &C = M.getContext();
      Free->addFnAttr(
          Attribute::get(C, Attribute::AllocKind, uint64_t(AllocFnKind::Free)));
      Free->addFnAttr(FamilyKey, "malloc");
      Free->addParamAttr(0, Attribute::AllocatedPointer);
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

} // namespace

void allowRemovingSoleBlocks(clang::CompilerInstance &CI) {
  CI.getCodeGenOpts().PassBuilderCallbacks.push_back([](PassBuilder &PB) {
    PB.registerPipelineStartEPCallback(
        [](ModulePassManager &MPM, OptimizationLevel) {
          MPM.addPass(SoleBlocks());
        });
  });
}

} // namespace evenkeel
