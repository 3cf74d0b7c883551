//===- Refined.cpp - a prediction corrected by measurements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Refined.h.
//===----------------------------------------------------------------------===//
#include "Refined.h"
#include "FixedObjects.h"
#include "measured/OwnTimes.h"
#include "measured/TaskTypes.h"
#include "problem/ReachedTiers.h"
#include "tuning/Tuning.h"

using namespace evenkeel;

Expected<Problem> evenkeel::predictRefined(TargetPredictor &Predictor,
                                           const PlanRequest &R,
                                           const Model &Mod, uint32_t From) {
  Expected<Problem> P = Predictor.predict(R.KnownSizes, From, R.KnownSymbols);
  if (!P)
    return P.takeError();
  PlanRequest Reaching = R;
  const Machine Reached = withoutUnreachedTiers(*R.M, P->PeakBytes);
  Reaching.M = &Reached;
  fixObjects(*P, *R.F, R.Arenas);
  if (rules().OwnTimes)
    refineByOwnTimes(*P, Reaching, Mod);
  if (rules().TaskTypes)
    refineByTaskTypes(*P, Reaching, From);
  return P;
}
