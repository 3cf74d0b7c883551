//===- CacheCurve.h - lines that caches of other sizes would fetch --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what a task fetches of an object at eight sizes of the last level, and
// in between. A footprint grown s-fold in a cache of Z bytes misses like the
// base footprint in Z / s.
// Makes: lines for any size.
// Leaves out: what that means for a prediction.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_CACHECURVE_H
#define EVENKEEL_PROFILES_PREDICT_BASE_CACHECURVE_H

#include "format/profile/Profile.h"

namespace evenkeel {

class CacheCurve {
  std::vector<std::pair<double, double>> Points; // bytes, lines; rising bytes

public:
  /// \p Row may be null: a curve without points.
  CacheCurve(const ek_raw_conf &Config, const ek_raw_mrc *Row);

  bool empty() const { return Points.empty(); }
  /// Of the smallest cache that was measured.
  double leastBytes() const { return Points.front().first; }
  /// Lines fetched with \p Bytes of last level: linear in the logarithm of the
  /// size between those measured, constant above, linear in the size below
  /// (exact for uniform random access). Not of an empty curve.
  double at(double Bytes) const;
};

} // namespace evenkeel

#endif
