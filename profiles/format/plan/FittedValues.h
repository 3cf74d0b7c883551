//===- FittedValues.h - growth by fits over several base inputs -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how much sizes of objects, and accesses, lines and core times of tasks
// grow from the base input to the target, according to fits over several base
// inputs; and their JSON form in a plan:
//   {"sizes":[[site,context,creator,ordinal,in_context,growth,off],..],
//    "tasks":[[region,sync,explicit,[growth,off]|null,determined,
//              [[site,context,creator,ordinal,in_context,
//                [growth,off]|null,[growth,off]|null,than],..]],..]}
// Not here: how fits are made (predict/fits).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_FITTEDVALUES_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_FITTEDVALUES_H

#include "Plan.h"
#include "format/Error.h"
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace evenkeel {

/// Invariants: both are finite; Times > 0; Off >= 0.
struct FittedGrowth {
  double Times = 1; ///< the target's value over the base's
  double Off = 0;   ///< error bound of its logarithm
};

/// The growth of one object's size.
struct FittedSize {
  InstanceName Of;
  FittedGrowth Bytes;
};

/// The tasks of a region in phases that end at one sync point.
struct FittedTasks {
  uint64_t Region = 0, Sync = 0;
  bool Explicit = false;
  std::optional<FittedGrowth> Core; ///< of core times
  /// Whether the fit was better although known values determined the accesses;
  /// otherwise, that takes precedence at hooks.
  bool CoreDetermined = false;
  struct Object {
    InstanceName Of;
    std::optional<FittedGrowth> Accesses, Lines;
    /// The number of the method (CountWay) that the fits were better than;
    /// better methods take precedence at hooks.
    unsigned Than = 0;
  };
  std::vector<Object> Objects;
};

struct FittedValues {
  std::vector<FittedSize> Sizes;
  std::vector<FittedTasks> Tasks;

  bool empty() const { return Sizes.empty() && Tasks.empty(); }
};

nlohmann::json fittedToJson(const FittedValues &V);
/// \p Where and \p Path appear in errors. Errors: rows of another form, growth
/// that is not positive.
Expected<FittedValues> fittedFromJson(const nlohmann::json &J,
                                      const std::string &Where,
                                      const std::string &Path);

} // namespace evenkeel

#endif
