//===- Shares.cpp - work-shared loops -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how code asks the OpenMP runtime for shares of a loop: static,
// chunked, dynamic.
// Makes: the iterations of such loops for the whole team.
//===----------------------------------------------------------------------===//
#include "access/formulas/FunctionTable.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// The last store to \p Slot before \p Call.
static Value *storedBefore(AllocaInst *Slot, CallBase *Call,
                           const DominatorTree &DT) {
  StoreInst *Last = nullptr;
  for (User *U : Slot->users())
    if (auto *S = dyn_cast<StoreInst>(U); S && DT.dominates(S, Call))
      if (!Last || DT.dominates(Last, S))
        Last = S;
  return Last ? Last->getValueOperand() : nullptr;
}

/// Records the share bounds that \p Init, of a schedule with contiguous shares,
/// gives the task.
void FunctionTable::noteShareBounds(CallBase &Init, FunctionInfo &FI) {
  AllocaInst *Slots[] = {cast<AllocaInst>(Init.getArgOperand(4)),
                         cast<AllocaInst>(Init.getArgOperand(5))};
  Value *Lower = storedBefore(Slots[0], &Init, *FI.DT);
  Value *Upper = storedBefore(Slots[1], &Init, *FI.DT);
  auto IsOther = [&](const User *U) {
    auto *CB = dyn_cast<CallBase>(U);
    return CB && CB != &Init && isStaticInit(*CB);
  };
  if (!Lower || !Upper || any_of(Slots[0]->users(), IsOther) ||
      any_of(Slots[1]->users(), IsOther))
    return;
  const SCEV *Lo = FI.SE->getSCEV(Lower), *Up = FI.SE->getSCEV(Upper);
  const SCEV *Iterations = FI.SE->getAddExpr(FI.SE->getMinusSCEV(Up, Lo),
                                             FI.SE->getOne(Up->getType()));
  const Loop *Around = FI.LI->getLoopFor(Init.getParent());
  std::string Why;
  CountRef From = Forms.toCount(Lo, Around, FI, Why);
  CountRef N = From ? Forms.toCount(Iterations, Around, FI, Why) : nullptr;
  if (!N)
    return;
  From = countAdd(From, countOp("first", {N}));
  CountRef To = countAdd(From, countAdd(countOp("share", {N}), countConst(-1)));
  for (unsigned K : {0u, 1u})
    for (User *U : Slots[K]->users())
      if (auto *Load = dyn_cast<LoadInst>(U);
          Load && FI.DT->dominates(&Init, Load))
        FI.ShareBounds[Load] = {K ? To : From, Iterations, K ? Up : nullptr};
}

/// The iterations of collapsed loops, each of which may have none: two negative
/// numbers must not give a positive product.
CountRef FunctionTable::inAll(const CountRef &Iterations) {
  if (Iterations->Kind != Count::Op || Iterations->Name != "*" ||
      // Only guards show which factor is negative.
      any_of(Iterations->Args,
             [](const CountRef &A) {
               return A->Kind == Count::Const && A->Value < 0;
             }) ||
      count_if(Iterations->Args,
               [&](const CountRef &A) { return !Forms.neverNegative(A); }) < 2)
    return Iterations;
  CountRef Product = countConst(1);
  for (const CountRef &A : Iterations->Args)
    Product = countMul(Product, Forms.notBelow0(A));
  return Product;
}

/// A call that distributes a loop, or a taskloop of which the current task is
/// one.
struct FunctionTable::Sharing {
  SmallPtrSet<const Value *, 4> Slots;
  Value *Lower = nullptr, *Upper = nullptr;
  CallBase *Call = nullptr;
  Value *First = nullptr; // slot for the lower bound
  Value *Chunk = nullptr;
  Value *Stride = nullptr; // slot for the distance between chunks
  bool Dynamic = false, Chunked = false;
  std::optional<Taskloop> Tasks; // no call here: each task is a share
};

/// The loop that \p CB, of a static schedule, distributes.
std::optional<FunctionTable::Sharing>
FunctionTable::staticSharing(CallBase &CB, FunctionInfo &FI) {
  Sharing S;
  S.Call = &CB;
  auto *LB = dyn_cast<AllocaInst>(CB.getArgOperand(4));
  auto *UB = dyn_cast<AllocaInst>(CB.getArgOperand(5));
  if (!LB || !UB)
    return std::nullopt;
  S.Slots.insert(LB);
  S.Slots.insert(UB);
  // kmp.h: kmp_sch_static_chunked 33; the high bits hold modifiers.
  if (auto *Schedule = dyn_cast<ConstantInt>(CB.getArgOperand(2)))
    S.Chunked = (Schedule->getZExtValue() & 0xffff) == 33;
  S.First = LB;
  if (!S.Chunked)
    noteShareBounds(CB, FI);
  else
    S.Chunk = CB.getArgOperand(8), S.Stride = CB.getArgOperand(6);
  S.Lower = storedBefore(LB, &CB, *FI.DT);
  S.Upper = storedBefore(UB, &CB, *FI.DT);
  return S;
}

