//===- Count.cpp - count expressions as trees and as text -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how count expressions are compared, printed and serialised.
// Not here: folding (CountFold.cpp).
//===----------------------------------------------------------------------===//
#include "access/counts/Count.h"
#include "format/Identity.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace evenkeel {

/// The length of keyOfCount(\p C).
static size_t keyLength(const CountRef &C) {
  if (C->Kind != Count::Op || !C->Key.empty())
    return keyOfCount(C).size();
  size_t Length = C->Name.size() + 2;
  for (const CountRef &A : C->Args)
    Length += keyLength(A) + 1;
  return Length;
}

/// Texts of parts are used, but not made for good: there is one for each level
/// of a deep tree.
static void appendKey(const CountRef &C, std::string &Out) {
  if (C->Kind != Count::Op || !C->Key.empty()) {
    Out.append(keyOfCount(C));
    return;
  }
  Out.append(C->Name).append("(");
  for (const CountRef &A : C->Args) {
    appendKey(A, Out);
    Out.append(",");
  }
  Out.append(")");
}

/// Computed once per tree: sums of large programs have thousands of terms, so
/// that their texts take most of the memory of an analysis. They are not longer
/// than they have to be.
const std::string &keyOfCount(const CountRef &C) {
  static const std::string None;
  if (!C)
    return None;
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
  case Count::Op: {
    std::string Key;
    Key.reserve(keyLength(C));
    appendKey(C, Key);
    C->Key = std::move(Key);
    break;
  }
  }
  return C->Key;
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
  return keyOfCount(A) == keyOfCount(B);
}

bool mentions(const CountRef &C, uint64_t Sym) {
  if (!C)
    return false;
  if (C->Kind == Count::Symbol)
    return C->Sym == Sym;
  return any_of(C->Args, [&](const CountRef &A) { return mentions(A, Sym); });
}

//===----------------------------------------------------------------------===//
// Text and JSON
//===----------------------------------------------------------------------===//

/// \p Sums: the number of sums around \p C.
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
    assert(!C->Sym && "an iteration number that no sum binds");
    return IndexName(Sums - 1 - static_cast<unsigned>(C->Value));
  case Count::Op:
    break;
  }
  if (C->Name == "sum" || C->Name == "sharesum")
    return (C->Name == "sum" ? "sum(" : "share(") + IndexName(Sums) + " < " +
           textOf(C->Args[0], NameOf, Sums) +
           (C->Args.size() > 2 ? ", " + textOf(C->Args[2], NameOf, Sums) : "") +
           ": " + textOf(C->Args[1], NameOf, Sums + 1) + ")";
  // Show terms in order of names: ids are hashes, whose order means nothing to
  // readers.
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
    // Readers use doubles; keep integers exact in the file.
    if (double V = static_cast<double>(C->Value); std::fabs(V) < 9.2e18)
      return json::Object{{"const", static_cast<int64_t>(V)}};
    return json::Object{{"const", C->Value}};
  case Count::Symbol:
    return json::Object{{"sym", idToString(C->Sym)}};
  case Count::Index:
    assert(!C->Sym && "an iteration number that no sum binds");
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
