//===- CacheCurve.h - miss-ratio curve of an object -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how many lines of an object a task fetches with eight sizes of the
// last-level cache, and how to interpolate. A footprint s times as large in a
// cache of Z bytes misses like the base footprint in Z / s.
// Makes: the lines fetched for any cache size.
// Not here: the use of these numbers in a prediction.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_BASE_CACHECURVE_H
#define EVENKEEL_PROFILES_PREDICT_BASE_CACHECURVE_H

#include "format/profile/Profile.h"

namespace evenkeel {

class CacheCurve {
  std::vector<std::pair<double, double>> Points; // bytes, lines; by increasing
                                                 // bytes

public:
  /// \p Row may be null: a curve without points.
  CacheCurve(const ek_raw_conf &Config, const ek_raw_mrc *Row);

  bool empty() const { return Points.empty(); }
  /// The smallest cache size in the curve.
  double leastBytes() const { return Points.front().first; }
  /// The lines fetched with \p Bytes of last-level cache: linear in the
  /// logarithm of the size between measured sizes, constant above, linear in
  /// the size below (exact for uniform random access). The curve must not be
  /// empty.
  double at(double Bytes) const;
};

} // namespace evenkeel

#endif
