//===- Shapes.h - where a task's lines lie in an object ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the chunks of the base run in which a task's lines lay.
// Makes: its lines by unit of the target's object, as many as on the base.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_TRAFFIC_SHAPES_H
#define EVENKEEL_PROFILES_PREDICT_TRAFFIC_SHAPES_H

#include "predict/demands/Demands.h"

namespace evenkeel {
namespace prediction {

/// How an object of the target is cut up, and used.
struct ShapeOf {
  unsigned Parts = 0; // equal ones
  double Stretch = 1; // of the base's chunks, along the object
  bool Loose = false; // lines lie about where they lay

  bool operator==(const ShapeOf &O) const {
    return Parts == O.Parts && Stretch == O.Stretch && Loose == O.Loose;
  }
};

/// Unit: number of the part.
std::vector<UnitDemand> shapeOf(const BaseDemand &Q, double BaseBytes,
                                std::pair<unsigned, unsigned> UsedChunks,
                                const ShapeOf &As);

/// The shapes that were asked for last: they stay while the sizes do.
class Shapes {
  struct Made {
    ShapeOf As;
    std::vector<UnitDemand> Units;
  };
  const Profile &B;
  const BaseDemands &Demands;
  std::vector<std::vector<Made>> Of; // by row of tasks and demand

public:
  Shapes(const Profile &B, const BaseDemands &Demands)
      : B(B), Demands(Demands), Of(Demands.Of.size()) {}
  const std::vector<UnitDemand> &at(uint32_t Task, size_t K, const ShapeOf &As);
};

} // namespace prediction
} // namespace evenkeel

#endif
