//===- WrapperCalls.cpp - calls of allocation wrappers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrapperCalls.h.
//===----------------------------------------------------------------------===//
#include "objects/WrapperCalls.h"
#include "objects/WrapperBodies.h"
#include "unit/Calls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <set>
#include <string>
#include <vector>

using namespace llvm;

namespace evenkeel {

static constexpr char Notes[] = "ek.wrappers";

namespace {
struct Call {
  uint64_t Id;
  std::string Of;
};
/// What functions and calls show. Functions are named by keyOf.
struct Shown {
  std::map<std::string, Wrapper> Functions;
  std::vector<Call> Calls;
};
} // namespace

/// Whether \p F has no text in the source, so that it cannot be annotated.
/// Bodies of OpenMP directives and initialisers of static storage are
/// artificial functions, but do have text.
static bool isUnwritten(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  return SP && SP->isArtificial() && !isOutlinedHelper(F) &&
         !SP->getName().starts_with("__cxx_global_var_init");
}

/// The key of the function that \p CB calls, if it may be a wrapper; else
/// empty.
static std::string wrapperOf(const CallBase &CB, const SourceMap &Source,
                             Shown &All) {
  const Function *Callee = calleeOf(CB);
  if (!Callee) {
    std::string Key =
        pointerKey(*CB.getFunctionType(), *CB.getFunction()->getParent());
    return CB.isIndirectCall() && All.Functions.count(Key) ? Key : "";
  }
  if (fillsOwnContainer(CB, *Callee)) {
    All.Functions[keyOf(*Callee)].Makes = true;
    return keyOf(*Callee);
  }
  return mayBeWrapper(*Callee, Source) && !makesSmallObject(CB, *Callee) &&
                 (Callee->isDeclaration() ||
                  All.Functions.count(keyOf(*Callee)))
             ? keyOf(*Callee)
             : "";
}

static void resolve(std::map<std::string, Wrapper> &Functions);

/// Decides about the functions in \p Keys by what their unit shows.
static void decideAlone(std::map<std::string, Wrapper> &Functions,
                        const std::set<std::string> &Keys) {
  if (Keys.empty())
    return;
  std::map<std::string, Wrapper> OfUnit = Functions;
  resolve(OfUnit);
  for (const std::string &Key : Keys) {
    Wrapper W;
    W.Returns = OfUnit[Key].Returns;
    W.Makes = OfUnit[Key].Makes;
    Functions[Key] = W;
  }
}

static void look(Module &M, Shown &Out) {
  SourceMap Source(M);
  std::set<std::string> Alone;
  for (const Function &F : M) {
    if (!mayBeWrapper(F, Source))
      continue;
    if (Wrapper W = examineBody(F, Source); W.mayBe())
      Out.Functions[keyOf(F)] = W;
    if (isOfUnitAlone(F))
      Alone.insert(keyOf(F));
    std::string Pointer = pointerKey(*F.getFunctionType(), M);
    if (F.isDeclaration() || Pointer.empty() || !F.hasAddressTaken())
      continue;
    Out.Functions[Pointer].ReturnsOf.insert(keyOf(F));
    Alone.insert(Pointer);
  }
  decideAlone(Out.Functions, Alone);
  for (Function &F : M) {
    if (isUnwritten(F))
      continue;
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      std::string Of = CB ? wrapperOf(*CB, Source, Out) : "";
      if (Of.empty())
        continue;
      Place P = Source.locate(CB->getDebugLoc());
      if (P.known() && !P.System)
        Out.Calls.push_back({idAt("wrapper-call", P), Of});
    }
  }
}

/// Decides about functions that depend on other functions.
static void resolve(std::map<std::string, Wrapper> &Functions) {
  auto Any = [&](const std::set<std::string> &Names, auto Says) {
    return any_of(Names, [&](const std::string &Other) {
      auto It = Functions.find(Other);
      return It != Functions.end() && Says(It->second);
    });
  };
  auto Is = [](const Wrapper &W) { return W.is(); };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &Entry : Functions) {
      Wrapper &W = Entry.second;
      const bool Returns = W.Returns || Any(W.ReturnsOf, Is);
      const bool Makes =
          W.Makes || Any(W.StoresOf, Is) ||
          Any(W.Calls, [](const Wrapper &Other) { return Other.Makes; });
      Changed |= Returns != W.Returns || Makes != W.Makes;
      W.Returns = Returns;
      W.Makes = Makes;
    }
  }
}

/// First letters of the other functions in a function's note: why it depends on
/// them.
static constexpr char ReturnsMark = 'r', StoresMark = 's', CallsMark = 'c';

void noteWrappers(Module &M) {
  Shown Own;
  look(M, Own);
  LLVMContext &C = M.getContext();
  auto Text = [&](const Twine &S) { return MDString::get(C, S.str()); };
  NamedMDNode *N = M.getOrInsertNamedMetadata(Notes);
  for (const auto &[Name, W] : Own.Functions) {
    SmallVector<Metadata *, 4> Parts{
        Text("function"), Text(Name),
        Text(Twine(W.Returns ? "returns" : "") + (W.Makes ? "makes" : ""))};
    for (const auto &[Mark, Names] :
         {std::pair(ReturnsMark, &W.ReturnsOf),
          std::pair(StoresMark, &W.StoresOf), std::pair(CallsMark, &W.Calls)})
      for (const std::string &Other : *Names)
        Parts.push_back(Text(Twine(Mark) + Other));
    N->addOperand(MDNode::get(C, Parts));
  }
  for (const Call &X : Own.Calls)
    N->addOperand(
        MDNode::get(C, {Text("call"), Text(X.Of), Text(Twine(X.Id))}));
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
    W.Returns |= Text(2).contains("returns");
    W.Makes |= Text(2).contains("makes");
    for (unsigned I = 3; I < Node->getNumOperands(); ++I) {
      const char Mark = Text(I).front();
      (Mark == ReturnsMark  ? W.ReturnsOf
       : Mark == StoresMark ? W.StoresOf
                            : W.Calls)
          .insert(Text(I).drop_front().str());
    }
  }
  return Out;
}

WrapperCalls::WrapperCalls(Module &M) {
  Shown All;
  if (const NamedMDNode *N = M.getNamedMetadata(Notes))
    All = readNotes(*N);
  else
    look(M, All);
  resolve(All.Functions);
  for (const Call &X : All.Calls)
    if (auto It = All.Functions.find(X.Of);
        It != All.Functions.end() && It->second.is())
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

} // namespace evenkeel
