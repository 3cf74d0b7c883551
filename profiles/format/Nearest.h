//===- Nearest.h - names like a mistyped one --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how far two names are apart.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_NEAREST_H
#define EVENKEEL_PROFILES_FORMAT_NEAREST_H

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace evenkeel {

/// The number of letters to insert, remove or replace (Levenshtein, 1966).
inline size_t editDistance(const std::string &A, const std::string &B) {
  std::vector<size_t> Row(B.size() + 1);
  for (size_t J = 0; J <= B.size(); ++J)
    Row[J] = J;
  for (size_t I = 1; I <= A.size(); ++I) {
    size_t Diagonal = Row[0];
    Row[0] = I;
    for (size_t J = 1; J <= B.size(); ++J) {
      size_t Up = Row[J];
      Row[J] = std::min({Row[J] + 1, Row[J - 1] + 1,
                         Diagonal + (A[I - 1] == B[J - 1] ? 0 : 1)});
      Diagonal = Up;
    }
  }
  return Row[B.size()];
}

} // namespace evenkeel

#endif
