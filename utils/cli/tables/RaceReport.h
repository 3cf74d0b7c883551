//===- RaceReport.h - data races of a recorded program ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how to describe the recorder's findings (ek_raw_race) by source lines,
// from the line tables of the recorded images.
// Not here: finding races (runtime/record/races/Races.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_RACEREPORT_H
#define EVENKEEL_UTILS_CLI_RACEREPORT_H

#include "format/profile/Profile.h"
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace evenkeel::cli {

struct RacePlace {
  std::string Where; // "heat.c:31", or image and offset without a line table
  std::string Function;
  bool Writes = false;
};

struct Race {
  RacePlace Places[2];
  uint64_t Region = 0, Site = 0; // Site 0: no known object
  uint32_t Ordinal = 0;
  uint64_t Lines = 0;
  bool Doubtful = false;
};

/// Races at the same source lines are joined; ordered. Runs llvm-symbolizer.
std::vector<Race> racesOf(const MissRecord &R);
/// One line each, at most \p Most, and an explanation.
std::string raceText(const std::vector<Race> &Races, size_t Most);
nlohmann::json raceJson(const std::vector<Race> &Races);

} // namespace evenkeel::cli

#endif