/// The loop that \p CB, of a schedule that requests each chunk, distributes.
FunctionTable::Sharing FunctionTable::dispatchSharing(CallBase &CB,
                                                      FunctionInfo &FI) {
  Sharing S;
  S.Call = &CB;
  // kmp.h: kmp_ord_static_chunked 65, kmp_ord_static 66: distributed as without
  // `ordered`.
  auto *Schedule = dyn_cast<ConstantInt>(CB.getArgOperand(2));
  uint64_t Kind = Schedule ? Schedule->getZExtValue() & 0xffff : 0;
  S.Chunked = Kind == 65;
  S.Dynamic = !S.Chunked && Kind != 66;
  S.Chunk = S.Chunked ? CB.getArgOperand(6) : nullptr;
  S.Lower = CB.getArgOperand(3);
  S.Upper = CB.getArgOperand(4);
  // The slots belong to the dispatch_next calls this init dominates.
  for (Instruction &J : instructions(*FI.F))
    if (auto *Next = dyn_cast<CallBase>(&J))
      if (Function *G = calleeOf(*Next);
          G && G->getName().starts_with("__kmpc_dispatch_next_") &&
          FI.DT->dominates(&CB, Next)) {
        S.First = Next->getArgOperand(3);
        S.Slots.insert(Next->getArgOperand(3));
        S.Slots.insert(Next->getArgOperand(4));
        // The first call may precede the loop.
        if (Loop *L = FI.LI->getLoopFor(Next->getParent());
            L && !L->contains(&CB))
          FI.Chunks.insert(L);
      }
  return S;
}

std::vector<FunctionTable::Sharing>
FunctionTable::sharingsOf(FunctionInfo &FI) {
  std::vector<Sharing> All;
  for (Instruction &I : instructions(*FI.F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    Function *Callee = CB ? calleeOf(*CB) : nullptr;
    if (!Callee)
      continue;
    if (isStaticInit(*CB)) {
      if (std::optional<Sharing> S = staticSharing(*CB, FI))
        All.push_back(*S);
    } else if (Callee->getName().starts_with("__kmpc_dispatch_init_")) {
      All.push_back(dispatchSharing(*CB, FI));
    }
  }
  if (std::optional<Taskloop> T = taskloopOf(*FI.F)) {
    Sharing S;
    S.Slots = T->Slots;
    S.Tasks = std::move(T);
    All.push_back(S);
  }
  return All;
}

/// Which of \p All distributes \p L; null: none. A loop is work-shared if its
/// trip count or start depends on a slot. \p Values: the values on which they
/// depend.
const FunctionTable::Sharing *
FunctionTable::sharingOf(Loop *L, ArrayRef<Sharing> All,
                         SmallPtrSetImpl<const Value *> &Values,
                         const FunctionInfo &FI) {
  const SCEV *B = FI.SE->getBackedgeTakenCount(L);
  if (!isa<SCEVCouldNotCompute>(B))
    leavesOf(B, Values);
  for (PHINode &P : L->getHeader()->phis())
    if (FI.SE->isSCEVable(P.getType()))
      if (auto *AR = dyn_cast<SCEVAddRecExpr>(FI.SE->getSCEV(&P));
          AR && AR->getLoop() == L)
        leavesOf(AR->getStart(), Values);
  // Look through selects and minima, a few steps at most.
  SmallVector<const Value *, 8> Work(Values.begin(), Values.end());
  SmallPtrSet<const Value *, 32> Seen; // changing bounds form cycles
  const Sharing *Mine = nullptr;
  while (!Work.empty() && Seen.size() < 64) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (auto *Load = dyn_cast<LoadInst>(V)) {
      for (const Sharing &S : All)
        if (S.Slots.count(Load->getPointerOperand()) &&
            (S.Tasks || FI.DT->dominates(S.Call, Load)))
          Mine = &S; // the last init that dominates wins
    } else if (isa<PHINode, SelectInst, MinMaxIntrinsic, CastInst,
                   BinaryOperator>(V)) {
      for (const Use &U : cast<User>(V)->operands())
        if (!isa<Constant>(U))
          Work.push_back(U);
    }
  }
  return Mine;
}

/// Whether \p L moves the bounds of \p S: chunked static schedules iterate over
/// their chunks in such a loop.
bool FunctionTable::movesBounds(const Loop &L, const Sharing &S,
                                const FunctionInfo &FI) {
  for (PHINode &P : L.getHeader()->phis()) {
    auto *AR = FI.SE->isSCEVable(P.getType())
                   ? dyn_cast<SCEVAddRecExpr>(FI.SE->getSCEV(&P))
                   : nullptr;
    SmallPtrSet<const Value *, 4> Step;
    if (AR && AR->getLoop() == &L)
      leavesOf(AR->getStepRecurrence(*FI.SE), Step);
    if (any_of(Step, [&](const Value *V) {
          auto *Load = dyn_cast<LoadInst>(V);
          return Load && Load->getPointerOperand() == S.Stride;
        }))
      return true;
  }
  return any_of(S.Slots, [&](const Value *Slot) {
    return any_of(Slot->users(), [&](const User *U) {
      auto *Store = dyn_cast<StoreInst>(U);
      return Store && L.contains(Store) && !L.contains(S.Call);
    });
  });
}

