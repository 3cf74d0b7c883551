//===- Sweep.h - replays with several amounts of fast memory ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the same run replayed with one amount of fast memory after the other;
// the record is read and indexed once.
// Makes: "evenkeel.sweep/1", and the table.
// Not here: the replays themselves (PolicyRuns.h), and what the curve of times
// says (FastCurve.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_SWEEP_H
#define EVENKEEL_UTILS_CLI_SWEEP_H

#include "FastCurve.h"
#include "PolicyRuns.h"

namespace evenkeel::cli {

struct SweepPoint {
  FastAmount Fast;
  PolicyRuns Runs;
};

/// Replays \p J under the policies of \p C with each of its amounts. Leaves
/// J.FastBytes at the last one.
std::vector<SweepPoint> playSweep(JudgedRun &J, const PolicyChoice &C);

/// The curve of \p Policy; empty if it was not replayed.
std::vector<CurvePoint> curveOf(const std::vector<SweepPoint> &Points,
                                const std::string &Policy);

/// The policy whose curve matters most: ours, else that of the plan, else
/// first touch; "" if none of them was replayed.
std::string mainPolicy(const JudgedRun &J,
                       const std::vector<SweepPoint> &Points);

nlohmann::json sweepToJson(const JudgedRun &J,
                           const std::vector<SweepPoint> &Points);
/// Ends with the knee and with what the plan is worth.
std::string sweepText(const JudgedRun &J,
                      const std::vector<SweepPoint> &Points);

} // namespace evenkeel::cli

#endif
