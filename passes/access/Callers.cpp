//===- Callers.cpp - how calls move an access ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: accesses that stay where they are while their function runs, and how
// the loops around its calls, recursion or a library's callbacks move them.
//===----------------------------------------------------------------------===//
#include "AtCall.h"
#include "EvenSteps.h"
#include "Inventory.h"
#include "access/Analyzer.h"
#include "access/Reads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace evenkeel {

/// How the C library moves the elements that a function compares for it.
/// Sorting merges runs of elements in order, but of large ones only pointers
/// (glibc's qsort, above 32 bytes); a search jumps.
std::optional<Walk> Analyzer::walkOfLibrary(const SCEV *S, uint64_t Bytes,
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

/// How an address moves with the loops around the calls of its function, where
/// it stays at \p S, of \p Address what may move; it depends on \p Depends,
/// too. Nothing: it does not move.
std::optional<Walk> Analyzer::walkOfCallers(const SCEV *S, const SCEV *Address,
                                            ArrayRef<Value *> Depends,
                                            uint64_t Bytes, FunctionInfo &FI,
                                            unsigned Depth,
                                            std::vector<Read> &Reads) {
  auto Calls = CallSites.find(FI.F);
  if (Depth > 8 || Inv.Regions.count(FI.F))
    return std::nullopt; // each task starts anew
  std::optional<Walk> All = walkOfLibrary(S, Bytes, FI);
  if (Calls == CallSites.end())
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

std::optional<Walk> Analyzer::walkAround(const CallBase &CB, const SCEV *S,
                                         const SCEV *Address,
                                         ArrayRef<Value *> Depends,
                                         uint64_t Bytes, FunctionInfo &FI,
                                         unsigned Depth,
                                         std::vector<Read> &Reads) {
  FunctionInfo &Caller = info(*const_cast<Function *>(CB.getFunction()));
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
  if (Recursive.count(FI.F) && Recursive.count(Caller.F)) {
    // Handed on as it is, or loaded through itself, or computed.
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
  for (Loop *X = Caller.LI->getLoopFor(home(CB)); X; X = X->getParentLoop()) {
    if (At.dependsOn(*X)) {
      W.Why = At.ThroughLoads ? "" : "computed-index";
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
      W.StepBy = toCount(AR->getStepRecurrence(SE),
                         Caller.LI->getLoopFor(home(CB)), Caller, Why);
      if (!W.StepBy)
        W.Why = "varying-step";
    }
    Reads.push_back(
        {nullptr, &Caller, home(CB), X, AR->getStepRecurrence(SE), {Address}});
    return W;
  }
  return walkOfCallers(Here, Address, At.Depends.getArrayRef(), Bytes, Caller,
                       Depth + 1, Reads);
}

/// Accesses that stay where they are for as long as their function runs, but
/// are elsewhere when it is called again.
void Analyzer::moveWithCallers(FunctionInfo &FI) {
  for (Access &A : FI.Accesses) {
    if (A.W.Class != AccessClass::Invariant || A.W.Moving || !A.W.Pointer ||
        A.Sites.empty())
      continue;
    auto *Base = dyn_cast<SCEVUnknown>(FI.SE->getPointerBase(A.W.Pointer));
    auto *Fresh = Base ? dyn_cast<CallBase>(Base->getValue()) : nullptr;
    if (Fresh && allocationOf(*Fresh)) {
      if (!runsOnce(FI.F)) { // allocators mostly go on behind the last
        A.W.Class = AccessClass::Strided;
        A.W.Why = "fresh-object";
      }
      continue;
    }
    std::vector<Read> Reads;
    if (std::optional<Walk> W = walkOfCallers(
            A.W.Pointer, A.W.Address, {}, A.Bytes, FI, /*Depth=*/0, Reads)) {
      A.W.Class = W->Class;
      A.W.Stride = W->Stride;
      A.StrideBy = W->StepBy;
      A.W.Dependent = W->Dependent;
      A.W.Why = W->Why;
      stencilOfCalls(A, Reads);
    }
  }
}

} // namespace evenkeel
