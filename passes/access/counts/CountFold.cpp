//===- CountFold.cpp - fold count expressions -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: results of operations on counts if some operands are constants or
// equal.
// Makes: countOp, in the normal form that keeps formulas short (CountTerms.h).
// Not here: sums over the iterations of a loop (CountSums.cpp); solving; two
// equal formulas may still differ in form.
//===----------------------------------------------------------------------===//
#include "access/counts/CountTerms.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;

namespace evenkeel {

/// X if \p C is \p Name (1, X); else null.
static CountRef besideOne(const CountRef &C, StringRef Name) {
  return C->Kind == Count::Op && C->Name == Name && C->Args.size() == 2 &&
                 C->Args[0]->Kind == Count::Const && C->Args[0]->Value == 1
             ? C->Args[1]
             : nullptr;
}

/// max(1, x) * min(1, x) is x if x is not negative: "at least once" times "only
/// if at all".
static void joinWithGuards(std::vector<CountRef> &Factors) {
  for (CountRef &A : Factors)
    for (CountRef &B : Factors) {
      CountRef Iterations = besideOne(A, "max"), Any = besideOne(B, "min");
      if (!Iterations || !Any)
        continue;
      CountRef AtLeast = countOp("max", {countConst(0), Iterations});
      if (keyOfCount(Any) != keyOfCount(AtLeast) &&
          (keyOfCount(Any) != keyOfCount(Iterations) || !isNatural(Any)))
        continue;
      A = Any;
      B = countConst(1);
      return;
    }
}

static CountRef foldProduct(std::vector<CountRef> Args) {
  joinWithGuards(Args);
  Term T;
  for (const CountRef &A : Args) {
    std::vector<Term> Parts;
    terms(A, 1, Parts);
    if (Parts.size() == 1) {
      T.Coefficient *= Parts[0].Coefficient;
      T.Atoms.insert(T.Atoms.end(), Parts[0].Atoms.begin(),
                     Parts[0].Atoms.end());
    } else {
      T.Atoms.push_back(A);
    }
  }
  if (T.Coefficient == 0)
    return countConst(0);
  if (T.Atoms.size() == 1) { // a constant times a sum: distribute
    std::vector<Term> Parts;
    terms(T.Atoms[0], T.Coefficient, Parts);
    return fromTerms(Parts);
  }
  llvm::sort(T.Atoms, [](const CountRef &A, const CountRef &B) {
    return keyOfCount(A) < keyOfCount(B);
  });
  return fromTerm(T);
}

static CountRef foldExtreme(StringRef Name, const std::vector<CountRef> &Args) {
  std::map<std::string, CountRef> Unique;
  std::optional<int64_t> Constant;
  std::vector<CountRef> Work = Args;
  for (size_t K = 0; K < Work.size(); ++K) {
    const CountRef A = Work[K];
    if (A->Kind == Count::Const)
      Constant = !Constant       ? A->Value
                 : Name == "max" ? std::max(*Constant, A->Value)
                                 : std::min(*Constant, A->Value);
    else if (A->Kind == Count::Op && A->Name == Name)
      Work.insert(Work.end(), A->Args.begin(), A->Args.end());
    else
      Unique.emplace(keyOfCount(A), A);
  }
  std::vector<CountRef> Out;
  if (Constant)
    Out.push_back(countConst(*Constant));
  for (auto &[Key, A] : Unique) {
    std::vector<Term> Ahead; // of A, if the constant is
    if (Constant) {
      terms(A, Name == "max" ? -1 : 1, Ahead);
      Ahead.push_back({Name == "max" ? *Constant : -*Constant, {}});
    }
    if (!Constant || !isNatural(fromTerms(Ahead)))
      Out.push_back(A);
  }
  return Out.size() == 1 ? Out[0] : rawOp(Name, std::move(Out));
}

static CountRef foldDivision(StringRef Name, const CountRef &A,
                             const CountRef &B) {
  if (isPositive(B) &&
      (isConst(A, 0) || isConst(A, Name == "floordiv" ? -1 : 1)))
    return A;
  if (A->Kind == Count::Op && A->Name == Name && isPositive(B) &&
      isPositive(A->Args[1]))
    return foldDivision(Name, A->Args[0], countMul(A->Args[1], B));
  if (B->Kind == Count::Const && B->Value > 0) {
    std::vector<Term> Parts;
    terms(A, 1, Parts);
    if (all_of(Parts,
               [&](const Term &T) { return T.Coefficient % B->Value == 0; })) {
      for (Term &T : Parts)
        T.Coefficient /= B->Value;
      return fromTerms(Parts);
    }
    std::vector<Term> Out, In;
    for (const Term &T : Parts) {
      bool Whole = T.Coefficient % B->Value == 0;
      (Whole ? Out : In).push_back(T);
      if (Whole)
        Out.back().Coefficient /= B->Value;
    }
    if (Name == "floordiv" && !Out.empty() && !In.empty())
      return countAdd(fromTerms(Out), foldDivision(Name, fromTerms(In), B));
    if (A->Kind == Count::Const) {
      int64_t Floor = A->Value / B->Value - (A->Value % B->Value < 0);
      return countConst(Name == "floordiv" ? Floor : Floor + 1);
    }
  }
  return rawOp(Name, {A, B});
}

/// \p Base to the power of \p K.
static CountRef foldPower(const CountRef &Base, const CountRef &K) {
  int64_t Value = 1;
  if (K->Kind != Count::Const || (K->Value > 0 && Base->Kind != Count::Const))
    return isConst(K, 1) ? Base : rawOp("pow", {Base, K});
  for (int64_t N = 0; N < K->Value; ++N)
    if (MulOverflow(Value, Base->Value, Value))
      return rawOp("pow", {Base, K});
  return countConst(Value);
}

/// The smallest power of \p Base that is at least \p C.
static CountRef foldLog(const CountRef &C, const CountRef &Base) {
  int64_t Value = 1, K = 0;
  if (C->Kind != Count::Const || Base->Kind != Count::Const || Base->Value < 2)
    return rawOp("ceillog", {C, Base});
  while (Value < C->Value) {
    ++K;
    if (MulOverflow(Value, Base->Value, Value))
      break;
  }
  return countConst(K);
}

/// max(b + 1, b + s) - b is max(1, s): moves a sum into its only extreme if
/// that makes it shorter.
static CountRef sinkIntoExtreme(const CountRef &Sum) {
  if (Sum->Kind != Count::Op || Sum->Name != "+")
    return Sum;
  for (size_t K = 0; K < Sum->Args.size(); ++K) {
    const CountRef &A = Sum->Args[K];
    if (A->Kind != Count::Op || (A->Name != "max" && A->Name != "min"))
      continue;
    std::vector<CountRef> Inner;
    for (const CountRef &B : A->Args) {
      std::vector<Term> Parts;
      terms(B, 1, Parts);
      for (size_t J = 0; J < Sum->Args.size(); ++J)
        if (J != K)
          terms(Sum->Args[J], 1, Parts);
      Inner.push_back(fromTerms(Parts));
    }
    CountRef New = foldExtreme(A->Name, Inner);
    if (keyOfCount(New).size() < keyOfCount(Sum).size())
      return New;
  }
  return Sum;
}

CountRef countOp(StringRef Name, std::vector<CountRef> Args) {
  if (Name == "+") {
    std::vector<Term> Parts;
    for (const CountRef &A : Args)
      terms(A, 1, Parts);
    return sinkIntoExtreme(fromTerms(Parts));
  }
  if (Name == "-")
    return countAdd(Args[0], countMul(countConst(-1), Args[1]));
  if (Name == "*")
    return foldProduct(Args);
  if (Name == "max" || Name == "min")
    return foldExtreme(Name, Args);
  if (Name == "ceildiv" || Name == "floordiv")
    return foldDivision(Name, Args[0], Args[1]);
  if (Name == "pow")
    return foldPower(Args[0], Args[1]);
  if (Name == "ceillog")
    return foldLog(Args[0], Args[1]);
  return rawOp(Name, std::move(Args));
}

} // namespace evenkeel
