//===- Groups.cpp - objects of one source line ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Groups.h.
//===----------------------------------------------------------------------===//
#include "Groups.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace evenkeel::cli {

/// Sets the ranks of \p G.
static void rank(const TouchRecord &R, std::optional<uint32_t> Process,
                 TouchGroups &G) {
  std::vector<double> Used(G.List.size());
  for (const TouchRow &X : R.Rows)
    if (!Process || R.Passes[X.Pass].Process == *Process)
      Used[G.Of[X.Object]] += usedPages(X);
  std::vector<size_t> Order(G.List.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::sort(Order.begin(), Order.end(), [&](size_t A, size_t B) {
    const TouchGroup &X = G.List[A], &Y = G.List[B];
    return std::tie(Used[B], X.Kind, X.Name, X.Stack, A) <
           std::tie(Used[A], Y.Kind, Y.Name, Y.Stack, B);
  });
  for (size_t I = 0; I < Order.size(); ++I)
    G.List[Order[I]].Rank = I;
}

TouchGroups groupsOf(const TouchRecord &R, bool Single,
                     std::optional<uint32_t> Process) {
  TouchGroups G;
  std::map<std::tuple<std::string, std::string, std::vector<std::string>>,
           size_t>
      Known;
  for (const TouchObject &O : R.Objects) {
    size_t At = G.List.size();
    if (!Single)
      At = Known.try_emplace({O.Kind, O.Name, O.Stack}, At).first->second;
    if (At == G.List.size())
      G.List.push_back({O.Kind, O.Name, O.Stack, 0, 0, 0});
    G.Of.push_back(At);
    ++G.List[At].Objects;
    G.List[At].Bytes += O.Bytes;
    if (Single && O.Ordinal)
      G.List[At].Name += " #" + std::to_string(O.Ordinal);
  }
  rank(R, Process, G);
  return G;
}

double usedPages(const TouchRow &X) {
  const uint32_t N = X.Touched != TouchRow::Unknown ? X.Touched : X.Written;
  return N == TouchRow::Unknown ? 0 : N;
}

} // namespace evenkeel::cli
