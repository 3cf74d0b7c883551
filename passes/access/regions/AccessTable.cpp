//===- AccessTable.cpp - the accesses of a function ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which instructions read or write memory, including block operations
// and external calls, and the sites of their objects.
// Makes: the accesses of a function with their sites, class and count.
//===----------------------------------------------------------------------===//
#include "access/regions/AccessTable.h"
#include "access/walks/Carried.h"
#include "format/ek_sizes.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p A, whose address is computed from the start of ranges, may lie
/// before one: a pointer into the middle of an array, with negative indices.
bool AccessTable::mayLieBefore(const Access &A, FunctionInfo &FI) {
  const SCEV *S = A.W.Address;
  auto *AR = S ? dyn_cast<SCEVAddRecExpr>(S) : nullptr;
  std::string Why;
  for (const Location &L : A.Where) {
    if (!S || !isInRange(L.second))
      continue;
    GetElementPtrInst &Begin = Obj.carving(rangeOf(L.second));
    // If callers pass the start, its expression in this function.
    const SCEV *From = Begin.getFunction() == FI.F ? FI.SE->getSCEV(&Begin)
                                                   : FI.SE->getPointerBase(S);
    if (FI.SE->getPointerBase(From) != FI.SE->getPointerBase(S))
      From = FI.SE->getPointerBase(S);
    const SCEV *Lowest = FI.SE->getMinusSCEV(S, From);
    // If no step is negative, the first iteration is the lowest.
    while ((AR = dyn_cast<SCEVAddRecExpr>(Lowest)) && AR->isAffine() &&
           !FI.SE->isKnownNegative(AR->getStepRecurrence(*FI.SE)))
      Lowest = AR->getStart();
    CountRef C =
        isa<SCEVCouldNotCompute>(Lowest)
            ? nullptr
            : Forms.toCount(Lowest, FI.LI->getLoopFor(Loads.home(*A.I)), FI,
                            Why);
    if (C && !Forms.neverNegative(C))
      return true;
  }
  return false;
}

/// Sets the ranges to which \p A is confined.
void AccessTable::nameRanges(Access &A, FunctionInfo &FI) {
  if (A.Ranges.empty())
    return;
  if (mayLieBefore(A, FI)) {
    A.Ranges.clear();
    return;
  }
  for (const Location &L : A.Where)
    if (isInRange(L.second))
      NamedRanges.insert({rangeOf(L.second), L.first});
}

/// Marks \p Where as read or written; by code \p Outside, also everything
/// reachable from there.
void AccessTable::touch(const LocationSet &Where, bool Outside) {
  std::vector<unsigned> Work;
  for (const Location &L : Where) {
    Touched.set(L.first);
    if (Outside)
      Work.push_back(L.first);
  }
  while (!Work.empty()) {
    unsigned K = Work.back();
    Work.pop_back();
    if (Handed.test(K))
      continue;
    Handed.set(K);
    Touched.set(K);
    for (auto &[Offset, Inside] : Obj.contents(K))
      for (const Location &L : Inside)
        Work.push_back(L.first);
  }
}

/// Without main, the callers are not in the module.
bool AccessTable::isTouched(Value *Maker) const {
  unsigned K = Obj.indexOf(Maker);
  return !M.getFunction("main") || K == ExternalObject ||
         Touched.test(AnythingObject) || Touched.test(K);
}

/// The offset of an address in its object. For the result of a call the base
/// may be unknown; then the expression is a number already.
static const SCEV *withoutBase(const SCEV *Address, ScalarEvolution &SE) {
  return Address->getType()->isPointerTy() ? SE.removePointerBase(Address)
                                           : Address;
}

