//===- Caches.cpp - the share of accesses that leaves the caches ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: alpha, the share of accesses that reach memory, follows the miss-ratio
// curve of the object: a footprint grown s-fold in a cache of Z bytes misses
// like the base footprint in Z/s. Walks that bring each line once have a flat
// curve, alpha'/alpha = 1; a class alone does not tell, for streams may be
// short and start anywhere.
//===----------------------------------------------------------------------===//
#include "Extrapolator.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

namespace {

/// Fetched lines at \p Size bytes of last level, from 8 measured sizes: linear
/// in the logarithm of the size between them, constant above, linear in the
/// size below (exact for uniform random access).
double curveAt(const std::vector<std::pair<double, double>> &Points,
               double Size) {
  if (Size >= Points.back().first)
    return Points.back().second;
  if (Size < Points.front().first) {
    if (Points.size() < 2)
      return Points.front().second;
    auto [Z0, N0] = Points[0];
    auto [Z1, N1] = Points[1];
    return N0 + std::max(0.0, N0 - N1) * (Z0 - Size) / (Z1 - Z0);
  }
  for (size_t I = 1;; ++I)
    if (Size <= Points[I].first) {
      auto [Z0, N0] = Points[I - 1];
      auto [Z1, N1] = Points[I];
      return N0 + (N1 - N0) * std::log(Size / Z0) / std::log(Z1 / Z0);
    }
}

} // namespace

Extrapolator::CacheEffect Extrapolator::cacheEffect(const ek_raw_mrc *Curve,
                                                    double S) const {
  double Z = B.Config.llc_share_bytes;
  if (S <= 0 || std::fabs(S - 1) < 1e-9)
    return {1, {}, CacheWay::Same};
  std::vector<std::pair<double, double>> Points;
  for (int K = 0; Curve && K < EK_RAW_LLC_SIZES; ++K)
    if (B.Config.llc_sizes[K])
      Points.emplace_back(B.Config.llc_sizes[K],
                          static_cast<double>(Curve->reads[K]));
  std::sort(Points.begin(), Points.end());
  if (Points.empty() || Z <= 0)
    return {1, {}, CacheWay::NoCurve};
  double Here = curveAt(Points, Z), There = curveAt(Points, Z / S);
  if (Here <= 0 && There <= 0)
    return {1, {}, CacheWay::Fits};
  if (Here <= 0)
    return {1, There, CacheWay::Fitted};
  return {There / Here,
          {},
          Z / S < Points.front().first ? CacheWay::Beyond : CacheWay::Curve};
}

} // namespace extrapolation
} // namespace evenkeel
