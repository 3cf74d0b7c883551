//===- Libraries.cpp - accesses of library calls --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: calls of functions outside the program, by the table of libraries.
// Makes: their accesses to the program's objects; give-ups that name calls with
// unknown lengths or effects.
// Not here: the order in which a library accesses memory; a stream is assumed.
//===----------------------------------------------------------------------===//
#include "objects/Libraries.h"
#include "access/regions/AccessTable.h"
#include "format/ek_sizes.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// The integer to which \p P, an argument of \p CB, points: a constant or the
/// only value stored there. Null: not known.
static Value *storedValue(Value *P, const CallBase &CB,
                          const DominatorTree &DT) {
  P = P->stripPointerCasts();
  if (auto *G = dyn_cast<GlobalVariable>(P))
    return G->isConstant() && G->hasInitializer() &&
                   G->getInitializer()->getType()->isIntegerTy()
               ? G->getInitializer()
               : nullptr;
  auto *Slot = dyn_cast<AllocaInst>(P);
  StoreInst *Only = nullptr;
  for (User *U : Slot ? Slot->users() : P->users())
    if (auto *S = dyn_cast<StoreInst>(U); S && S->getPointerOperand() == P) {
      if (Only)
        return nullptr;
      Only = S;
    }
  return Slot && Only && DT.dominates(Only, &CB) &&
                 Only->getValueOperand()->getType()->isIntegerTy()
             ? Only->getValueOperand()
             : nullptr;
}

/// The elements, or bytes, that one call accesses; null: known only at run
/// time.
CountRef AccessTable::libraryCount(const LibraryAccess &L, CallBase &CB,
                                   FunctionInfo &FI, const Times &T) {
  CountRef Product = countConst(1);
  for (const LibraryFactor &F : L.Count) {
    if (F.Kind == LibraryFactor::Constant) {
      Product = countMul(Product, countConst(F.N));
      continue;
    }
    if (F.Kind == LibraryFactor::Unknown || F.N >= CB.arg_size())
      return nullptr;
    Value *V = CB.getArgOperand(unsigned(F.N));
    if (F.Kind == LibraryFactor::Extent) {
      uint64_t Bytes = mpiExtent(V);
      if (!Bytes)
        return nullptr;
      Product = countMul(Product, countConst(int64_t(Bytes)));
      continue;
    }
    if (F.Kind == LibraryFactor::Pointee)
      V = V->getType()->isPointerTy() ? storedValue(V, CB, *FI.DT) : nullptr;
    if (!V || !V->getType()->isIntegerTy())
      return nullptr;
    std::string Why;
    CountRef C = Forms.toCount(FI.SE->getSCEV(V),
                               FI.LI->getLoopFor(Loads.home(CB)), FI, Why, &T);
    if (!C)
      return nullptr;
    Product = countMul(Product, C);
  }
  return L.ElementBytes == EK_LINE
             ? countOp("ceildiv", {Product, countConst(EK_LINE)})
             : Product;
}

/// Counts accesses other than loads and stores: of inline assembly, and of
/// target intrinsics for gathers and masks.
void AccessTable::noteOpaque(const CallBase &CB) {
  const auto *II = dyn_cast<IntrinsicInst>(&CB);
  if (!CB.isInlineAsm() && (!II || isa<MemIntrinsic>(II)))
    return;
  if (!Graph.Live.contains(CB.getFunction()) || !CB.mayReadOrWriteMemory() ||
      (II && (II->isAssumeLikeIntrinsic() || II->isLifetimeStartOrEnd() ||
              II->getIntrinsicID() == Intrinsic::prefetch)))
    return;
  for (const Use &U : CB.args()) {
    if (!U->getType()->isPtrOrPtrVectorTy())
      continue;
    Access A;
    A.Where = Obj.pointsTo(U);
    touch(A.Where, /*Outside=*/true);
    Owners.resolve(A);
    if (!A.Private.empty())
      continue;
    ++GiveUps[II ? "intrinsic:" +
                       Intrinsic::getBaseName(II->getIntrinsicID()).str()
                 : "inline-assembly"];
    return;
  }
}

/// Records the effects of external code on the objects passed to it.
void AccessTable::noteExternal(CallBase &CB, FunctionInfo &FI,
                               std::vector<Access> &Out) {
  bool Alive = Graph.Live.contains(CB.getFunction());
  std::optional<Allocation> Made = allocationOf(CB);
  // A user's allocator may return parts of the block that it is given.
  if (Made && Made->From == AllocatorOrigin::Chosen && Alive)
    for (const Use &U : CB.args())
      touch(Obj.pointsTo(U), /*Outside=*/true);
  Function *F = calleeOf(CB);
  if (!F || !F->isDeclaration() || F->isIntrinsic() ||
      F->getName().starts_with("__kmpc_") || F->getName() == "free" ||
      F->getName().starts_with("_Zd") || Made)
    return;
  const LibraryCall *L = libraryCallOf(CB);
  std::set<unsigned> Unseen; // arguments that are objects but have unknown
                             // lengths
  for (const Use &U : CB.args()) {
    Access A;
    A.Where = Obj.pointsTo(U);
    if (Alive)
      touch(A.Where, /*Outside=*/true);
    Owners.resolve(A);
    if (!A.Sites.empty())
      Unseen.insert(CB.getArgOperandNo(&U));
  }
  if (!L) {
    if (Alive && isUnknownLibrary(*F))
      ++GiveUps["unknown-function:" + qualifiedName(*F)];
    return;
  }
  bool Estimate = L->Estimate;
  for (const LibraryAccess &LA : L->Accesses) {
    // The library's own records, or one word of the program's.
    if (!Unseen.count(LA.Argument) || LA.Count.empty())
      continue;
    Access A;
    A.I = &CB;
    A.Pointer = CB.getArgOperand(LA.Argument);
    A.Bytes = LA.ElementBytes;
    A.Reads = LA.Reads;
    A.Writes = LA.Writes;
    A.Library = qualifiedName(*F);
    A.Where = Obj.pointsTo(A.Pointer);
    Owners.resolve(A);
    nameRanges(A, FI);
    A.T = Runs.timesOf(CB, FI);
    CountRef Each = libraryCount(LA, CB, FI, A.T);
    if (!Each) {
      if (Alive)
        ++GiveUps["library-length:" + A.Library];
      continue;
    }
    A.T.C = Forms.closed(A.T, Forms.clamped(Each, A.T));
    A.T.Levels.clear();
    if (Estimate)
      A.T.doubt("library-estimate");
    A.W.Class = AccessClass::Stream;
    A.W.Stride = int64_t(LA.ElementBytes);
    Out.push_back(std::move(A));
  }
}

} // namespace evenkeel
