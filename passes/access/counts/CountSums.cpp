//===- CountSums.cpp - sum counts over a loop's iterations ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: closed forms of sums over a loop's iterations: of polynomials of low
// degree (Faulhaber); of counts under a condition that bounds the iteration
// number from below or above, by moving the bounds of the sum; and of
// differences between an iteration and the previous one (remainders of a
// constant), where all but the ends cancel.
// Not here: all other sums, which the evaluation of a formula adds up.
//===----------------------------------------------------------------------===//
#include "access/counts/Count.h"
#include "access/counts/CountTerms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace evenkeel {

static bool isSum(const CountRef &C) {
  return C->Kind == Count::Op && (C->Name == "sum" || C->Name == "sharesum");
}

CountRef countIndex(uint64_t Loop) {
  auto C = std::make_shared<Count>();
  C->Kind = Count::Index;
  C->Sym = Loop;
  return C;
}

bool hasFreeIndex(const CountRef &C) {
  return (C->Kind == Count::Index && C->Sym) || any_of(C->Args, hasFreeIndex);
}

bool mentionsIndex(const CountRef &C, uint64_t Loop) {
  return (C->Kind == Count::Index && C->Sym == Loop) ||
         any_of(C->Args,
                [&](const CountRef &A) { return mentionsIndex(A, Loop); });
}

/// \p C with \p Replace for the loop's iteration number; \p Sums is the number
/// of sums between it and \p C.
static CountRef replaced(const CountRef &C, uint64_t Loop, unsigned Sums,
                         function_ref<CountRef(unsigned)> Replace) {
  if (C->Kind == Count::Index && C->Sym == Loop)
    return Replace(Sums);
  if (C->Kind != Count::Op || !mentionsIndex(C, Loop))
    return C;
  std::vector<CountRef> Args;
  for (size_t K = 0; K < C->Args.size(); ++K)
    Args.push_back(
        replaced(C->Args[K], Loop, Sums + (isSum(C) && K == 1), Replace));
  return countOp(C->Name, std::move(Args));
}

CountRef atIteration(const CountRef &C, uint64_t Loop,
                     const CountRef &Iteration) {
  return replaced(C, Loop, 0, [&](unsigned) { return Iteration; });
}

static CountRef bound(const CountRef &C, uint64_t Loop) {
  return replaced(C, Loop, 0, [](unsigned Sums) {
    auto I = std::make_shared<Count>();
    I->Kind = Count::Index;
    I->Value = Sums;
    return CountRef(I);
  });
}

/// Coefficients of 1, i, i^2, .. where i is the iteration number; empty: \p C
/// is no polynomial in i, or its degree is too high.
static std::vector<CountRef> polynomial(const CountRef &C, uint64_t Loop) {
  constexpr size_t MostTerms = 2; // with more, a sum is easier to read
  if (!mentionsIndex(C, Loop))
    return {C};
  if (C->Kind == Count::Index)
    return {countConst(0), countConst(1)};
  std::vector<CountRef> Out;
  if (C->Name != "+" && C->Name != "*")
    return Out;
  for (const CountRef &A : C->Args) {
    std::vector<CountRef> P = polynomial(A, Loop), Next;
    if (P.empty())
      return P;
    if (Out.empty()) {
      Next = P;
    } else if (C->Name == "+") {
      Next = Out.size() > P.size() ? Out : P;
      for (size_t K = 0; K < std::min(Out.size(), P.size()); ++K)
        Next[K] = countAdd(Out[K], P[K]);
    } else {
      Next.assign(Out.size() + P.size() - 1, countConst(0));
      for (size_t K = 0; K < Out.size(); ++K)
        for (size_t J = 0; J < P.size(); ++J)
          Next[K + J] = countAdd(Next[K + J], countMul(Out[K], P[J]));
    }
    if (Next.size() > MostTerms)
      return {};
    Out = std::move(Next);
  }
  return Out;
}

