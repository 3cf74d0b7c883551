//===- CountSigns.cpp - prove that counts are not negative ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: proofs that a count expression cannot be negative, and the symbols
// that such a proof takes to be 0 or more.
// Not here: proofs for any values of symbols (isNatural, CountSums.cpp).
//===----------------------------------------------------------------------===//
#include "access/counts/CountTerms.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace evenkeel {

namespace {
/// Searches for a proof that an expression is not negative, and collects the
/// symbols that it takes to be 0 or more.
class NaturalProof {
  std::vector<uint64_t> &Assumed;

  /// Tries one proof; if it fails, its assumptions are discarded.
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

/// Proves it through the term \p T of a sum, a quotient or an extreme, by its
/// operands. \p Rest is the sum of all other terms.
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
  // c*floor(x/d) >= c*x/d if c is not positive.
  if (A.Name == "floordiv" && A.Args[1]->Kind == Count::Const &&
      A.Args[1]->Value > 0 && T.Coefficient < 0 &&
      T.Coefficient % A.Args[1]->Value == 0 &&
      Same(countAdd(Rest, countMul(countConst(T.Coefficient / A.Args[1]->Value),
                                   A.Args[0]))))
    return true;
  // If c == 1, c*floor(x/d) + rest >= 0 if x + d*rest >= 0, because rest is an
  // integer; ceil is floor of x + d - 1.
  if ((A.Name != "floordiv" && A.Name != "ceildiv") || T.Coefficient != 1)
    return false;
  CountRef Less = countAdd(A.Args[1], countConst(-1)); // not negative
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
  if (C->Name == "ceildiv") // for numerators above -divisor
    return Same(countAdd(C->Args[0], countAdd(C->Args[1], countConst(-1))));
  // Prefer known facts to assumptions on symbols.
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
    return keyOfCount(Less).size() < keyOfCount(C).size() && Same(Less);
  });
}

bool neverNegative(const CountRef &C, ArrayRef<CountRef> Known,
                   std::vector<uint64_t> &Assumed) {
  return NaturalProof(Assumed).of(C, Known);
}

} // namespace evenkeel
