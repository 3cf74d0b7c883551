//===- Nests.cpp - executions of loop nests -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: trip counts, and loops that are distributed to a team or as tasks.
// Makes: the executions of each loop of a nest; a measured symbol if they are
// unknown.
//===----------------------------------------------------------------------===//
#include "access/formulas/Executions.h"
#include "access/loops/Words.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include <functional>

using namespace llvm;

namespace evenkeel {

/// What a measured number of iterations or executions grows with: \p Of one
/// call of the function, in terms of its arguments, times the calls; null if
/// this adds nothing.
CountRef Executions::growthInCalls(FunctionInfo &FI,
                                   function_ref<CountRef()> Of) {
  if (Forms.isOfOneCall() || Inv.Regions.count(FI.F))
    return nullptr;
  const Formulas::OfOneCall Scope(Forms);
  return countMul(Of(), callsOfTask(*FI.F));
}

/// Whether \p L, in \p Chunks, is part of a work-shared loop.
static bool isInSharedLoop(const Loop *L, const Loop &Chunks,
                           const FunctionInfo &FI) {
  for (; L && L != &Chunks; L = L->getParentLoop())
    if (FI.Shared.count(L))
      return true;
  return false;
}

/// The number of executions of the loop's header.
const Times &Executions::nest(Loop *L, Below Under, FunctionInfo &FI) {
  std::pair<const Loop *, const Loop *> Key(L, Under.Bottom);
  auto &Nest = Nests[Forms.isOfOneCall()];
  if (auto It = Nest.find(Key); It != Nest.end() && !Under.Length)
    return It->second;
  auto Measured = [&](Loop *Within) {
    Times T;
    CountRef Outer =
        growthInCalls(FI, [&] { return Forms.closed(nest(L, {L}, FI)); });
    if (!Outer && Within)
      Outer = Forms.closed(nest(Within, {Within}, FI));
    T.C = countSymbol(
        Symbols.blockSymbol(L->getHeader(), BlockCount::Trips, FI, Outer));
    T.Absolute = true;
    return T;
  };
  Times T = entries(*L, Under, FI);
  bool Conditional = T.Conditional;
  std::string Why, Assumes;
  if (Ways.runsAgain(*L->getHeader(), L->getParentLoop())) {
    T = Measured(L->getParentLoop());
  } else if (FI.Chunks.count(L)) {
    // The work-shared loop counts all iterations. Code that the compiler
    // hoisted out of it runs once per chunk; a team of one gets everything in
    // one chunk.
    if (!isInSharedLoop(Under.Bottom, *L, FI))
      T = Measured(L->getParentLoop());
  } else if (auto It = FI.Shared.find(L); It != FI.Shared.end()) {
    const SharedLoop &S = It->second;
    // Its bounds may depend on the iterations of enclosing loops.
    CountRef N = S.N || !S.Iterations
                     ? S.N
                     : Forms.toCount(S.Iterations, L, FI, Why, &T);
    if (!N) {
      T = Measured(L->getParentLoop());
    } else {
      T.Levels.push_back({L, N, S.Mode, S.Chunk});
      if (Guards.aliveExits(*L).size() > 1) // a cancelled loop
        T.doubt("early-exit");
      if (S.Mode == Level::Dynamic) {
        T.Levels.back().N = Forms.clamped(N, Times());
        T.doubtSchedule();
      }
    }
  } else if (CountRef C = Forms.tripCount(*L, FI, T, Why, Assumes)) {
    T.Levels.push_back({L, C});
    if (T.Why.empty())
      T.Why = Assumes;
  } else {
    Loop *By = Guards.countedBy(*L, FI);
    T = Measured(By ? By : L->getParentLoop());
  }
  T.Conditional |= Conditional;
  return Nests[Forms.isOfOneCall()][Key] = T;
}

/// The number of times that \p L is entered.
Times Executions::entries(Loop &L, Below Under, FunctionInfo &FI) {
  const BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    Before = FI.DT->getNode(L.getHeader())->getIDom()->getBlock();
  return executions(Before, Under, FI);
}

/// Executions of \p B per entry of a loop with several exits: code after an
/// exit test runs as often as the test stays in the loop.
CountRef Executions::tripsOfBlock(const BasicBlock *B, Loop &L,
                                  FunctionInfo &FI, const Times &Open) {
  std::vector<CountRef> Limits;
  for (BasicBlock *E : Guards.aliveExits(L)) {
    ArrayRef<const SCEV *> Trips = Guards.exitTripsOf(L, *E, FI);
    std::string Why;
    CountRef C = Trips.empty()
                     ? nullptr
                     : Forms.toCount(Trips.front(), &L, FI, Why, &Open);
    if (!C)
      return nullptr;
    bool After = E != B && FI.DT->dominates(E, B);
    Limits.push_back(After ? countAdd(C, countConst(-1)) : C);
  }
  return Limits.empty() ? nullptr : Forms.clamped(countOp("min", Limits), Open);
}

/// How often a task calls \p F, in terms of the arguments of the calling
/// functions, if all of them run in one region; else 1.
CountRef Executions::callsOfTask(const Function &F) {
  constexpr unsigned MostCalls = 8, Deepest = 4;
  const Function *Root = nullptr;
  std::function<CountRef(const Function &, unsigned)> Of =
      [&](const Function &F, unsigned Depth) -> CountRef {
    if (Inv.Regions.count(const_cast<Function *>(&F))) {
      bool Other = Root && Root != &F;
      Root = &F;
      return Other ? nullptr : countConst(1);
    }
    auto It = Graph.CallSites.find(&F);
    if (Graph.Recursive.count(&F) || Depth > Deepest ||
        It == Graph.CallSites.end() || It->second.size() > MostCalls)
      return nullptr;
    std::vector<CountRef> Sum;
    for (const CallBase *CB : It->second) {
      Function &Caller = *const_cast<Function *>(CB->getFunction());
      CountRef Outer = Of(Caller, Depth + 1);
      if (!Outer)
        return nullptr;
      Times Here = timesOf(*CB, Functions.info(Caller));
      Sum.push_back(Here.Absolute ? Forms.closed(Here)
                                  : countMul(Forms.closed(Here), Outer));
    }
    return countOp("+", std::move(Sum));
  };
  CountRef C = Of(F, 0);
  return C ? C : countConst(1);
}

} // namespace evenkeel
