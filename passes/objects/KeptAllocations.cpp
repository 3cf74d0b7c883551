//===- KeptAllocations.cpp - allocations that optimisers leave alone ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see KeptAllocations.h. An allocation may be removed
// because its function is known by name (no longer: nobuiltin) or declared as
// one (allockind, which goes). Two calls become one where they are the same but
// for their operands (nomerge).
//===----------------------------------------------------------------------===//
#include "objects/KeptAllocations.h"
#include "objects/WrapperCalls.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BuildLibCalls.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p CB runs at most once, so that the block it makes has no others of
/// its site beside it.
static bool makesSoleBlock(const CallBase &CB) {
  const Function &F = *CB.getFunction();
  return F.getName() == "main" && F.use_empty() &&
         !F.callsFunctionThatReturnsTwice() &&
         none_of(successors(CB.getParent()), [&](const BasicBlock *Next) {
           return isPotentiallyReachable(Next, CB.getParent());
         });
}

void keepAllocations(Module &M) {
  SourceMap Source(M);
  WrapperCalls Wrappers(M);
  TargetLibraryInfoImpl Impl(Triple(M.getTargetTriple()));
  TargetLibraryInfo Known(Impl);
  struct Declared {
    Attribute Kind, Family;
  };
  MapVector<Function *, Declared> Done;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      Function *Callee = CB ? calleeOf(*CB) : nullptr;
      if (!Callee)
        continue;
      if (Wrappers.at(Source, CB->getDebugLoc()))
        CB->addFnAttr(Attribute::NoMerge);
      Place P = Source.locate(CB->getDebugLoc());
      std::optional<Allocation> A = allocationOf(*CB);
      if (!A || !mayBeObject(*CB, *A) || !P.known() || P.System)
        continue;
      CB->addFnAttr(Attribute::NoMerge);
      if (makesSoleBlock(*CB))
        continue;
      if (Callee->isDeclaration() && !Done.count(Callee)) {
        // What the name says but for that.
        if (!Callee->hasFnAttribute(Attribute::NoBuiltin))
          inferNonMandatoryLibFuncAttrs(*Callee, Known);
        Done[Callee] = {Callee->getFnAttribute(Attribute::AllocKind),
                        Callee->getFnAttribute("alloc-family")};
        Callee->removeFnAttr(Attribute::AllocKind);
        Callee->addFnAttr(Attribute::NoBuiltin);
      }
      CB->removeFnAttr(Attribute::Builtin);
      CB->addFnAttr(Attribute::NoBuiltin);
    }
  // Others of their calls are known as before.
  for (auto &[F, Was] : Done)
    for (User *U : F->users()) {
      auto *CB = dyn_cast<CallBase>(U);
      if (!CB || calleeOf(*CB) != F ||
          CB->getAttributes().hasFnAttr(Attribute::NoBuiltin))
        continue;
      CB->addFnAttr(Attribute::Builtin);
      for (Attribute A : {Was.Kind, Was.Family})
        if (A.isValid())
          CB->addFnAttr(A);
    }
}

} // namespace evenkeel
