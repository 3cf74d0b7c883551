//===- Shapes.h - distribution of a task's lines in an object ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the chunks of the base run that contained a task's lines.
// Makes: its lines by unit of the target's object, with the same total as on
// the base.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_TRAFFIC_SHAPES_H
#define EVENKEEL_PROFILES_PREDICT_TRAFFIC_SHAPES_H

#include "predict/demands/Demands.h"

namespace evenkeel {
namespace prediction {

/// How an object of the target is divided and used.
struct ShapeOf {
  unsigned Parts = 0; // equal parts
  double Stretch = 1; // of the base's chunks, along the object

  bool operator==(const ShapeOf &O) const {
    return Parts == O.Parts && Stretch == O.Stretch;
  }
};

/// Unit: number of the part.
std::vector<UnitDemand> shapeOf(const BaseDemand &Q, double BaseBytes,
                                const ShapeOf &As);

/// The shapes last requested; they are valid while the sizes do not change.
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
