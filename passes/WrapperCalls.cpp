//===- WrapperCalls.cpp - calls of functions that allocate for others -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows, makes, leaves out: see WrapperCalls.h. The look at a body ignores the
// order of its code, as the rewriter's does: a local variable has every value
// that is stored to it anywhere.
//===----------------------------------------------------------------------===//
#include "WrapperCalls.h"
#include "CallChains.h"
#include "Inventory.h"
#include "KeptAllocations.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <cstdlib>
#include <set>

using namespace llvm;

namespace evenkeel {

static constexpr char Notes[] = "ek.wrappers";

namespace {
/// What a function or a call shows. Functions are known by their names, those
/// of one unit with the unit's.
struct Wrapper {
  bool Is = false;
  std::set<std::string> IfAre; // it is one if one of these is
};
struct Call {
  uint64_t Id;
  std::string Of;
};
struct Shown {
  std::map<std::string, Wrapper> Functions;
  std::vector<Call> Calls;
};

class Look {
  Module &M;
  SourceMap Source;
  Shown &Out;

  std::string keyOf(const Function &F) const {
    return F.hasLocalLinkage()
               ? (F.getName() + " in " + M.getSourceFileName()).str()
               : F.getName().str();
  }
  bool mayBeWrapper(const Function &F) const;
  void values(const Value *V, SmallPtrSetImpl<const Value *> &Seen,
              Wrapper &W) const;
  void function(const Function &F);

public:
  Look(Module &M, Shown &Out) : M(M), Source(M), Out(Out) {}
  void run();
};
} // namespace

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

static bool returnsPointer(const DISubprogram &SP) {
  DITypeRefArray Types =
      SP.getType() ? SP.getType()->getTypeArray() : DITypeRefArray();
  const DIType *T = Types && Types.size() ? Types[0] : nullptr;
  while (auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    if (D->getTag() == dwarf::DW_TAG_pointer_type)
      return true;
    T = D->getBaseType();
  }
  return false;
}

/// By what its declaration says.
bool Look::mayBeWrapper(const Function &F) const {
  if (F.isIntrinsic() || !F.getReturnType()->isPointerTy() ||
      F.getName().starts_with("ek_") || isOutlinedHelper(F))
    return false;
  const DISubprogram *SP = F.getSubprogram();
  if (!SP) // of another unit; somebody may know it
    return F.isDeclaration();
  return returnsPointer(*SP) && !SP->getName().starts_with("operator") &&
         !Source.path(SP->getFile(), SP->getUnit()).second;
}

/// What \p V may be: notes whether a block that was allocated here is among it.
void Look::values(const Value *V, SmallPtrSetImpl<const Value *> &Seen,
                  Wrapper &W) const {
  V = V->stripPointerCasts();
  if (W.Is || !Seen.insert(V).second)
    return;
  if (isa<PHINode, SelectInst>(V)) {
    for (const Use &U : cast<User>(V)->operands())
      if (U->getType()->isPointerTy())
        values(U, Seen, W);
  } else if (auto *G = dyn_cast<GEPOperator>(V)) {
    if (G->getNumIndices() == 1) // an offset into the block
      values(G->getPointerOperand(), Seen, W);
  } else if (auto *L = dyn_cast<LoadInst>(V)) {
    auto *Variable = dyn_cast<AllocaInst>(L->getPointerOperand());
    if (!Variable)
      return;
    for (const User *U : Variable->users()) {
      if (auto *S = dyn_cast<StoreInst>(U);
          S && S->getPointerOperand() == Variable)
        values(S->getValueOperand(), Seen, W);
      auto *CB = dyn_cast<CallBase>(U);
      auto A = CB ? allocationOf(*CB) : std::nullopt;
      W.Is |= A && A->Out >= 0 && CB->getArgOperand(A->Out) == Variable &&
              mayBeObject(*CB, *A);
    }
  } else if (auto *CB = dyn_cast<CallBase>(V)) {
    const Function *F = calleeOf(*CB);
    std::optional<Allocation> A = allocationOf(*CB);
    if (A && (A->From != AllocatorOrigin::Chosen || isNamedAllocator(*F)))
      W.Is |= A->Out < 0 && A->Kind != "new" && mayBeObject(*CB, *A);
    else if (F && mayBeWrapper(*F))
      W.IfAre.insert(keyOf(*F));
  }
}

void Look::function(const Function &F) {
  if (!mayBeWrapper(F))
    return;
  Wrapper W;
  W.Is = F.returnDoesNotAlias() || F.hasFnAttribute(Attribute::AllocSize) ||
         isNamed(F);
  if (F.isDeclaration() && !F.getSubprogram())
    W.Is = isNamed(F);
  SmallPtrSet<const Value *, 16> Seen;
  for (const BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      values(R->getReturnValue(), Seen, W);
  if (W.Is || !W.IfAre.empty())
    Out.Functions[keyOf(F)] = W;
}

void Look::run() {
  for (const Function &F : M)
    function(F);
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      const Function *Callee = CB ? calleeOf(*CB) : nullptr;
      if (!Callee || !mayBeWrapper(*Callee) ||
          (!Callee->isDeclaration() && !Out.Functions.count(keyOf(*Callee))))
        continue;
      Place P = Source.locate(CB->getDebugLoc());
      if (P.known() && !P.System)
        Out.Calls.push_back({idAt("wrapper-call", P), keyOf(*Callee)});
    }
}

void noteWrappers(Module &M) {
  Shown Own;
  Look(M, Own).run();
  LLVMContext &C = M.getContext();
  auto Text = [&](StringRef S) { return MDString::get(C, S); };
  NamedMDNode *N = M.getOrInsertNamedMetadata(Notes);
  for (const auto &[Name, W] : Own.Functions) {
    SmallVector<Metadata *, 4> Parts{Text("function"), Text(Name),
                                     Text(W.Is ? "is" : "if")};
    for (const std::string &Other : W.IfAre)
      Parts.push_back(Text(Other));
    N->addOperand(MDNode::get(C, Parts));
  }
  for (const Call &X : Own.Calls)
    N->addOperand(
        MDNode::get(C, {Text("call"), Text(X.Of), Text(std::to_string(X.Id))}));
}

static Shown readNotes(const NamedMDNode &N) {
  Shown Out;
  for (const MDNode *Node : N.operands()) {
    auto Text = [&](unsigned I) {
      return cast<MDString>(Node->getOperand(I))->getString();
    };
    if (Text(0) == "call") {
      uint64_t Id = 0;
      Text(2).getAsInteger(10, Id);
      Out.Calls.push_back({Id, Text(1).str()});
      continue;
    }
    Wrapper &W = Out.Functions[Text(1).str()];
    W.Is |= Text(2) == "is";
    for (unsigned I = 3; I < Node->getNumOperands(); ++I)
      W.IfAre.insert(Text(I).str());
  }
  return Out;
}

WrapperCalls::WrapperCalls(Module &M) {
  Shown All;
  if (const NamedMDNode *N = M.getNamedMetadata(Notes))
    All = readNotes(*N);
  else
    Look(M, All).run();
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &Entry : All.Functions) {
      Wrapper &W = Entry.second;
      const bool Is = W.Is || any_of(W.IfAre, [&](const std::string &Other) {
                        auto It = All.Functions.find(Other);
                        return It != All.Functions.end() && It->second.Is;
                      });
      Changed |= Is != W.Is;
      W.Is = Is;
    }
  }
  for (const Call &X : All.Calls)
    if (auto It = All.Functions.find(X.Of);
        It != All.Functions.end() && It->second.Is)
      Ids.insert(X.Id);
}

uint64_t WrapperCalls::at(const SourceMap &Source, const DILocation *L) const {
  if (Ids.empty() || !L)
    return 0;
  Place P = Source.locate(L);
  if (!P.known() || P.System)
    return 0;
  const uint64_t Id = idAt("wrapper-call", P);
  return Ids.contains(Id) ? Id : 0;
}

ContextFinder::ContextFinder(Module &M, const SourceMap &Source) : Calls(M) {
  if (!Calls.empty())
    Within = CallChains(M, Source).within();
}

void ContextFinder::find(const SourceMap &Source, const CallBase &CB,
                         SiteInfo &S) const {
  S.Context = 0;
  S.Calls.clear();
  if (Calls.empty() || Within.contains(CB.getFunction()))
    return;
  OpenChain Chain(Source, S.Id);
  Chain.addInlined(Calls, CB);
  S.Context = Chain.id();
  S.Calls = Chain.calls();
}

} // namespace evenkeel
