//===- WholeText.cpp - expressions with conditionals inside ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WholeText.h.
//===----------------------------------------------------------------------===//
#include "WholeText.h"
#include <vector>

namespace evenkeel {
using llvm::StringRef;
namespace tok = clang::tok;

bool hasDirective(const TokenTable &T, size_t First, size_t Last) {
  for (size_t I = First; I <= Last; ++I)
    if (T[I].InDirective)
      return true;
  return false;
}

bool isWhole(const TokenTable &T, size_t First, size_t Last) {
  if (T[First].InDirective || T[Last].InDirective ||
      !T.sameConfigurations(First, Last))
    return false;
  int Depth = 0;
  std::vector<int> Begun; // bracket depths at the open #if groups
  for (size_t I = First; I <= Last; ++I) {
    tok::TokenKind K = T[I].Kind;
    if (T[I].InDirective) {
      StringRef Name = T.text(I + 1);
      if (Name.starts_with("if")) {
        Begun.push_back(Depth);
      } else {
        bool Ends = Name == "endif";
        if ((!Ends && !Name.starts_with("el")) || Begun.empty() ||
            Begun.back() != Depth)
          return false;
        if (Ends)
          Begun.pop_back();
      }
      I = T.afterDirective(I) - 1; // Last comes after it
    } else if (K == tok::l_paren || K == tok::l_square || K == tok::l_brace) {
      ++Depth;
    } else if (K == tok::r_paren || K == tok::r_square || K == tok::r_brace) {
      if (--Depth < (Begun.empty() ? 0 : Begun.back()))
        return false;
    }
  }
  return Begun.empty() && Depth == 0;
}

} // namespace evenkeel
