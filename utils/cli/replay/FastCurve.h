//===- FastCurve.h - time over fast memory ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how the time of a program depends on the amount of fast memory: from
// which amount on more of it helps little (the knee), and how much of it a time
// needs.
// Not here: the replays that make the curve (Sweep.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_FASTCURVE_H
#define EVENKEEL_UTILS_CLI_FASTCURVE_H

#include <cstddef>
#include <optional>
#include <vector>

namespace evenkeel::cli {

/// Points of a curve are in the order of rising bytes.
struct CurvePoint {
  double Bytes = 0, Seconds = 0;
};
/// The index of the point that lies farthest below the straight line from the
/// first to the last one, both axes scaled to 1. None if the curve is nearly
/// straight (less than 0.1 below), or does not fall.
std::optional<size_t> kneeOf(const std::vector<CurvePoint> &Curve);

/// The least fast memory with which \p Curve takes no more than \p Seconds, as
/// interpolated; none: it always takes longer.
std::optional<double> bytesFor(const std::vector<CurvePoint> &Curve,
                               double Seconds);

} // namespace evenkeel::cli

#endif
