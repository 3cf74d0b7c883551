//===- KeptAllocations.cpp - allocations kept from optimisers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See KeptAllocations.h. An optimiser may remove an allocation because its
// function is known by name (prevented by nobuiltin) or declared as an
// allocation function (allockind, which is removed here). It may merge two
// calls that differ only in their operands (prevented by nomerge).
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

/// Whether \p CB runs at most once, so that its block is the only one of its
/// site.
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
        // What the name implies, which nobuiltin would hide.
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
  // Other calls of these functions keep their attributes.
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
