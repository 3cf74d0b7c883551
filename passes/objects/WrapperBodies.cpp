//===- WrapperBodies.cpp - blocks passed to callers -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrapperBodies.h. The check of a body ignores the order of its code, as
// the rewriter's does: a local variable may have every value stored to it
// anywhere. An allocation that runs only if a comparison of two values holds (a
// buffer that grows when it is full) makes no wrapper: such functions are
// called far more often than they allocate.
//===----------------------------------------------------------------------===//
#include "objects/WrapperBodies.h"
#include "format/CallShape.h"
#include "format/FilledContainers.h"
#include "format/ek_sizes.h"
#include "objects/KeptAllocations.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <cstdlib>
#include <tuple>

using namespace llvm;

namespace evenkeel {

std::string keyOf(const Function &F) {
  if (F.hasLocalLinkage())
    return (F.getName() + " in " + F.getParent()->getSourceFileName()).str();
  // A constructor has several names.
  StringRef N = F.getName();
  return N.starts_with("_Z") && (N.contains("C1") || N.contains("C2"))
             ? demangle(N)
             : N.str();
}

static bool isNamed(const Function &F) {
  static const std::set<std::string> Names = [] {
    std::set<std::string> Out;
    const char *Text = std::getenv("EVENKEEL_REWRITE_WRAPPERS");
    SmallVector<StringRef, 8> Parts;
    StringRef(Text ? Text : "").split(Parts, ',', -1, /*KeepEmpty=*/false);
    for (StringRef P : Parts)
      Out.insert(P.trim().str());
    return Out;
  }();
  return !Names.empty() && Names.count(qualifiedName(F));
}

//===--- Declarations -----------------------------------------------------===//

/// \p T without names and without qualifiers that do not affect the layout.
static const DIType *layoutOf(const DIType *T, bool *Const = nullptr) {
  while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    const unsigned Tag = D->getTag();
    if (Tag == dwarf::DW_TAG_pointer_type ||
        Tag == dwarf::DW_TAG_reference_type ||
        Tag == dwarf::DW_TAG_rvalue_reference_type)
      break;
    if (Const)
      *Const |= Tag == dwarf::DW_TAG_const_type;
    T = D->getBaseType();
  }
  return T;
}

static const DIType *pointee(const DIType *T) {
  auto *D = dyn_cast_or_null<DIDerivedType>(layoutOf(T));
  return D ? D->getBaseType() : nullptr;
}

static bool isPointer(const DIType *T) {
  auto *D = dyn_cast_or_null<DIDerivedType>(layoutOf(T));
  return D && D->getTag() == dwarf::DW_TAG_pointer_type;
}

static bool isRecord(const DIType *T) {
  auto *C = dyn_cast_or_null<DICompositeType>(layoutOf(T));
  return C && (C->getTag() == dwarf::DW_TAG_structure_type ||
               C->getTag() == dwarf::DW_TAG_class_type ||
               C->getTag() == dwarf::DW_TAG_union_type);
}

/// Whether the function may store a pointer through a parameter of type \p T.
static bool mayTakeBlock(const DIType *T) {
  bool Const = false;
  const DIType *To = layoutOf(pointee(T), &Const);
  return To && !Const && (isPointer(To) || isRecord(To));
}

/// Whether the types allow callers to get a block.
static bool mayGiveBlock(const DISubprogram &SP) {
  DITypeRefArray Types =
      SP.getType() ? SP.getType()->getTypeArray() : DITypeRefArray();
  const DIType *Result = Types && Types.size() ? Types[0] : nullptr;
  if (isPointer(Result) || isRecord(Result))
    return true;
  if (auto *B = dyn_cast_or_null<DIBasicType>(layoutOf(Result)))
    if (B->getEncoding() == dwarf::DW_ATE_float ||
        B->getEncoding() == dwarf::DW_ATE_complex_float)
      return false;
  for (unsigned I = 1; Types && I < Types.size(); ++I)
    if (mayTakeBlock(Types[I]))
      return true;
  return false;
}

