//===- Rarely.cpp - code that runs a few times at most --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes: see Rarely.h.
//===----------------------------------------------------------------------===//
#include "record/Rarely.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

SmallPtrSet<const Function *, 16> runOnce(const Module &M) {
  SmallPtrSet<const Function *, 16> Out;
  for (const char *Name : {"llvm.global_ctors", "llvm.global_dtors"}) {
    const GlobalVariable *G = M.getNamedGlobal(Name);
    auto *List = G && G->hasInitializer()
                     ? dyn_cast<ConstantArray>(G->getInitializer())
                     : nullptr;
    if (List)
      for (const Use &Row : List->operands())
        if (auto *F = dyn_cast<Function>(
                cast<Constant>(Row)->getOperand(1)->stripPointerCasts()))
          Out.insert(F);
  }
  if (const Function *Main = M.getFunction("main"))
    Out.insert(Main);
  return Out;
}

RarelyRun::RarelyRun(Module &M) {
  SmallPtrSet<const BasicBlock *, 32> OutsideLoops; // of functions found so far
  SmallVector<Function *, 16> Work;
  const SmallPtrSet<const Function *, 16> First = runOnce(M);
  for (Function &F : M)
    if (First.count(&F) && !F.isDeclaration())
      Work.push_back(&F);
  auto IsCalledRarely = [&](const Function &F) {
    return F.hasLocalLinkage() && all_of(F.uses(), [&](const Use &U) {
             auto *CB = dyn_cast<CallBase>(U.getUser());
             return CB && CB->isCallee(&U) &&
                    OutsideLoops.count(CB->getParent());
           });
  };
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    if (!Functions.insert(F).second)
      continue;
    const DominatorTree DT(*F);
    const LoopInfo LI(DT);
    for (const BasicBlock &BB : *F)
      if (!LI.getLoopFor(&BB))
        OutsideLoops.insert(&BB);
    for (Instruction &I : instructions(*F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      Function *Callee = CB ? CB->getCalledFunction() : nullptr;
      if (Callee && !Callee->isDeclaration() && IsCalledRarely(*Callee))
        Work.push_back(Callee);
    }
  }
}

SmallPtrSet<const BasicBlock *, 32> RarelyRun::blocksOf(Function &F) const {
  SmallPtrSet<const BasicBlock *, 32> Out;
  const DominatorTree DT(F);
  const LoopInfo LI(DT);
  SmallVector<std::pair<const DomTreeNode *, bool>, 32> Work = {
      {DT.getRootNode(), Functions.count(&F)}};
  while (!Work.empty()) {
    auto [Node, Rarely] = Work.pop_back_val();
    const BasicBlock *BB = Node->getBlock();
    Rarely |= BB->isLandingPad();
    if (Rarely && !LI.getLoopFor(BB))
      Out.insert(BB);
    for (const DomTreeNode *Below : Node->children())
      Work.push_back({Below, Rarely});
  }
  return Out;
}

} // namespace evenkeel
