//===- CountTerms.cpp - the normal form of counts -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: sums of (coefficient x product of atoms), where atoms are symbols and
// the operators that do not distribute (max, min, ceildiv, floordiv, powers,
// shares, products of sums).
// Not here: folding (CountFold.cpp).
//===----------------------------------------------------------------------===//
#include "access/counts/CountTerms.h"
#include <map>

using namespace llvm;

namespace evenkeel {

CountRef rawOp(StringRef Name, std::vector<CountRef> Args) {
  auto C = std::make_shared<Count>();
  C->Kind = Count::Op;
  C->Name = Name.str();
  C->Args = std::move(Args);
  return C;
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

CountRef fromTerm(const Term &T) {
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
      Key += keyOfCount(A) + "*";
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

} // namespace evenkeel
