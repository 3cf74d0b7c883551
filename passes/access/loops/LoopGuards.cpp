//===- LoopGuards.cpp - conditions that guard loops ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: conditions that only skip a loop without iterations, that end the
// program, or that leave a loop with a known trip count.
// Not here: how often blocks run under other conditions
// (formulas/Executions.cpp).
//===----------------------------------------------------------------------===//
#include "access/loops/LoopGuards.h"
#include "access/loops/EntryTests.h"
#include "access/loops/Samples.h"
#include "access/loops/Words.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace evenkeel {

/// Whether the trip count \p Trips equals \p After if \p L compares with \p R
/// as \p Cmp says (or does not, if \p Sense is false), and is 0 otherwise.
static bool areGuarded(const ICmpInst &Cmp, bool Sense, const SCEV *L,
                       const SCEV *R, const SCEV *Trips, const SCEV *After) {
  bool Seen = false;
  const bool Narrow =
      hasNarrow(L) || hasNarrow(R) || hasNarrow(Trips) || hasNarrow(After);
  const SmallVector<int64_t, 8> Near = constantsOf({L, R, Trips, After});
  for (uint64_t Seed = 1; Seed <= 256; ++Seed) {
    Sample S(Seed);
    S.Near = Near;
    S.Wraps = Narrow;
    auto Sides = S.sidesOf(Cmp, L, R);
    auto T = S.of(Trips), U = S.of(After);
    if (!Sides || !T || !U)
      return false;
    const auto [X, Y] = *Sides;
    if (S.Undefined || (Cmp.isUnsigned() && (X < 0 || Y < 0)))
      continue;
    bool Holds = ICmpInst::compare(APInt(64, X, true), APInt(64, Y, true),
                                   Cmp.getPredicate()) == Sense;
    Seen |= !Holds;
    if (Holds ? *T != *U : !S.isNone(Trips))
      return false;
  }
  return Seen;
}

