//===- Settings.h - settings of policies and planners -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a setting of a policy or planner: a name, a default, and the grid of
// values to try. Each rival states its grid in one table, and all are judged by
// their best grid values.
// Makes: settings from text, checked against such a table; the points of the
// grid.
// Not here: the best values, which a bench finds for each machine.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_SETTINGS_H
#define EVENKEEL_PROFILES_FORMAT_SETTINGS_H

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

/// The value of the setting \p Name, which must be in \p All.
double settingOf(const Settings &S, const std::vector<Tunable> &All,
                 const std::string &Name);

/// Error if \p S has a name that is not in \p All, or a negative value.
MaybeError checkSettings(const Settings &S, const std::vector<Tunable> &All,
                         const std::string &Owner);

/// Adds "NAME=NUMBER" to \p S. The error quotes the text.
MaybeError parseSetting(const std::string &Text, Settings &S);

/// All combinations of grid values; the first setting varies slowest.
std::vector<Settings> gridPoints(const std::vector<Tunable> &All);

} // namespace evenkeel

#endif
