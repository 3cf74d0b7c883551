//===- SeenTypes.h - measured times of task types ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of a region with the same predicted work are of one type (Tahoe,
// Wu et al., SC 2018; its profiling database). A run that departed from its
// plan reports their measured times in its summary, and the next plan contains
// them:
//   {"base":"16 hex digits, the base profile's input",
//    "rows":[[region,sync,explicit,kind,owner,core_s,lines,took_s,said_s],..]}
// Not here: their use in predictions (predict/measured/TaskTypes.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_SEENTYPES_H
#define EVENKEEL_PROFILES_FORMAT_SEENTYPES_H

#include "Error.h"
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace evenkeel {

struct SeenType {
  uint64_t Region = 0, Sync = 0; // the sync point that ended their phases
  bool Explicit = false;
  uint32_t Kind = 0;  // kind of phase, numbered as in the base profile; 0: any
  uint32_t Owner = 0; // thread; 0 for explicit tasks
  double CoreSeconds = 0, Lines = 0; // predicted for the first task
  double Took = 0, Said = 0;         // sums in seconds: measured, predicted

  bool operator==(const SeenType &O) const {
    return Region == O.Region && Sync == O.Sync && Explicit == O.Explicit &&
           Kind == O.Kind && Owner == O.Owner && CoreSeconds == O.CoreSeconds &&
           Lines == O.Lines && Took == O.Took && Said == O.Said;
  }
};

struct SeenTypes {
  std::string Base; // input of the base profile that numbers the kinds
  std::vector<SeenType> Rows;
};

nlohmann::json seenTypesToJson(const SeenTypes &T);
/// \p Where and \p Path appear in errors. Errors: rows without nine values, or
/// times that are not positive.
Expected<SeenTypes> seenTypesFromJson(const nlohmann::json &J,
                                      const std::string &Where,
                                      const std::string &Path);

} // namespace evenkeel

#endif
