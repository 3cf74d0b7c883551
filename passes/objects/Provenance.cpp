//===- Provenance.cpp - origins of values ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Provenance.h.
//===----------------------------------------------------------------------===//
#include "objects/Provenance.h"
#include "llvm/IR/AbstractCallSite.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Code called from more places rarely gets the same value from all of them.
static constexpr unsigned MaxOrigins = 16;

Provenance::Provenance(Module &M, const Objects &Obj) : M(M), Obj(Obj) {
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (!I.mayWriteToMemory())
        continue;
      std::set<unsigned> Seen;
      for (const Location &L : Obj.written(I))
        if (Seen.insert(L.first).second)
          Writers[L.first].push_back(&I);
    }
}

/// Whether \p I only zeroes the location before the real value is known.
static bool zeroes(const Instruction &I) {
  if (auto *S = dyn_cast<StoreInst>(&I)) {
    auto *C = dyn_cast<Constant>(S->getValueOperand());
    return C && C->isNullValue();
  }
  auto *Set = dyn_cast<MemSetInst>(&I);
  auto *C = Set ? dyn_cast<Constant>(Set->getValue()) : nullptr;
  return C && C->isNullValue();
}

SmallVector<Value *, 2> Provenance::ofArgument(Argument &A) const {
  SmallVector<Value *, 2> Out;
  for (Use &U : A.getParent()->uses()) {
    AbstractCallSite Call(&U);
    // Task entries are stored: their address is passed to the runtime.
    if (!Call || A.getArgNo() >= Call.getNumArgOperands())
      return {};
    Value *V = Call.getCallArgOperand(A.getArgNo());
    if (!V || V->getType() != A.getType() || isa<UndefValue>(V) ||
        Out.size() >= MaxOrigins)
      return {};
    if (V != &A && !is_contained(Out, V)) // recursion passes it on
      Out.push_back(V);
  }
  return Out;
}

Value *Provenance::ofLocation(Location At, Type *Ty, unsigned Depth) const {
  auto It = Writers.find(At.first);
  MemoryObject::KindType Kind = Obj.objects()[At.first].Kind;
  if (It == Writers.end() || !isExact(At.second) || Depth > 8 ||
      Kind == MemoryObject::External || Kind == MemoryObject::Anything)
    return nullptr;
  const DataLayout &DL = M.getDataLayout();
  int64_t Bytes = int64_t(DL.getTypeStoreSize(Ty).getFixedValue());
  StoreInst *Store = nullptr;
  MemTransferInst *Copy = nullptr;
  for (Instruction *I : It->second) {
    bool Touches = false, Exactly = true;
    // If a structure is copied or cleared, the place and size.
    auto *Block = dyn_cast<MemIntrinsic>(I);
    auto *Length = Block ? dyn_cast<ConstantInt>(Block->getLength()) : nullptr;
    LocationSet Where =
        Length ? Obj.pointsTo(Block->getDest()) : Obj.written(*I);
    for (const Location &L : Where) {
      if (L.first != At.first)
        continue;
      int64_t Width = Length ? Length->getSExtValue() : 0;
      if (auto *S = dyn_cast<StoreInst>(I))
        Width = int64_t(DL.getTypeStoreSize(S->getValueOperand()->getType()));
      bool Apart =
          isExact(L.second) && Width &&
          (L.second + Width <= At.second || At.second + Bytes <= L.second);
      Touches |= !Apart;
      Exactly &= L.second == At.second && Width == Bytes;
    }
    if (!Touches || zeroes(*I))
      continue;
    if (Store || Copy)
      return nullptr;
    if (auto *S = dyn_cast<StoreInst>(I); S && Exactly && Where.size() == 1 &&
                                          S->getValueOperand()->getType() == Ty)
      Store = S;
    else if (auto *T = dyn_cast<MemTransferInst>(I))
      Copy = T;
    else
      return nullptr;
  }
  if (Store)
    return Store->getValueOperand();
  if (!Copy)
    return nullptr;
  const LocationSet &To = Obj.pointsTo(Copy->getDest());
  const LocationSet &From = Obj.pointsTo(Copy->getSource());
  auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
  if (To.size() != 1 || From.size() != 1 || !Length ||
      !isExact(To.begin()->second) || !isExact(From.begin()->second))
    return nullptr;
  int64_t Into = At.second - To.begin()->second;
  if (Into < 0 || Into + Bytes > Length->getSExtValue())
    return nullptr;
  return ofLocation({From.begin()->first, From.begin()->second + Into}, Ty,
                    Depth + 1);
}

SmallVector<Value *, 2> Provenance::originsOf(Value *V) const {
  if (auto *A = dyn_cast<Argument>(V))
    return ofArgument(*A);
  auto *L = dyn_cast<LoadInst>(V);
  if (!L || L->isVolatile() || !L->getType()->isIntegerTy())
    return {};
  // Several objects of one kind (for example, levels of a grid) each have a
  // store.
  SmallVector<Value *, 2> Out;
  const LocationSet &Where = Obj.pointsTo(L->getPointerOperand());
  if (Where.size() > MaxOrigins)
    return {};
  for (const Location &At : Where) {
    Value *From = ofLocation(At, L->getType(), 0);
    if (!From || isa<UndefValue>(From))
      return {};
    if (From != V && !is_contained(Out, From))
      Out.push_back(From);
  }
  return Out;
}

} // namespace evenkeel
