//===- Tuning.h - what can be tuned, and over which values ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the shape of a tunable of a policy or planner: a name, a default, and
// the grid of values that tuning tries. Every rival states its own grid in one
// table; nobody is judged by values that were not tried for all.
// Makes: settings from text, checked against such a table; the grid's points.
// Not here: which values are best, which a bench finds out per machine.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_TUNING_H
#define EVENKEEL_PROFILES_FORMAT_TUNING_H

#include "Error.h"
#include <map>
#include <string>
#include <vector>

namespace evenkeel {

struct Tunable {
  std::string Name; // "interval_us"
  double Default = 0;
  std::vector<double> Grid; // rising, with the default among them
  std::string Meaning;      // one line, with the unit
};

using Settings = std::map<std::string, double>;

/// The value of tunable \p Name, which must be one of \p All.
double settingOf(const Settings &S, const std::vector<Tunable> &All,
                 const std::string &Name);

/// One line when \p S names what \p Owner does not have, or a value < 0.
MaybeError checkSettings(const Settings &S, const std::vector<Tunable> &All,
                         const std::string &Owner);

/// "NAME=NUMBER" added to \p S. The error names the text.
MaybeError parseSetting(const std::string &Text, Settings &S);

/// Every combination of grid values, the first tunable slowest.
std::vector<Settings> gridPoints(const std::vector<Tunable> &All);

} // namespace evenkeel

#endif
