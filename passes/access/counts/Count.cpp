//===- Count.cpp - fold, print and serialise count expressions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a normal form that keeps formulas short: sums of (coefficient x
// product of atoms), where atoms are symbols and the operators that do not
// distribute (max, min, ceildiv, floordiv, powers, shares, products of sums).
// Leaves out: sums over a loop's rounds (CountSums.cpp); solving; two equal
// formulas may still look different.
//===----------------------------------------------------------------------===//
#include "access/counts/Count.h"
#include "access/counts/CountTerms.h"
#include "format/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace llvm;

namespace evenkeel {

/// A text that is equal exactly for equal trees; orders commutative arguments.
/// Written once for each tree: sums of large programs have thousands of terms.
static const std::string &keyOf(const CountRef &C) {
  if (!C->Key.empty())
    return C->Key;
  switch (C->Kind) {
  case Count::Const:
    C->Key = std::to_string(C->Value);
    break;
  case Count::Symbol:
    C->Key = "s" + idToString(C->Sym);
    break;
  case Count::Index:
    C->Key = "i" + std::to_string(C->Sym) + "." + std::to_string(C->Value);
    break;
  case Count::Op:
    C->Key = C->Name + "(";
    for (const CountRef &A : C->Args)
      C->Key += keyOf(A) + ",";
    C->Key += ")";
    break;
  }
  return C->Key;
}

std::string keyOfCount(const CountRef &C) {
  return C ? keyOf(C) : std::string();
}

CountRef rawOp(StringRef Name, std::vector<CountRef> Args) {
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

void terms(const CountRef &C, int64_t Scale, std::vector<Term> &Out) {
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

CountRef fromTerms(const std::vector<Term> &Terms) {
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

/// X of \p Name (1, X); else null.
static CountRef besideOne(const CountRef &C, StringRef Name) {
  return C->Kind == Count::Op && C->Name == Name && C->Args.size() == 2 &&
                 C->Args[0]->Kind == Count::Const && C->Args[0]->Value == 1
             ? C->Args[1]
             : nullptr;
}

/// Once or more often, but only if at all: max(1, x) * min(1, x) is x, which is
/// not below 0.
static void joinWithGuards(std::vector<CountRef> &Factors) {
  for (CountRef &A : Factors)
    for (CountRef &B : Factors) {
      CountRef Rounds = besideOne(A, "max"), Any = besideOne(B, "min");
      if (!Rounds || !Any)
        continue;
      CountRef AtLeast = countOp("max", {countConst(0), Rounds});
      if (keyOf(Any) != keyOf(AtLeast) &&
          (keyOf(Any) != keyOf(Rounds) || !isNatural(Any)))
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
    return keyOf(A) < keyOf(B);
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
      Unique.emplace(keyOf(A), A);
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

/// \p Base to the power \p K.
static CountRef foldPower(const CountRef &Base, const CountRef &K) {
  int64_t Value = 1;
  if (K->Kind != Count::Const || (K->Value > 0 && Base->Kind != Count::Const))
    return isConst(K, 1) ? Base : rawOp("pow", {Base, K});
  for (int64_t N = 0; N < K->Value; ++N)
    if (MulOverflow(Value, Base->Value, Value))
      return rawOp("pow", {Base, K});
  return countConst(Value);
}

/// The least power of \p Base that is not below \p C.
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
  if (Name == "pow")
    return foldPower(Args[0], Args[1]);
  if (Name == "ceillog")
    return foldLog(Args[0], Args[1]);
  return rawOp(Name, std::move(Args));
}

namespace {
/// Looks for what keeps an expression from being below 0, and notes the symbols
/// that it takes to be 0 or more on the way.
class NaturalProof {
  std::vector<uint64_t> &Assumed;

  /// One way; what it assumed is forgotten where it leads nowhere.
  template <typename WayT> bool attempt(WayT Way) {
    const size_t Before = Assumed.size();
    if (Way())
      return true;
    Assumed.resize(Before);
    return false;
  }
  bool ofOperation(const CountRef &C, ArrayRef<CountRef> Known, unsigned Depth);
  bool ofTerm(const Term &T, const CountRef &Rest, ArrayRef<CountRef> Known,
              unsigned Depth);

public:
  explicit NaturalProof(std::vector<uint64_t> &Assumed) : Assumed(Assumed) {}

  bool of(const CountRef &C, ArrayRef<CountRef> Known, unsigned Depth = 0) {
    if (Depth > 6)
      return false;
    switch (C->Kind) {
    case Count::Const:
      return C->Value >= 0;
    case Count::Symbol:
      Assumed.push_back(C->Sym);
      return true;
    case Count::Index:
      return true;
    case Count::Op:
      break;
    }
    return attempt([&] { return ofOperation(C, Known, Depth); });
  }
};
} // namespace

/// By the term \p T of a sum, a quotient or an extreme: by its operands. \p
/// Rest is all other terms.
bool NaturalProof::ofTerm(const Term &T, const CountRef &Rest,
                          ArrayRef<CountRef> Known, unsigned Depth) {
  const Count &A = *T.Atoms[0];
  auto Same = [&](const CountRef &B) { return of(B, Known, Depth + 1); };
  auto With = [&](const CountRef &B) {
    return Same(countAdd(Rest, countMul(countConst(T.Coefficient), B)));
  };
  if (A.Name == "max" || A.Name == "min") {
    bool All = (A.Name == "min") == (T.Coefficient > 0);
    if (attempt(
            [&] { return All ? all_of(A.Args, With) : any_of(A.Args, With); }))
      return true;
  }
  // c*floor(x/d) >= c*x/d where c is not above 0.
  if (A.Name == "floordiv" && A.Args[1]->Kind == Count::Const &&
      A.Args[1]->Value > 0 && T.Coefficient < 0 &&
      T.Coefficient % A.Args[1]->Value == 0 &&
      Same(countAdd(Rest, countMul(countConst(T.Coefficient / A.Args[1]->Value),
                                   A.Args[0]))))
    return true;
  // c*floor(x/d) + rest >= 0 where c == 1 if x + d*rest >= 0, as rest is
  // whole; ceil is floor of x + d - 1.
  if ((A.Name != "floordiv" && A.Name != "ceildiv") || T.Coefficient != 1)
    return false;
  CountRef Less = countAdd(A.Args[1], countConst(-1)); // not below 0
  SmallVector<CountRef, 4> More(Known.begin(), Known.end());
  More.push_back(Less);
  return of(countAdd(countAdd(A.Args[0], countMul(A.Args[1], Rest)),
                     A.Name == "ceildiv" ? Less : countConst(0)),
            More, Depth + 1);
}

bool NaturalProof::ofOperation(const CountRef &C, ArrayRef<CountRef> Known,
                               unsigned Depth) {
  auto Same = [&](const CountRef &A) { return of(A, Known, Depth + 1); };
  if (isNatural(C))
    return true;
  if (C->Name == "*" || C->Name == "pow")
    if (attempt([&] { return all_of(C->Args, Same); }))
      return true;
  if (C->Name == "evenly")
    return Same(C->Args[0]);
  if (C->Name == "sum" || C->Name == "sharesum")
    return Same(C->Args[1]);
  if (C->Name == "max")
    return any_of(C->Args, Same);
  if (C->Name == "min")
    return all_of(C->Args, Same);
  if (C->Name == "floordiv")
    return Same(C->Args[0]);
  if (C->Name == "ceildiv") // of what lies above -divisor
    return Same(countAdd(C->Args[0], countAdd(C->Args[1], countConst(-1))));
  // By what is known rather than by what symbols are taken for.
  for (const CountRef &K : Known) {
    CountRef Less = countAdd(C, countMul(countConst(-1), K));
    if (isNatural(Less))
      return true;
  }
  std::vector<Term> Parts;
  terms(C, 1, Parts);
  if (attempt([&] {
        return all_of(Parts, [&](const Term &T) {
          return T.Coefficient >= 0 && all_of(T.Atoms, Same);
        });
      }))
    return true;
  for (size_t K = 0; K < Parts.size(); ++K) {
    const Term &T = Parts[K];
    if (T.Atoms.size() != 1 || T.Atoms[0]->Kind != Count::Op)
      continue;
    std::vector<Term> Others = Parts;
    Others.erase(Others.begin() + K);
    if (attempt([&] { return ofTerm(T, fromTerms(Others), Known, Depth); }))
      return true;
  }
  return any_of(Known, [&](const CountRef &K) {
    CountRef Less = countAdd(C, countMul(countConst(-1), K));
    return keyOf(Less).size() < keyOf(C).size() && Same(Less);
  });
}

bool neverNegative(const CountRef &C, ArrayRef<CountRef> Known,
                   std::vector<uint64_t> &Assumed) {
  return NaturalProof(Assumed).of(C, Known);
}

//===----------------------------------------------------------------------===//
// Text and JSON
//===----------------------------------------------------------------------===//

/// \p Sums: that \p C is in the body of.
static std::string textOf(const CountRef &C,
                          function_ref<std::string(uint64_t)> NameOf,
                          unsigned Sums) {
  auto IndexName = [](unsigned Level) {
    return Level < 3 ? std::string(1, static_cast<char>('i' + Level))
                     : "i" + std::to_string(Level);
  };
  switch (C->Kind) {
  case Count::Const:
    return std::to_string(C->Value);
  case Count::Symbol:
    return NameOf(C->Sym);
  case Count::Index:
    assert(!C->Sym && "a round of a loop that no sum binds");
    return IndexName(Sums - 1 - static_cast<unsigned>(C->Value));
  case Count::Op:
    break;
  }
  if (C->Name == "sum" || C->Name == "sharesum")
    return (C->Name == "sum" ? "sum(" : "share(") + IndexName(Sums) + " < " +
           textOf(C->Args[0], NameOf, Sums) +
           (C->Args.size() > 2 ? ", " + textOf(C->Args[2], NameOf, Sums) : "") +
           ": " + textOf(C->Args[1], NameOf, Sums + 1) + ")";
  // Shown in the order of names: ids order by hash, which nobody can read.
  std::vector<std::string> Parts;
  std::string Constant;
  for (const CountRef &A : C->Args) {
    std::string Text = textOf(A, NameOf, Sums);
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

std::string countText(const CountRef &C,
                      function_ref<std::string(uint64_t)> NameOf) {
  return textOf(C, NameOf, 0);
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
  case Count::Index:
    assert(!C->Sym && "a round of a loop that no sum binds");
    return json::Object{{"index", C->Value}};
  case Count::Op:
    break;
  }
  json::Array Args;
  for (const CountRef &A : C->Args)
    Args.push_back(countJson(A));
  return json::Object{{"op", C->Name}, {"args", std::move(Args)}};
}

} // namespace evenkeel