/// Whether \p I is a block operation whose start within a line varies, so that
/// it may touch one line more than its length implies.
static bool straddles(const Walk &W, const Instruction &I, FunctionInfo &FI) {
  auto *Mem = dyn_cast<MemIntrinsic>(&I);
  if (!Mem || !W.Address)
    return false;
  // The start varies unless it is a multiple of a line plus a constant.
  const SCEV *First = withoutBase(W.Address, *FI.SE);
  while (auto *AR = dyn_cast<SCEVAddRecExpr>(First))
    First = AR->getStart();
  if (auto *Sum = dyn_cast<SCEVAddExpr>(First);
      Sum && isa<SCEVConstant>(Sum->getOperand(0)))
    First = FI.SE->getMinusSCEV(First, Sum->getOperand(0));
  if (!isa<SCEVConstant>(First) && FI.SE->getMinTrailingZeros(First) < 6)
    return true;
  if (!W.Step)
    return false;
  auto *Step = dyn_cast<SCEVConstant>(W.Step);
  auto *Length = dyn_cast<ConstantInt>(Mem->getLength());
  if (!Step)
    return true;
  uint64_t By = Step->getAPInt().abs().getLimitedValue();
  uint64_t Bytes = Length ? Length->getZExtValue() : 0;
  return By % EK_LINE && !(Bytes && EK_LINE % Bytes == 0 && By % Bytes == 0);
}

/// The place within a line where a block operation at \p Pointer begins, as far
/// as constants determine it; objects begin at a line.
static uint64_t offsetInLine(const SCEV *Pointer, ScalarEvolution &SE) {
  const SCEV *S = withoutBase(Pointer, SE);
  while (auto *AR = dyn_cast<SCEVAddRecExpr>(S))
    S = AR->getStart();
  if (auto *Sum = dyn_cast<SCEVAddExpr>(S))
    S = Sum->getOperand(0); // constants come first
  auto *C = dyn_cast<SCEVConstant>(S);
  return C ? C->getAPInt().urem(64) : 0;
}

/// Whether all calls of \p F are visible.
static bool isCalledHereOnly(const Function &F) {
  return F.hasLocalLinkage() && none_of(F.users(), [&](const User *U) {
           auto *CB = dyn_cast<CallBase>(U);
           return !CB || CB->getCalledOperand() != &F;
         });
}

static bool isNewBlock(const Value &V) {
  auto *CB = dyn_cast<CallBase>(V.stripPointerCasts());
  return CB && allocationOf(*CB);
}

/// What the measured lines of \p I grow with.
CountRef AccessTable::growthOfLines(const MemIntrinsic &I, FunctionInfo &FI,
                                    const Times &T) {
  CountRef C = Runs.growthInCalls(FI, [&] {
    const SCEV *Length = FI.SE->getSCEV(I.getLength());
    Times T = Runs.timesOf(I, FI, Length);
    std::string Why;
    CountRef Bytes =
        Forms.toCount(Length, FI.LI->getLoopFor(Loads.home(I)), FI, Why, &T);
    return Forms.closed(
        T, Bytes ? Forms.clamped(
                       countOp("ceildiv", {Bytes, countConst(EK_LINE)}), T)
                 : countConst(1));
  });
  return C ? C : Forms.closed(T);
}

/// Whether calls of \p A's function pass a value that changes in the loops
/// around them.
bool AccessTable::isMovedByCalls(const Argument &A) {
  auto Calls = Graph.CallSites.find(A.getParent());
  return Calls != Graph.CallSites.end() &&
         any_of(Calls->second, [&](const CallBase *CB) {
           const Value *V = handedOver(*CB, A);
           auto &F = *const_cast<Function *>(CB->getFunction());
           const Loop *L = Functions.info(F).LI->getLoopFor(CB->getParent());
           return V && L && !L->isLoopInvariant(V);
         });
}

/// The minimum and maximum size of a block that \p Made allocates.
static std::pair<uint64_t, uint64_t> bytesOf(const CallBase &Made,
                                             ScalarEvolution &SE) {
  std::optional<Allocation> A = allocationOf(Made);
  uint64_t Least = 1, Most = 1;
  for (int Arg : {A ? A->Size : -1, A ? A->Count : -1})
    if (Arg >= 0) {
      const SCEV *By = SE.getSCEV(Made.getArgOperand(Arg));
      Least = SaturatingMultiply(Least,
                                 SE.getUnsignedRangeMin(By).getLimitedValue());
      Most = SaturatingMultiply(Most,
                                SE.getUnsignedRangeMax(By).getLimitedValue());
    }
  return {Least, Most};
}

