//===- Choices.cpp - values that a test of the input chooses --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tests that compare numbers of the input, or one of its texts with a
// literal ("-s small"), and the selects and phis that they decide.
// Makes: one formula for both cases.
// Not here: tests whether an argument is there; the first value that is stated
// counts (Numbers.cpp).
//===----------------------------------------------------------------------===//
#include "access/inputs/Conversions.h"
#include "access/inputs/InputFinder.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace evenkeel {

/// 1 if the texts that \p CB compares are equal, else 0.
CountRef InputFinder::truthOfComparison(CallBase &CB, const Frame *In,
                                        const Trail &T) {
  std::optional<Comparison> Cmp = comparisonOf(CB);
  if (!Cmp || Cmp->Characters)
    return nullptr;
  Value *Of = CB.getArgOperand(Cmp->Left);
  std::optional<std::string> With = literalAt(CB.getArgOperand(Cmp->Right));
  if (!With && !Cmp->OfString) {
    With = literalAt(Of);
    Of = CB.getArgOperand(Cmp->Right);
  }
  Texts Found;
  if (!With || !(Cmp->OfString ? addTextsOfString(Of, Found)
                               : addTexts(Of, In, T, 0, Found)))
    return nullptr;
  const bool AnyCase = plainName(CB) == "strcasecmp";
  std::vector<CountRef> Truths;
  for (Text &X : Found) {
    if (X.Literal) {
      const StringRef Words = X.Words;
      Truths.push_back(countConst(AnyCase ? Words.equals_insensitive(*With)
                                          : Words == *With));
      continue;
    }
    InputRow R = X.Row;
    if (R.Kind == InputRow::File)
      return nullptr;
    R.Convert = AnyCase ? "equals-any-case" : "equals";
    R.Format = *With;
    Truths.push_back(Table.add(R, &CB));
  }
  return Truths.empty() ? nullptr : Table.firstOf(std::move(Truths));
}

/// 1 if \p Cond holds, else 0; null: it is more than a test of the input.
CountRef InputFinder::truthOf(Value *Cond, const Frame *In, const Trail &T) {
  CmpInst::Predicate Is;
  Value *A = nullptr, *B = nullptr;
  if (!match(Cond, m_ICmp(Is, m_Value(A), m_Value(B))) ||
      !A->getType()->isIntegerTy())
    return nullptr;
  CountRef Equal;
  if (auto *CB = dyn_cast<CallBase>(A);
      CB && match(B, m_Zero()) && CmpInst::isEquality(Is))
    Equal = truthOfComparison(*CB, In, T);
  auto Not = [](const CountRef &C) { return countOp("-", {countConst(1), C}); };
  if (Equal)
    return Is == CmpInst::ICMP_EQ ? Equal : Not(Equal);
  CountRef X = number(A, In, T), Y = X ? number(B, In, T) : nullptr;
  if (!Y || isCycle(X) || isCycle(Y) || Table.countsArguments(X) ||
      Table.countsArguments(Y))
    return nullptr;
  CountRef Above = countTruth(countOp("-", {X, Y})),
           Below = countTruth(countOp("-", {Y, X}));
  switch (Is) {
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return Above;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return Below;
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
    return Not(Below);
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
    return Not(Above);
  case CmpInst::ICMP_EQ:
    return Not(countAdd(Above, Below));
  case CmpInst::ICMP_NE:
    return countAdd(Above, Below);
  default:
    return nullptr;
  }
}

/// The branch that decides between the two values of \p P, and whether the
/// first is taken where its condition holds; null: none.
static BranchInst *decisionOf(const PHINode &P, bool &FirstIfTrue) {
  if (P.getNumIncomingValues() != 2)
    return nullptr;
  BasicBlock *X = P.getIncomingBlock(0), *Y = P.getIncomingBlock(1);
  BasicBlock *D = X->getUniquePredecessor() == Y   ? Y
                  : Y->getUniquePredecessor() == X ? X
                                                   : X->getUniquePredecessor();
  if (!D || (D != X && D != Y && Y->getUniquePredecessor() != D))
    return nullptr;
  auto *Br = dyn_cast<BranchInst>(D->getTerminator());
  if (!Br || !Br->isConditional())
    return nullptr;
  const BasicBlock *ToFirst = D == X ? P.getParent() : X;
  if (Br->getSuccessor(0) == Br->getSuccessor(1))
    return nullptr;
  FirstIfTrue = Br->getSuccessor(0) == ToFirst;
  return Br;
}

/// The value of a select or phi that a test of the input decides; nullopt: no
/// such test decides.
std::optional<CountRef> InputFinder::chosen(Value &V, const Frame *In,
                                            const Trail &T) {
  Value *Cond = nullptr, *Then = nullptr, *Else = nullptr;
  Trail ToThen = T, ToElse = T;
  if (auto *S = dyn_cast<SelectInst>(&V)) {
    Cond = S->getCondition();
    Then = S->getTrueValue();
    Else = S->getFalseValue();
  } else if (auto *P = dyn_cast<PHINode>(&V)) {
    bool FirstIfTrue = false;
    if (BranchInst *Br = decisionOf(*P, FirstIfTrue)) {
      const unsigned K = FirstIfTrue ? 0 : 1;
      Cond = Br->getCondition();
      Then = P->getIncomingValue(K);
      Else = P->getIncomingValue(1 - K);
      ToThen.push_back({P->getIncomingBlock(K), P->getParent()});
      ToElse.push_back({P->getIncomingBlock(1 - K), P->getParent()});
    }
  }
  // Most tests are of other things: search them briefly, on steps of their own.
  if (!Cond || InTest)
    return std::nullopt;
  CountRef Holds;
  {
    constexpr unsigned MostSteps = 200;
    SaveAndRestore Test(InTest, true);
    SaveAndRestore Steps(Left, std::min(Left, MostSteps));
    Holds = truthOf(Cond, In, T);
  }
  if (!Holds)
    return std::nullopt;
  CountRef A = number(Then, In, ToThen),
           B = A ? number(Else, In, ToElse) : nullptr;
  if (!B || isCycle(A))
    return B;
  if (isCycle(B))
    return A;
  return countAdd(B, countMul(Holds, countOp("-", {A, B})));
}

} // namespace evenkeel