/// Whether nothing runs (the product of the trip counts of \p Loops is 0, or
/// \p Length is 0 bytes) whenever \p Cond is not \p Sense. Tested on random
/// values, not proved. While trip counts are settled, removes those that a loop
/// would have without the guard.
bool LoopGuards::guards(const Value *Cond, bool Sense, const SCEV *Length,
                        ArrayRef<const Loop *> Loops, FunctionInfo &FI,
                        unsigned Depth) {
  using namespace PatternMatch;
  const Value *A, *B;
  if (Depth > 4)
    return false;
  if (match(Cond, m_Not(m_Value(A))))
    return guards(A, !Sense, Length, Loops, FI, Depth + 1);
  bool And = match(Cond, m_LogicalAnd(m_Value(A), m_Value(B)));
  // For a conjunction, test each operand: a combination may be too rare to
  // occur.
  if (!(Sense ? And : match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))))
    for (const Loop *Below : Loops) {
      if (!countsOf(*Below, FI).empty())
        continue;
      auto [It, IsNew] = EntryTests.try_emplace({Cond, Sense, Below});
      if (IsNew)
        It->second = isEntryTest(Cond, Sense, *Below, aliveExits(*Below));
      if (It->second)
        return true;
    }
  if (And || match(Cond, m_LogicalOr(m_Value(A), m_Value(B)))) {
    bool First = guards(A, Sense, Length, Loops, FI, Depth + 1);
    bool Second = guards(B, Sense, Length, Loops, FI, Depth + 1);
    return And == Sense ? First && Second : First || Second;
  }
  auto *Cmp = dyn_cast<ICmpInst>(Cond);
  if (!Cmp || !FI.SE->isSCEVable(Cmp->getOperand(0)->getType()))
    return false;
  const SCEV *L = FI.SE->getSCEV(Cmp->getOperand(0));
  const SCEV *R = FI.SE->getSCEV(Cmp->getOperand(1));
  // For example i < n where i counts down from n - 1: always true.
  if (auto *D = dyn_cast<SCEVAddRecExpr>(FI.SE->getMinusSCEV(L, R));
      D && D->isAffine() && Cmp->isRelational() && Cmp->isSigned()) {
    auto *From = dyn_cast<SCEVConstant>(D->getStart());
    auto *By = dyn_cast<SCEVConstant>(D->getStepRecurrence(*FI.SE));
    if (From && By && From->getAPInt().getSignificantBits() < 32 &&
        By->getAPInt().getSignificantBits() < 32) {
      auto HoldsIn = [&](int64_t Iteration) {
        int64_t V = From->getAPInt().getSExtValue() +
                    By->getAPInt().getSExtValue() * Iteration;
        return ICmpInst::compare(APInt(64, V, true), APInt(64, 0),
                                 Cmp->getPredicate()) == Sense;
      };
      if (HoldsIn(0) && HoldsIn(int64_t(1) << 31)) {
        for (const Loop *Below : Loops) {
          SmallVector<const SCEV *, 2> Fitting;
          auto &Options = countsOf(*Below, FI);
          for (const SCEV *T : Options)
            if (agree(T, Options.front(), L, R, *Cmp, Sense))
              Fitting.push_back(T);
          // Prefer the shortest: a maximum adds nothing.
          if (Settling && Fitting.size() > 1)
            Options = {Fitting.back()};
        }
        return true;
      }
    }
  }
  auto Fits = [&](const SCEV *Trips, const SCEV *After) {
    auto [It, IsNew] = Fittings.try_emplace({Cmp, Sense, Trips, After});
    if (IsNew)
      It->second = areGuarded(*Cmp, Sense, L, R, Trips, After);
    return It->second;
  };
  if (Length && Fits(Length, Length))
    return true;
  auto Narrow = [&](SmallVectorImpl<const SCEV *> &Trips) {
    SmallVector<const SCEV *, 2> Fitting;
    for (const SCEV *T : Trips)
      if (Fits(T, Trips.front()))
        Fitting.push_back(T);
    if (Settling && !Fitting.empty())
      Trips = Fitting;
    return !Fitting.empty();
  };
  for (const Loop *Below : Loops) {
    auto &Counts = countsOf(*Below, FI);
    if (Counts.empty()) { // several exits: each has a trip count
      if (any_of(aliveExits(*Below), [&](BasicBlock *E) {
            return Narrow(exitCountsOf(*Below, *E, FI));
          }))
        return true;
    } else if (Narrow(Counts)) {
      // The code after one of several exits depends on each exit's trip count.
      if (auto Exits = aliveExits(*Below); Settling && Exits.size() > 1)
        for (BasicBlock *E : Exits)
          Narrow(exitCountsOf(*Below, *E, FI));
      return true;
    }
  }
  return false;
}

/// Lets all guards above each loop of the function narrow the trip counts,
/// once: outer loops first, and for each loop the guards from it upwards, those
/// above other conditions, too.
void LoopGuards::settle(FunctionInfo &FI) {
  if (!Settled.insert(FI.F).second)
    return;
  Settling = true;
  const BasicBlock *Entry = &FI.F->getEntryBlock();
  for (const Loop *L : FI.LI->getLoopsInPreorder()) {
    const BasicBlock *B = L->getHeader();
    while (!controlled(B, Entry, {L, nullptr}, FI).empty())
      B = FI.DT->getNode(B)->getIDom()->getBlock();
  }
  Settling = false;
}

