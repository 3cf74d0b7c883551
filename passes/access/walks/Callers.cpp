//===- Callers.cpp - accesses that callers move ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses with a fixed address during a call of their function, and how
// the loops around its calls, recursion or a library's callbacks move them.
//===----------------------------------------------------------------------===//
#include "access/walks/AtCall.h"
#include "access/walks/EvenSteps.h"
#include "access/walks/Reads.h"
#include "access/walks/Walks.h"
#include "format/ek_sizes.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// How the C library moves the elements passed to a comparison function.
/// Sorting merges runs of elements in order, but moves only pointers to large
/// elements (glibc's qsort, above 32 bytes); a search jumps.
std::optional<Walk> Walks::walkOfLibrary(const SCEV *S, uint64_t Bytes,
                                         FunctionInfo &FI) {
  auto *Base = dyn_cast<SCEVUnknown>(FI.SE->getPointerBase(S));
  if (!Base || !isa<Argument>(Base->getValue()))
    return std::nullopt;
  for (const Use &U : FI.F->uses()) {
    auto *CB = dyn_cast<CallBase>(U.getUser());
    Function *Callee = CB && CB->isArgOperand(&U) ? calleeOf(*CB) : nullptr;
    if (!Callee || !Callee->isDeclaration())
      continue;
    StringRef Name = Callee->getName();
    bool Sorts = Name == "qsort" || Name == "qsort_r";
    if (!Sorts && Name != "bsearch")
      continue;
    Walk W;
    W.Class = AccessClass::Random;
    W.Why = Sorts ? "library-sort" : "library-search";
    auto *Size = dyn_cast<ConstantInt>(CB->getArgOperand(Sorts ? 2 : 3));
    if (Sorts && Size && Size->getZExtValue() <= 32) {
      W.Stride = Size->getZExtValue();
      W.Class = Size->getZExtValue() == Bytes ? AccessClass::Stream
                                              : AccessClass::Strided;
    }
    return W;
  }
  return std::nullopt;
}

/// How the loops around the calls of its function move an address that is fixed
/// at \p S there. \p Address is the part that may move; \p Depends are further
/// values on which it depends. None: it does not move.
std::optional<Walk> Walks::walkOfCallers(const SCEV *S, const SCEV *Address,
                                         ArrayRef<Value *> Depends,
                                         uint64_t Bytes, FunctionInfo &FI,
                                         unsigned Depth,
                                         std::vector<Read> &Reads) {
  auto Calls = Graph.CallSites.find(FI.F);
  if (Depth > 8 || Inv.Regions.count(FI.F))
    return std::nullopt; // each task starts anew
  std::optional<Walk> All = walkOfLibrary(S, Bytes, FI);
  if (Calls == Graph.CallSites.end())
    return All;
  for (const CallBase *CB : Calls->second) {
    if (isForkCall(*CB))
      continue;
    std::optional<Walk> One =
        walkAround(*CB, S, Address, Depends, Bytes, FI, Depth, Reads);
    if (!One)
      continue;
    if (!All) {
      All = One;
      continue;
    }
    join(*All, *One, "callers-differ");
  }
  return All;
}

std::optional<Walk> Walks::walkAround(const CallBase &CB, const SCEV *S,
                                      const SCEV *Address,
                                      ArrayRef<Value *> Depends, uint64_t Bytes,
                                      FunctionInfo &FI, unsigned Depth,
                                      std::vector<Read> &Reads) {
  FunctionInfo &Caller =
      Functions.info(*const_cast<Function *>(CB.getFunction()));
  ScalarEvolution &SE = *Caller.SE;
  AtCall At(SE, CB);
  const SCEV *Here = At.translate(S, *FI.SE);
  AtCall Whole(SE, CB);
  Whole.Keep = &Foreign;
  Address = Whole.translate(Address, *FI.SE);
  for (Value *V : Depends)
    At.addDependences(V);
  Walk W;
  W.Class = AccessClass::Random;
  if (Graph.Recursive.count(FI.F) && Graph.Recursive.count(Caller.F)) {
    // The address is passed on unchanged, loaded through itself, or computed.
    const SCEV *Same = S;
    if (auto *U = dyn_cast<SCEVUnknown>(SE.getPointerBase(Here));
        U && isa<LoadInst>(U->getValue())) {
      W.Class = AccessClass::Chase;
      W.Dependent = true;
      return W;
    }
    if (Caller.F == FI.F && At.Depends.empty()) {
      if (Here == Same)
        return std::nullopt;
      if (auto *By = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Here, Same))) {
        W.Stride = By->getAPInt().getSExtValue();
        W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                      ? AccessClass::Stream
                      : AccessClass::Strided;
        return W;
      }
    }
    W.Why = "computed-index";
    return W;
  }
  for (Loop *X = Caller.LI->getLoopFor(Loads.home(CB)); X;
       X = X->getParentLoop()) {
    if (At.dependsOn(*X)) {
      W.Why = At.ThroughLoads ? "" : "computed-index";
      W.Table = RowTable();
      W.Table->Why = "row-in-callers";
      return W;
    }
    if (SE.isLoopInvariant(Here, X))
      continue;
    auto *AR = dyn_cast<SCEVAddRecExpr>(Here);
    if (!AR || AR->getLoop() != X || !AR->isAffine())
      AR = evenSteps(Here, *X, SE);
    if (!AR) {
      irregular(W, Here, X, Bytes, Caller);
      return W;
    }
    W.Class = AccessClass::Strided;
    if (auto *C = dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE))) {
      W.Stride = C->getAPInt().getSExtValue();
      if (static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes)
        W.Class = AccessClass::Stream;
    } else {
      std::string Why;
      W.StepBy =
          Forms.toCount(AR->getStepRecurrence(SE),
                        Caller.LI->getLoopFor(Loads.home(CB)), Caller, Why);
      if (!W.StepBy)
        W.Why = "varying-step";
    }
    Reads.push_back({nullptr,
                     &Caller,
                     Loads.home(CB),
                     X,
                     AR->getStepRecurrence(SE),
                     {Address}});
    return W;
  }
  return walkOfCallers(Here, Address, At.Depends.getArrayRef(), Bytes, Caller,
                       Depth + 1, Reads);
}

