//===- Formulas.cpp - translate ScalarEvolution to counts -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: ScalarEvolution's expressions, and sums over the iterations of loops.
// Makes: count expressions from them.
// Not here: trip counts (TripCounts.cpp), conditions (Conditions.cpp).
//===----------------------------------------------------------------------===//
#include "access/formulas/Formulas.h"
#include "access/loops/Words.h"
#include "unit/Allocations.h"
#include "unit/Calls.h"
#include "unit/Distances.h"
#include "unit/Names.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace evenkeel {

/// Whether \p Size is the size argument of an allocation.
static bool isAskedFor(const Instruction &Size) {
  return any_of(Size.users(), [](const User *U) {
    auto *CB = dyn_cast<CallBase>(U);
    return CB && allocationOf(*CB);
  });
}

/// If \p S is the number of elements between two pointers plus a constant: the
/// integer symbol for that number. Else null.
CountRef Formulas::distanceCount(const SCEVUDivExpr &S, const Loop *Within,
                                 FunctionInfo &FI, std::string &Why,
                                 const Times *Open) {
  auto *Sum = dyn_cast<SCEVAddExpr>(S.getLHS());
  auto *Size = dyn_cast<SCEVConstant>(S.getRHS());
  if (!Sum || !Size || Size->getAPInt().getActiveBits() > 31)
    return nullptr;
  if (!FI.Distances) {
    FI.Distances.emplace();
    for (Instruction &I : instructions(*FI.F))
      if (std::optional<Distance> D = distanceOf(&I)) {
        const SCEV *To = FI.SE->getSCEV(const_cast<Value *>(D->To));
        (*FI.Distances)[FI.SE->getPointerBase(To)].push_back({*D, &I});
      }
  }
  const SCEV *To = nullptr; // the pointer that is added
  for (const SCEV *Op : Sum->operands())
    if (auto *Cast = dyn_cast<SCEVPtrToIntExpr>(Op))
      To = Cast->getOperand();
  auto Known = FI.Distances->find(To);
  if (!To || Known == FI.Distances->end())
    return nullptr;
  for (auto &[D, I] : Known->second) {
    if (uint64_t(D.Size) != Size->getAPInt().getZExtValue())
      continue;
    auto *More = dyn_cast<SCEVConstant>(
        FI.SE->getMinusSCEV(Sum, FI.SE->getSCEV(I->getOperand(0))));
    if (!More || More->getAPInt().getSignificantBits() > 31)
      continue;
    CountRef C = toCount(FI.SE->getUnknown(I), Within, FI, Why, Open);
    int64_t By = More->getAPInt().getSExtValue();
    int64_t Floor = By >= 0 ? By / D.Size : -((-By + D.Size - 1) / D.Size);
    if (C)
      return countAdd(C, countConst(Floor));
  }
  return nullptr;
}

/// Whether \p V, used in a function that tasks run, may have another value when
/// a task runs it again. The recorder keeps one value per task, so a loop whose
/// bound changes from call to call is measured. The same holds for a team that
/// is not forked: the surrounding task runs its body each time it reaches it.
bool Formulas::isRunAgain(const Value &V, const Function &F) const {
  auto Calls = Graph.CallSites.find(&F);
  auto *Load = dyn_cast<LoadInst>(&V);
  return Calls != Graph.CallSites.end() &&
         any_of(Calls->second, [&](const CallBase *CB) {
           if (isForkCall(*CB) || !Graph.OnTeam.count(CB->getFunction()))
             return false;
           auto *A = dyn_cast<Argument>(&V);
           const Value *Op = A ? handedOver(*CB, *A) : nullptr;
           return Op ? Same.changesAround(Op, *CB)
                     : Load && Same.variesBetweenCalls(*Load);
         });
}

