//===- Loads.cpp - loads that no loop changes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which loads bring the same in each round of a loop, and code that
// hides it: bounds that OpenMP's runtime sets once, captured scalars nobody
// stores to, one computation done on several ways.
// Makes: a module (the analysis' own copy) where ScalarEvolution sees them.
//===----------------------------------------------------------------------===//
#include "access/Analyzer.h"
#include "unit/Calls.h"
#include "unit/Reshape.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

bool isStaticInit(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && F->getName().starts_with("__kmpc_for_static_init_");
}

/// The slots of lower and upper bound. The runtime writes them once, in the
/// init call, and keeps no pointer to them; but they escaped, so every opaque
/// call in the loop seems to change them.
void Analyzer::forwardBounds(Function &F) {
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
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
        continue; // chunked: the slots move on
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

/// A PHI of the same computation done on every way to it (GVN leaves such) is
/// that computation, which ScalarEvolution then sees through.
void Analyzer::mergeTwins(Function &F) {
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
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

void Analyzer::noteWriters() {
  for (Function &F : M) {
    LocationSet &Own = Written[&F];
    for (Instruction &I : instructions(F)) {
      LocationSet W = Obj.written(I);
      Own.insert(W.begin(), W.end());
    }
    for (auto It = Own.begin(); It != Own.end();
         It = Own.upper_bound({It->first, INT64_MAX}))
      Writers[It->first].push_back(&F);
  }
}

/// Whether the functions of \p Who, by their own code, may write to \p Where.
bool Analyzer::mayWrite(const SetVector<Function *> &Who,
                        const LocationSet &Where) {
  auto Asks = [&](Function *F) { return overlaps(Where, Written[F]); };
  auto Anywhere = Writers.find(AnythingObject);
  if (Where.count({AnythingObject, AnyOffset}))
    return any_of(Who, Asks);
  if (Anywhere != Writers.end() &&
      any_of(Anywhere->second, [&](Function *F) { return Who.contains(F); }))
    return true;
  for (auto It = Where.begin(); It != Where.end();
       It = Where.upper_bound({It->first, INT64_MAX})) {
    auto W = Writers.find(It->first);
    if (W == Writers.end())
      continue;
    if (Who.size() < W->second.size() ? any_of(Who, Asks)
                                      : any_of(W->second, [&](Function *F) {
                                          return Who.contains(F) && Asks(F);
                                        }))
      return true;
  }
  return false;
}

/// Whether \p A and \p B are computed alike.
static bool areTwins(const Value *A, const Value *B, unsigned Depth = 0) {
  if (A == B)
    return true;
  auto *I = dyn_cast<Instruction>(A);
  auto *J = dyn_cast<Instruction>(B);
  if (!I || !J || Depth > 4 || I->getNumOperands() != J->getNumOperands() ||
      !I->isSameOperationAs(J) ||
      !isa<LoadInst, GetElementPtrInst, CastInst, BinaryOperator>(I))
    return false;
  for (unsigned K = 0; K < I->getNumOperands(); ++K)
    if (!areTwins(I->getOperand(K), J->getOperand(K), Depth + 1))
      return false;
  return true;
}

/// Whether \p V is the same in each round of \p X, though loads read it again
/// in case a store has changed it: none to their address does, and no call.
bool Analyzer::isReadAgain(const Value &V, const Loop &X, unsigned Depth) {
  auto *I = dyn_cast<Instruction>(&V);
  if (!I || !X.contains(I))
    return true;
  auto *Load = dyn_cast<LoadInst>(I);
  if (Depth > 4 ||
      !isa<LoadInst, GetElementPtrInst, CastInst, BinaryOperator>(I) ||
      (Load && (Load->isVolatile() || !Load->isUnordered())) ||
      !all_of(I->operands(),
              [&](const Use &U) { return isReadAgain(*U, X, Depth + 1); }))
    return false;
  if (!Load)
    return true;
  auto [It, IsNew] = Changes.try_emplace(&X);
  LoopChanges &C = It->second;
  if (IsNew)
    for (const BasicBlock *B : X.blocks())
      for (const Instruction &In : *B) {
        if (auto *S = dyn_cast<StoreInst>(&In))
          C.Stored.push_back(S->getPointerOperand());
        else if (auto *RMW = dyn_cast<AtomicRMWInst>(&In))
          C.Stored.push_back(RMW->getPointerOperand());
        else if (auto *CB = dyn_cast<CallBase>(&In)) {
          LocationSet W = Obj.written(In);
          C.Written.insert(W.begin(), W.end());
          for (Function *F : Obj.callees(*CB))
            reachFrom(*F, C.Called);
        }
      }
  const Value *From = Load->getPointerOperand();
  const LocationSet &Where = Obj.pointsTo(From);
  return none_of(C.Stored,
                 [&](const Value *To) { return areTwins(From, To); }) &&
         !overlaps(Where, C.Written) && !mayWrite(C.Called, Where);
}

/// Moves loads of what nobody in the function stores to (captured scalars,
/// fields of captured structs) out of loops. On the clone only: a load that
/// would not have run may trap.
void Analyzer::hoistInvariantLoads(Function &F) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return;
  SetVector<Function *> Reached;
  reachFrom(F, Reached);
  DenseMap<const LocationSet *, bool> Changing; // their addresses are stable
  auto IsSteady = [&](Value *V) {
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
          mayWrite(Reached, Where);
    return !Known->second;
  };
  bool Again = true;
  while (Again) {
    Again = false;
    for (Loop *L : LI.getLoopsInPreorder()) {
      BasicBlock *Preheader = L->getLoopPreheader();
      if (!Preheader)
        continue;
      for (BasicBlock *B : L->blocks())
        for (Instruction &I : make_early_inc_range(*B)) {
          if (!IsSteady(&I))
            continue;
          auto *Load = cast<LoadInst>(&I);
          bool Moved = false;
          if (!L->makeLoopInvariant(Load->getPointerOperand(), Moved,
                                    Preheader->getTerminator()))
            continue;
          Home.try_emplace(Load, B);
          Load->moveBefore(Preheader->getTerminator());
          Again = true;
        }
    }
  }
  // Loads that were carried around the loop, in case one of its calls writes.
  std::map<std::tuple<Value *, int64_t, Type *>, Value *> First;
  std::function<Value *(Value *)> Same = [&](Value *V) -> Value * {
    if (!IsSteady(V))
      return V;
    Value *P = cast<LoadInst>(V)->getPointerOperand();
    APInt Offset(64, 0);
    Value *Base = P->stripAndAccumulateConstantOffsets(
        M.getDataLayout(), Offset, /*AllowNonInbounds=*/true);
    return First
        .try_emplace({Same(Base), Offset.getSExtValue(), V->getType()}, V)
        .first->second;
  };
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  collapsePhis(F, DT, Same);
  // What was read before is the same value: guards and loops may read it each.
  std::map<std::tuple<Value *, int64_t, Type *>, SmallVector<Instruction *, 2>>
      Read;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : *B) {
      if (!IsSteady(&I))
        continue;
      APInt Offset(64, 0);
      Value *Base =
          cast<LoadInst>(I)
              .getPointerOperand()
              ->stripAndAccumulateConstantOffsets(M.getDataLayout(), Offset,
                                                  /*AllowNonInbounds=*/true);
      auto &Known = Read[{Base, Offset.getSExtValue(), I.getType()}];
      auto Before = find_if(Known, [&](Instruction *K) {
        return DT.dominates(home(*K), home(I)) && DT.dominates(K, &I);
      });
      if (Before != Known.end())
        I.replaceAllUsesWith(*Before);
      else
        Known.push_back(&I);
    }
}

} // namespace evenkeel
