//===- Exposure.cpp - overlap of newly fetched lines ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the overlap of lines on the base input, by task, team and pattern.
// Makes: the exposed latency of each line that the task did not fetch there.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

double evenkeel::prediction::exposureOf(const Overlaps &Of, uint32_t Phase,
                                        unsigned Workers, const BaseDemand &Q,
                                        double Lines) {
  double Each = Of.All.second > 0 ? Of.All.first / Of.All.second : 1;
  auto Learn = [&](const Weighed &Seen, double Tasks) {
    auto [Weight, Reads] = Seen;
    if (Reads <= 0)
      return;
    const double Telling = Weight / Reads < Each
                               ? LeastLines
                               : figures().TellingShare * std::max(1.0, Lines) *
                                     Tasks,
                 Share = Reads / Telling;
    Each += (Weight / Reads - Each) / (1 + 1 / (Share * Share));
  };
  Learn(Of.ByPattern.at({Q.Pattern, AnyInstance}), 1);
  Learn(Of.ByPattern.at({Q.Pattern, Q.Inst}), 1);
  if (auto Team = Of.ByTeam.find({Phase, Q.Inst}); Team != Of.ByTeam.end())
    Learn(Team->second, Workers);
  Learn({Q.Weight, Q.Reads}, 1);
  return Each;
}