/// A value that is opaque to ScalarEvolution.
CountRef Formulas::unknownCount(const SCEVUnknown &S, const Loop *Within,
                                FunctionInfo &FI, std::string &Why,
                                const Times *Open) {
  Value *V = S.getValue();
  if (!V->getType()->isIntegerTy()) {
    Why = "pointer-difference";
    return nullptr;
  }
  if (auto It = FI.ShareBounds.find(V); InShares && It != FI.ShareBounds.end())
    return It->second.Value;
  // A PHI of any loop varies, even if it is used outside that loop.
  auto *Made = dyn_cast<Instruction>(V);
  bool Varies =
      Made && isa<PHINode>(Made) && FI.LI->getLoopFor(Made->getParent());
  for (const Loop *L = Within; L; L = L->getParentLoop())
    Varies |= Made && L->contains(Made);
  if (Varies || (!nameOfValue(V) && hasNames(&S, FI)))
    if (CountRef C = operationCount(V, Within, FI, Why, Open))
      return C;
  if (Varies) {
    Why = "varies";
    return nullptr;
  }
  if (isa<UndefValue>(V)) {
    Why = "non-affine";
    return nullptr;
  }
  // new T[n] requests -1 bytes if the product overflows; a program that gets
  // there does not continue.
  if (auto *Sel = dyn_cast<SelectInst>(V); Sel && isAskedFor(*Sel))
    for (unsigned Arm : {1u, 2u})
      if (auto *C = dyn_cast<ConstantInt>(Sel->getOperand(Arm));
          C && C->isMinusOne())
        return toCount(FI.SE->getSCEV(Sel->getOperand(3 - Arm)), Within, FI,
                       Why, Open);
  if (auto *E = dyn_cast<ExtractValueInst>(V))
    if (auto *O = dyn_cast<WithOverflowInst>(E->getAggregateOperand());
        O && *E->idx_begin() == 0) {
      CountRef A = toCount(FI.SE->getSCEV(O->getLHS()), Within, FI, Why, Open);
      CountRef B =
          A ? toCount(FI.SE->getSCEV(O->getRHS()), Within, FI, Why, Open)
            : nullptr;
      StringRef Op = O->getBinaryOp() == Instruction::Mul   ? "*"
                     : O->getBinaryOp() == Instruction::Add ? "+"
                                                            : "-";
      return B ? countOp(Op, {A, B}) : nullptr;
    }
  if (!PerCall &&
      (Inv.Regions.count(FI.F) ? isRunAgain(*V, *FI.F) : !Same.isSame(V))) {
    Why = "varies-by-call";
    return nullptr;
  }
  return countSymbol(
      Symbols.valueSymbol(V, FI, [&] { return growsWith(V, FI); }));
}

/// A value that changes with a loop's iterations: a polynomial in the iteration
/// number.
CountRef Formulas::recurrenceCount(const SCEVAddRecExpr &AR, const Loop *Within,
                                   FunctionInfo &FI, std::string &Why,
                                   const Times *Open) {
  const Loop *Around = AR.getLoop();
  if (FI.Chunks.count(Around))
    return toCount(AR.getStart(), Within, FI, Why, Open);
  if (!Open ||
      none_of(Open->Levels, [&](const Level &V) { return V.L == Around; })) {
    Why = "varies";
    return nullptr;
  }
  if (AR.getNumOperands() > 3) {
    Why = "non-affine";
    return nullptr;
  }
  // The start of a chunk is known from the iteration of the work-shared loop.
  auto Shared = FI.Shared.find(Around);
  CountRef Iteration = countIndex(indexOf(Around)), Sum;
  for (unsigned K = 0; K < AR.getNumOperands(); ++K) {
    const SCEV *Part = AR.getOperand(K);
    if (Shared != FI.Shared.end())
      Part = SCEVParameterRewriter::rewrite(Part, *FI.SE, Shared->second.First);
    CountRef C = toCount(Part, Within, FI, Why, Open);
    if (!C)
      return nullptr;
    // Binomials of the iteration number (Bachmann, Wang and Zima 1994).
    CountRef Choose =
        K == 0 ? countConst(1)
        : K == 1
            ? Iteration
            : countOp("floordiv",
                      {countMul(Iteration, countAdd(Iteration, countConst(-1))),
                       countConst(2)});
    C = countMul(C, Choose);
    Sum = Sum ? countAdd(Sum, C) : C;
  }
  return Sum;
}