/// Blocks of this size or more start at a new line in the recorder; smaller
/// blocks are placed at multiples of some words.
constexpr uint64_t LeastOwnLine = 256;

/// Whether \p Base may be one of several blocks of a site that lie close
/// together, so that their start within a line varies. A new block counts only
/// if it is known to be small.
bool AccessTable::isOneOfBlocks(const Value &Base) {
  auto IsSeveral = [&](const CallBase &Made) {
    Function &F = *const_cast<Function *>(Made.getFunction());
    return !Same.runsOnce(&F) ||
           Functions.info(F).LI->getLoopFor(Made.getParent());
  };
  auto Bytes = [&](const CallBase &Made) {
    return bytesOf(
        Made, *Functions.info(*const_cast<Function *>(Made.getFunction())).SE);
  };
  if (isNewBlock(Base)) {
    auto &Made = cast<CallBase>(*Base.stripPointerCasts());
    return IsSeveral(Made) && Bytes(Made).second < LeastOwnLine;
  }
  auto *Load = dyn_cast<LoadInst>(&Base);
  return Load && any_of(Obj.pointsTo(Load), [&](const Location &P) {
           const MemoryObject &O = Obj.objects()[P.first];
           auto *Made =
               O.Kind == MemoryObject::Heap ? cast<CallBase>(O.V) : nullptr;
           return Made && IsSeveral(*Made) && Bytes(*Made).first < LeastOwnLine;
         });
}

/// The lines that one execution of the block operation \p I touches; null: it
/// varies. \p Straddles: its start within a line varies. If nothing more is
/// known, the result may be one line too high.
CountRef AccessTable::blockLines(const Access &A, const MemIntrinsic &I,
                                 FunctionInfo &FI, bool &Straddles) {
  const Loop *Around = FI.LI->getLoopFor(Loads.home(I));
  const SCEV *Begin = withoutBase(A.W.Address, *FI.SE);
  const SCEV *Base = FI.SE->getPointerBase(A.W.Address);
  SmallPtrSet<const Value *, 8> Leaves;
  leavesOf(Begin, Leaves);
  bool Shared =
      any_of(Leaves, [&](const Value *V) { return FI.ShareBounds.count(V); });
  // A function's argument may point anywhere.
  auto *Unknown = dyn_cast<SCEVUnknown>(Base);
  auto *Handed = Unknown ? dyn_cast<Argument>(Unknown->getValue()) : nullptr;
  // A dynamically sized block on the stack may begin anywhere in a line.
  auto *Slot = Unknown ? dyn_cast<AllocaInst>(Unknown->getValue()) : nullptr;
  bool OnTop =
      Slot && !Slot->isStaticAlloca() && Slot->getAlign().value() < EK_LINE;
  bool Aligned =
      !Handed || isOutlinedHelper(*FI.F) ||
      (isCalledHereOnly(*FI.F) && all_of(FI.F->users(), [&](const User *U) {
         return isNewBlock(
             *cast<CallBase>(U)->getArgOperand(Handed->getArgNo()));
       }));
  bool Close = Unknown && isOneOfBlocks(*Unknown->getValue());
  constexpr unsigned LeastAlign = 16; // of any block
  // Adjacent elements do not straddle lines.
  if (auto *Length = dyn_cast<ConstantInt>(I.getLength());
      Aligned && Length && Length->getValue().isPowerOf2() &&
      Length->getValue().ule(Close ? LeastAlign : EK_LINE) &&
      FI.SE->getMinTrailingZeros(Begin) >= Length->getValue().logBase2()) {
    Straddles = false;
    return countConst(1);
  }
  if (OnTop || Close)
    return nullptr;
  // Elements that each begin at a line do not straddle lines, either. Other
  // elements are measured unless their step is known.
  bool Steps = A.Block->Class == AccessClass::Stream ||
               A.Block->Class == AccessClass::Strided ||
               A.Block->Class == AccessClass::Invariant;
  if (!Steps && !Shared &&
      !(Aligned && FI.SE->getMinTrailingZeros(Begin) >= EK_LINE_SHIFT))
    return nullptr;
  if (!Aligned && !Straddles && A.Block->Class == AccessClass::Invariant &&
      isMovedByCalls(*Handed))
    return nullptr;
  std::string Why;
  const Formulas::WithShares Scope(Forms, Shared);
  CountRef Bytes =
      Forms.toCount(FI.SE->getSCEV(I.getLength()), Around, FI, Why, &A.T);
  CountRef Start = Bytes && (Shared || (Straddles && Aligned))
                       ? Forms.toCount(Begin, Around, FI, Why, &A.T)
                       : nullptr;
  // Nothing is lost if executions are measured anyway.
  if (!Bytes || (!Start && (Shared || (Straddles && A.T.Absolute))))
    return nullptr;
  CountRef Line = countConst(EK_LINE);
  if (Start) {
    Straddles &= !Aligned;
    CountRef End = countOp("ceildiv", {countAdd(Start, Bytes), Line});
    return countOp(
        "min",
        {Bytes, countOp("-", {End, countOp("floordiv", {Start, Line})})});
  }
  CountRef Lines = countOp("ceildiv", {Bytes, Line});
  if (int64_t Skip = Straddles ? 0 : offsetInLine(A.W.Address, *FI.SE))
    Lines = countOp(
        "min",
        {Bytes, countOp("ceildiv", {countAdd(Bytes, countConst(Skip)), Line})});
  return countAdd(Lines, countConst(Straddles));
}

