//===- Numbers.cpp - numbers that come from the input ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: arithmetic, and choices between values.
// Makes: a value as an expression over inputs.
//===----------------------------------------------------------------------===//
#include "access/inputs/Conversions.h"
#include "access/inputs/InputFinder.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace evenkeel {

/// Stands for a value that only comes around a loop again and adds no number.
static const CountRef &cycle() {
  static const CountRef C = std::make_shared<Count>();
  return C;
}

bool InputFinder::isCycle(const CountRef &C) { return C == cycle(); }

static bool isInput(const CountRef &C) {
  return C->Kind == Count::Symbol || any_of(C->Args, isInput);
}

CountRef InputFinder::valueOf(Value *V) {
  constexpr unsigned MostSteps = 10000;
  Left = MostSteps;
  Open.clear();
  CountRef C = number(V, nullptr, {});
  Frames.clear();
  return C && C != cycle() && isInput(C) ? C : nullptr;
}

/// Of values that are equal, one; of others, the first that the command line
/// states, else the constant. Without a single constant, nothing else.
CountRef InputFinder::numberOfSources(const Sources &S, const Trail &T) {
  std::vector<CountRef> Inputs;
  SmallVector<CountRef, 2> Constants;
  for (const Source &From : S.All) {
    if (!From.V)
      return nullptr;
    Trail Here;
    if (!S.Anew)
      Here = T;
    Here.append(From.At.begin(), From.At.end());
    CountRef C;
    if (From.Into)
      C = written(*cast<CallBase>(From.V), From.Where, From.In, Here);
    else
      C = number(From.V, From.In, Here);
    if (!C)
      return nullptr;
    if (C == cycle())
      continue;
    auto IsC = [&](const CountRef &Other) { return sameCount(C, Other); };
    if (isInput(C) && none_of(Inputs, IsC))
      Inputs.push_back(C);
    else if (!isInput(C) && none_of(Constants, IsC))
      Constants.push_back(C);
  }
  if (Inputs.empty() && Constants.empty())
    return S.All.empty() ? nullptr : cycle();
  if (Inputs.size() + Constants.size() == 1)
    return Inputs.empty() ? Constants[0] : Inputs[0];
  if (Inputs.empty() || S.Agree)
    return nullptr;
  Inputs.insert(Inputs.end(), Constants.begin(), Constants.end());
  return Table.firstOf(std::move(Inputs));
}

/// \p X / \p Y as machines divide numbers that are not negative.
static CountRef quotient(const CountRef &X, const CountRef &Y) {
  return countOp("floordiv", {X, Y});
}

static CountRef powerOf2(const CountRef &C) {
  return countOp("pow", {countConst(2), C});
}

CountRef InputFinder::operation(BinaryOperator &B, const CountRef &X,
                                const CountRef &Y) {
  switch (B.getOpcode()) {
  case Instruction::Add:
  case Instruction::FAdd:
    return countAdd(X, Y);
  case Instruction::Sub:
  case Instruction::FSub:
    return countOp("-", {X, Y});
  case Instruction::Mul:
  case Instruction::FMul:
    return countMul(X, Y);
  case Instruction::SDiv:
  case Instruction::UDiv:
    return isConst(Y, 0) ? nullptr : quotient(X, Y);
  case Instruction::SRem:
  case Instruction::URem:
    return isConst(Y, 0) ? nullptr
                         : countOp("-", {X, countMul(Y, quotient(X, Y))});
  case Instruction::Shl:
    return countMul(X, powerOf2(Y));
  case Instruction::LShr:
  case Instruction::AShr:
    return quotient(X, powerOf2(Y));
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(B).isDisjoint() ? countAdd(X, Y)
                                                      : nullptr;
  case Instruction::And: {
    auto *C = dyn_cast<ConstantInt>(B.getOperand(1));
    if (!C)
      return nullptr;
    const APInt &Mask = C->getValue();
    const unsigned Bits = Mask.isMask() ? Mask.getActiveBits() : 0;
    if (Bits == 31 || Bits == 32) // a word, widened
      return X;
    if (Bits && Bits < 31) { // n % 8
      const CountRef Whole = countConst(int64_t(1) << Bits);
      return countOp("-", {X, countMul(Whole, quotient(X, Whole))});
    }
    if (Mask.isNegatedPowerOf2() && Mask.countr_zero() < 31) { // n / 8 * 8
      const CountRef Whole = countConst(int64_t(1) << Mask.countr_zero());
      return countMul(Whole, quotient(X, Whole));
    }
    return nullptr;
  }
  default:
    return nullptr;
  }
}

