//===- SortStably.h - sorting that keeps the order of equals ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order of equals matters to the advisor, because it sorts several
// times. Not std::stable_sort: it allocates with a deprecated function.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_ADVISOR_SORTSTABLY_H
#define EVENKEEL_PROFILES_ADVISOR_SORTSTABLY_H

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace evenkeel::advisor {

template <typename T, typename Less>
void sortStably(std::vector<T> &Items, Less IsLess) {
  std::vector<std::pair<T, size_t>> Placed;
  Placed.reserve(Items.size());
  for (T &Item : Items)
    Placed.emplace_back(std::move(Item), Placed.size());
  std::sort(Placed.begin(), Placed.end(), [&](const auto &A, const auto &B) {
    if (IsLess(A.first, B.first))
      return true;
    return !IsLess(B.first, A.first) && A.second < B.second;
  });
  for (size_t I = 0; I < Items.size(); ++I)
    Items[I] = std::move(Placed[I].first);
}

} // namespace evenkeel::advisor

#endif
