//===- Members.cpp - layout of records ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See the header.
//===----------------------------------------------------------------------===//
#include "objects/Members.h"
#include "unit/DebugTypes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

static bool isLonePointer(Type *T, uint64_t Offset, const DataLayout &DL) {
  while (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *Layout = DL.getStructLayout(S);
    if (Offset >= Layout->getSizeInBytes())
      return false;
    unsigned K = Layout->getElementContainingOffset(Offset);
    Offset -= Layout->getElementOffset(K).getFixedValue();
    T = S->getElementType(K);
  }
  return T->isPointerTy() && Offset == 0;
}

static bool isLonePointer(const DIType *T, uint64_t Offset) {
  T = unqualified(T);
  auto *Record = dyn_cast_or_null<DICompositeType>(T);
  if (!Record)
    return T && T->getTag() == dwarf::DW_TAG_pointer_type && Offset == 0;
  // Members of a union may be arrays.
  if (Record->getTag() != dwarf::DW_TAG_structure_type &&
      Record->getTag() != dwarf::DW_TAG_class_type)
    return false;
  for (const DINode *N : Record->getElements()) {
    auto *M = dyn_cast<DIDerivedType>(N);
    if (!M || M->isStaticMember() ||
        (M->getTag() != dwarf::DW_TAG_member &&
         M->getTag() != dwarf::DW_TAG_inheritance))
      continue;
    uint64_t Begin = M->getOffsetInBits() / 8;
    const DIType *Of = unqualified(M->getBaseType());
    if (Of && Offset >= Begin && Offset < Begin + Of->getSizeInBits() / 8)
      return isLonePointer(Of, Offset - Begin);
  }
  return false;
}

/// The record's type in the IR. Debug information may only declare the types of
/// some members.
static StructType *codeOf(const DIType &T, const DataLayout &DL) {
  std::string Name = T.getName().str();
  for (const DIScope *S = T.getScope(); S && !isa<DIFile, DICompileUnit>(S);
       S = S->getScope())
    Name = S->getName().str() + "::" + Name;
  for (const char *Kind : {"struct.", "class."})
    if (StructType *S = StructType::getTypeByName(T.getContext(), Kind + Name))
      if (S->isSized() && DL.getTypeAllocSize(S) * 8 == T.getSizeInBits())
        return S;
  return nullptr;
}

bool isLonePointer(const Value &Maker, int64_t Offset) {
  if (Offset < 0)
    return false;
  if (auto *G = dyn_cast<GlobalVariable>(&Maker))
    return G->hasInitializer() &&
           isLonePointer(G->getValueType(), Offset, G->getDataLayout());
  if (auto *A = dyn_cast<AllocaInst>(&Maker))
    return !A->isArrayAllocation() &&
           isLonePointer(A->getAllocatedType(), Offset, A->getDataLayout());
  auto *CB = dyn_cast<CallBase>(&Maker);
  const DIType *T = unqualified(
      CB ? dyn_cast_or_null<DIType>(CB->getMetadata("heapallocsite"))
         : nullptr);
  uint64_t Bytes = T ? T->getSizeInBits() / 8 : 0;
  if (!Bytes)
    return false;
  // The last member of a larger block may be the first element of an array.
  constexpr uint64_t Pointer = 8;
  bool Alone = any_of(CB->args(), [&](const Use &U) {
    auto *C = dyn_cast<ConstantInt>(U);
    return C && C->getValue() == Bytes;
  });
  uint64_t Inside = uint64_t(Offset) % Bytes;
  if (!Alone && Inside + Pointer >= Bytes)
    return false;
  const DataLayout &DL = CB->getDataLayout();
  StructType *S = codeOf(*T, DL);
  return (S && isLonePointer(S, Inside, DL)) || isLonePointer(T, Inside);
}

} // namespace evenkeel
