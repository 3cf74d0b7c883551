//===- Stages.h - the five stages of the prediction, in order ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: symbols -> sizes -> counts -> traffic -> core time, and the inputs of
// each stage from those before it.
// Makes: the demands of the target's tasks.
// Not here: reuse of an earlier prediction (PredictionCache.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_STAGES_H
#define EVENKEEL_PROFILES_PREDICT_STAGES_H

#include "base/Likeness.h"
#include "core/CoreTimes.h"
#include "traffic/Traffic.h"

namespace evenkeel {
namespace prediction {

/// Tables that follow from the base and the given values alone; made once.
struct PredictionTables {
  BaseTables Base;
  BaseCounts Counts;
  Definitions Defined;
  BaseDemands Demands;
  ValuesBySymbol FromPeople;
  FittedRows Fits;
  /// By row of tasks; empty: the base is another run than the target.
  std::vector<Likeness> Alike;
};
/// Errors: a profile that cannot be used for prediction, impossible values.
/// \p R's facts and base must outlive the tables.
Expected<std::unique_ptr<const PredictionTables>>
makePredictionTables(const PlanRequest &R);

/// The results of all stages for one target, for the requested phases.
struct StageValues {
  ObjectSizes Sizes;
  std::vector<Unit> Units;
  AccessCounts Counts;
  Traffic Lines;
  CoreTimes Core;
  std::vector<bool> Predicted; // by row of tasks: whether it was requested
};

/// The Problem with these results, without its memory; \p In is the input of
/// the third stage. \p GHz: clock rate of the machine's cores. \p Alike: as
/// PredictionTables::Alike.
Problem joinProblem(const CountInputs &In, StageValues &&Stages, double GHz,
                    const std::vector<Likeness> &Alike);

/// The peak of live bytes.
double peakBytes(const std::vector<PredictedInstance> &Instances,
                 size_t Phases);

} // namespace prediction
} // namespace evenkeel

#endif
