//===- FarLines.cpp - lines held by the base input's caches ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the weight that lines held by the caches on the base input would have
// had. The more of them no longer fit, the closer the weight of the lost lines
// is to the average of all held lines; the first lost lines weigh like those
// that did not fit.
// Makes: the exposed latency of each line that is lost.
//===----------------------------------------------------------------------===//
#include "Traffic.h"
#include "tuning/Tuning.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

double evenkeel::prediction::farExposure(const Overlaps &Of, uint64_t Sync,
                                         const BaseDemand &Q, double Lines,
                                         double Each) {
  auto Far = Of.Far.find({Sync, Q.Inst});
  if (Far == Of.Far.end() || Far->second.Accesses <= 0 || Q.Accesses <= 0)
    return Each;
  const auto [AllWeight, AllReads, Accesses, Through, Came] = Far->second;
  // Lines that the smallest last level holds are never lost. The number is
  // exact, while weights are sampled.
  const double Reads = Through > 0 ? std::min(AllReads, Through) : AllReads,
               Weight = AllReads > 0 ? AllWeight / AllReads * Reads : 0;
  const double Held = Reads - Came.second;
  if (Reads < LeastLines || Held < figures().LeastHeld * Reads)
    return Each;
  const double OfHeld = std::max(0.0, Weight - Came.first) / Held,
               Lost = Lines / (Held * Q.Accesses / Accesses);
  return Each + std::min(1.0, Lost) * (std::min(1.0, OfHeld) - Each);
}