/// The factors of \p C without the loop's iteration number, and the other
/// factors.
static std::pair<CountRef, CountRef> split(const CountRef &C, uint64_t Loop) {
  CountRef Fixed = countConst(1), Moving = countConst(1);
  if (C->Kind != Count::Op || C->Name != "*")
    return {Fixed, C};
  for (const CountRef &A : C->Args) {
    CountRef &Side = mentionsIndex(A, Loop) ? Moving : Fixed;
    Side = countMul(Side, A);
  }
  return {Fixed, Moving};
}

//===----------------------------------------------------------------------===//
// Conditions on iterations
//===----------------------------------------------------------------------===//

bool isNatural(const CountRef &C) {
  switch (C->Kind) {
  case Count::Const:
    return C->Value >= 0;
  case Count::Symbol:
    return false;
  case Count::Index:
    return true;
  case Count::Op:
    break;
  }
  if (C->Name == "share" || C->Name == "first" || C->Name == "ceillog")
    return true;
  if (C->Name == "max")
    return any_of(C->Args, isNatural);
  if (C->Name == "floordiv")
    return isNatural(C->Args[0]) && isPositive(C->Args[1]);
  if (C->Name == "*" && C->Args.size() == 2 &&
      C->Args[0]->Kind == Count::Const && C->Args[0]->Value < 0 &&
      C->Args[1]->Kind == Count::Op && C->Args[1]->Name == "min")
    return any_of(C->Args[1]->Args, [](const CountRef &A) {
      return A->Kind == Count::Const && A->Value <= 0;
    });
  if (C->Name == "+" || C->Name == "*" || C->Name == "min" || C->Name == "pow")
    return all_of(C->Args, isNatural);
  return false;
}

bool isPositive(const CountRef &C) {
  if (C->Kind == Count::Const)
    return C->Value > 0;
  if (C->Kind != Count::Op)
    return false;
  if (C->Name == "pow")
    return isPositive(C->Args[0]);
  if (C->Name == "max")
    return any_of(C->Args, isPositive);
  if (C->Name == "*" || C->Name == "min")
    return all_of(C->Args, isPositive);
  return C->Name == "+" && all_of(C->Args, isNatural) &&
         any_of(C->Args, isPositive);
}

/// Whether \p C is not negative if no expression of \p Known is, for any values
/// of symbols.
static bool followsFrom(const CountRef &C, ArrayRef<CountRef> Known,
                        unsigned Depth = 0) {
  if (isNatural(C))
    return true;
  return Depth < 3 &&
         any_of(
             Known,
             [&](const CountRef &K) {
               return followsFrom(countOp("-", {C, K}), Known, Depth + 1);
             });
}

CountRef countTruth(const CountRef &C) {
  return countOp(
      "min",
      {countConst(1), isNatural(C) ? C : countOp("max", {countConst(0), C})});
}

/// Appends the expressions that must all be positive for \p C to be positive.
static void conjunction(const CountRef &C, std::vector<CountRef> &Out) {
  std::vector<Term> Parts;
  terms(C, 1, Parts);
  for (size_t K = 0; K < Parts.size(); ++K) {
    const Term &T = Parts[K];
    if (T.Atoms.size() != 1 || T.Atoms[0]->Kind != Count::Op ||
        T.Atoms[0]->Name != (T.Coefficient > 0 ? "min" : "max"))
      continue;
    std::vector<Term> Others = Parts;
    Others.erase(Others.begin() + K);
    CountRef Rest = fromTerms(Others);
    for (const CountRef &A : T.Atoms[0]->Args)
      conjunction(countAdd(Rest, countMul(countConst(T.Coefficient), A)), Out);
    return;
  }
  Out.push_back(C);
}

/// If \p C is 1 when some numbers are all positive, else 0: these numbers.
static std::vector<CountRef> conditionsOf(const CountRef &C) {
  std::vector<CountRef> Out;
  if (C->Kind != Count::Op || C->Name != "min" || !isConst(C->Args[0], 1))
    return Out;
  for (const CountRef &A : drop_begin(C->Args)) {
    bool Clamped = A->Kind == Count::Op && A->Name == "max" &&
                   A->Args.size() == 2 && isConst(A->Args[0], 0);
    if (!Clamped && !isNatural(A))
      return {};
    conjunction(Clamped ? A->Args[1] : A, Out);
  }
  return Out;
}

