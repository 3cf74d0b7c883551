//===- Taskloops.cpp - loops that are dealt out as tasks ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: that the OpenMP runtime makes tasks of a taskloop, and puts into each
// of them the bounds of its part. How many tasks, `grainsize` and `num_tasks`
// tell it; the parts differ by one iteration at most, the longer ones first, as
// libomp deals them out.
// Makes: the rounds of the whole loop, seen from a task.
// Leaves out: loops whose bounds differ from one execution to the next, and
// those that a phase may deal out more than once, so that their tasks are some
// of those of the phase; tasks know their own part of those only.
//===----------------------------------------------------------------------===//
#include "access/formulas/FunctionTable.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace evenkeel {

/// Where \p Pointer is a fixed number of bytes into \p Task: that number.
static std::optional<int64_t> offsetIn(const Value *Task, const Value *Pointer,
                                       const DataLayout &DL) {
  APInt Offset(64, 0);
  if (Pointer->stripAndAccumulateConstantOffsets(DL, Offset, true) != Task)
    return std::nullopt;
  return Offset.getSExtValue();
}

/// Whether one thread of a team at most comes to \p Call.
static bool isBehindElection(const CallBase &Call, const DominatorTree &DT) {
  for (const Instruction &I : instructions(*Call.getFunction())) {
    auto *CB = dyn_cast<CallBase>(&I);
    const Function *F = CB ? calleeOf(*CB) : nullptr;
    if (!F || !is_contained({"__kmpc_single", "__kmpc_master", "__kmpc_masked"},
                            F->getName()))
      continue;
    for (const User *U : CB->users())
      for (const User *B : U->users())
        if (auto *Br = dyn_cast<BranchInst>(B);
            Br && isa<ICmpInst>(U) && Br->isConditional())
          for (const BasicBlock *To : Br->successors())
            if (DT.dominates(BasicBlockEdge(Br->getParent(), To),
                             Call.getParent()))
              return true;
  }
  return false;
}

/// The function that a phase runs in which \p Call deals its loop out once, if
/// at all; null: a phase may do so several times, or it is not known.
const Function *FunctionTable::dealtOutOnceBy(const CallBase &Call) {
  bool Elected = false;
  SmallPtrSet<const Function *, 8> Seen;
  for (const CallBase *CB = &Call;;) {
    Function *F = const_cast<Function *>(CB->getFunction());
    FunctionInfo &FI = info(*F);
    if (FI.LI->getLoopFor(CB->getParent()) || !Seen.insert(F).second)
      return nullptr;
    Elected |= isBehindElection(*CB, *FI.DT);
    if (auto Region = Inv.Regions.find(F); Region != Inv.Regions.end()) {
      const std::string &Kind = Region->second.Kind;
      bool Alone = Kind == "serial" || (Kind == "parallel" && Elected);
      return Alone && !Graph.Nested.count(F) ? F : nullptr;
    }
    auto Calls = Graph.CallSites.find(F);
    if (Calls == Graph.CallSites.end() || Calls->second.size() != 1)
      return nullptr;
    CB = Calls->second.front();
  }
}

/// The rounds that \p Call has dealt out, counted from 0; null: none that are
/// the same for the whole program.
CountRef FunctionTable::taskloopRounds(CallBase &Call) {
  const DataLayout &DL = M.getDataLayout();
  FunctionInfo &FI = info(*Call.getFunction());
  const Value *Task = Call.getArgOperand(2)->stripPointerCasts();
  const Value *Bounds[2] = {nullptr, nullptr};
  for (unsigned K : {0u, 1u}) {
    std::optional<int64_t> At = offsetIn(Task, Call.getArgOperand(4 + K), DL);
    const StoreInst *Last = nullptr;
    for (Instruction &I : instructions(*FI.F))
      if (auto *S = dyn_cast<StoreInst>(&I);
          S && At && offsetIn(Task, S->getPointerOperand(), DL) == At &&
          FI.DT->dominates(S, &Call) && (!Last || FI.DT->dominates(Last, S)))
        Last = S;
    if (!Last)
      return nullptr;
    Bounds[K] = Last->getValueOperand();
  }
  auto *From = dyn_cast<ConstantInt>(Bounds[0]);
  if (!From || !From->isZero())
    return nullptr;
  std::string Why;
  CountRef To = Forms.toCount(FI.SE->getSCEV(const_cast<Value *>(Bounds[1])),
                              FI.LI->getLoopFor(Call.getParent()), FI, Why);
  return To && Symbols.isProgramWide(To) ? countAdd(To, countConst(1))
                                         : nullptr;
}

std::optional<FunctionTable::Taskloop>
FunctionTable::taskloopOf(Function &Body) {
  auto It = Taskloops.find(&Body);
  if (It == Taskloops.end() || Body.arg_size() < 2)
    return std::nullopt;
  const DataLayout &DL = M.getDataLayout();
  Taskloop Out;
  std::optional<int64_t> Lower, Upper;
  SmallPtrSet<const Function *, 2> By;
  for (CallBase *CB : It->second) {
    const Function *Phase = dealtOutOnceBy(*CB);
    if (!Phase || !By.insert(Phase).second)
      return std::nullopt;
    const Value *Task = CB->getArgOperand(2)->stripPointerCasts();
    auto L = offsetIn(Task, CB->getArgOperand(4), DL);
    auto U = offsetIn(Task, CB->getArgOperand(5), DL);
    CountRef N =
        L && U && CB->getFunction() != &Body ? taskloopRounds(*CB) : nullptr;
    if (!N || (Out.N && (!sameCount(Out.N, N) || L != Lower || U != Upper)))
      return std::nullopt;
    Out.N = N;
    Lower = L, Upper = U;
  }
  for (Instruction &I : instructions(Body))
    if (auto *L = dyn_cast<LoadInst>(&I)) {
      auto At = offsetIn(Body.getArg(1), L->getPointerOperand(), DL);
      if (At && (At == Lower || At == Upper))
        Out.Slots.insert(L->getPointerOperand());
      if (At && At == Lower)
        Out.First.push_back(L);
    }
  return Out;
}

} // namespace evenkeel