/// Whether the branch at the end of \p D that leads to \p B only skips a loop
/// of \p Under without iterations, or a block operation of no bytes.
bool LoopGuards::isGuard(const BasicBlock *D, const BasicBlock *B, Below Under,
                         FunctionInfo &FI) {
  settle(FI);
  auto *Br = dyn_cast<BranchInst>(D->getTerminator());
  if (!Br || !Br->isConditional())
    return false;
  const Value *Cond = Br->getCondition();
  if (auto *Cmp = dyn_cast<ICmpInst>(Cond))
    if (auto *CB = dyn_cast<CallBase>(Cmp->getOperand(0)))
      if (Function *F = calleeOf(*CB);
          F && F->getName().starts_with("__kmpc_dispatch_next"))
        return true;
  auto Leads = [&](unsigned K) {
    const BasicBlock *S = Br->getSuccessor(K);
    return S == B || FI.DT->dominates(BasicBlockEdge(D, S), B);
  };
  bool Sense = Leads(0) || !Leads(1);
  SmallVector<const Loop *, 4> Loops; // outermost first
  const SharedLoop *Shared = nullptr;
  for (const Loop *L = Under.Bottom; L && !L->contains(D);
       L = L->getParentLoop())
    if (auto It = FI.Shared.find(L); It != FI.Shared.end())
      Shared = &It->second;
    else
      Loops.insert(Loops.begin(), L);
  // Outside a taskloop's share, its task contains no code of the program.
  if (Shared && Taskloops.count(FI.F))
    return true;
  if (Shared) {
    SmallPtrSet<const Value *, 16> Leaves;
    SmallVector<const Value *, 8> Work{Cond};
    for (unsigned Step = 0; !Work.empty() && Step < 16; ++Step) {
      const Value *V = Work.pop_back_val();
      Leaves.insert(V);
      if (FI.SE->isSCEVable(V->getType()))
        leavesOf(FI.SE->getSCEV(const_cast<Value *>(V)), Leaves);
      if (auto *I = dyn_cast<Instruction>(V);
          I && isa<CmpInst, CastInst, BinaryOperator, SelectInst>(I))
        Work.append(I->op_begin(), I->op_end());
    }
    if (any_of(Leaves, [&](const Value *V) {
          return !isa<Constant>(V) && Shared->Bounds.count(V);
        }))
      return true;
    if (Shared->Iterations &&
        guards(Cond, Sense, Shared->Iterations, Loops, FI))
      return true;
  }
  if (Under.Length) { // of a task's share: like code around a work-shared loop
    SmallPtrSet<const Value *, 8> Leaves;
    leavesOf(Under.Length, Leaves);
    for (const Value *V : Leaves)
      if (auto It = FI.ShareBounds.find(V);
          It != FI.ShareBounds.end() &&
          guards(Cond, Sense, It->second.Iterations, Loops, FI))
        return true;
  }
  return guards(Cond, Sense, Under.Length, Loops, FI);
}

/// Whether control at \p D always reaches \p B next, in the same iteration of
/// the loops around both, unless the program ends. Post-dominators do not show
/// this, because each call that may throw is an exit of the function.
bool LoopGuards::comesTo(const BasicBlock *D, const BasicBlock *B,
                         const FunctionInfo &FI) const {
  auto [It, IsNew] = Coming.try_emplace({D, B});
  if (IsNew)
    It->second = findWayTo(D, B, FI);
  return It->second;
}

bool LoopGuards::findWayTo(const BasicBlock *D, const BasicBlock *B,
                           const FunctionInfo &FI) const {
  constexpr size_t Most = 256;
  const Loop *Both = FI.LI->getLoopFor(B);
  while (Both && !Both->contains(D))
    Both = Both->getParentLoop();
  SmallVector<const BasicBlock *, 16> Work{D};
  SmallPtrSet<const BasicBlock *, 32> Seen;
  while (!Work.empty()) {
    const BasicBlock *At = Work.pop_back_val();
    if (!Seen.insert(At).second)
      continue;
    if (succ_empty(At) || Seen.size() > Most)
      return false;
    for (const BasicBlock *S : successors(At)) {
      if (S == B || Ways.fails(At, S))
        continue;
      if (Both && (S == Both->getHeader() || !Both->contains(S)))
        return false;
      Work.push_back(S);
    }
  }
  return true;
}