/// Operators are excluded, except those of lambdas, other call operators, and
/// operator new of classes.
static bool mayHaveName(const Function &F, StringRef Name) {
  return !Name.starts_with("operator") || Name.starts_with("operator()") ||
         (Name.starts_with("operator new") && !F.getName().starts_with("_Zn"));
}

/// A constructor that exists only through `using Base::Base`.
static bool isInheritedConstructor(const Function &F) {
  StringRef N = F.getName();
  return N.starts_with("_ZN") && (N.contains("CI1") || N.contains("CI2"));
}

bool isOfUnitAlone(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  return SP &&
         (SP->getName().starts_with("operator") || isInheritedConstructor(F));
}

bool makesSmallObject(const CallBase &CB, const Function &Callee) {
  const DISubprogram *SP = Callee.getSubprogram();
  auto *Size =
      CB.arg_size() == 1 ? dyn_cast<ConstantInt>(CB.getArgOperand(0)) : nullptr;
  return SP && SP->getName() == "operator new" && Size &&
         Size->getZExtValue() < EK_LARGE_BYTES;
}

bool mayBeWrapper(const Function &F, const SourceMap &Source) {
  StringRef N = F.getName();
  if (F.isIntrinsic() || N == "main" || N.starts_with("ek_") ||
      N.starts_with("__kmpc_") || isOutlinedHelper(F) ||
      F.getReturnType()->isFloatingPointTy())
    return false;
  const DISubprogram *SP = F.getSubprogram();
  if (!SP) // from another unit, which may know it
    return F.isDeclaration();
  return (!SP->isArtificial() || isInheritedConstructor(F)) &&
         mayHaveName(F, SP->getName()) && !SP->getName().starts_with("~") &&
         mayGiveBlock(*SP) && !Source.path(SP->getFile(), SP->getUnit()).second;
}

//===--- The standard library ---------------------------------------------===//

namespace {
/// A function of namespace std.
struct OfLibrary {
  std::string Class;     // without template arguments; empty: not a member
  std::string Arguments; // of the class, or of the function: from `<` on
  std::string Name;
  bool Makes = false; // a constructor
};
} // namespace

static std::optional<OfLibrary> ofLibrary(StringRef Mangled) {
  if (!Mangled.starts_with("_ZNS") && !Mangled.starts_with("_ZSt"))
    return std::nullopt;
  ItaniumPartialDemangler D;
  const std::string Text = Mangled.str(); // D refers to it
  if (D.partialDemangle(Text.c_str()) || !D.isFunction())
    return std::nullopt;
  auto Take = [](char *Text) {
    std::string Out = Text ? Text : "";
    std::free(Text);
    return Out;
  };
  auto Split = [](StringRef All) {
    auto Name = All.take_until([](char X) { return X == '<'; });
    return std::pair(Name.str(), All.drop_front(Name.size()).str());
  };
  OfLibrary Out;
  const std::string Around =
      Take(D.getFunctionDeclContextName(nullptr, nullptr));
  StringRef Class = Around;
  if (Class == "std" || Class == "std::__1") {
    const std::string Name = Take(D.getFunctionName(nullptr, nullptr));
    StringRef N = Name;
    N.consume_front(Around);
    N.consume_front("::");
    std::tie(Out.Name, Out.Arguments) = Split(N);
    return Out;
  }
  if (!Class.consume_front("std::"))
    return std::nullopt;
  Class.consume_front("__1::");
  std::tie(Out.Class, Out.Arguments) = Split(Class);
  Out.Name = Take(D.getFunctionBaseName(nullptr, nullptr));
  Out.Makes = D.isCtorOrDtor();
  return Out;
}

/// Whether argument 1 of \p CB, after the object, the allocator or the result's
/// memory, is a number.
static bool takesNumber(const CallBase &CB) {
  return CB.arg_size() > 1 && CB.getArgOperand(1)->getType()->isIntegerTy();
}

