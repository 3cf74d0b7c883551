//===- Stages.h - the five stages of the prediction, in order ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: symbols -> sizes -> counts -> traffic -> core time, and what each of
// them takes from those before it.
// Makes: the demands of the target's tasks. Symbols and sizes tell each other,
// in three steps and no more: what is given tells sizes, those sizes tell
// further symbols, and all of these tell counts.
// Leaves out: what of an earlier prediction still holds (PredictionCache.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_STAGES_H
#define EVENKEEL_PROFILES_PREDICT_STAGES_H

#include "core/CoreTimes.h"
#include "traffic/Traffic.h"

namespace evenkeel {
namespace prediction {

/// What follows from the base alone, and from what people gave; made once.
struct PredictionTables {
  BaseTables Base;
  BaseCounts Counts;
  Definitions Defined;
  FillTable Fills;
  BaseDemands Demands;
  SizeGrowths Growths;
  ValuesBySymbol FromPeople;
};
/// Errors: a profile that nothing can be predicted from, values that cannot be.
/// \p R's facts and base must outlive the tables.
Expected<std::unique_ptr<const PredictionTables>>
makePredictionTables(const PlanRequest &R);

/// What every stage made of one target, for the phases that are asked for.
struct StageValues {
  ObjectSizes Sizes;
  std::vector<Unit> Units;
  AccessCounts Counts;
  Traffic Lines;
  CoreTimes Core;
  std::vector<bool> Predicted; // by row of tasks: it is asked for
};

/// The Problem that they make up, but for its memory; \p In is what the third
/// stage had. \p GHz: of the machine's cores.
Problem joinProblem(const CountInputs &In, StageValues &&Stages, double GHz);

/// The most bytes that live at the same time.
double peakBytes(const std::vector<PredictedInstance> &Instances,
                 size_t Phases);

} // namespace prediction
} // namespace evenkeel

#endif
