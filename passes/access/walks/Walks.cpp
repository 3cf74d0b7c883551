//===- Walks.cpp - how an access moves with the loops around it ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: addresses that loops of their own function move by constant steps.
// Makes: the class, stride and step of each access, and where data decide the
// start of runs.
// Not here: other accesses (Irregular.cpp, Callers.cpp).
//===----------------------------------------------------------------------===//
#include "access/walks/Walks.h"
#include "access/walks/AtCall.h"
#include "access/walks/EvenSteps.h"
#include "access/walks/Rings.h"
#include "format/ek_sizes.h"
#include "unit/Allocations.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Merges \p More, a second walk of the same access, into \p All.
void join(Walk &All, const Walk &More, StringRef Why) {
  auto Regular = [](const Walk &W) {
    return W.Class == AccessClass::Stream || W.Class == AccessClass::Strided;
  };
  if (Regular(All) && Regular(More)) {
    if (All.Stride == More.Stride && All.Step == More.Step &&
        sameCount(All.StepBy, More.StepBy))
      return;
    All.Class = AccessClass::Strided;
    All.Why = Why.str();
  } else if (All.Class != More.Class) {
    All.Class = AccessClass::Random;
    All.Dependent = false;
    All.Why = Why.str();
  }
  All.Stride.reset();
  All.Step = nullptr;
  All.StepBy = nullptr;
  All.Table.reset();
}

/// If \p S is the result of functions (for example virtual ones) that return
/// the object's address: how it moves in the loops around the call. Empty: it
/// is not, or not known.
SmallVector<Walks::Returned, 2> Walks::returned(const SCEV *S,
                                                FunctionInfo &FI) {
  SmallVector<Returned, 2> Out;
  const SCEV *Base = FI.SE->getPointerBase(S);
  auto *U = dyn_cast<SCEVUnknown>(Base);
  auto *CB = U ? dyn_cast<CallBase>(U->getValue()) : nullptr;
  if (!CB || isa<IntrinsicInst>(CB) || allocationOf(*CB))
    return Out;
  const SCEV *Rest = FI.SE->getMinusSCEV(S, Base);
  if (isa<SCEVCouldNotCompute>(Rest))
    return Out;
  for (Function *F : Obj.callees(*CB)) {
    if (F->isDeclaration() || F->getReturnType() != CB->getType())
      return {};
    FunctionInfo &Callee = Functions.info(*F);
    for (BasicBlock &B : *F) {
      auto *R = dyn_cast<ReturnInst>(B.getTerminator());
      if (!R)
        continue;
      AtCall At(*FI.SE, *CB);
      const SCEV *Here =
          At.translate(Callee.SE->getSCEV(R->getReturnValue()), *Callee.SE);
      for (Loop *X = FI.LI->getLoopFor(Loads.home(*CB)); X;
           X = X->getParentLoop())
        if (At.dependsOn(*X))
          return {};
      Here = FI.SE->getAddExpr(Here, Rest);
      AtCall Whole(*FI.SE, *CB);
      Whole.Keep = &Foreign;
      const SCEV *Address = FI.SE->getAddExpr(
          Whole.translate(Callee.SE->getSCEV(R->getReturnValue()), *Callee.SE),
          Rest);
      if (none_of(Out, [&](const Returned &O) { return O.Moving == Here; }))
        Out.push_back({Here, Address});
    }
  }
  return Out;
}

Walk Walks::walk(Access &A, FunctionInfo &FI) {
  if (!FI.SE->isSCEVable(A.Pointer->getType()))
    return Walk();
  const SCEV *S = FI.SE->getSCEV(A.Pointer);
  SmallVector<Returned, 2> Options = returned(S, FI);
  if (Options.empty())
    return walkOf(S, *A.I, A.Bytes, FI);
  Walk W = walkOf(Options.front().Moving, *A.I, A.Bytes, FI);
  W.Address = Options.front().Address;
  for (const Returned &Option : drop_begin(Options))
    join(W, walkOf(Option.Moving, *A.I, A.Bytes, FI), "callees-differ");
  return W;
}

/// Whether the step is so long that a value that wraps around (i * 37 % n,
/// hashed numbers) rarely continues where it was.
static bool wrapsAround(const SCEVAddRecExpr &AR, ScalarEvolution &SE) {
  auto *C = dyn_cast<SCEVConstant>(AR.getStepRecurrence(SE));
  return C && C->getAPInt().abs().ugt(EK_PAGE);
}

static bool sharesSymbols(const CountRef &A, const CountRef &B) {
  return A->Kind == Count::Symbol ? mentions(B, A->Sym)
                                  : any_of(A->Args, [&](const CountRef &C) {
                                      return sharesSymbols(C, B);
                                    });
}

