//===- Calls.cpp - who calls whom, how often -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the call graph on one thread, recursion, teams within teams.
// Makes: how often a task of a region calls each function.
//===----------------------------------------------------------------------===//
#include "unit/Calls.h"
#include "access/Analyzer.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <functional>

using namespace llvm;

namespace evenkeel {

/// A team of one (an `if` clause that does not hold) is called: its tasks are
/// such of its region, not of the code around it.
bool Analyzer::isTeamOfOne(const CallBase &CB) const {
  auto It = Inv.Regions.find(calleeOf(CB));
  return It != Inv.Regions.end() && It->second.Kind == "parallel";
}

void Analyzer::noteCalls() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I);
          CB && !isForkCall(*CB) && !isTeamOfOne(*CB))
        for (Function *Callee : Obj.callees(*CB)) {
          Callees[&F].insert(Callee);
          CallsOf[Callee].push_back(CB);
        }
}

/// A team within a team is one thread, OpenMP's default of one active level:
/// its body is called.
void Analyzer::noteNestedTeams() {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *CB = dyn_cast<CallBase>(&I);
          CB && OnTeam.count(&F) && (isForkCall(*CB) || isTeamOfOne(*CB)))
        if (Function *Body =
                isForkCall(*CB) ? outlinedCallee(*CB) : calleeOf(*CB)) {
          Callees[&F].insert(Body);
          CallsOf[Body].push_back(CB);
          Nested.insert(Body);
        }
}

void Analyzer::reachFrom(Function &F, SetVector<Function *> &Out) {
  SmallVector<Function *, 8> Work{&F};
  while (!Work.empty()) {
    Function *G = Work.pop_back_val();
    if (G->isDeclaration() || !Out.insert(G))
      continue;
    if (auto It = Callees.find(G); It != Callees.end())
      Work.append(It->second.begin(), It->second.end());
  }
}

/// Functions that may call themselves, directly or not.
void Analyzer::findRecursion() {
  for (Function &F : M)
    if (!M.getFunction("main") || F.getName() == "main" ||
        any_of(F.users(), [](User *U) { return !isa<Instruction>(U); }))
      Live.insert(&F);
  for (size_t K = 0; K < Live.size(); ++K)
    for (const Instruction &I : instructions(*Live[K]))
      for (const Value *Op : I.operands())
        if (auto *F = dyn_cast<Function>(Op->stripPointerCastsAndAliases()))
          Live.insert(F);
  for (const Function *F : Live)
    for (const Instruction &I : instructions(*F))
      if (auto *CB = dyn_cast<CallBase>(&I)) {
        if (isForkCall(*CB)) {
          if (Function *Body = outlinedCallee(*CB))
            CallSites[Body].push_back(CB);
        } else {
          for (Function *Callee : Obj.callees(*CB))
            CallSites[Callee].push_back(CB);
        }
      }
  // Tarjan (1972) on the call graph, with a stack of its own.
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
}

/// How often a task calls \p F, by what the functions around the calls are
/// given, where all of them run in one region; else 1.
CountRef Analyzer::callsOfTask(const Function &F) {
  constexpr unsigned MostCalls = 8, Deepest = 4;
  const Function *Root = nullptr;
  std::function<CountRef(const Function &, unsigned)> Of =
      [&](const Function &F, unsigned Depth) -> CountRef {
    if (Inv.Regions.count(const_cast<Function *>(&F))) {
      bool Other = Root && Root != &F;
      Root = &F;
      return Other ? nullptr : countConst(1);
    }
    auto It = CallSites.find(&F);
    if (Recursive.count(&F) || Depth > Deepest || It == CallSites.end() ||
        It->second.size() > MostCalls)
      return nullptr;
    std::vector<CountRef> Sum;
    for (const CallBase *CB : It->second) {
      Function &Caller = *const_cast<Function *>(CB->getFunction());
      CountRef Outer = Of(Caller, Depth + 1);
      if (!Outer)
        return nullptr;
      Times Here = timesOf(*CB, info(Caller));
      Sum.push_back(Here.Absolute ? closed(Here)
                                  : countMul(closed(Here), Outer));
    }
    return countOp("+", std::move(Sum));
  };
  CountRef C = Of(F, 0);
  return C ? C : countConst(1);
}

/// Whether \p CB hands a function to the C library, which calls it on this
/// thread before it returns.
static bool callsBack(const CallBase &CB) {
  Function *F = calleeOf(CB);
  return F && F->isDeclaration() &&
         StringSwitch<bool>(F->getName())
             .Cases("qsort", "qsort_r", "bsearch", "lfind", "lsearch", true)
             .Default(false);
}

/// How often one task of the region calls \p F. Where calls are recursive, or
/// choose between functions when they run, that is measured.
Times Analyzer::callsOf(Function &F, Function &Root,
                        const SetVector<Function *> &Reached,
                        DenseMap<Function *, Times> &Memo) {
  bool Counted = Recursive.count(&F);
  if (&F == &Root && !Counted)
    return Times();
  if (auto It = Memo.find(&F); It != Memo.end())
    return It->second;
  SmallVector<CallBase *, 8> Calls;
  if (auto It = CallsOf.find(&F); !Counted && It != CallsOf.end())
    for (CallBase *CB : It->second)
      if (Reached.contains(CB->getFunction())) {
        Calls.push_back(CB);
        Counted |= callsBack(*CB) || (calleeOf(*CB) != &F && !isForkCall(*CB) &&
                                      Obj.callees(*CB).size() > 1);
        // A team's part, as a part of another task (Nested.cpp).
        Function *G = CB->getFunction();
        Counted |= Nested.count(G) && G != &Root && !Nested.count(&F) &&
                   !isProgramWide(closed(timesOf(*CB, info(*G))));
      }
  Times Total;
  if (Counted) {
    Total.C =
        countSymbol(blockSymbol(&F.getEntryBlock(), "calls", info(F), nullptr));
    return Memo[&F] = Total;
  }
  std::vector<CountRef> Sum;
  Total.Conditional = !Calls.empty();
  for (CallBase *CB : Calls) {
    Function *G = CB->getFunction();
    Times Here = timesOf(*CB, info(*G));
    Here.C = closed(Here);
    if (Nested.count(G) && G != &Root)
      Here.C = aloneInTeam(Here.C);
    Here.Levels.clear();
    Times Outer = callsOf(*G, Root, Reached, Memo);
    Sum.push_back(Here.Absolute ? Here.C : countMul(Here.C, Outer.C));
    Total.Conditional &= Here.Conditional || Outer.Conditional;
    for (const Times *T : {&Here, &Outer})
      if (!T->Exact)
        Total.doubt(T->Why);
    // External code calls back as often as it likes.
    if (Function *Callee = calleeOf(*CB);
        Callee && Callee != &F && !isForkCall(*CB))
      Total.doubt("callback");
  }
  Total.C = countOp("+", std::move(Sum));
  return Memo[&F] = Total;
}

} // namespace evenkeel