/// The loads and stores of \p I; a copy has one of each.
static SmallVector<Access, 2> accessesOf(Instruction &I) {
  SmallVector<Access, 2> New;
  const DataLayout &DL = I.getDataLayout();
  auto Add = [&](Value *P, uint64_t Bytes, bool Reads, bool Writes) {
    Access A;
    A.Atomic = isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
    A.I = &I;
    A.Pointer = P;
    A.Bytes = Bytes;
    A.Reads = Reads;
    A.Writes = Writes;
    New.push_back(A);
  };
  if (auto *L = dyn_cast<LoadInst>(&I)) {
    Add(L->getPointerOperand(), DL.getTypeStoreSize(L->getType()), true, false);
  } else if (auto *S = dyn_cast<StoreInst>(&I)) {
    Add(S->getPointerOperand(),
        DL.getTypeStoreSize(S->getValueOperand()->getType()), false, true);
  } else if (auto *X = dyn_cast<AtomicRMWInst>(&I)) {
    Add(X->getPointerOperand(), DL.getTypeStoreSize(X->getType()), true, true);
  } else if (auto *X = dyn_cast<AtomicCmpXchgInst>(&I)) {
    Add(X->getPointerOperand(),
        DL.getTypeStoreSize(X->getCompareOperand()->getType()), true, true);
  } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
    // Block operations are counted in cache lines.
    Add(Mem->getDest(), EK_LINE, false, true);
    if (auto *T = dyn_cast<MemTransferInst>(Mem))
      Add(T->getSource(), EK_LINE, true, false);
  }
  return New;
}

