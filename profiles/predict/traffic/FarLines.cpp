//===- FarLines.cpp - lines that the base input's caches held -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the lines that the caches held on the base input would have
// weighed. The more of them no longer are held, the more the lines lost weigh
// like all of them: the first to be lost are like those that were not held.
// Makes: exposed latencies of each line that is lost.
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
  // Lines that any last level holds are never lost; and the number is counted,
  // where the weights are sampled.
  const double Reads = Through > 0 ? std::min(AllReads, Through) : AllReads,
               Weight = AllReads > 0 ? AllWeight / AllReads * Reads : 0;
  const double Held = Reads - Came.second;
  if (Reads < LeastLines || Held < figures().LeastHeld * Reads)
    return Each;
  const double OfHeld = std::max(0.0, Weight - Came.first) / Held,
               Lost = Lines / (Held * Q.Accesses / Accesses);
  // Gathers that mostly hit do so together, as the base input's data have it.
  if (Q.TeamMlp > 0 && Held > Came.second)
    return Each;
  return Each + std::min(1.0, Lost) * (std::min(1.0, OfHeld) - Each);
}
