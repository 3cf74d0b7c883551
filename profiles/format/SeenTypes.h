//===- SeenTypes.h - what tasks of a type took in earlier runs --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of a region with the same predicted work are of one type (Tahoe,
// Wu et al., SC 2018; its profiling database). A run that departed from its
// plan knows what they took; its summary says so, and a plan carries it for
// the next:
//   {"base":"16 hex digits, the base profile's input",
//    "rows":[[region,sync,explicit,kind,owner,core_s,lines,took_s,said_s],..]}
// Not here: what follows for a prediction (predict/measured/TaskTypes.h).
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
  uint64_t Region = 0, Sync = 0; // sync point at which their phases ended
  bool Explicit = false;
  uint32_t Kind = 0;  // of phase, as the base profile's are numbered; 0: any
  uint32_t Owner = 0; // thread; of explicit tasks 0
  double CoreSeconds = 0, Lines = 0; // predicted, of the first one
  double Took = 0, Said = 0;         // seconds of all of them

  bool operator==(const SeenType &O) const {
    return Region == O.Region && Sync == O.Sync && Explicit == O.Explicit &&
           Kind == O.Kind && Owner == O.Owner && CoreSeconds == O.CoreSeconds &&
           Lines == O.Lines && Took == O.Took && Said == O.Said;
  }
};

struct SeenTypes {
  std::string Base; // input of the base profile that kinds are numbered by
  std::vector<SeenType> Rows;
};

nlohmann::json seenTypesToJson(const SeenTypes &T);
/// \p Where and \p Path are named in errors: rows that are not of nine values,
/// or whose times are no positive numbers.
Expected<SeenTypes> seenTypesFromJson(const nlohmann::json &J,
                                      const std::string &Where,
                                      const std::string &Path);

} // namespace evenkeel

#endif