/// Returns an empty string if \p B runs each time \p Top does, except for
/// guards of the code \p Under it and exits that end the program. Otherwise
/// returns the reason, and sets \p B to the block above it, run as often, to
/// which the condition leads.
std::string LoopGuards::controlled(const BasicBlock *&B, const BasicBlock *Top,
                                   Below Under, FunctionInfo &FI) {
  const BasicBlock *Origin = B, *AfterExit = nullptr, *Outside = B;
  while (B != Top) {
    // Inside a loop that precedes it, code runs more often anyway.
    if (const Loop *In = FI.LI->getLoopFor(B); !In || In->contains(Origin))
      Outside = B;
    auto *Node = FI.DT->getNode(B);
    if (!Node || !Node->getIDom())
      return "";
    const BasicBlock *D = Node->getIDom()->getBlock();
    const Instruction *Term = D->getTerminator();
    const Loop *Around = FI.LI->getLoopFor(D);
    if (!AfterExit && Around && Around->contains(Origin) &&
        Around->isLoopExiting(D))
      AfterExit = B; // code above it runs more often
    if (Term->getNumSuccessors() > 1 && !FI.PDT->dominates(B, D) &&
        !comesTo(D, B, FI)) {
      unsigned Alive = 0;
      for (const BasicBlock *S : successors(D))
        Alive += !Ways.fails(D, S);
      const Loop *DL = FI.LI->getLoopFor(D);
      bool Leaves = false;
      if (DL && DL->contains(B)) {
        Leaves = DL->isLoopExiting(D); // accounted for in the trip count
      } else if (DL) {
        // After a loop: all exits that do not fail lead here.
        while (DL->getParentLoop() && !DL->getParentLoop()->contains(B))
          DL = DL->getParentLoop();
        SmallVector<Loop::Edge, 4> Exits;
        DL->getExitEdges(Exits);
        Leaves = all_of(Exits, [&](const Loop::Edge &E) {
          return FI.PDT->dominates(B, E.second) ||
                 Ways.fails(E.first, E.second);
        });
      }
      // Code that runs only when the program fails is conditional, too.
      bool Fails =
          Alive == 1 && is_contained(successors(D), B) && Ways.fails(D, B);
      if (Fails || (Alive > 1 && !Leaves && !isGuard(D, B, Under, FI))) {
        B = AfterExit ? AfterExit : Outside;
        return "conditional";
      }
    }
    B = D;
  }
  return "";
}

/// Whether the branch that leads to \p B tests if a loop or block operation,
/// which runs whenever \p B does, has anything to do. Code that the compiler
/// moved to the beginning or end of that loop is no more conditional than the
/// loop's own code.
bool LoopGuards::belongsToCondition(const BasicBlock *B, FunctionInfo &FI) {
  if (auto It = Belongs.find(B); It != Belongs.end())
    return It->second;
  const bool Asks = asksForWork(B, FI);
  Belongs[B] = Asks;
  return Asks;
}

bool LoopGuards::asksForWork(const BasicBlock *B, FunctionInfo &FI) {
  auto *Node = FI.DT->getNode(B);
  const BasicBlock *D =
      Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  auto *Br = D ? dyn_cast<BranchInst>(D->getTerminator()) : nullptr;
  Loop *L = FI.LI->getLoopFor(B);
  if (!Br || !Br->isConditional() || FI.LI->getLoopFor(D) != L)
    return false;
  auto RunsWith = [&](const BasicBlock *At, Below Under) {
    return At && FI.DT->dominates(B, At) &&
           controlled(At, B, Under, FI).empty();
  };
  for (Loop *X : L ? L->getSubLoops() : FI.LI->getTopLevelLoops())
    if (RunsWith(X->getLoopPredecessor(), {X, nullptr}) &&
        (isGuard(D, B, {X, nullptr}, FI) ||
         isEntryTest(
             Br->getCondition(),
             FI.DT->dominates(BasicBlockEdge(D, Br->getSuccessor(0)), B), *X,
             aliveExits(*X))))
      return true;
  auto [Known, New] = Blocks.try_emplace(FI.F);
  if (New)
    for (Instruction &I : instructions(*FI.F))
      if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
        Known->second.push_back(Mem);
  const SmallVector<MemIntrinsic *, 4> Here = Known->second;
  return any_of(Here, [&](MemIntrinsic *Mem) {
    const BasicBlock *At = Mem->getParent();
    Below Under = {nullptr, FI.SE->getSCEV(Mem->getLength())};
    return FI.LI->getLoopFor(At) == L && RunsWith(At, Under) &&
           isGuard(D, B, Under, FI);
  });
}

/// Whether a condition unrelated to loops decides if \p B runs. \p B: the block
/// under a condition, as found by controlled().
bool LoopGuards::isConditional(const BasicBlock *B, const BasicBlock *Top,
                               Below Under, FunctionInfo &FI) {
  std::string Why = "conditional";
  while (!Why.empty()) {
    if (!belongsToCondition(B, FI))
      return true;
    B = FI.DT->getNode(B)->getIDom()->getBlock();
    Why = controlled(B, Top, Under, FI);
  }
  return false;
}

} // namespace evenkeel
