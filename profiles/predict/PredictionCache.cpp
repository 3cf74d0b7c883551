//===- PredictionCache.cpp - reuse of an earlier prediction ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PredictionCache.h.
//===----------------------------------------------------------------------===//
#include "PredictionCache.h"

using namespace evenkeel;
using namespace evenkeel::prediction;

PredictionCache::PredictionCache(const PredictionTables &Tables,
                                 const Rules &Use, double GHz)
    : Tables(Tables), Use(Use), GHz(GHz), Seen(std::make_shared<SeenValues>()),
      Given(givenValues(Tables.Base, Tables.Defined, Tables.FromPeople, Seen,
                        Use)),
      Counts(Tables.Base, Given), Ratios(Tables.Base.B.Tasks.size()),
      Known(Tables.Base.B, Tables.Demands) {
  Given.KnowsFits = !Tables.Fits.empty();
}

void PredictionCache::learn(const std::vector<KnownSymbol> &Symbols,
                            bool KnowsSizes) {
  SeenBySymbol Now = readSeen(Tables.Base, Tables.FromPeople, Symbols);
  if (Now != Seen->All) {
    Seen = std::make_shared<SeenValues>(
        makeSeenValues(Tables.Base, std::move(Now)));
    Given =
        givenValues(Tables.Base, Tables.Defined, Tables.FromPeople, Seen, Use);
    Given.KnowsFits = !Tables.Fits.empty();
    Growth.reset();
  }
  // Whether any size is known affects the assumed values of other symbols.
  if (Given.KnowsSizes != KnowsSizes)
    Growth.reset();
  Given.KnowsSizes = KnowsSizes;
  for (uint32_t T : Counts.update(Given))
    Ratios[T].clear();
  if (Growth)
    return;
  Growth = growthOfAccesses(Tables.Base, Tables.Counts, Counts);
}

/// The index of each instance's first unit and, last, the number of units.
static std::vector<uint32_t> firstUnits(const std::vector<Unit> &Units,
                                        size_t Instances) {
  std::vector<uint32_t> Out(Instances + 1, 0);
  for (const Unit &U : Units)
    ++Out[U.Instance + 1];
  for (size_t I = 0; I < Instances; ++I)
    Out[I + 1] += Out[I];
  return Out;
}

/// By instance: the factor by which the base's chunks are stretched.
static std::vector<double> stretchesOf(const PredictionTables &Tables,
                                       const AccessGrowth &Growth) {
  std::vector<double> Out;
  for (uint32_t I = 0; I < Tables.Base.B.Instances.size(); ++I)
    Out.push_back(fixedArrayStretch(Tables.Base, Growth,
                                    Tables.Demands.UsedChunks[I].second, I));
  return Out;
}

Problem
PredictionCache::predict(const std::vector<PredictedInstance> &KnownSizes,
                         uint32_t From,
                         const std::vector<KnownSymbol> &Symbols) {
  const BaseTables &Base = Tables.Base;
  const size_t Tasks = Base.B.Tasks.size();
  learn(Symbols, !KnownSizes.empty());
  StageValues Out;
  Out.Sizes = predictSizes(Base, Given, *Growth, KnownSizes, Tables.Fits, Use);
  std::vector<uint32_t> Asked; // rows of tasks
  for (uint32_t T = 0; T < Tasks; ++T) {
    Out.Predicted.push_back(
        !isLeftOut(Base, Tables.Demands.Gather, Base.B.Tasks[T].phase, From));
    if (Out.Predicted[T] || T >= Fetched.size() || Fetched[T].empty())
      Asked.push_back(T);
  }
  const CountInputs In{Base,      Tables.Demands, Tables.Counts, Counts,
                       Out.Sizes, Growth->Work,   &Tables.Fits};
  Out.Counts = predictCounts(In, Asked, std::move(Ratios));
  Out.Units = unitsOf(Out.Sizes.Instances);
  const std::vector<double> Stretches =
      Use.FixedArrays ? stretchesOf(Tables, *Growth)
                      : std::vector<double>(Out.Sizes.Instances.size(), 1);
  Out.Lines = predictTraffic(In, Out.Counts, Stretches,
                             firstUnits(Out.Units, Out.Sizes.Instances.size()),
                             Out.Predicted, std::move(Fetched), Known, Use);
  Out.Core = predictCoreTimes(In, Out.Counts, Out.Predicted);
  Ratios = std::move(Out.Counts.Ratios);
  Fetched = std::move(Out.Lines.Fetched);
  return joinProblem(In, std::move(Out), GHz, Tables.Alike);
}
