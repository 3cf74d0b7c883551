//===- Caches.cpp - the share of accesses that leaves the caches ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: alpha, the share of accesses that reach memory, follows the miss-ratio
// curve of the object (CacheCurve.h). Walks that bring each line once have a
// flat curve, alpha'/alpha = 1; a class alone does not tell, for streams may be
// short and start anywhere.
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"
#include "predict/base/CacheCurve.h"
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

Extrapolator::CacheEffect Extrapolator::cacheEffect(const ek_raw_mrc *Curve,
                                                    double S) const {
  double Z = B.Config.llc_share_bytes;
  if (S <= 0 || std::fabs(S - 1) < 1e-9)
    return {1, {}, CacheWay::Same};
  const CacheCurve Of(B.Config, Curve);
  if (Of.empty() || Z <= 0)
    return {1, {}, CacheWay::NoCurve};
  double Here = Of.at(Z), There = Of.at(Z / S);
  if (Here <= 0 && There <= 0)
    return {1, {}, CacheWay::Fits};
  if (Here <= 0)
    return {1, There, CacheWay::Fitted};
  return {There / Here,
          {},
          Z / S < Of.leastBytes() ? CacheWay::Beyond : CacheWay::Curve};
}

} // namespace extrapolation
} // namespace evenkeel