/// How the address \p S moves in the loops around \p I.
Walk Walks::walkOf(const SCEV *S, const Instruction &I, uint64_t Bytes,
                   FunctionInfo &FI) {
  Walk W;
  W.Address = W.Pointer = S;
  // A ring in \p X stays in a cache if it has a few elements, or a number of
  // elements with which X does not grow. If X grows with it, it is the size of
  // an array that is walked from end to end, possibly repeatedly.
  auto IsWindow = [&](const Ring &R, const Loop &X) {
    constexpr uint64_t Most = 32 << 10; // bytes of a first-level cache
    if (auto *N = dyn_cast<SCEVConstant>(R.Elements))
      return N->getAPInt().getLimitedValue(Most) * Bytes <= Most;
    std::string Why;
    auto Shared = FI.Shared.find(&X);
    ArrayRef<const SCEV *> Trips = Guards.tripsOf(X, FI);
    const SCEV *Iterations = Shared != FI.Shared.end()
                                 ? Shared->second.Iterations
                             : Trips.empty() ? nullptr
                                             : Trips.front();
    CountRef N = Forms.toCount(R.Elements, X.getParentLoop(), FI, Why);
    CountRef C = Iterations
                     ? Forms.toCount(Iterations, X.getParentLoop(), FI, Why)
                     : nullptr;
    return N && C && !sharesSymbols(N, C);
  };
  for (Loop *X = FI.LI->getLoopFor(Loads.home(I)); X; X = X->getParentLoop()) {
    if (FI.SE->isLoopInvariant(S, X))
      continue;
    auto Again = [&](const LoadInst &L) { return Repeats.isReadAgain(L, *X); };
    auto *AR = dyn_cast<SCEVAddRecExpr>(S);
    if (!AR || AR->getLoop() != X || !AR->isAffine()) {
      if (std::optional<Ring> R = ringOf(S, *X, *FI.SE);
          R && IsWindow(*R, *X)) {
        S = R->Rest;
        continue;
      }
      AR = evenSteps(S, *X, *FI.SE);
      if (AR && !wrapsAround(*AR, *FI.SE)) {
        W.Pointer = AR;
      } else if (!AR && standsStill(S, *X, *FI.SE, Again)) {
        continue;
      } else {
        AR = evenSteps(S, *X, *FI.SE, Again);
        if (!AR || wrapsAround(*AR, *FI.SE)) {
          W.Moving = X;
          irregular(W, S, X, Bytes, FI);
          return W;
        }
      }
    }
    W.Moving = X;
    W.Step = AR->getStepRecurrence(*FI.SE);
    if (auto *C = dyn_cast<SCEVConstant>(W.Step)) {
      W.Stride = C->getAPInt().getSExtValue();
      W.Class = static_cast<uint64_t>(std::abs(*W.Stride)) == Bytes
                    ? AccessClass::Stream
                    : AccessClass::Strided;
    } else {
      W.Class = AccessClass::Strided;
    }
    return W;
  }
  return W;
}

/// The walk of the first element of runs that \p A makes, around all loops that
/// move it by steps.
std::optional<Walk> Walks::startOfRuns(const Access &A, FunctionInfo &FI) {
  Walk Next = A.W;
  while (Next.Class == AccessClass::Stream ||
         Next.Class == AccessClass::Strided) {
    auto *AR = Next.Pointer ? dyn_cast<SCEVAddRecExpr>(Next.Pointer) : nullptr;
    if (!AR || AR->getLoop() != Next.Moving)
      return std::nullopt;
    Next = walkOf(AR->getStart(), *A.I, A.Bytes, FI);
  }
  return Next;
}

/// Where data decide the start of a run, the run lies in a row. Segments whose
/// starts and lengths are data (the rows of a sparse matrix) have no row size.
static void noteRow(Access &A, const Walk &Start) {
  if (A.W.Table || !Start.Table)
    return;
  A.W.Table = Start.Table;
  RowTable &T = *A.W.Table;
  const CountRef &Row = T.RowBytes;
  if (Row && Row->Kind == Count::Const && A.W.Stride &&
      Row->Value <= std::abs(*A.W.Stride)) {
    T.RowBytes = nullptr;
    T.Why = "row-length-varies";
  }
}

/// Data may decide where in an object the next run begins: then runs are blocks
/// at arbitrary places. Runs without a fixed length mostly are successive rows
/// whose ends depend on data, and loaded pointers lead to other objects.
static void noteJumps(Access &A, const Walk &Start, FunctionInfo &FI) {
  if (!A.Run || !A.W.Stride || Start.IndexSites.empty() ||
      !FI.SE->isLoopInvariant(FI.SE->getPointerBase(Start.Address),
                              Start.Moving))
    return;
  A.Blocks = Start.Class;
  A.W.IndexSites = Start.IndexSites;
  A.BlockBytes = countMul(countConst(std::abs(*A.W.Stride)), A.Run);
  // One or two lines: too short for a prefetcher.
  constexpr int64_t Short = 128;
  if (A.BlockBytes->Kind == Count::Const && A.BlockBytes->Value <= Short &&
      Start.Class == AccessClass::Random)
    A.W.Class = AccessClass::Random;
}

void Walks::noteStarts(Access &A, FunctionInfo &FI) {
  if (const std::optional<Walk> Start = startOfRuns(A, FI)) {
    noteRow(A, *Start);
    noteJumps(A, *Start, FI);
  }
}

} // namespace evenkeel
