//===- Nearest.cpp - names like a mistyped one ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Nearest.h.
//===----------------------------------------------------------------------===//
#include "Nearest.h"
#include <algorithm>
#include <vector>

size_t evenkeel::editDistance(const std::string &A, const std::string &B) {
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