void knownIn(const CountRef &Condition, std::vector<CountRef> &Known) {
  if (Condition->Kind == Count::Op && Condition->Name == "*")
    for (const CountRef &A : Condition->Args)
      knownIn(A, Known);
  for (const CountRef &C : conditionsOf(Condition))
    Known.push_back(countAdd(C, countConst(-1)));
}

namespace {
/// The iterations that satisfy the conditions: from the maximum of Low to below
/// the minimum of High.
struct Bounds {
  std::vector<CountRef> Low, High;

  bool addCondition(const CountRef &C, uint64_t Loop);
};
} // namespace

/// Adds the condition that \p C is positive, if that bounds the iteration
/// number of \p Loop.
bool Bounds::addCondition(const CountRef &C, uint64_t Loop) {
  std::vector<Term> Parts, Others;
  terms(C, 1, Parts);
  int64_t By = 0;
  for (const Term &T : Parts) {
    if (T.Atoms.size() == 1 && T.Atoms[0]->Kind == Count::Index &&
        T.Atoms[0]->Sym == Loop)
      By += T.Coefficient;
    else if (any_of(T.Atoms,
                    [&](const CountRef &A) { return mentionsIndex(A, Loop); }))
      return false;
    else
      Others.push_back(T);
  }
  CountRef Rest = fromTerms(Others);
  if (By < 0) // By * i + Rest > 0
    High.push_back(countOp("ceildiv", {Rest, countConst(-By)}));
  else if (By > 0)
    Low.push_back(countAdd(
        countOp("floordiv", {countMul(countConst(-1), Rest), countConst(By)}),
        countConst(1)));
  return By != 0;
}

/// The extreme of \p All, without operands that can never be the extreme.
static CountRef extreme(StringRef Name, const std::vector<CountRef> &All,
                        ArrayRef<CountRef> Known) {
  std::vector<CountRef> Kept = All;
  for (size_t K = 0; K < Kept.size();) {
    auto Beyond = [&](size_t J) {
      CountRef Ahead = Name == "max" ? countOp("-", {Kept[J], Kept[K]})
                                     : countOp("-", {Kept[K], Kept[J]});
      return J != K && followsFrom(Ahead, Known);
    };
    if (any_of(seq<size_t>(0, Kept.size()), Beyond))
      Kept.erase(Kept.begin() + K);
    else
      ++K;
  }
  return countOp(Name, Kept);
}

/// If \p C is a number that is linear in the iteration number of \p Loop,
/// clamped to at least 0: the number before clamping; else null.
static CountRef clampedOf(const CountRef &C, uint64_t Loop) {
  return C->Kind == Count::Op && C->Name == "max" && C->Args.size() == 2 &&
                 isConst(C->Args[0], 0) &&
                 Bounds().addCondition(C->Args[1], Loop)
             ? C->Args[1]
             : nullptr;
}

/// Whether \p C has a factor that is a condition on the iteration number of
/// \p Loop or, if the sum is \p Inner, a number clamped to at least 0.
static bool hasCondition(const CountRef &C, uint64_t Loop, bool Inner) {
  if (C->Kind != Count::Op || !mentionsIndex(C, Loop))
    return false;
  if (C->Name == "+" || C->Name == "*")
    return any_of(C->Args, [&](const CountRef &A) {
      return hasCondition(A, Loop, Inner);
    });
  if (Inner && clampedOf(C, Loop))
    return true;
  std::vector<CountRef> Of = conditionsOf(C);
  return !Of.empty() && all_of(Of, [&](const CountRef &Each) {
    return !mentionsIndex(Each, Loop) || Bounds().addCondition(Each, Loop);
  });
}

using Factors = std::vector<CountRef>;