CountRef InputFinder::arithmetic(Instruction &I, const Frame *In,
                                 const Trail &T) {
  using Maker = function_ref<CountRef(const CountRef &, const CountRef &)>;
  auto Of = [&](Value *Left, Value *Right, Maker Make) -> CountRef {
    const CountRef X = number(Left, In, T);
    const CountRef Y = X && Right ? number(Right, In, T) : X;
    if (!Y)
      return nullptr;
    return isCycle(X) || isCycle(Y) ? cycle() : Make(X, Y);
  };
  Value *Word = nullptr;
  const APInt *Up = nullptr, *Down = nullptr;
  // A sign extension as shifts.
  if (match(&I, m_AShr(m_Shl(m_Value(Word), m_APInt(Up)), m_APInt(Down))) &&
      *Up == *Down)
    return number(Word, In, T);
  if (auto *B = dyn_cast<BinaryOperator>(&I))
    return Of(B->getOperand(0), B->getOperand(1),
              [&](auto &X, auto &Y) { return operation(*B, X, Y); });
  if (isa<FPToSIInst, FPToUIInst>(I))
    return Of(I.getOperand(0), nullptr,
              [](auto &X, auto &) { return quotient(X, countConst(1)); });
  if (auto *E = dyn_cast<ExtractValueInst>(&I)) {
    auto *O = dyn_cast<WithOverflowInst>(E->getAggregateOperand());
    if (!O || *E->idx_begin() != 0)
      return nullptr;
    const StringRef Op = O->getBinaryOp() == Instruction::Mul   ? "*"
                         : O->getBinaryOp() == Instruction::Add ? "+"
                                                                : "-";
    return Of(O->getLHS(), O->getRHS(),
              [&](auto &X, auto &Y) { return countOp(Op, {X, Y}); });
  }
  if (auto *MM = dyn_cast<MinMaxIntrinsic>(&I)) {
    const bool Max = MM->getIntrinsicID() == Intrinsic::smax ||
                     MM->getIntrinsicID() == Intrinsic::umax;
    return Of(MM->getLHS(), MM->getRHS(), [&](auto &X, auto &Y) {
      return countOp(Max ? "max" : "min", {X, Y});
    });
  }
  return nullptr;
}