/// Describes \p L, which \p Mine distributes. \p Values: the values on which
/// its trip count and start depend.
SharedLoop
FunctionTable::sharedLoop(Loop *L, const Sharing &Mine,
                          const SmallPtrSetImpl<const Value *> &Values,
                          FunctionInfo &FI) {
  SharedLoop SL;
  SmallPtrSet<const Value *, 8> Given;
  if (Mine.Tasks) {
    SL.N = Mine.Tasks->N;
    for (LoadInst *Load : Mine.Tasks->First)
      SL.First[Load] = FI.SE->getZero(Load->getType());
  } else if (Mine.Lower && Mine.Upper) {
    const SCEV *Lo = FI.SE->getSCEV(Mine.Lower);
    const SCEV *Up = FI.SE->getSCEV(Mine.Upper);
    std::string Why;
    const Loop *Around = FI.LI->getLoopFor(Mine.Call->getParent());
    CountRef A = Forms.toCount(Lo, Around, FI, Why);
    CountRef B = Forms.toCount(Up, Around, FI, Why);
    if (A && B)
      SL.N = inAll(countAdd(countOp("-", {B, A}), countConst(1)));
    SL.Iterations = FI.SE->getAddExpr(FI.SE->getMinusSCEV(Up, Lo),
                                      FI.SE->getOne(Up->getType()));
    leavesOf(Lo, Given);
    leavesOf(Up, Given);
    for (PHINode &P : L->getHeader()->phis())
      if (auto *AR = dyn_cast<SCEVAddRecExpr>(
              FI.SE->isSCEVable(P.getType()) ? FI.SE->getSCEV(&P) : Lo);
          AR && AR->getLoop() == L && P.getType() == Lo->getType())
        if (auto *U = dyn_cast<SCEVUnknown>(AR->getStart()))
          if (isa<PHINode>(U->getValue()))
            SL.First[U->getValue()] = Lo;
    for (User *U : Mine.First->users())
      if (auto *Load = dyn_cast<LoadInst>(U);
          Load && Load->getType() == Lo->getType())
        SL.First[Load] = Lo;
    if (Mine.Chunked) {
      SL.Chunk = Forms.toCount(FI.SE->getSCEV(Mine.Chunk), Around, FI, Why);
      // A chunk is not the share: the loop around it moves from chunk to chunk.
      if (!SL.Chunk || !FI.Chunks.count(L->getParentLoop()))
        SL.N = nullptr, SL.Iterations = nullptr;
    }
  }
  for (const Value *V : Values)
    if (!Given.count(V))
      SL.Bounds.insert(V);
  if (Mine.Dynamic)
    SL.Mode = Level::Dynamic;
  return SL;
}

void FunctionTable::findSharedLoops(FunctionInfo &FI) {
  const std::vector<Sharing> All = sharingsOf(FI);
  if (All.empty())
    return;
  for (Loop *L : FI.LI->getLoopsInPreorder()) {
    if (FI.Chunks.count(L))
      continue;
    SmallPtrSet<const Value *, 8> Values;
    const Sharing *Mine = sharingOf(L, All, Values, FI);
    // True even if calls in the loop hide that the bounds change.
    bool MovesChunks = any_of(All, [&](const Sharing &S) {
      return S.Chunked && movesBounds(*L, S, FI) &&
             (&S == Mine || FI.DT->dominates(S.Call, L->getHeader()));
    });
    if (MovesChunks) {
      FI.Chunks.insert(L);
      continue;
    }
    // An inner loop may start at a shared index, but only the outermost is
    // work-shared.
    bool Nested = false;
    for (Loop *P = L->getParentLoop(); P; P = P->getParentLoop())
      Nested |= FI.Shared.count(P);
    if (Mine && !Nested)
      FI.Shared[L] = sharedLoop(L, *Mine, Values, FI);
  }
}

FunctionInfo &FunctionTable::info(Function &F) {
  std::unique_ptr<FunctionInfo> &P = Infos[&F];
  if (!P) {
    P = std::make_unique<FunctionInfo>();
    P->F = &F;
    P->LI = &FAM.getResult<LoopAnalysis>(F);
    P->DT = &FAM.getResult<DominatorTreeAnalysis>(F);
    P->PDT = &FAM.getResult<PostDominatorTreeAnalysis>(F);
    P->SE = &FAM.getResult<ScalarEvolutionAnalysis>(F);
    FunctionInfo &FI = *P;
    std::map<std::string, unsigned> Seen;
    for (Loop *L : FI.LI->getLoopsInPreorder()) {
      DebugLoc D = L->getStartLoc();
      FI.LoopOrdinal[L] = Seen[D ? Source.locateUser(D).at() : std::string()]++;
    }
    findSharedLoops(FI);
    return FI; // computing this entry may have moved the others
  }
  return *P;
}

} // namespace evenkeel
