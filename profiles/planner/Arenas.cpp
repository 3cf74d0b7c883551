//===- Arenas.cpp - shares of small blocks' arenas ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Arenas.h.
//===----------------------------------------------------------------------===//
#include "Arenas.h"
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

using namespace evenkeel;

double evenkeel::fetchedWithoutArena(const Problem &P) {
  double All = 0, Small = 0;
  for (const PredictedPhase &H : P.Phases)
    for (const PredictedTask &T : H.Tasks)
      for (const UnitDemand &U : T.Demand.Units) {
        const PredictedInstance &I = P.Instances[P.Units[U.Unit].Instance];
        All += U.ReadLines;
        if (EK_RAW_IS_SMALL(I.Ordinal) && I.Site && isFixed(I))
          Small += U.ReadLines;
      }
  return All > 0 ? Small / All : 0;
}

bool evenkeel::levelArenas(const Problem &P, Placement &Place) {
  std::map<std::pair<uint64_t, uint32_t>, std::vector<uint32_t>> Units;
  for (uint32_t U = 0; U < P.Units.size(); ++U) {
    const PredictedInstance &I = P.Instances[P.Units[U].Instance];
    if (isInArena(I))
      Units[{I.Site, I.Creator}].push_back(U);
  }
  const std::vector<double> Was = Place.FastShare;
  for (const auto &[Arena, Its] : Units) {
    double Bytes = 0, Fast = 0;
    for (uint32_t U : Its) {
      Bytes += P.Units[U].Bytes;
      Fast += P.Units[U].Bytes * Place.FastShare[U];
    }
    for (uint32_t U : Its)
      Place.FastShare[U] = Bytes > 0 ? std::min(1.0, Fast / Bytes) : 0;
  }
  bool Moves = false;
  for (const PlacementChange &C : Place.Changes)
    for (const auto &[Arena, Its] : Units)
      for (uint32_t U : Its)
        Moves |= C.FastShare[U] != Was[U];
  if (Moves) {
    Place.Changes.clear();
    Place.MovingSeconds = 0;
  }
  for (PlacementChange &C : Place.Changes)
    for (const auto &[Arena, Its] : Units)
      for (uint32_t U : Its)
        C.FastShare[U] = Place.FastShare[U];
  return !Units.empty();
}
