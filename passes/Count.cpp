//===- Count.cpp - fold, print and serialise count expressions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a normal form that keeps formulas short: sums of (coefficient x
// product of atoms), where atoms are symbols and the operators that do not
// distribute (max, min, ceildiv, floordiv, share, products of sums).
// Leaves out: solving; two equal formulas may still look different.
//===----------------------------------------------------------------------===//
#include "Count.h"
#include "format/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;

namespace evenkeel {

/// A text that is equal exactly for equal trees; orders commutative arguments.
static std::string keyOf(const CountRef &C) {
  switch (C->Kind) {
  case Count::Const:
    return std::to_string(C->Value);
  case Count::Symbol:
    return "s" + idToString(C->Sym);
  case Count::Op:
    break;
  }
  std::string Key = C->Name + "(";
  for (const CountRef &A : C->Args)
    Key += keyOf(A) + ",";
  return Key + ")";
}

static CountRef rawOp(StringRef Name, std::vector<CountRef> Args) {
  auto C = std::make_shared<Count>();
  C->Kind = Count::Op;
  C->Name = Name.str();
  C->Args = std::move(Args);
  return C;
}

CountRef countConst(int64_t V) {
  auto C = std::make_shared<Count>();
  C->Value = V;
  return C;
}

CountRef countSymbol(uint64_t Id) {
  auto C = std::make_shared<Count>();
  C->Kind = Count::Symbol;
  C->Sym = Id;
  return C;
}

bool isConst(const CountRef &C, int64_t V) {
  return C && C->Kind == Count::Const && C->Value == V;
}

bool sameCount(const CountRef &A, const CountRef &B) {
  if (!A || !B)
    return !A && !B;
  return keyOf(A) == keyOf(B);
}

bool mentions(const CountRef &C, uint64_t Sym) {
  if (!C)
    return false;
  if (C->Kind == Count::Symbol)
    return C->Sym == Sym;
  return any_of(C->Args, [&](const CountRef &A) { return mentions(A, Sym); });
}

namespace {
struct Term {
  int64_t Coefficient = 1;
  std::vector<CountRef> Atoms; // sorted by key
};
} // namespace

static void terms(const CountRef &C, int64_t Scale, std::vector<Term> &Out) {
  if (C->Kind == Count::Const) {
    Out.push_back({Scale * C->Value, {}});
    return;
  }
  if (C->Kind == Count::Op && C->Name == "+") {
    for (const CountRef &A : C->Args)
      terms(A, Scale, Out);
    return;
  }
  Term T;
  T.Coefficient = Scale;
  if (C->Kind == Count::Op && C->Name == "*") {
    for (const CountRef &A : C->Args)
      if (A->Kind == Count::Const)
        T.Coefficient *= A->Value;
      else
        T.Atoms.push_back(A);
  } else {
    T.Atoms.push_back(C);
  }
  Out.push_back(std::move(T));
}

static CountRef fromTerm(const Term &T) {
  if (T.Atoms.empty())
    return countConst(T.Coefficient);
  std::vector<CountRef> Args;
  if (T.Coefficient != 1)
    Args.push_back(countConst(T.Coefficient));
  Args.insert(Args.end(), T.Atoms.begin(), T.Atoms.end());
  return Args.size() == 1 ? Args[0] : rawOp("*", std::move(Args));
}

static CountRef fromTerms(const std::vector<Term> &Terms) {
  std::map<std::string, Term> Merged;
  int64_t Constant = 0;
  for (const Term &T : Terms) {
    if (T.Atoms.empty()) {
      Constant += T.Coefficient;
      continue;
    }
    std::string Key;
    for (const CountRef &A : T.Atoms)
      Key += keyOf(A) + "*";
    auto [It, New] = Merged.try_emplace(Key, T);
    if (!New)
      It->second.Coefficient += T.Coefficient;
  }
  std::vector<CountRef> Args;
  for (auto &[Key, T] : Merged)
    if (T.Coefficient != 0)
      Args.push_back(fromTerm(T));
  if (Constant != 0 || Args.empty())
    Args.push_back(countConst(Constant));
  return Args.size() == 1 ? Args[0] : rawOp("+", std::move(Args));
}

static CountRef foldProduct(const std::vector<CountRef> &Args) {
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
    return keyOf(A) < keyOf(B);
  });
  return fromTerm(T);
}

