//===- Executions.cpp - how often blocks run ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the loops, guards and other conditions between a function's entry and
// a block.
// Makes: how often a block runs; a measured symbol after a condition that is no
// guard and has no formula.
// Not here: probabilities of conditions; how often functions run
// (regions/Calls.cpp).
//===----------------------------------------------------------------------===//
#include "access/formulas/Executions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

static size_t sizeOf(const CountRef &C) {
  size_t N = 1;
  for (const CountRef &A : C->Args)
    N += sizeOf(A);
  return N;
}

static bool hasFactor(const CountRef &C, const CountRef &Factor) {
  return sameCount(C, Factor) || (C->Kind == Count::Op && C->Name == "*" &&
                                  any_of(C->Args, [&](const CountRef &A) {
                                    return sameCount(A, Factor);
                                  }));
}

/// How often \p B runs, if formulas can express the condition of the branch
/// above that decides whether it runs.
std::optional<Times> Executions::underCondition(const BasicBlock *B,
                                                Below Under, FunctionInfo &FI) {
  auto *Node = FI.DT->getNode(B);
  const BasicBlock *D =
      Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  auto *Br = D ? dyn_cast<BranchInst>(D->getTerminator()) : nullptr;
  const Loop *L = FI.LI->getLoopFor(B);
  if (!Br || !Br->isConditional() || FI.LI->getLoopFor(D) != L)
    return std::nullopt;
  for (unsigned K : {0u, 1u}) {
    const BasicBlock *S = Br->getSuccessor(K);
    if (!FI.DT->dominates(BasicBlockEdge(D, S), B) || !FI.PDT->dominates(B, S))
      continue;
    Times T = executions(D, Under, FI);
    CountRef Holds = Forms.truth(Br->getCondition(), K == 0, L, FI, T);
    bool OfIterations = Holds && hasFreeIndex(Holds);
    if (!Holds || (T.Absolute && OfIterations))
      return std::nullopt;
    if (!OfIterations) {
      T.C = hasFactor(T.C, Holds) ? T.C : countMul(T.C, Holds);
    } else {
      constexpr size_t Longest = 256;
      T.Levels.push_back({nullptr, Holds});
      if (CountRef All = Forms.closed(T);
          sizeOf(All) > Longest || !isSummedQuickly(All))
        return std::nullopt;
    }
    T.Conditional |= !Guards.belongsToCondition(B, FI);
    return T;
  }
  return std::nullopt;
}

/// If \p B follows a test, at the end of a block in \p Exiting, that may leave
/// the loop: the first block after the last such test. Else null: \p B runs as
/// often as the header.
static const BasicBlock *afterExit(const BasicBlock *B, const Loop &L,
                                   ArrayRef<BasicBlock *> Exiting,
                                   const FunctionInfo &FI) {
  while (B != L.getHeader()) {
    const BasicBlock *Above = FI.DT->getNode(B)->getIDom()->getBlock();
    if (is_contained(Exiting, Above))
      return B;
    B = Above;
  }
  return nullptr;
}

/// How often \p B runs. Guards of the loops \p Under it do not count as
/// conditions; executions after other conditions are measured.
Times Executions::executions(const BasicBlock *B, Below Under,
                             FunctionInfo &FI) {
  Loop *L = FI.LI->getLoopFor(B);
  const BasicBlock *Top = L ? L->getHeader() : &FI.F->getEntryBlock();
  const BasicBlock *At = B;
  std::string Why = Guards.controlled(At, Top, Under, FI);
  bool Conditional = !Why.empty() && Guards.isConditional(At, Top, Under, FI);
  if (!Under.Bottom)
    Under.Bottom = L;
  Times T = L ? nest(L, Under, FI) : Times();
  bool Repeats = B != Top && Ways.runsAgain(*B, L);
  if (Repeats) {
    At = B;
    Why = "jumped-to";
  }
  if (!Why.empty()) {
    if (std::optional<Times> Known =
            Repeats ? std::nullopt : underCondition(At, Under, FI))
      return *Known;
    CountRef Outer = growthInCalls(
        FI, [&] { return Forms.closed(L ? nest(L, Under, FI) : Times()); });
    if (!Outer)
      Outer = Forms.closed(T);
    Conditional |= T.Conditional;
    T = Times();
    T.C = countSymbol(Symbols.blockSymbol(const_cast<BasicBlock *>(At),
                                          BlockCount::Taken, FI, Outer));
    T.Absolute = true;
    T.Conditional = Conditional;
    return T;
  }
  if (!L || FI.Shared.count(L))
    return T;
  bool Measured = T.Levels.empty() && T.C->Kind == Count::Symbol &&
                  Symbols.idOf(L->getHeader()) == T.C->Sym;
  if (FI.Chunks.count(L) && !Measured)
    return T;
  SmallVector<BasicBlock *, 4> Exiting = Guards.aliveExits(*L);
  const BasicBlock *After = afterExit(B, *L, Exiting, FI);
  if (Measured && After) {
    T.C = countSymbol(Symbols.blockSymbol(const_cast<BasicBlock *>(After),
                                          BlockCount::Taken, FI, T.C));
  } else if (!Measured && (After || Exiting.size() != 1)) {
    Times Open = entries(*L, Under, FI);
    if (CountRef C = tripsOfBlock(B, *L, FI, Open)) {
      T = std::move(Open);
      T.Levels.push_back({L, C});
    }
  }
  return T;
}

/// \p Length: the length of a block operation.
Times Executions::timesOf(const Instruction &I, FunctionInfo &FI,
                          const SCEV *Length) {
  Times T = executions(Loads.home(I), {nullptr, Length}, FI);
  bool Own = T.Absolute && T.Levels.empty() && T.C->Kind == Count::Symbol &&
             Symbols.idOf(Loads.home(I)) == T.C->Sym;
  if (Ways.isAfterLeaving(I, /*InBlock=*/Own))
    T.doubt("may-jump-out");
  return T;
}

} // namespace evenkeel
