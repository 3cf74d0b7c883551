//===- CallChains.cpp - chains of wrapper calls above allocations ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CallChains.h.
//===----------------------------------------------------------------------===//
#include "objects/CallChains.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace evenkeel {

void OpenChain::add(const WrapperCalls &Calls, const DILocation *L) {
  if (uint64_t Id = Calls.at(Source, L)) {
    Places[Id] = Source.locate(L).at();
    ek_chain_add(&Chain, Id);
  }
}

void OpenChain::addInlined(const WrapperCalls &Calls, const CallBase &CB) {
  const DILocation *L = CB.getDebugLoc();
  if (L && !allocationOf(CB))
    add(Calls, L);
  for (; L && L->getInlinedAt(); L = L->getInlinedAt())
    add(Calls, L->getInlinedAt());
}

std::vector<std::string> OpenChain::calls() const {
  std::vector<std::string> Out;
  for (unsigned I = 0; I < Chain.count && I < EK_CONTEXT_CALLS; ++I)
    Out.push_back(Places.at(Chain.calls[I]));
  return Out;
}

CallChains::CallChains(Module &M, const SourceMap &Source)
    : Source(Source), Calls(M) {
  if (Calls.empty())
    return;
  DenseMap<const Function *, SmallVector<const Function *, 4>> Callees;
  SetVector<const Function *> Entered;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      const Function *Callee = CB ? calleeOf(*CB) : nullptr;
      if (!Callee || Callee->isDeclaration())
        continue;
      Callees[&F].push_back(Callee);
      CallsOf[Callee].push_back(CB);
      for (const DILocation *L = CB->getDebugLoc(); L; L = L->getInlinedAt())
        if (Calls.at(Source, L))
          Entered.insert(Callee);
    }
  for (size_t K = 0; K < Entered.size(); ++K) {
    const SmallVector<const Function *, 4> Next = Callees.lookup(Entered[K]);
    Entered.insert(Next.begin(), Next.end());
  }
  Within.insert(Entered.begin(), Entered.end());
}

struct CallChains::Walk {
  static constexpr size_t MostContexts = 64, MostSteps = 4096;

  size_t Steps = 0;
  SmallPtrSet<const Function *, 8> Open = {};
  std::map<uint64_t, std::vector<std::string>> Found = {};

  bool isOver() const {
    return Steps > MostSteps || Found.size() > MostContexts;
  }
};

void CallChains::outwards(Walk &W, const OpenChain &Inner,
                          const CallBase &CB) const {
  OpenChain Here = Inner;
  Here.addInlined(Calls, CB);
  const Function *F = CB.getFunction();
  auto Callers = CallsOf.find(F);
  if (!Within.contains(F) || Callers == CallsOf.end()) {
    if (uint64_t Id = Here.id())
      W.Found[Id] = Here.calls();
    return;
  }
  ++W.Steps;
  if (!W.Open.insert(F).second)
    return; // chains do not contain recursive calls
  for (const CallBase *Caller : Callers->second)
    if (!W.isOver())
      outwards(W, Here, *Caller);
  W.Open.erase(F);
}

std::map<uint64_t, std::vector<std::string>>
CallChains::contextsOf(const CallBase &CB, uint64_t Site) const {
  Walk W;
  if (!Within.contains(CB.getFunction()))
    return {};
  outwards(W, OpenChain(Source, Site), CB);
  return W.isOver() ? std::map<uint64_t, std::vector<std::string>>() : W.Found;
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