/// \p S as a count, if all its leaves keep their values while \p Within (and
/// the loops around it) runs, apart from the iteration numbers of \p Open.
/// Counts are mathematical integers, and wide words are treated as such. For a
/// narrow \p S (Words.h), the result is some number with the same last bits as
/// the word; asWord() gives the word's own value.
CountRef Formulas::toCount(const SCEV *S, const Loop *Within, FunctionInfo &FI,
                           std::string &Why, const Times *Open) {
  auto Many = [&](const SCEVNAryExpr *E, StringRef Op) -> CountRef {
    std::vector<CountRef> Args;
    for (const SCEV *O : E->operands()) {
      CountRef A = Op == "+" || Op == "*"
                       ? toCount(O, Within, FI, Why, Open)
                       : asWord(O, isa<SCEVSMaxExpr, SCEVSMinExpr>(E), Within,
                                FI, Why, Open);
      if (!A)
        return nullptr;
      Args.push_back(A);
    }
    return countOp(Op, Args);
  };
  switch (S->getSCEVType()) {
  case scConstant: {
    const APInt &V = cast<SCEVConstant>(S)->getAPInt();
    if (V.getSignificantBits() > 62)
      break;
    return countConst(V.getSExtValue());
  }
  case scUnknown:
    return unknownCount(*cast<SCEVUnknown>(S), Within, FI, Why, Open);
  case scTruncate:
    return toCount(withShortConstants(cast<SCEVCastExpr>(S)->getOperand(),
                                      FI.SE->getTypeSizeInBits(S->getType()),
                                      *FI.SE),
                   Within, FI, Why, Open);
  case scPtrToInt:
    return toCount(cast<SCEVCastExpr>(S)->getOperand(), Within, FI, Why, Open);
  case scZeroExtend:
  case scSignExtend:
    return asWord(cast<SCEVCastExpr>(S)->getOperand(),
                  isa<SCEVSignExtendExpr>(S) || isWidenedWithoutSign(S, FI),
                  Within, FI, Why, Open);
  case scAddExpr:
    return Many(cast<SCEVAddExpr>(S), "+");
  case scMulExpr:
    return Many(cast<SCEVMulExpr>(S), "*");
  case scSMaxExpr:
  case scUMaxExpr:
    return Many(cast<SCEVNAryExpr>(S), "max");
  case scSMinExpr:
  case scUMinExpr:
    // Compilers clamp a share's end, which already is in bounds.
    if (auto *E = cast<SCEVNAryExpr>(S); InShares && E->getNumOperands() == 2)
      for (unsigned K : {0u, 1u})
        if (auto *U = dyn_cast<SCEVUnknown>(E->getOperand(K)))
          if (auto It = FI.ShareBounds.find(U->getValue());
              It != FI.ShareBounds.end() &&
              It->second.Highest == E->getOperand(1 - K))
            return It->second.Value;
    return Many(cast<SCEVNAryExpr>(S), "min");
  case scSequentialUMinExpr:
    return Many(cast<SCEVNAryExpr>(S), "min");
  case scUDivExpr: {
    auto *D = cast<SCEVUDivExpr>(S);
    if (CountRef C = distanceCount(*D, Within, FI, Why, Open))
      return C;
    CountRef A = asWord(D->getLHS(), false, Within, FI, Why, Open);
    CountRef B =
        A ? asWord(D->getRHS(), false, Within, FI, Why, Open) : nullptr;
    return B ? countOp("floordiv", {A, B}) : nullptr;
  }
  case scAddRecExpr:
    return recurrenceCount(*cast<SCEVAddRecExpr>(S), Within, FI, Why, Open);
  default:
    break;
  }
  Why = "non-affine";
  return nullptr;
}

/// The number that identifies the loop in count expressions.
uint64_t Formulas::indexOf(const Loop *L) {
  return LoopNumbers.try_emplace(L, LoopNumbers.size() + 1).first->second;
}

/// The same as evenkeel::neverNegative; also records its assumptions.
bool Formulas::neverNegative(const CountRef &C, ArrayRef<CountRef> Known) {
  std::vector<uint64_t> Its;
  const bool Never = evenkeel::neverNegative(C, Known, Its);
  if (Never)
    Assumed.insert(Its.begin(), Its.end());
  return Never;
}

/// \p C, or 0 if it is negative.
CountRef Formulas::notBelow0(const CountRef &C) {
  return neverNegative(C) ? C : countOp("max", {countConst(0), C});
}

/// Expressions that are not negative in all iterations of \p Open.
std::vector<CountRef> Formulas::knownIn(ArrayRef<Level> Open) {
  std::vector<CountRef> Known;
  for (const Level &V : Open) {
    if (!V.L) {
      evenkeel::knownIn(V.N, Known);
      continue;
    }
    // The remaining iterations. In any iteration N is not 0, whatever kept it
    // from being negative.
    CountRef N = V.N;
    if (N->Kind == Count::Op && N->Name == "max" && N->Args.size() == 2 &&
        isConst(N->Args[0], 0))
      N = N->Args[1];
    Known.push_back(
        countAdd(countOp("-", {N, countIndex(indexOf(V.L))}), countConst(-1)));
  }
  return Known;
}

/// \p Each summed over all iterations of \p T.
CountRef Formulas::closed(const Times &T, CountRef Each) {
  for (size_t Left = T.Levels.size(); Left > 0; --Left) {
    const Level &V = T.Levels[Left - 1];
    switch (V.Mode) {
    case Level::Own:
      Each = V.L ? countSum(indexOf(V.L), V.N, Each,
                            knownIn(ArrayRef(T.Levels).take_front(Left - 1)))
                 : countMul(V.N, Each);
      break;
    case Level::Static:
      Each = countShareSum(indexOf(V.L), V.N, V.Chunk, Each);
      break;
    case Level::Dynamic:
      Each = countOp("evenly", {countSum(indexOf(V.L), V.N, Each)});
    }
  }
  assert(!hasFreeIndex(Each) &&
         "an iteration number of a loop that is not around");
  return countMul(T.C, Each);
}