/// Whether \p CB gives a container of the standard library a number of
/// elements, through a constructor or member whose first parameter is a number,
/// or makes an array that a smart pointer owns.
static bool fillsContainer(const CallBase &CB, const Function &Callee) {
  if (!takesNumber(CB))
    return false;
  std::optional<OfLibrary> F = ofLibrary(Callee.getName());
  if (!F)
    return false;
  if (F->Class.empty())
    return isOwnerMaker(F->Name) && StringRef(F->Arguments).contains("[]");
  return isFilledContainer(F->Class) && (F->Makes || isFillingMember(F->Name));
}

bool fillsOwnContainer(const CallBase &CB, const Function &Callee) {
  if (!fillsContainer(CB, Callee))
    return false;
  std::optional<OfLibrary> F = ofLibrary(Callee.getName());
  StringRef Arguments = F->Arguments;
  size_t Second = StringRef::npos;
  int Depth = 0;
  for (size_t I = 0; I < Arguments.size() && Second == StringRef::npos; ++I) {
    Depth += (Arguments[I] == '<' || Arguments[I] == '(') -
             (Arguments[I] == '>' || Arguments[I] == ')');
    if (Arguments[I] == ',' && Depth == 1)
      Second = I + 1;
  }
  return !F->Class.empty() && Second != StringRef::npos &&
         !Arguments.drop_front(Second).ltrim().starts_with("std::");
}

/// Whether \p CB only allocates, with a number of elements known at run time.
static bool isAllocatorCall(const CallBase &CB, const Function &Callee) {
  if (!takesNumber(CB) || isa<Constant>(CB.getArgOperand(1)))
    return false;
  std::optional<OfLibrary> F = ofLibrary(Callee.getName());
  return F && isStandardAllocation(F->Class, F->Name) &&
         (F->Class != "allocator_traits" ||
          StringRef(F->Arguments).starts_with("<std::"));
}

//===--- Pointers ---------------------------------------------------------===//

std::string pointerKey(const FunctionType &T, const Module &M) {
  if (!T.getReturnType()->isPointerTy() || T.isVarArg())
    return "";
  CallShape Shape;
  for (const Type *P : T.params())
    if (P->isPointerTy())
      Shape.addPointer();
    else if (P->isIntegerTy())
      Shape.addInteger(P->getIntegerBitWidth());
    else if (P->isFloatingPointTy())
      Shape.addFloat(P->getPrimitiveSizeInBits());
    else
      return "";
  return Shape.str().empty()
             ? ""
             : "pointer " + Shape.str() + "in " + M.getSourceFileName();
}

//===--- Functions that return their argument -----------------------------===//

namespace {
/// The arguments of a function of this unit that it may return: those of a
/// check that only passes a block on (`return need(malloc(n))`).
class Returned {
  const Function &F;
  SmallPtrSet<const Value *, 16> Seen = {};
  SmallSetVector<unsigned, 2> Out = {};

  void values(const Value *V) {
    V = V->stripPointerCasts();
    if (!Seen.insert(V).second)
      return;
    if (auto *A = dyn_cast<Argument>(V)) {
      Out.insert(A->getArgNo());
    } else if (isa<PHINode, SelectInst>(V)) {
      for (const Use &U : cast<User>(V)->operands())
        if (U->getType()->isPointerTy())
          values(U);
    } else if (auto *L = dyn_cast<LoadInst>(V)) {
      if (auto *Variable = dyn_cast<AllocaInst>(L->getPointerOperand()))
        for (const User *U : Variable->users())
          if (auto *S = dyn_cast<StoreInst>(U);
              S && S->getPointerOperand() == Variable)
            values(S->getValueOperand());
    }
  }

public:
  explicit Returned(const Function &F) : F(F) {}
  SmallSetVector<unsigned, 2> arguments() {
    const DISubprogram *SP = F.getSubprogram();
    DITypeRefArray Types =
        SP && SP->getType() ? SP->getType()->getTypeArray() : DITypeRefArray();
    if (F.isDeclaration() || !Types || Types.size() < 2 || !isPointer(Types[0]))
      return {};
    for (const Instruction &I : instructions(F))
      if (auto *R = dyn_cast<ReturnInst>(&I);
          R && R->getReturnValue() &&
          R->getReturnValue()->getType()->isPointerTy())
        values(R->getReturnValue());
    if (auto *This = dyn_cast_or_null<DIType>(Types[1]);
        This && This->isObjectPointer())
      Out.remove(0);
    return Out;
  }
};
} // namespace

