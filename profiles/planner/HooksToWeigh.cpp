//===- HooksToWeigh.cpp - at which hooks a plan weighs moves --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HooksToWeigh.h.
//===----------------------------------------------------------------------===//
#include "HooksToWeigh.h"
#include <algorithm>
#include <map>
#include <numeric>

using namespace evenkeel;

std::vector<size_t> evenkeel::hooksToWeigh(const std::vector<HookKind> &Kinds,
                                           size_t Most) {
  std::vector<size_t> All(Kinds.size()), Out;
  std::iota(All.begin(), All.end(), size_t(0));
  auto Take = [&](const std::vector<size_t> &Of, size_t N) {
    for (size_t I = 0; I < N; ++I)
      Out.push_back(Of[I * Of.size() / N]);
  };
  std::map<HookKind, std::vector<size_t>> By;
  for (size_t H : All)
    By[Kinds[H]].push_back(H);
  if (All.size() <= Most || By.size() > Most) {
    Take(All, std::min(All.size(), Most));
    return Out;
  }
  std::vector<std::vector<size_t>> Rising; // the rarest kind first
  for (auto &[Kind, Its] : By)
    Rising.push_back(std::move(Its));
  std::sort(Rising.begin(), Rising.end(), [](auto &A, auto &B) {
    return std::make_pair(A.size(), A[0]) < std::make_pair(B.size(), B[0]);
  });
  for (size_t K = 0; K < Rising.size(); ++K)
    Take(Rising[K],
         std::min(Rising[K].size(), (Most - Out.size()) / (Rising.size() - K)));
  std::sort(Out.begin(), Out.end());
  return Out;
}