/// \p C as a sum of products in which each condition on the iteration number of
/// \p Loop is a factor; empty: there are too many.
static std::vector<Factors> productsOf(const CountRef &C, uint64_t Loop,
                                       bool Inner) {
  constexpr size_t Most = 16;
  if (CountRef E = Inner ? clampedOf(C, Loop) : nullptr)
    return {{countTruth(E), E}};
  if (!hasCondition(C, Loop, Inner) || (C->Name != "+" && C->Name != "*"))
    return {{C}};
  std::vector<Factors> Out;
  if (C->Name == "*")
    Out.push_back({});
  for (const CountRef &A : C->Args) {
    std::vector<Factors> Of = productsOf(A, Loop, Inner), Next;
    if (Of.empty())
      return {};
    if (C->Name == "+") {
      Next = Out;
      Next.insert(Next.end(), Of.begin(), Of.end());
    }
    for (const Factors &F : C->Name == "*" ? Out : std::vector<Factors>())
      for (const Factors &G : Of) {
        Next.push_back(F);
        Next.back().insert(Next.back().end(), G.begin(), G.end());
      }
    if (Next.size() > Most)
      return {};
    Out = std::move(Next);
  }
  return Out;
}

/// If \p Body is a term's value in an iteration of \p Loop minus its value in
/// the previous iteration, plus something shorter: the term; else null.
static CountRef differing(const CountRef &Body, uint64_t Loop,
                          CountRef &Shorter) {
  std::vector<Term> Parts, Left;
  terms(Body, 1, Parts);
  for (const Term &T : Parts) {
    CountRef Each = fromTerms({T});
    if (T.Atoms.size() != 1 || T.Atoms[0]->Kind != Count::Op ||
        !mentionsIndex(Each, Loop))
      continue;
    CountRef Before =
        atIteration(Each, Loop, countAdd(countIndex(Loop), countConst(-1)));
    Shorter = countAdd(countOp("-", {Body, Each}), Before);
    Left.clear();
    terms(Shorter, 1, Left);
    if (Left.size() + 1 < Parts.size() || !mentionsIndex(Shorter, Loop))
      return Each;
  }
  return nullptr;
}

/// The same as countSum, but ignores conditions.
static CountRef plainSum(uint64_t Loop, const CountRef &N,
                         const CountRef &Body) {
  if (!mentionsIndex(Body, Loop) || isConst(N, 0))
    return countMul(N, Body);
  std::vector<CountRef> P = polynomial(Body, Loop);
  if (P.empty()) {
    auto [Fixed, Moving] = split(Body, Loop);
    CountRef Shorter;
    if (CountRef Each = differing(Moving, Loop, Shorter)) {
      CountRef Ends =
          countOp("-", {atIteration(Each, Loop, countAdd(N, countConst(-1))),
                        atIteration(Each, Loop, countConst(-1))});
      return countMul(Fixed, countAdd(Ends, plainSum(Loop, N, Shorter)));
    }
    return countMul(Fixed, rawOp("sum", {N, bound(Moving, Loop)}));
  }
  CountRef Twice = countMul(countConst(2), countMul(N, P[0]));
  if (P.size() > 1)
    Twice = countAdd(Twice,
                     countMul(countMul(countAdd(N, countConst(-1)), N), P[1]));
  return countOp("floordiv", {Twice, countConst(2)});
}