//===--- Bodies -----------------------------------------------------------===//

static bool isTwoValueTest(const Value *Condition) {
  auto *C = dyn_cast<ICmpInst>(Condition);
  return C && !isa<Constant>(C->getOperand(0)) &&
         !isa<Constant>(C->getOperand(1));
}

namespace {
class Body {
  const Function &F;
  const SourceMap &Source;
  Wrapper &Out;
  SmallPtrSet<const Value *, 16> Seen = {};
  DominatorTree Dominators;
  LoopInfo Loops;

  bool isReturnedWithout(const BasicBlock *From, const BasicBlock *B) const;
  bool isGuarded(const BasicBlock *B) const;
  void values(const Value *V, bool &Is, std::set<std::string> &IfAre);
  void stored(const Value *V, const BasicBlock *B);

public:
  Body(const Function &F, const SourceMap &Source, Wrapper &Out)
      : F(F), Source(Source), Out(Out) {
    Dominators.recalculate(const_cast<Function &>(F));
    Loops.analyze(Dominators);
  }
  void look();
};
} // namespace

/// Whether the function may return after \p From without running \p B.
bool Body::isReturnedWithout(const BasicBlock *From,
                             const BasicBlock *B) const {
  SmallPtrSet<const BasicBlock *, 16> Reached;
  SmallVector<const BasicBlock *, 16> Next{From};
  while (!Next.empty()) {
    const BasicBlock *At = Next.pop_back_val();
    if (At == B || !Reached.insert(At).second)
      continue;
    if (isa<ReturnInst>(At->getTerminator()))
      return true;
    append_range(Next, successors(At));
  }
  return false;
}

/// Whether a comparison of two values decides if \p B runs.
bool Body::isGuarded(const BasicBlock *B) const {
  const DomTreeNode *N = Dominators.getNode(B);
  for (N = N ? N->getIDom() : nullptr; N; N = N->getIDom()) {
    const BasicBlock *D = N->getBlock();
    auto *Br = dyn_cast<BranchInst>(D->getTerminator());
    if (!Br || !Br->isConditional() || !isTwoValueTest(Br->getCondition()))
      continue;
    const Loop *L = Loops.getLoopFor(D);
    if (L && L->contains(B) && L->isLoopExiting(D))
      continue; // that is the loop's trip count
    if (isReturnedWithout(D, B))
      return true;
  }
  return false;
}

