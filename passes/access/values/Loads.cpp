//===- Loads.cpp - move loads out of loops --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Loads.h.
//===----------------------------------------------------------------------===//
#include "access/values/Loads.h"
#include "unit/Calls.h"
#include "unit/Reshape.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <functional>
#include <map>

using namespace llvm;

namespace evenkeel {

bool isStaticInit(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && F->getName().starts_with("__kmpc_for_static_init_");
}

/// Forwards the slots of the lower and upper bound. The runtime writes them
/// once, in the init call, and keeps no pointer to them; but they have escaped,
/// so every opaque call in the loop seems to change them.
static void forwardBounds(Function &F, const DominatorTree &DT) {
  for (Instruction &I : instructions(F)) {
    auto *Init = dyn_cast<CallBase>(&I);
    if (!Init || !isStaticInit(*Init))
      continue;
    for (unsigned Arg : {4u, 5u}) {
      auto *Slot =
          dyn_cast<AllocaInst>(Init->getArgOperand(Arg)->stripPointerCasts());
      if (!Slot)
        continue;
      SmallVector<LoadInst *, 8> Loads;
      SmallVector<StoreInst *, 4> Later;
      for (User *U : Slot->users()) {
        if (auto *L = dyn_cast<LoadInst>(U); L && DT.dominates(Init, L))
          Loads.push_back(L);
        if (auto *S = dyn_cast<StoreInst>(U); S && DT.dominates(Init, S))
          Later.push_back(S);
      }
      if (Later.size() > 1)
        continue; // chunked: the slots change
      Value *V = nullptr;
      Instruction *From = Init;
      if (Later.size() == 1) {
        V = Later[0]->getValueOperand();
        From = Later[0];
      } else {
        for (LoadInst *L : Loads)
          if (all_of(Loads,
                     [&](LoadInst *O) { return O == L || DT.dominates(L, O); }))
            V = From = L;
      }
      if (!V)
        continue;
      for (LoadInst *L : Loads)
        if (L != V && L->getType() == V->getType() && DT.dominates(From, L))
          L->replaceAllUsesWith(V);
    }
  }
}

/// Replaces a PHI of the same computation on every path (as GVN leaves behind)
/// by that computation, so that ScalarEvolution can see through it.
static void mergeTwins(Function &F, const DominatorTree &DT, Objects &Obj) {
  bool Again = true;
  while (Again) {
    Again = false;
    for (BasicBlock &B : F)
      for (PHINode &P : make_early_inc_range(B.phis())) {
        auto *First = dyn_cast<Instruction>(P.getIncomingValue(0));
        if (!First || P.getNumIncomingValues() < 2 ||
            !isa<BinaryOperator, CastInst, GetElementPtrInst>(First) ||
            !all_of(P.incoming_values(),
                    [&](const Use &U) {
                      auto *I = dyn_cast<Instruction>(U);
                      return I && I->isIdenticalTo(First);
                    }) ||
            !all_of(First->operands(), [&](const Use &U) {
              auto *I = dyn_cast<Instruction>(U);
              return !I || (I != &P && DT.dominates(I, &B));
            }))
          continue;
        if (B.getFirstInsertionPt() == B.end())
          continue;
        Instruction *Twin = First->clone();
        Twin->insertBefore(&*B.getFirstInsertionPt());
        Obj.replace(&P, Twin);
        P.replaceAllUsesWith(Twin);
        P.eraseFromParent();
        Again = true;
      }
  }
}

namespace {
/// Finds loads from memory that neither the function nor its callees write.
class SteadyLoads {
  const Objects &Obj;
  const Writes &Written;
  SetVector<Function *> Reached;
  DenseMap<const LocationSet *, bool> Changing; // the addresses of sets are
                                                // stable

public:
  SteadyLoads(Function &F, const Objects &Obj, const CallGraph &Calls,
              const Writes &Written)
      : Obj(Obj), Written(Written) {
    Calls.reachFrom(F, Reached);
  }
  bool is(Value *V) {
    auto *Load = dyn_cast<LoadInst>(V);
    if (!Load || !Load->isUnordered() || Load->isVolatile() ||
        !(Load->getType()->isIntegerTy() || Load->getType()->isPointerTy()))
      return false;
    const LocationSet &Where = Obj.pointsTo(Load->getPointerOperand());
    auto [Known, New] = Changing.try_emplace(&Where, true);
    if (New)
      Known->second =
          Where.empty() ||
          any_of(Where,
                 [](const Location &P) { return P.first == ExternalObject; }) ||
          all_of(Where,
                 [&](const Location &P) { return Obj.isOutside(P.first); }) ||
          Written.mayWrite(Reached, Where);
    return !Known->second;
  }
};
} // namespace

/// Moves loads from memory that nothing in the function writes (captured
/// scalars, fields of captured structs) out of loops. Only on the clone,
/// because a load that would not have run may trap.
static void hoist(LoopInfo &LI, SteadyLoads &Steady, HoistedLoads &Loads) {
  bool Again = true;
  while (Again) {
    Again = false;
    for (Loop *L : LI.getLoopsInPreorder()) {
      BasicBlock *Preheader = L->getLoopPreheader();
      if (!Preheader)
        continue;
      for (BasicBlock *B : L->blocks())
        for (Instruction &I : make_early_inc_range(*B)) {
          if (!Steady.is(&I))
            continue;
          auto *Load = cast<LoadInst>(&I);
          bool Moved = false;
          if (!L->makeLoopInvariant(Load->getPointerOperand(), Moved,
                                    Preheader->getTerminator()))
            continue;
          Loads.Home.try_emplace(Load, B);
          Load->moveBefore(Preheader->getTerminator());
          Again = true;
        }
    }
  }
}

/// Replaces PHIs of loads that are carried around a loop, because one of its
/// calls might write, by one load.
static void dropCarried(Function &F, DominatorTree &DT, SteadyLoads &Steady) {
  std::map<std::tuple<Value *, int64_t, Type *>, Value *> First;
  std::function<Value *(Value *)> Same = [&](Value *V) -> Value * {
    if (!Steady.is(V))
      return V;
    Value *P = cast<LoadInst>(V)->getPointerOperand();
    APInt Offset(64, 0);
    Value *Base = P->stripAndAccumulateConstantOffsets(
        F.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    return First
        .try_emplace({Same(Base), Offset.getSExtValue(), V->getType()}, V)
        .first->second;
  };
  collapsePhis(F, DT, Same);
}

/// Replaces a repeated load by the earlier value, so that guards and loops use
/// the same one.
static void joinReads(Function &F, const DominatorTree &DT, SteadyLoads &Steady,
                      const HoistedLoads &Loads) {
  std::map<std::tuple<Value *, int64_t, Type *>, SmallVector<Instruction *, 2>>
      Read;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *B) {
      if (!Steady.is(&I))
        continue;
      APInt Offset(64, 0);
      Value *Base =
          cast<LoadInst>(I)
              .getPointerOperand()
              ->stripAndAccumulateConstantOffsets(F.getDataLayout(), Offset,
                                                  /*AllowNonInbounds=*/true);
      auto &Known = Read[{Base, Offset.getSExtValue(), I.getType()}];
      auto Before = find_if(Known, [&](Instruction *K) {
        return DT.dominates(Loads.home(*K), Loads.home(I)) &&
               DT.dominates(K, &I);
      });
      if (Before != Known.end())
        I.replaceAllUsesWith(*Before);
      else
        Known.push_back(&I);
    }
}

const BasicBlock *HoistedLoads::home(const Instruction &I) const {
  auto It = Home.find(&I);
  return It == Home.end() ? I.getParent() : It->second;
}

HoistedLoads hoistLoads(Module &M, FunctionAnalysisManager &FAM, Objects &Obj,
                        const CallGraph &Calls, const Writes &Written) {
  HoistedLoads Out;
  for (Function &F : M)
    if (!F.isDeclaration()) {
      const DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
      forwardBounds(F, DT);
      mergeTwins(F, DT, Obj);
    }
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
    if (LI.empty())
      continue;
    DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    SteadyLoads Steady(F, Obj, Calls, Written);
    hoist(LI, Steady, Out);
    dropCarried(F, DT, Steady);
    joinReads(F, DT, Steady, Out);
  }
  FAM.clear();
  return Out;
}

} // namespace evenkeel
