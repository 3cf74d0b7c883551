//===- Names.cpp - source names of values ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how Clang 19 describes captured variables: by reference types in
// outlined bodies, by `plus_uconst N, deref` on the shareds pointer in tasks.
// Not here: old debug intrinsics (LLVM 19 uses debug records).
//===----------------------------------------------------------------------===//
#include "unit/Names.h"
#include "unit/DebugTypes.h"
#include "unit/Source.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace evenkeel {

constexpr unsigned MaxDepth = 8;

static const DIType *target(const DIType *T, bool Reference) {
  auto *D = dyn_cast_or_null<DIDerivedType>(unqualified(T));
  if (!D)
    return nullptr;
  bool IsReference = D->getTag() == dwarf::DW_TAG_reference_type ||
                     D->getTag() == dwarf::DW_TAG_rvalue_reference_type;
  if (Reference ? IsReference : D->getTag() == dwarf::DW_TAG_pointer_type)
    return D->getBaseType();
  return nullptr;
}

/// The path ".field" and the type of the scalar at byte \p Offset of \p T.
static std::optional<std::pair<std::string, const DIType *>>
member(const DIType *T, uint64_t Offset, unsigned Depth = 0) {
  auto *C = dyn_cast_or_null<DICompositeType>(unqualified(T));
  if (!C || Depth > MaxDepth || C->getTag() == dwarf::DW_TAG_union_type ||
      C->getTag() == dwarf::DW_TAG_array_type)
    return std::nullopt;
  for (const DINode *N : C->getElements()) {
    auto *D = dyn_cast<DIDerivedType>(N);
    if (!D || D->isStaticMember() || D->isBitField())
      continue;
    uint64_t From = D->getOffsetInBits() / 8;
    const DIType *Inner = unqualified(D->getBaseType());
    uint64_t Size = Inner ? Inner->getSizeInBits() / 8 : 0;
    if (Offset < From || Offset >= From + std::max<uint64_t>(Size, 1))
      continue;
    if (D->getTag() == dwarf::DW_TAG_inheritance) {
      if (auto In = member(Inner, Offset - From, Depth + 1))
        return In;
      continue;
    }
    if (D->getTag() != dwarf::DW_TAG_member)
      continue;
    std::string Name = "." + D->getName().str();
    if (isa_and_nonnull<DICompositeType>(Inner)) {
      auto In = member(Inner, Offset - From, Depth + 1);
      if (!In)
        return std::nullopt;
      return std::make_pair(Name + In->first, In->second);
    }
    if (Offset == From)
      return std::make_pair(Name, D->getBaseType());
    return std::nullopt;
  }
  return std::nullopt;
}

static bool spelled(const DILocalVariable *V) {
  return !V->getName().empty() && V->getName()[0] != '.';
}

static std::optional<SourceName> value(const Value *V, unsigned Depth);
static std::optional<SourceName> memory(const Value *P, unsigned Depth);

static std::optional<SourceName> global(const Value *V) {
  auto *G = dyn_cast<GlobalVariable>(V);
  if (!G)
    return std::nullopt;
  SmallVector<DIGlobalVariableExpression *, 1> Infos;
  G->getDebugInfo(Infos);
  if (Infos.empty())
    return SourceName{G->getName().str(), nullptr, nullptr, false};
  const DIGlobalVariable *D = Infos[0]->getVariable();
  SourceName Name{D->getName().str(), D->getType(), nullptr, false};
  // The optimiser split the struct into one variable per field.
  if (auto Part = Infos[0]->getExpression()->getFragmentInfo()) {
    auto Field = member(D->getType(), Part->OffsetInBits / 8);
    if (!Field)
      return std::nullopt;
    Name.Text += Field->first;
    Name.Type = Field->second;
  }
  return Name;
}

/// The name of `*(Base + Offset)`, if the pointer is not a reference.
static std::optional<SourceName> field(const Value *Base, uint64_t Offset,
                                       unsigned Depth) {
  if (auto L = memory(Base, Depth + 1))
    if (auto F = member(L->Type, Offset)) {
      L->Text += F->first;
      L->Type = F->second;
      return L;
    }
  auto R = value(Base, Depth + 1);
  if (!R)
    return std::nullopt;
  const DIType *T = target(R->Type, false);
  if (auto F = member(T, Offset)) {
    R->Text += "->" + F->first.substr(1);
    R->Type = F->second;
    return R;
  }
  // `const void *` has no type left after its qualifiers are removed.
  const DIType *Bare = unqualified(T);
  if (Offset != 0 || !Bare || isa<DICompositeType>(Bare))
    return std::nullopt;
  R->Text = "*" + R->Text;
  R->Type = T;
  return R;
}