/// The product of \p All summed over the iterations of \p Loop.
static CountRef sumOfProduct(uint64_t Loop, const CountRef &N,
                             const Factors &All, ArrayRef<CountRef> Known) {
  CountRef Each = countConst(1), One = countConst(1);
  Bounds B{{countConst(0)}, {}};
  // The difference of the bounds is clamped to 0 below, so N need not be.
  CountRef High = N->Kind == Count::Op && N->Name == "max" &&
                          N->Args.size() == 2 && isConst(N->Args[0], 0)
                      ? N->Args[1]
                      : N;
  if (High->Kind == Count::Op && High->Name == "min")
    B.High = High->Args;
  else
    B.High = {High};
  std::vector<CountRef> Here(Known.begin(), Known.end());
  Here.push_back(countOp("-", {N, countAdd(countIndex(Loop), One)}));
  bool Moved = false;
  for (const CountRef &F : All) {
    std::vector<CountRef> Of = conditionsOf(F);
    if (any_of(Of, [&](const CountRef &C) { // never true
          return followsFrom(countMul(countConst(-1), C), Here);
        }))
      return countConst(0);
    bool Asks = !Of.empty();
    erase_if(Of, [&](const CountRef &C) { // always true
      return followsFrom(countOp("-", {C, One}), Here);
    });
    if (Asks && Of.empty())
      continue;
    auto Moving = llvm::partition(
        Of, [&](const CountRef &C) { return mentionsIndex(C, Loop); });
    Bounds With = B;
    if (Moving == Of.begin() ||
        !all_of(make_range(Of.begin(), Moving), [&](const CountRef &C) {
          return With.addCondition(C, Loop);
        })) {
      Each = countMul(Each, F);
      continue;
    }
    B = std::move(With);
    Moved = true;
    for (const CountRef &C : make_range(Moving, Of.end()))
      Each = countMul(Each, countTruth(C));
  }
  if (!Moved)
    return plainSum(Loop, N, Each);
  CountRef From = extreme("max", B.Low, Known);
  CountRef Iterations = countOp("-", {extreme("min", B.High, Known), From});
  if (!followsFrom(Iterations, Known))
    Iterations = countOp("max", {countConst(0), Iterations});
  return plainSum(Loop, Iterations,
                  atIteration(Each, Loop, countAdd(countIndex(Loop), From)));
}

CountRef countSum(uint64_t Loop, const CountRef &N, const CountRef &Body,
                  ArrayRef<CountRef> Known) {
  // Inside another sum, the remaining additions are repeated in each iteration.
  const bool Inner = !Known.empty();
  std::vector<Factors> Products = productsOf(Body, Loop, Inner);
  if (!hasCondition(Body, Loop, Inner) || Products.empty())
    return plainSum(Loop, N, Body);
  CountRef Total = countConst(0);
  for (const Factors &F : Products)
    Total = countAdd(Total, sumOfProduct(Loop, N, F, Known));
  return Total;
}

CountRef countShareSum(uint64_t Loop, const CountRef &N, const CountRef &Chunk,
                       const CountRef &Body) {
  auto [Fixed, Moving] = split(Body, Loop);
  bool Same = !mentionsIndex(Body, Loop);
  // There is no share of fewer than 0 iterations, so a clamp of N is redundant.
  CountRef All = countOp("max", {countConst(0), N});
  if (All->Kind == Count::Op && All->Name == "max" && All->Args.size() == 2 &&
      isConst(All->Args[0], 0))
    All = All->Args[1];
  std::vector<CountRef> Args = {All};
  if (!Same)
    Args.push_back(bound(Moving, Loop));
  if (Chunk)
    Args.push_back(Chunk);
  return countMul(Same ? Body : Fixed,
                  rawOp(Same ? "share" : "sharesum", std::move(Args)));
}

/// Whether \p C, inside \p Sums sums, uses the index of a sum outside these.
static bool reachesOut(const CountRef &C, unsigned Sums) {
  if (C->Kind == Count::Index)
    return C->Sym || C->Value >= Sums;
  bool Sum = C->Kind == Count::Op && isSum(C);
  for (size_t K = 0; K < C->Args.size(); ++K)
    if (reachesOut(C->Args[K], Sums + (Sum && K == 1)))
      return true;
  return false;
}

static bool isSummedQuickly(const CountRef &C, bool InSum) {
  if (C->Kind != Count::Op)
    return true;
  if (isSum(C) && InSum && reachesOut(C, 0))
    return false;
  return all_of(C->Args, [&](const CountRef &A) {
    return isSummedQuickly(A, InSum || isSum(C));
  });
}

bool isSummedQuickly(const CountRef &C) { return isSummedQuickly(C, false); }

} // namespace evenkeel