/// Sets the walks of accesses whose address is fixed during a call of their
/// function but changes between calls.
void Walks::moveWithCallers(FunctionInfo &FI, std::vector<Access> &Accesses) {
  for (Access &A : Accesses) {
    Walk &Own = A.Block ? *A.Block : A.W;
    if (Own.Class != AccessClass::Invariant || Own.Moving || !Own.Pointer ||
        A.Sites.empty())
      continue;
    auto *Base = dyn_cast<SCEVUnknown>(FI.SE->getPointerBase(Own.Pointer));
    auto *Fresh = Base ? dyn_cast<CallBase>(Base->getValue()) : nullptr;
    if (Fresh && allocationOf(*Fresh)) {
      if (!Same.runsOnce(FI.F) &&
          !A.Block) { // allocators continue after the last block
        Own.Class = AccessClass::Strided;
        Own.Why = "fresh-object";
      }
      continue;
    }
    // A ring's head or a stack's top, which each call advances.
    SmallPtrSet<const Value *, 8> Leaves;
    leavesOf(Own.Pointer, Leaves);
    std::optional<int64_t> Step;
    if (!Same.runsOnce(FI.F))
      for (const Value *V : Leaves)
        if (auto *I = dyn_cast<Instruction>(V); I && !Step)
          Step = stepOfStored(Own.Pointer, *I, nullptr, *FI.SE);
    if (Step) {
      Own.Stride = *Step;
      Own.Class = uint64_t(std::abs(*Step)) == A.Bytes ? AccessClass::Stream
                                                       : AccessClass::Strided;
      Own.Why = "conditional-step";
      continue;
    }
    std::vector<Read> Reads;
    if (std::optional<Walk> W = walkOfCallers(
            Own.Pointer, Own.Address, {}, A.Bytes, FI, /*Depth=*/0, Reads)) {
      Own.Class = W->Class;
      Own.Stride = W->Stride;
      Own.StepBy = W->StepBy;
      Own.Dependent = W->Dependent;
      Own.Why = W->Why;
      Own.Table = W->Table;
      if (A.Block)
        continue;
      A.StrideBy = W->StepBy;
      stencilOfCalls(A, Reads);
    }
  }
  for (Access &A : Accesses)
    if (A.Block)
      settleBlock(A, FI);
}

/// Puts the movement of a block where it matters most: a block of at most one
/// line is one access that moves like the block; larger blocks are streams,
/// wherever they lie.
void Walks::settleBlock(Access &A, FunctionInfo &FI) {
  const Walk &B = *A.Block;
  auto &I = *cast<MemIntrinsic>(A.I);
  const Loop *Around = FI.LI->getLoopFor(Loads.home(I));
  std::string Why;
  const SCEV *Length = FI.SE->getSCEV(I.getLength());
  auto *Known = dyn_cast<SCEVConstant>(Length);
  bool Irregular =
      B.Class == AccessClass::Random || B.Class == AccessClass::Chase;
  if (!Irregular && B.Class != AccessClass::Stream &&
      B.Class != AccessClass::Strided)
    return;
  // An access in a work-shared loop lies in the task's share, except for its
  // movement between and within iterations.
  SmallPtrSet<const Value *, 8> Leaves;
  if (B.Address)
    leavesOf(B.Address, Leaves);
  bool InShare = any_of(FI.Shared, [&](const auto &S) {
    return B.Moving && S.first->contains(B.Moving);
  });
  if ((B.Moving && FI.Chunks.count(B.Moving)) ||
      (B.Class == AccessClass::Random && B.IndexSites.empty()) ||
      (!InShare &&
       any_of(Leaves, [&](const Value *V) { return FI.ShareBounds.count(V); })))
    return;
  CountRef By = B.Stride ? countConst(*B.Stride)
                : B.Step ? Forms.toCount(B.Step, Around, FI, Why)
                         : B.StepBy;
  CountRef Bytes = Forms.toCount(Length, Around, FI, Why);
  auto IsAdjacent = [&](const CountRef &Step) {
    return Step && Bytes && sameCount(Step, Bytes);
  };
  if (!Irregular &&
      (!By || IsAdjacent(By) || IsAdjacent(countMul(countConst(-1), By))))
    return;
  if (!Known || Known->getAPInt().ugt(EK_LINE)) {
    A.Blocks = Irregular ? B.Class : AccessClass::Strided;
    A.BlockBytes = Bytes;
    A.BlockStride = By;
    A.W.IndexSites = B.IndexSites;
    return;
  }
  A.W.Class = Irregular ? B.Class
              : B.Stride && std::abs(*B.Stride) == EK_LINE
                  ? AccessClass::Stream
                  : AccessClass::Strided;
  A.W.Stride = B.Stride;
  A.StrideBy = B.Stride ? nullptr : By;
  A.W.Dependent = B.Dependent;
  A.W.Why = B.Why;
  A.W.IndexSites = B.IndexSites;
}

} // namespace evenkeel