/// The name of the memory at \p P.
static std::optional<SourceName> memory(const Value *P, unsigned Depth) {
  if (Depth > MaxDepth)
    return std::nullopt;
  if (auto G = global(P))
    return G;
  SmallVector<DbgVariableIntrinsic *, 2> Old;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(Old, const_cast<Value *>(P), &Records);
  for (DbgVariableRecord *D : Records) {
    const DILocalVariable *V = D->getVariable();
    if (!spelled(V) || D->isDbgAssign())
      continue;
    const DISubprogram *SP = V->getScope()->getSubprogram();
    if (D->isDbgDeclare() && D->getExpression()->getNumElements() == 0)
      return SourceName{V->getName().str(), V->getType(), SP, false};
    if (D->isDbgValue() && D->getExpression()->getNumElements() == 0)
      if (const DIType *T = target(V->getType(), true))
        return SourceName{V->getName().str(), T, SP, false};
    // The value is the address of a local variable that was never promoted.
    if (D->isDbgValue() && D->getExpression()->getNumElements() == 1 &&
        D->getExpression()->getElement(0) == dwarf::DW_OP_deref)
      return SourceName{V->getName().str(), V->getType(), SP, false};
  }
  if (isa<AllocaInst>(P)) {
    for (DbgVariableRecord *D : at::getDVRAssignmentMarkers(
             const_cast<Instruction *>(cast<Instruction>(P))))
      if (spelled(D->getVariable()) &&
          D->getAddressExpression()->getNumElements() == 0)
        return SourceName{D->getVariable()->getName().str(),
                          D->getVariable()->getType(),
                          D->getVariable()->getScope()->getSubprogram(), false};
    return std::nullopt;
  }
  uint64_t Offset = 0;
  const Value *Base = P;
  if (auto *G = dyn_cast<GEPOperator>(P)) {
    APInt O(64, 0);
    // A constant offset of a byte-typed GEP does not depend on the data layout,
    // but the call needs one.
    const Module *M = nullptr;
    if (auto *I = dyn_cast<Instruction>(P))
      M = I->getModule();
    if (!M || !G->accumulateConstantOffset(M->getDataLayout(), O))
      return std::nullopt;
    Offset = O.getZExtValue();
    Base = G->getPointerOperand();
    return field(Base, Offset, Depth);
  }
  // In task bodies, the shareds struct at B holds the variable's address at
  // offset N.
  if (auto *L = dyn_cast<LoadInst>(P)) {
    const Value *B = L->getPointerOperand();
    uint64_t N = 0;
    if (auto *G = dyn_cast<GEPOperator>(B)) {
      APInt O(64, 0);
      if (G->accumulateConstantOffset(L->getModule()->getDataLayout(), O)) {
        N = O.getZExtValue();
        B = G->getPointerOperand();
      }
    }
    Records.clear();
    findDbgUsers(Old, const_cast<Value *>(B), &Records);
    for (DbgVariableRecord *D : Records) {
      const DILocalVariable *V = D->getVariable();
      ArrayRef<uint64_t> E = D->getExpression()->getElements();
      if (!spelled(V) || D->isDbgAssign())
        continue;
      uint64_t At = 0;
      if (E.size() >= 2 && E[0] == dwarf::DW_OP_plus_uconst) {
        At = E[1];
        E = E.drop_front(2);
      }
      if (E.size() == 1 && E[0] == dwarf::DW_OP_deref && At == N &&
          D->isDbgDeclare())
        return SourceName{V->getName().str(), V->getType(),
                          V->getScope()->getSubprogram(), false};
    }
  }
  return field(P, 0, Depth);
}

static std::optional<SourceName> value(const Value *V, unsigned Depth) {
  if (Depth > MaxDepth)
    return std::nullopt;
  if (auto *L = dyn_cast<LoadInst>(V))
    if (auto N = memory(L->getPointerOperand(), Depth + 1)) {
      if (!isa_and_nonnull<DICompositeType>(unqualified(N->Type)))
        return N;
      // The first member has the same address as the struct.
      if (auto F = member(N->Type, 0)) {
        N->Text += F->first;
        N->Type = F->second;
        return N;
      }
    }
  SmallVector<DbgVariableIntrinsic *, 2> Old;
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(Old, const_cast<Value *>(V), &Records);
  // After inlining, one value may belong to several variables. Prefer the
  // outermost function's, whose caller can set it, and among these a parameter.
  DbgVariableRecord *Best = nullptr;
  unsigned BestDepth = ~0u;
  for (DbgVariableRecord *D : Records) {
    if (!spelled(D->getVariable()) || D->isDbgDeclare() ||
        D->getNumVariableLocationOps() != 1 ||
        D->getVariableLocationOp(0) != V ||
        D->getExpression()->getNumElements() != 0 ||
        target(D->getVariable()->getType(), true))
      continue;
    unsigned Frames = D->getVariable()->isParameter() ? 0 : 1;
    for (const DILocation *L = D->getDebugLoc(); L; L = L->getInlinedAt())
      Frames += 2;
    if (Frames < BestDepth) {
      BestDepth = Frames;
      Best = D;
    }
  }
  if (Best)
    return SourceName{
        Best->getVariable()->getName().str(), Best->getVariable()->getType(),
        Best->getVariable()->getScope()->getSubprogram(), !isa<Argument>(V)};
  if (auto *C = dyn_cast<CastInst>(V))
    return value(C->getOperand(0), Depth + 1);
  if (auto *A = dyn_cast<Argument>(V)) {
    // Outlined bodies have two thread ids before their captured variables.
    unsigned Hidden = isOutlinedHelper(*A->getParent()) ? 2 : 0;
    if (A->getArgNo() < Hidden)
      return std::nullopt;
    return SourceName{"capture#" + std::to_string(A->getArgNo() - Hidden),
                      nullptr, A->getParent()->getSubprogram(), false};
  }
  return std::nullopt;
}

std::optional<SourceName> nameOfValue(const Value *V) { return value(V, 0); }

std::optional<SourceName> nameOfMemory(const Value *P) { return memory(P, 0); }

} // namespace evenkeel
