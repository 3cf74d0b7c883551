//===- FastCurve.cpp - time over fast memory ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FastCurve.h.
//===----------------------------------------------------------------------===//
#include "FastCurve.h"

namespace evenkeel::cli {

std::optional<size_t> kneeOf(const std::vector<CurvePoint> &Curve) {
  if (Curve.size() < 3)
    return {};
  const CurvePoint &First = Curve.front(), &Last = Curve.back();
  const double Width = Last.Bytes - First.Bytes;
  const double Fall = First.Seconds - Last.Seconds;
  if (!(Width > 0) || !(Fall > 0))
    return {};
  std::optional<size_t> Knee;
  double Most = 0.1;
  for (size_t I = 1; I + 1 < Curve.size(); ++I) {
    const double Below = 1 - (Curve[I].Bytes - First.Bytes) / Width -
                         (Curve[I].Seconds - Last.Seconds) / Fall;
    if (Below > Most) {
      Most = Below;
      Knee = I;
    }
  }
  return Knee;
}

std::optional<double> bytesFor(const std::vector<CurvePoint> &Curve,
                               double Seconds) {
  for (size_t I = 0; I < Curve.size(); ++I) {
    if (Curve[I].Seconds > Seconds)
      continue;
    if (!I)
      return Curve[0].Bytes;
    const CurvePoint &A = Curve[I - 1], &B = Curve[I];
    return A.Bytes + (A.Seconds - Seconds) / (A.Seconds - B.Seconds) *
                         (B.Bytes - A.Bytes);
  }
  return {};
}

} // namespace evenkeel::cli
