//===- Taskloops.cpp - loops distributed as tasks -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the OpenMP runtime creates the tasks of a taskloop and writes the
// bounds of each task's share. `grainsize` and `num_tasks` determine the number
// of tasks; the shares differ by one iteration at most, the longer ones first,
// as in libomp.
// Makes: the iterations of the whole loop, as seen by a task.
// Not here: loops whose bounds differ between executions, and loops that a
// phase may distribute more than once, so that their tasks are only some of the
// phase's; for these, tasks only know their own share.
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

/// If \p Pointer is a fixed number of bytes into \p Task: that number.
static std::optional<int64_t> offsetIn(const Value *Task, const Value *Pointer,
                                       const DataLayout &DL) {
  APInt Offset(64, 0);
  if (Pointer->stripAndAccumulateConstantOffsets(DL, Offset, true) != Task)
    return std::nullopt;
  return Offset.getSExtValue();
}

/// Whether at most one thread of a team reaches \p Call.
static bool isElected(const CallBase &Call, const DominatorTree &DT) {
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

/// The function, run once per phase, in which \p Call distributes its loop at
/// most once; null: a phase may do so several times, or it is not known.
const Function *FunctionTable::sharedOnceBy(const CallBase &Call) {
  bool Elected = false;
  SmallPtrSet<const Function *, 8> Seen;
  for (const CallBase *CB = &Call;;) {
    Function *F = const_cast<Function *>(CB->getFunction());
    FunctionInfo &FI = info(*F);
    if (FI.LI->getLoopFor(CB->getParent()) || !Seen.insert(F).second)
      return nullptr;
    Elected |= isElected(*CB, *FI.DT);
    if (auto Region = Inv.Regions.find(F); Region != Inv.Regions.end()) {
      const RegionKind Kind = Region->second.Kind;
      bool Alone = Kind == RegionKind::Serial ||
                   (Kind == RegionKind::Parallel && Elected);
      return Alone && !Graph.Nested.count(F) ? F : nullptr;
    }
    auto Calls = Graph.CallSites.find(F);
    if (Calls == Graph.CallSites.end() || Calls->second.size() != 1)
      return nullptr;
    CB = Calls->second.front();
  }
}

/// The iterations that \p Call distributes, numbered from 0; null: they are not
/// the same for the whole program.
CountRef FunctionTable::taskloopIterations(CallBase &Call) {
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
    const Function *Phase = sharedOnceBy(*CB);
    if (!Phase || !By.insert(Phase).second)
      return std::nullopt;
    const Value *Task = CB->getArgOperand(2)->stripPointerCasts();
    auto L = offsetIn(Task, CB->getArgOperand(4), DL);
    auto U = offsetIn(Task, CB->getArgOperand(5), DL);
    CountRef N = L && U && CB->getFunction() != &Body ? taskloopIterations(*CB)
                                                      : nullptr;
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