static CountRef foldExtreme(StringRef Name, const std::vector<CountRef> &Args) {
  std::map<std::string, CountRef> Unique;
  std::optional<int64_t> Constant;
  for (const CountRef &A : Args) {
    if (A->Kind == Count::Const)
      Constant = !Constant       ? A->Value
                 : Name == "max" ? std::max(*Constant, A->Value)
                                 : std::min(*Constant, A->Value);
    else if (A->Kind == Count::Op && A->Name == Name)
      for (const CountRef &B : A->Args)
        Unique.emplace(keyOf(B), B);
    else
      Unique.emplace(keyOf(A), A);
  }
  std::vector<CountRef> Out;
  if (Constant)
    Out.push_back(countConst(*Constant));
  for (auto &[Key, A] : Unique)
    Out.push_back(A);
  return Out.size() == 1 ? Out[0] : rawOp(Name, std::move(Out));
}

static CountRef foldDivision(StringRef Name, const CountRef &A,
                             const CountRef &B) {
  if (B->Kind == Count::Const && B->Value > 0) {
    std::vector<Term> Parts;
    terms(A, 1, Parts);
    if (all_of(Parts,
               [&](const Term &T) { return T.Coefficient % B->Value == 0; })) {
      for (Term &T : Parts)
        T.Coefficient /= B->Value;
      return fromTerms(Parts);
    }
    if (A->Kind == Count::Const) {
      int64_t Floor = A->Value / B->Value - (A->Value % B->Value < 0);
      return countConst(Name == "floordiv" ? Floor : Floor + 1);
    }
  }
  return rawOp(Name, {A, B});
}

/// max(b + 1, b + s) - b is max(1, s): moves a sum into its only extreme where
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
    if (keyOf(New).size() < keyOf(Sum).size())
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
  return rawOp(Name, std::move(Args));
}

std::string countText(const CountRef &C,
                      function_ref<std::string(uint64_t)> NameOf) {
  switch (C->Kind) {
  case Count::Const:
    return std::to_string(C->Value);
  case Count::Symbol:
    return NameOf(C->Sym);
  case Count::Op:
    break;
  }
  // Shown in the order of names: ids order by hash, which nobody can read.
  std::vector<std::string> Parts;
  std::string Constant;
  for (const CountRef &A : C->Args) {
    std::string Text = countText(A, NameOf);
    bool Sum = A->Kind == Count::Op && A->Name == "+";
    if (C->Name == "*" && Sum)
      Text = "(" + Text + ")";
    if (A->Kind == Count::Const && (C->Name == "+" || C->Name == "*"))
      Constant = Text;
    else
      Parts.push_back(Text);
  }
  if (C->Name == "+" || C->Name == "*" || C->Name == "max" || C->Name == "min")
    llvm::sort(Parts);
  if (C->Name == "*") {
    std::string Out = Constant == "-1" ? "-" : Constant;
    for (const std::string &P : Parts)
      Out += (Out.empty() || Out == "-" ? "" : "*") + P;
    return Out;
  }
  if (C->Name == "+") {
    llvm::sort(Parts, [](const std::string &A, const std::string &B) {
      return std::make_pair(A[0] == '-', A) < std::make_pair(B[0] == '-', B);
    });
    if (!Constant.empty())
      Parts.push_back(Constant);
    std::string Out;
    for (const std::string &P : Parts)
      if (Out.empty())
        Out = P;
      else
        Out += P[0] == '-' ? " - " + P.substr(1) : " + " + P;
    return Out;
  }
  std::string Out = C->Name + "(";
  for (size_t I = 0; I < Parts.size(); ++I)
    Out += (I ? ", " : "") + Parts[I];
  return Out + ")";
}

json::Value countJson(const CountRef &C) {
  switch (C->Kind) {
  case Count::Const:
    // Readers have doubles; whole numbers stay whole in the file.
    if (double V = static_cast<double>(C->Value); std::fabs(V) < 9.2e18)
      return json::Object{{"const", static_cast<int64_t>(V)}};
    return json::Object{{"const", C->Value}};
  case Count::Symbol:
    return json::Object{{"sym", idToString(C->Sym)}};
  case Count::Op:
    break;
  }
  json::Array Args;
  for (const CountRef &A : C->Args)
    Args.push_back(countJson(A));
  return json::Object{{"op", C->Name}, {"args", std::move(Args)}};
}

} // namespace evenkeel