void AccessTable::collect(FunctionInfo &FI) {
  FunctionAccesses &Own = Of[FI.F];
  auto RI = Inv.Regions.find(FI.F);
  bool Body = isOutlinedHelper(*FI.F);
  for (Instruction &I : instructions(*FI.F)) {
    SmallVector<Access, 2> New = accessesOf(I);
    if (auto *CB = dyn_cast<CallBase>(&I)) {
      noteExternal(*CB, FI, Own.Accesses);
      noteOpaque(*CB);
    }
    for (Access &A : New) {
      const Value *Base = A.Pointer->stripInBoundsOffsets();
      // Thread ids of an outlined body.
      if (auto *Arg = dyn_cast<Argument>(Base);
          Arg && Body && Arg->getArgNo() < 2 &&
          !(RI != Inv.Regions.end() && RI->second.Kind == RegionKind::Task)) {
        ++Own.Private["thread-number"];
        continue;
      }
      if (A.Pointer->getType()->getPointerAddressSpace() != 0) {
        ++Own.Private["address-space"];
        continue;
      }
      A.Where = Obj.pointsTo(A.Pointer);
      if (Graph.Live.contains(FI.F))
        touch(A.Where, /*Outside=*/false);
      Owners.resolve(A);
      if (!A.Private.empty()) {
        ++Own.Private[A.Private];
        continue;
      }
      A.W = Moves.walk(A, FI);
      nameRanges(A, FI);
      bool Straddles = straddles(A.W, I, FI);
      if (isa<MemIntrinsic>(I)) { // moves from line to line, wherever it begins
        A.Block = A.W;
        A.W.Class = AccessClass::Stream;
        A.W.Stride = EK_LINE;
        A.W.Step = nullptr;
        A.W.Dependent = false;
        A.W.Why.clear();
      }
      if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
        const SCEV *Length = FI.SE->getSCEV(Mem->getLength());
        A.T = Runs.timesOf(I, FI, Length);
        if (CountRef Lines = blockLines(A, *Mem, FI, Straddles)) {
          A.T.C = Forms.closed(A.T, Forms.clamped(Lines, A.T));
          if (Straddles)
            A.T.doubt("unaligned-block");
        } else {
          A.T.C = countSymbol(Symbols.linesSymbol(
              *Mem, A.Reads, FI, growthOfLines(*Mem, FI, A.T)));
          A.T.Absolute = true;
          ++GiveUps[isa<ConstantInt>(Mem->getLength()) ? "unaligned-block"
                                                       : "variant-length"];
        }
      } else {
        A.T = Runs.timesOf(I, FI);
        A.Reuse = Moves.reuse(A.W, A.T);
        A.Run = Moves.run(A.W, A.T, FI);
        Moves.noteStarts(A, FI);
        A.T.C = Forms.closed(A.T);
      }
      if (A.W.Step && !A.W.Stride) {
        std::string Why;
        A.StrideBy =
            Forms.toCount(A.W.Step, FI.LI->getLoopFor(Loads.home(I)), FI, Why);
        if (!A.StrideBy && A.W.Why.empty())
          A.W.Why = "varying-step";
      }
      A.T.Levels.clear();
      Own.Accesses.push_back(std::move(A));
    }
  }
  Moves.findStencils(FI, Own.Accesses);
  joinFirsts(FI, Own.Accesses);
}

AccessTable::AccessTable(Module &M, const Inventory &Inv, const Objects &Obj,
                         const CallGraph &Graph, const HoistedLoads &Loads,
                         const Sameness &Same, SymbolTable &Symbols,
                         Formulas &Forms, FunctionTable &Functions,
                         Executions &Runs, const SiteOwners &Owners,
                         Walks &Moves)
    : M(M), Inv(Inv), Obj(Obj), Graph(Graph), Loads(Loads), Same(Same),
      Symbols(Symbols), Forms(Forms), Functions(Functions), Runs(Runs),
      Owners(Owners), Moves(Moves), Touched(Obj.objects().size()),
      Handed(Obj.objects().size()) {
  for (Function &F : M)
    if (!F.isDeclaration())
      collect(Functions.info(F));
  for (Function &F : M)
    if (!F.isDeclaration())
      Moves.moveWithCallers(Functions.info(F), Of[&F].Accesses);
}

const FunctionAccesses &AccessTable::of(const Function &F) const {
  static const FunctionAccesses None;
  auto It = Of.find(&F);
  return It == Of.end() ? None : It->second;
}

} // namespace evenkeel
