//===- Caches.cpp - the share of accesses that miss the caches ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: alpha, the share of accesses that reach memory, follows the miss-ratio
// curve of the object (CacheCurve.h). Walks that fetch each line once have a
// flat curve, alpha'/alpha = 1. The access class alone is not enough, because
// streams may be short and start anywhere.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "predict/base/CacheCurve.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

CacheEffect evenkeel::prediction::cacheEffect(const Profile &B,
                                              const ek_raw_mrc *Curve,
                                              double S) {
  const double Z = B.Config.llc_share_bytes;
  if (S <= 0 || std::fabs(S - 1) < 1e-9)
    return {1, {}, CacheWay::Same};
  const CacheCurve Of(B.Config, Curve);
  if (Of.empty() || Z <= 0)
    return {1, {}, CacheWay::NoCurve};
  const double Here = Of.at(Z), There = Of.at(Z / S);
  if (Here <= 0 && There <= 0)
    return {1, {}, CacheWay::Fits};
  if (Here <= 0)
    return {1, There, CacheWay::Fitted};
  return {There / Here,
          {},
          Z / S < Of.leastBytes() ? CacheWay::Beyond : CacheWay::Curve};
}

FetchedLines evenkeel::prediction::linesOf(const Profile &B,
                                           const BaseDemand &Q, const Ratio &C,
                                           double S) {
  const CacheEffect Effect = cacheEffect(B, Q.Curve, S);
  double Lines = Effect.Lines ? *Effect.Lines : Q.Reads * Effect.Ratio;
  Lines *= C.All;
  // Lines are not fetched more often than they are accessed.
  if (Q.Accesses > 0)
    Lines = std::min(Lines, std::max(Q.Accesses * C.All, Q.Reads * C.All));
  return {Lines, Effect.Way};
}
