//===- Tuning.h - the figures and rules of tuning.def by name ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the table tuning.def (figures().Disturbance, rules().TaskTypes), and
// how to change it by a text. Not here: which code depends on an entry; the
// entry itself says so.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_TUNING_TUNING_H
#define EVENKEEL_PROFILES_TUNING_TUNING_H

#include "format/Error.h"
#include <string>
#include <vector>

namespace evenkeel {

/// Figures in the unit that their entry states.
struct Figures {
#define EK_FIGURE(Name, Value, ...) double Name = Value;
#define EK_RULE(...)
#include "tuning.def"
#undef EK_RULE
#undef EK_FIGURE
};

/// Whether each rule applies.
struct Rules {
#define EK_FIGURE(...)
#define EK_RULE(Name, ...) bool Name = true;
#include "tuning.def"
#undef EK_RULE
#undef EK_FIGURE
};

namespace tuning {
extern Figures NowFigures; // changed only by moveTuning()
extern Rules NowRules;
} // namespace tuning

inline const Figures &figures() { return tuning::NowFigures; }
inline const Rules &rules() { return tuning::NowRules; }

/// A row of tuning.def.
struct TuningEntry {
  std::string Name;
  bool IsRule = false;
  bool OfOracle = false;
  double Value = 1; ///< of a rule: 1
  double Least = 0, Most = 1;
  std::string Unit, What, Source;
};
/// In the order of the table.
const std::vector<TuningEntry> &tuningEntries();

/// Changes entries as in \p Text, "Disturbance=0.1,TaskTypes=off", for all code
/// that runs afterwards. Must be called before any other code reads the table
/// and before threads run. Errors, after which no entry has changed: an unknown
/// name, a value out of the entry's range.
MaybeError moveTuning(const std::string &Text);

/// The changed entries in the syntax of moveTuning, in the order of the table;
/// empty: all have the table's values.
std::string movedTuning();

} // namespace evenkeel

#endif