/// \p C, clamped to at least 0 in each iteration of \p Open.
CountRef Formulas::clamped(const CountRef &C, const Times &Open) {
  std::vector<CountRef> Known; // iterations left
  for (const Level &V : Open.Levels)
    if (V.L)
      Known.push_back(countAdd(countOp("-", {V.N, countIndex(indexOf(V.L))}),
                               countConst(-1)));
  // A maximum with a number that never exceeds the other operand.
  if (C->Kind == Count::Op && C->Name == "max" && C->Args.size() == 2 &&
      C->Args[0]->Kind == Count::Const && C->Args[0]->Value >= 0 &&
      neverNegative(countOp("-", {C->Args[1], C->Args[0]}), Known))
    return C->Args[1];
  return neverNegative(C, Known) ? C : countOp("max", {countConst(0), C});
}

/// What \p V grows with, if it has no formula of its own; else null.
CountRef Formulas::growsWith(Value *V, FunctionInfo &FI) {
  if (isSameOnEveryInput(V))
    return countConst(1);
  auto *B = dyn_cast<BinaryOperator>(V);
  bool Shift = B && isa<Constant>(B->getOperand(1)) && // n / 2 for an even n
               (B->getOpcode() == Instruction::AShr ||
                B->getOpcode() == Instruction::LShr);
  if (!B || (!Shift && B->getOpcode() != Instruction::SDiv &&
             B->getOpcode() != Instruction::UDiv))
    return nullptr;
  const Loop *Within = FI.LI->getLoopFor(Loads.home(*B));
  Value *Over = B->getOperand(1);
  std::string Why;
  CountRef Whole = toCount(FI.SE->getSCEV(B->getOperand(0)), Within, FI, Why);
  if (!Whole || isa<Constant>(Over) || isSameOnEveryInput(Over))
    return Whole;
  // A rank's share, and its start: n * rank / ranks. Rounded down as in the
  // program if both are positive; a ratio represents any sign.
  CountRef Parts = toCount(FI.SE->getSCEV(Over), Within, FI, Why);
  if (!Parts)
    return nullptr;
  return countOp("ceildiv",
                 {countAdd(Whole, countAdd(countConst(1),
                                           countMul(countConst(-1), Parts))),
                  Parts});
}

/// Whether toCount() of the narrow \p S is its value with, or without, a sign.
static bool fits(const SCEV *S, bool Signed, ScalarEvolution &SE) {
  auto All = [&](ArrayRef<const SCEV *> Ops) {
    return all_of(Ops, [&](const SCEV *Op) { return fits(Op, Signed, SE); });
  };
  switch (S->getSCEVType()) {
  case scConstant:
    return Signed || cast<SCEVConstant>(S)->getAPInt().isNonNegative();
  case scUnknown:
    return isRecordedSigned(*cast<SCEVUnknown>(S)->getValue()) == Signed ||
           SE.isKnownNonNegative(S);
  case scZeroExtend:
    return true;
  case scSignExtend:
    return Signed;
  case scTruncate: {
    const SCEV *From = cast<SCEVCastExpr>(S)->getOperand();
    unsigned Bits = SE.getTypeSizeInBits(S->getType());
    return Signed ? SE.getSignedRange(From).getMinSignedBits() <= Bits
                  : SE.getUnsignedRange(From).getActiveBits() <= Bits &&
                        (!isNarrow(From->getType()) || fits(From, false, SE));
  }
  case scAddRecExpr:
  case scAddExpr:
  case scMulExpr: {
    auto *E = cast<SCEVNAryExpr>(S);
    return (Signed ? E->hasNoSignedWrap() : E->hasNoUnsignedWrap()) &&
           All(E->operands());
  }
  case scSMaxExpr:
  case scSMinExpr:
    return Signed;
  case scUMaxExpr:
  case scUMinExpr:
  case scSequentialUMinExpr:
  case scUDivExpr:
    return !Signed;
  default:
    return false;
  }
}

/// \p S as a count, with or without a sign; narrow words are reduced to their
/// bits.
CountRef Formulas::asWord(const SCEV *S, bool Signed, const Loop *Within,
                          FunctionInfo &FI, std::string &Why,
                          const Times *Open) {
  CountRef C = toCount(S, Within, FI, Why, Open);
  if (!C || !isNarrow(S->getType()) || fits(S, Signed, *FI.SE))
    return C;
  unsigned Bits = FI.SE->getTypeSizeInBits(S->getType());
  CountRef Range = countConst(int64_t(1) << Bits);
  CountRef Lowest = countConst(Signed ? -(int64_t(1) << (Bits - 1)) : 0);
  C = countOp("-", {C, Lowest});
  return countAdd(countAdd(C, Lowest),
                  countMul(countMul(countConst(-1), Range),
                           countOp("floordiv", {C, Range})));
}

} // namespace evenkeel
