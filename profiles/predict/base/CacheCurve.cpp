//===- CacheCurve.cpp - miss-ratio curve of an object ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CacheCurve.h.
//===----------------------------------------------------------------------===//
#include "CacheCurve.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

CacheCurve::CacheCurve(const ek_raw_conf &Config, const ek_raw_mrc *Row) {
  for (int K = 0; Row && K < EK_RAW_LLC_SIZES; ++K)
    if (Config.llc_sizes[K])
      Points.emplace_back(Config.llc_sizes[K],
                          static_cast<double>(Row->reads[K]));
  std::sort(Points.begin(), Points.end());
}

double CacheCurve::at(double Bytes) const {
  if (Bytes >= Points.back().first)
    return Points.back().second;
  if (Bytes < Points.front().first) {
    if (Points.size() < 2)
      return Points.front().second;
    auto [Z0, N0] = Points[0];
    auto [Z1, N1] = Points[1];
    return N0 + std::max(0.0, N0 - N1) * (Z0 - Bytes) / (Z1 - Z0);
  }
  for (size_t I = 1;; ++I)
    if (Bytes <= Points[I].first) {
      auto [Z0, N0] = Points[I - 1];
      auto [Z1, N1] = Points[I];
      return N0 + (N1 - N0) * std::log(Bytes / Z0) / std::log(Z1 / Z0);
    }
}
