//===- CountSums.cpp - counts summed over a loop's rounds -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: sums over a loop's rounds in closed form: of polynomials of low degree
// (Faulhaber); of what only rounds behind a condition count, where the
// condition bounds the round from below or above: the bounds of the sum move;
// of differences of what a round and the round before it have (remainders of a
// constant): all but the ends cancel.
// Leaves out: all other sums; whoever evaluates the formula adds them up.
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

/// \p C with \p Replace for the loop's round; \p Sums lie between it and \p C.
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

CountRef atRound(const CountRef &C, uint64_t Loop, const CountRef &Round) {
  return replaced(C, Loop, 0, [&](unsigned) { return Round; });
}

static CountRef bound(const CountRef &C, uint64_t Loop) {
  return replaced(C, Loop, 0, [](unsigned Sums) {
    auto I = std::make_shared<Count>();
    I->Kind = Count::Index;
    I->Value = Sums;
    return CountRef(I);
  });
}

/// Coefficients of 1, i, i^2, .. where i is the loop's round; empty: \p C is no
/// such polynomial, or of too high a degree.
static std::vector<CountRef> polynomial(const CountRef &C, uint64_t Loop) {
  constexpr size_t MostTerms = 2; // above, a sum reads better
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

/// Factors of \p C that do not mention the loop's round, and the others.
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
// Conditions on rounds
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

/// Whether \p C is not below 0 where those of \p Known are not, whatever
/// symbols are.
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

/// Appends what must all be above 0 for \p C to be.
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

/// Where \p C is 1 if numbers are all above 0, else 0: these numbers.
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
/// The rounds that conditions leave: those from the highest of Low up to below
/// the lowest of High.
struct Bounds {
  std::vector<CountRef> Low, High;

  bool addCondition(const CountRef &C, uint64_t Loop);
};
} // namespace

/// \p C above 0, if that bounds the round of \p Loop.
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

/// The extreme of \p All, without those that another one is always beyond.
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

/// Where \p C is a number that moves evenly with the round of \p Loop, but not
/// below 0: that number; else null.
static CountRef clampedOf(const CountRef &C, uint64_t Loop) {
  return C->Kind == Count::Op && C->Name == "max" && C->Args.size() == 2 &&
                 isConst(C->Args[0], 0) &&
                 Bounds().addCondition(C->Args[1], Loop)
             ? C->Args[1]
             : nullptr;
}

/// Whether a condition that bounds the round of \p Loop is a factor in \p C,
/// or, if the sum is \p Inner, a number that is not below 0.
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

/// \p C as a sum of products in which each condition on the round of \p Loop
/// is a factor; empty: too many.
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

/// Where \p Body is what a term of it has in a round of \p Loop less what the
/// term has in the round before, and something shorter: the term; else null.
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
        atRound(Each, Loop, countAdd(countIndex(Loop), countConst(-1)));
    Shorter = countAdd(countOp("-", {Body, Each}), Before);
    Left.clear();
    terms(Shorter, 1, Left);
    if (Left.size() + 1 < Parts.size() || !mentionsIndex(Shorter, Loop))
      return Each;
  }
  return nullptr;
}

/// As countSum, but for conditions.
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
          countOp("-", {atRound(Each, Loop, countAdd(N, countConst(-1))),
                        atRound(Each, Loop, countConst(-1))});
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

/// The product of \p All summed over the rounds of \p Loop.
static CountRef sumOfProduct(uint64_t Loop, const CountRef &N,
                             const Factors &All, ArrayRef<CountRef> Known) {
  CountRef Each = countConst(1), One = countConst(1);
  Bounds B{{countConst(0)}, {}};
  // The difference of bounds is kept from lying below 0; no need for N to be.
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
    if (any_of(Of, [&](const CountRef &C) { // never so
          return followsFrom(countMul(countConst(-1), C), Here);
        }))
      return countConst(0);
    bool Asks = !Of.empty();
    erase_if(Of, [&](const CountRef &C) { // always so
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
  CountRef Rounds = countOp("-", {extreme("min", B.High, Known), From});
  if (!followsFrom(Rounds, Known))
    Rounds = countOp("max", {countConst(0), Rounds});
  return plainSum(Loop, Rounds,
                  atRound(Each, Loop, countAdd(countIndex(Loop), From)));
}

CountRef countSum(uint64_t Loop, const CountRef &N, const CountRef &Body,
                  ArrayRef<CountRef> Known) {
  // Within another sum, what is left to add up is added up again and again.
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
  // Of less than none there is no share: what only keeps N from that may go.
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

/// Whether \p C, which \p Sums are in, has the index of one outside of it.
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