CountRef InputFinder::number(Value *V, const Frame *In, const Trail &T) {
  // Recursive functions have a frame for each call, so a value may depend on
  // itself without a cycle; the depth keeps the compiler's stack.
  constexpr size_t LongestTrail = 16, Deepest = 128;
  if (!Left || T.size() > LongestTrail || Open.size() > Deepest)
    return nullptr;
  --Left;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().getSignificantBits() <= 62
               ? countConst(C->getSExtValue())
               : nullptr;
  if (auto *C = dyn_cast<ConstantFP>(V)) {
    APSInt Whole(64, /*isUnsigned=*/false);
    bool Exact = false;
    C->getValueAPF().convertToInteger(Whole, APFloat::rmTowardZero, &Exact);
    return Exact && Whole.getSignificantBits() <= 62
               ? countConst(Whole.getExtValue())
               : nullptr;
  }
  if (auto *A = dyn_cast<Argument>(V);
      A && A->getParent()->getName() == "main") {
    InputRow R;
    R.Kind = InputRow::Count;
    return A->getArgNo() == 0 ? Table.add(R, nullptr) : nullptr;
  }
  if (isa<Constant>(V))
    return nullptr;
  // Leaves out what a loop computes from the old value; the base run shows
  // whether it matters.
  if (!Open.insert({V, In}).second)
    return cycle();
  auto Close = make_scope_exit([&] { Open.erase({V, In}); });
  auto *CB = dyn_cast<CallBase>(V);
  if (CB && !isa<IntrinsicInst>(CB))
    if (std::optional<Conversion> C = conversionOf(*CB))
      return C->Into ? nullptr : converted(*CB, *C, In, T);
  if (std::optional<CountRef> C = chosen(*V, In, T))
    return *C;
  const Sources From = sourcesOf(V, In);
  if (From.Moved)
    return numberOfSources(From, T);
  auto *I = dyn_cast<Instruction>(V);
  return I ? arithmetic(*I, In, T) : nullptr;
}

/// Of several texts, the value of the first that is there. \p Field: which of
/// the values that the call reads.
CountRef InputFinder::converted(CallBase &CB, const Conversion &C,
                                const Frame *In, const Trail &T,
                                unsigned Field) {
  Trail Here = T;
  Here.insert(Here.begin(), {CB.getParent()});
  Value *Operand = CB.getArgOperand(C.Of);
  Texts Of;
  bool Known = false;
  switch (C.From) {
  case Conversion::Text:
    Known = addTexts(Operand, In, Here, 0, Of);
    break;
  case Conversion::Stream:
    Known = addTextsOfStream(Operand, Of);
    break;
  case Conversion::FileText:
  case Conversion::File:
    Known = addFile(Operand, In, Of);
    break;
  case Conversion::Path:
    Known = addTexts(Operand, In, Here, 0, Of);
    break;
  }
  if (!Known || Of.empty())
    return nullptr;
  std::vector<CountRef> Inputs;
  CountRef Default;
  for (Text &X : Of) {
    if (X.Literal) {
      int64_t N;
      if (Default || StringRef(X.Words).trim().getAsInteger(C.Base, N))
        return nullptr;
      Default = countConst(N);
      continue;
    }
    InputRow R = X.Row;
    if (C.From == Conversion::Path) {
      R.Convert = "text";
      InputRow Size;
      Size.Kind = InputRow::FileSize;
      Size.Of = {Table.add(R, &CB)};
      Inputs.push_back(Table.add(Size, &CB));
      continue;
    }
    if (C.From == Conversion::File)
      R.Kind = InputRow::FileSize;
    else
      R.Convert = C.Format ? "scan" : C.Number ? "number" : "integer";
    R.Base = C.Base;
    R.Format = C.Format.value_or("");
    R.Field = Field;
    Inputs.push_back(Table.add(R, &CB));
  }
  if (Default)
    Inputs.push_back(Default);
  return Inputs.size() == 1 ? Inputs[0] : Table.firstOf(std::move(Inputs));
}

/// What \p CB writes to \p Where.
CountRef InputFinder::written(CallBase &CB, Location Where, const Frame *In,
                              const Trail &T) {
  std::optional<Conversion> C = conversionOf(CB);
  if (!C || !C->Into)
    return nullptr;
  for (unsigned K = *C->Into; K < CB.arg_size(); ++K) {
    const LocationSet &To = Obj.pointsTo(CB.getArgOperand(K));
    if (C->From == Conversion::Path) {
      constexpr int64_t SizeInStat = 48; // st_size on 64-bit Linux
      if (!To.count({Where.first, Where.second - SizeInStat}))
        return cycle(); // another member
    } else if (!To.count(Where)) {
      continue;
    }
    if (To.size() != 1)
      return nullptr;
    return converted(CB, *C, In, T, K - *C->Into);
  }
  return cycle();
}

} // namespace evenkeel
