//===- CallGraph.cpp - calls and forks between functions ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CallGraph.h.
//===----------------------------------------------------------------------===//
#include "access/calls/CallGraph.h"
#include "unit/Calls.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

/// A team of one (an `if` clause is false) is called directly, but its task
/// belongs to its own region, not to the surrounding code.
static bool isTeamOfOne(const CallBase &CB, const Inventory &Inv) {
  auto It = Inv.Regions.find(calleeOf(CB));
  return It != Inv.Regions.end() && It->second.Kind == RegionKind::Parallel;
}

void CallGraph::reachFrom(Function &F, SetVector<Function *> &Out) const {
  SmallVector<Function *, 8> Work{&F};
  while (!Work.empty()) {
    Function *G = Work.pop_back_val();
    if (G->isDeclaration() || !Out.insert(G))
      continue;
    if (auto It = Callees.find(G); It != Callees.end())
      Work.append(It->second.begin(), It->second.end());
  }
}

/// Finds the functions that may run, and their callers and forks there.
static void findLive(CallGraph &G, Module &M, const Objects &Obj) {
  for (Function &F : M)
    if (!M.getFunction("main") || F.getName() == "main" ||
        any_of(F.users(), [](User *U) { return !isa<Instruction>(U); }))
      G.Live.insert(&F);
  for (size_t K = 0; K < G.Live.size(); ++K)
    for (const Instruction &I : instructions(*G.Live[K]))
      for (const Value *Op : I.operands())
        if (auto *F = dyn_cast<Function>(Op->stripPointerCastsAndAliases()))
          G.Live.insert(F);
  for (const Function *F : G.Live)
    for (const Instruction &I : instructions(*F))
      if (auto *CB = dyn_cast<CallBase>(&I)) {
        if (isForkCall(*CB)) {
          if (Function *Body = outlinedCallee(*CB))
            G.CallSites[Body].push_back(CB);
        } else {
          for (Function *Callee : Obj.callees(*CB))
            G.CallSites[Callee].push_back(CB);
        }
      }
}

/// Functions that call themselves, directly or through other functions: Tarjan
/// (1972) on the call graph, with an explicit stack.
static SmallPtrSet<const Function *, 16> findRecursion(Module &M,
                                                       const Objects &Obj) {
  SmallPtrSet<const Function *, 16> Recursive;
  struct State {
    unsigned Index = 0, Low = 0;
    bool Open = false;
  };
  DenseMap<Function *, State> States;
  std::vector<Function *> Stack;
  unsigned Next = 0;
  auto CalleesOf = [&](Function *F) {
    SetVector<Function *> Out;
    for (Instruction &I : instructions(*F))
      if (auto *CB = dyn_cast<CallBase>(&I); CB && !isForkCall(*CB))
        for (Function *Callee : Obj.callees(*CB))
          if (!Callee->isDeclaration())
            Out.insert(Callee);
    return Out;
  };
  struct Visit {
    Function *F;
    SetVector<Function *> Callees;
    unsigned Next = 0;
  };
  for (Function &Root : M) {
    if (Root.isDeclaration() || States.count(&Root))
      continue;
    std::vector<Visit> Work;
    auto Enter = [&](Function *F) {
      State &S = States[F];
      S.Index = S.Low = ++Next;
      S.Open = true;
      Stack.push_back(F);
      Work.push_back({F, CalleesOf(F)});
    };
    Enter(&Root);
    while (!Work.empty()) {
      Visit &V = Work.back();
      if (V.Next < V.Callees.size()) {
        Function *Callee = V.Callees[V.Next++];
        if (Callee == V.F)
          Recursive.insert(Callee);
        if (!States.count(Callee))
          Enter(Callee);
        else if (States[Callee].Open)
          States[V.F].Low = std::min(States[V.F].Low, States[Callee].Index);
        continue;
      }
      Function *F = V.F;
      Work.pop_back();
      State &S = States[F];
      if (!Work.empty()) {
        State &Above = States[Work.back().F];
        Above.Low = std::min(Above.Low, S.Low);
      }
      if (S.Low != S.Index)
        continue;
      bool Cycle = Stack.back() != F;
      for (Function *Member = nullptr; Member != F;) {
        Member = Stack.back();
        Stack.pop_back();
        States[Member].Open = false;
        if (Cycle)
          Recursive.insert(Member);
      }
    }
  }
  return Recursive;
}

CallGraph findCalls(Module &M, const Objects &Obj, const Inventory &Inv) {
  CallGraph G;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I);
          CB && !isForkCall(*CB) && !isTeamOfOne(*CB, Inv))
        for (Function *Callee : Obj.callees(*CB)) {
          G.Callees[&F].insert(Callee);
          G.CallsOf[Callee].push_back(CB);
        }
  findLive(G, M, Obj);
  G.Recursive = findRecursion(M, Obj);
  return G;
}

CallGraph withTeams(CallGraph G, Module &M, const Inventory &Inv) {
  for (auto &[F, RI] : Inv.Regions)
    if (RI.Kind != RegionKind::Serial) {
      SetVector<Function *> Reached;
      G.reachFrom(*F, Reached);
      G.OnTeam.insert(Reached.begin(), Reached.end());
    }
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I);
          CB && G.OnTeam.count(&F) &&
          (isForkCall(*CB) || isTeamOfOne(*CB, Inv)))
        if (Function *Body =
                isForkCall(*CB) ? outlinedCallee(*CB) : calleeOf(*CB)) {
          G.Callees[&F].insert(Body);
          G.CallsOf[Body].push_back(CB);
          G.Nested.insert(Body);
        }
  return G;
}

/// Finds the taskloop calls, except in functions that were inlined into all
/// callers and never run themselves.
TaskloopCalls findTaskloops(Module &M, const CallGraph &Graph) {
  TaskloopCalls Taskloops;
  for (Function &F : M)
    if (F.getName().starts_with("__kmpc_taskloop"))
      for (User *U : F.users())
        if (auto *CB = dyn_cast<CallBase>(U);
            CB && calleeOf(*CB) == &F && Graph.Live.contains(CB->getFunction()))
          if (auto *Task =
                  dyn_cast<CallBase>(CB->getArgOperand(2)->stripPointerCasts()))
            if (Function *Body = outlinedCallee(*Task))
              Taskloops[Body].push_back(CB);
  return Taskloops;
}

} // namespace evenkeel
