//===- Ranges.cpp - arrays carved from one block --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Ranges.h.
//===----------------------------------------------------------------------===//
#include "objects/Ranges.h"
#include "format/ek_sizes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/AbstractCallSite.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Ranges closer together share a page, the smallest unit of placement.
static constexpr int64_t NearestRange = EK_PAGE;

/// Whether the program keeps \p G as a separate pointer.
static bool isKept(GetElementPtrInst &G) {
  for (const Use &U : G.uses()) {
    if (auto *S = dyn_cast<StoreInst>(U.getUser());
        S && S->getValueOperand() == &G)
      return true;
    auto *CB = dyn_cast<CallBase>(U.getUser());
    if (CB && !isa<IntrinsicInst>(CB) && CB->isArgOperand(&U))
      return true;
    if (isa<InsertValueInst, PtrToIntInst>(U.getUser()))
      return isa<InsertValueInst>(U.getUser());
  }
  SmallVector<DbgValueInst *, 1> Old;
  SmallVector<DbgVariableRecord *, 2> Records;
  findDbgValues(Old, &G, &Records);
  return any_of(Records, [](const DbgVariableRecord *D) {
    const DILocalVariable *V = D->getVariable();
    return D->getExpression()->getNumElements() == 0 && !V->isArtificial() &&
           !V->getName().empty();
  });
}

/// Whether a call of \p F may reach \p F again.
static bool mayRecur(Function &F) {
  SetVector<Function *> Reached;
  SmallVector<Function *, 8> Work{&F};
  while (!Work.empty())
    for (Instruction &I : instructions(*Work.pop_back_val()))
      for (Value *Op : I.operands())
        if (auto *Next = dyn_cast<Function>(Op->stripPointerCasts())) {
          if (Next == &F)
            return true;
          if (!Next->isDeclaration() && Reached.insert(Next))
            Work.push_back(Next);
        }
  return false;
}

namespace {

/// Finds values that are the same whenever they are used.
class Steady {
  MapVector<const Function *, std::unique_ptr<LoopInfo>> Infos;

  Loop *outermost(const Instruction &I) {
    std::unique_ptr<LoopInfo> &LI = Infos[I.getFunction()];
    if (!LI) {
      DominatorTree DT(*const_cast<Function *>(I.getFunction()));
      LI = std::make_unique<LoopInfo>(DT);
    }
    Loop *L = LI->getLoopFor(I.getParent());
    return L ? L->getOutermostLoop() : nullptr;
  }

  bool argument(const Argument &A, unsigned Depth) {
    for (const Use &U : A.getParent()->uses()) {
      AbstractCallSite Call(&U);
      if (!Call || A.getArgNo() >= Call.getNumArgOperands())
        return false;
      Value *V = Call.getCallArgOperand(A.getArgNo());
      if (!V || !holds(V, *Call.getInstruction(), Depth + 1))
        return false;
    }
    return true;
  }

public:
  /// Whether \p V has the same value whenever \p At runs.
  bool holds(const Value *V, const Instruction &At, unsigned Depth = 0) {
    if (isa<Constant>(V))
      return true;
    if (Depth > 12)
      return false;
    if (Loop *L = outermost(At); L && !L->isLoopInvariant(V))
      return false;
    if (auto *A = dyn_cast<Argument>(V))
      return argument(*A, Depth);
    auto *I = dyn_cast<Instruction>(V);
    if (auto *Load = dyn_cast_or_null<LoadInst>(I)) {
      // A variable, or a field of a record, but not an array element.
      const Value *P = Load->getPointerOperand();
      return isa<AllocaInst, Argument, GlobalVariable>(
          P->stripInBoundsConstantOffsets());
    }
    if (isa_and_nonnull<CallBase>(I))
      return !outermost(*I);
    if (!isa_and_nonnull<BinaryOperator, CastInst, SelectInst, FreezeInst>(I))
      return false;
    return all_of(I->operands(),
                  [&](const Use &Op) { return holds(Op, *I, Depth + 1); });
  }
};

} // namespace

std::vector<GetElementPtrInst *> findCarvings(Module &M,
                                              const SourceMap &Source) {
  const DataLayout &DL = M.getDataLayout();
  std::vector<GetElementPtrInst *> Out;
  Steady Values;
  for (Function &F : M) {
    SmallVector<GetElementPtrInst *, 4> Here;
    for (Instruction &I : instructions(F)) {
      auto *G = dyn_cast<GetElementPtrInst>(&I);
      if (!G || G->getType()->isVectorTy() || !isKept(*G))
        continue;
      APInt Constant(DL.getIndexTypeSizeInBits(G->getType()), 0);
      MapVector<Value *, APInt> Variable;
      if (!G->collectOffset(DL, Constant.getBitWidth(), Variable, Constant) ||
          (Variable.empty() && Constant.slt(NearestRange)))
        continue;
      Place P = Source.locate(G->getDebugLoc());
      if (P.known() && !P.System && all_of(G->indices(), [&](const Use &Index) {
            return Values.holds(Index, *G);
          }))
        Here.push_back(G);
    }
    if (!Here.empty() && !isOutlinedHelper(F) && !mayRecur(F))
      Out.insert(Out.end(), Here.begin(), Here.end());
  }
  return Out;
}

} // namespace evenkeel