/// Collects the values that \p V may have: sets \p Is if one is a block
/// allocated here, and adds to \p IfAre the functions whose results are among
/// them.
void Body::values(const Value *V, bool &Is, std::set<std::string> &IfAre) {
  V = V->stripPointerCasts();
  if (Is || !Seen.insert(V).second)
    return;
  if (isa<PHINode, SelectInst>(V)) {
    for (const Use &U : cast<User>(V)->operands())
      if (U->getType()->isPointerTy())
        values(U, Is, IfAre);
  } else if (auto *G = dyn_cast<GEPOperator>(V)) {
    if (G->getNumIndices() == 1) // an offset into the block
      values(G->getPointerOperand(), Is, IfAre);
  } else if (auto *L = dyn_cast<LoadInst>(V)) {
    auto *Variable = dyn_cast<AllocaInst>(L->getPointerOperand());
    if (!Variable)
      return;
    for (const User *U : Variable->users()) {
      if (auto *S = dyn_cast<StoreInst>(U);
          S && S->getPointerOperand() == Variable)
        values(S->getValueOperand(), Is, IfAre);
      auto *CB = dyn_cast<CallBase>(U);
      auto A = CB ? allocationOf(*CB) : std::nullopt;
      Is |= A && A->Out >= 0 && CB->getArgOperand(A->Out) == Variable &&
            mayBeObject(*CB, *A);
    }
  } else if (auto *CB = dyn_cast<CallBase>(V)) {
    const Function *Callee = calleeOf(*CB);
    std::optional<Allocation> A = allocationOf(*CB);
    if (A && (A->From != AllocatorOrigin::Chosen || isNamedAllocator(*Callee)))
      Is |= A->Out < 0 && mayBeObject(*CB, *A) &&
            (A->Kind != "new" || !isa<Constant>(CB->getArgOperand(A->Size)));
    else if (Callee && isAllocatorCall(*CB, *Callee))
      Is = true;
    else if (Callee && (Callee->getName() == "ek_leave" ||
                        Callee->getName().starts_with("_ZN2ek5leave")))
      values(CB->getArgOperand(1), Is, IfAre); // our own annotation
    else if (Callee && mayBeWrapper(*Callee, Source)) {
      if (!makesSmallObject(*CB, *Callee))
        IfAre.insert(keyOf(*Callee));
      for (const unsigned K : Returned(*Callee).arguments())
        if (K < CB->arg_size())
          values(CB->getArgOperand(K), Is, IfAre);
    } else if (std::string Key =
                   pointerKey(*CB->getFunctionType(), *F.getParent());
               CB->isIndirectCall() && !Key.empty())
      IfAre.insert(Key);
  }
}

/// Handles a store of \p V to memory other than the function's own variables.
void Body::stored(const Value *V, const BasicBlock *B) {
  bool Makes = false;
  std::set<std::string> Of;
  Seen.clear();
  values(V, Makes, Of);
  if ((!Makes && Of.empty()) || isGuarded(B))
    return;
  Out.Makes |= Makes;
  Out.StoresOf.insert(Of.begin(), Of.end());
}

static bool isElsewhere(const Value *Pointer) {
  return !isa<AllocaInst>(Pointer) &&
         !isa<GlobalVariable>(getUnderlyingObject(Pointer));
}

void Body::look() {
  for (const Instruction &I : instructions(F)) {
    const BasicBlock *B = I.getParent();
    if (auto *R = dyn_cast<ReturnInst>(&I)) {
      Seen.clear();
      if (R->getReturnValue() && R->getReturnValue()->getType()->isPointerTy())
        values(R->getReturnValue(), Out.Returns, Out.ReturnsOf);
    } else if (auto *S = dyn_cast<StoreInst>(&I)) {
      if (S->getValueOperand()->getType()->isPointerTy() &&
          isElsewhere(S->getPointerOperand()))
        stored(S->getValueOperand(), B);
    } else if (auto *CB = dyn_cast<CallBase>(&I)) {
      auto A = allocationOf(*CB);
      const Function *Callee = calleeOf(*CB);
      if (A && A->Out >= 0) {
        if (mayBeObject(*CB, *A) && isElsewhere(CB->getArgOperand(A->Out)) &&
            !isGuarded(B))
          Out.Makes = true;
      } else if (!A && Callee && fillsContainer(*CB, *Callee)) {
        Out.Makes |= !isGuarded(B);
      } else if (!A && Callee && mayBeWrapper(*Callee, Source) &&
                 !isGuarded(B)) {
        Out.Calls.insert(keyOf(*Callee));
      }
    }
  }
}

Wrapper examineBody(const Function &F, const SourceMap &Source) {
  Wrapper W;
  W.Returns = isNamed(F);
  if (F.getReturnType()->isPointerTy() &&
      (F.getSubprogram() || !F.isDeclaration()))
    W.Returns |=
        F.returnDoesNotAlias() || F.hasFnAttribute(Attribute::AllocSize);
  if (!F.isDeclaration())
    Body(F, Source, W).look();
  return W;
}

} // namespace evenkeel
