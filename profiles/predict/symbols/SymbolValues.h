//===- SymbolValues.h - the first stage: values of symbols ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values that users give (--for), the values that hooks saw, and
// relations between symbols: by definitions in the code, by names, by values on
// the base input.
// Makes: the values of symbols on the target.
// Not here: what holds for a symbol without a value (Evaluate.h); values that
// follow from sizes (sizes/ObjectSizes.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_SYMBOLVALUES_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_SYMBOLVALUES_H

#include "Definitions.h"
#include "predict/base/Tables.h"
#include "problem/Request.h"
#include <memory>
#include <tuple>

namespace evenkeel {
namespace prediction {

/// Values of one symbol on the target.
struct TargetValues {
  std::unordered_map<uint32_t, double> PerIndex; // by task index (--for X@T)
  std::optional<double> Program;
  bool Inherited = false;
  bool Partly = false; // follows from given values and from base values

  bool operator==(const TargetValues &O) const {
    return PerIndex == O.PerIndex && Program == O.Program &&
           Inherited == O.Inherited && Partly == O.Partly;
  }
};
using ValuesBySymbol = std::unordered_map<uint64_t, TargetValues>;

/// Where a value holds: in a phase (EK_NO_TASK: the whole program), for one of
/// its tasks (by index; EK_NO_TASK: all).
struct SeenPlace {
  uint64_t Symbol = 0;
  uint32_t Phase = EK_NO_TASK, Task = EK_NO_TASK;

  bool operator<(const SeenPlace &O) const {
    return std::tie(Symbol, Phase, Task) < std::tie(O.Symbol, O.Phase, O.Task);
  }
  bool operator==(const SeenPlace &O) const {
    return std::tie(Symbol, Phase, Task) == std::tie(O.Symbol, O.Phase, O.Task);
  }
};
using SeenBySymbol = std::map<SeenPlace, double>;

/// Values that hooks saw.
struct SeenValues {
  SeenBySymbol All;
  /// One symbol's values in single phases.
  struct OfPhases {
    /// By phase and task index (EK_NO_TASK: all tasks).
    std::map<std::pair<uint32_t, uint32_t>, double> Seen;
    std::map<uint32_t, uint32_t> OfKind; // the last phase seen of each kind

    /// The value of the task in \p Phase; null: none was seen.
    const double *find(uint32_t Phase, uint32_t Task) const;
  };
  std::unordered_map<uint64_t, OfPhases> ByPhase;
};

/// All that is known about symbols on the target.
struct SymbolValues {
  ValuesBySymbol Of;
  std::shared_ptr<const SeenValues> Seen = std::make_shared<SeenValues>();
  bool FromPeople = false; // some value was given
  bool KnowsSizes = false; // of instances of the target
  bool KnowsFits = false;  // over several base inputs

  /// Whether the target may be another input than the base.
  bool knowsTarget() const { return !Of.empty() || KnowsSizes || KnowsFits; }
};

/// Values that users gave: NAME=VALUE and NAME@TASK=VALUE. Names may be
/// shortened if they stay unique, or if all symbols of that name had the same
/// value on the base input.
Expected<ValuesBySymbol> readGiven(const BaseTables &Base,
                                   const std::vector<Given> &For);

/// The informative ones among \p Symbols: a value for the whole program that
/// equals the base's says nothing, unless users gave another.
SeenBySymbol readSeen(const BaseTables &Base, const ValuesBySymbol &FromPeople,
                      const std::vector<KnownSymbol> &Symbols);
SeenValues makeSeenValues(const BaseTables &Base, SeenBySymbol All);

/// Given and seen values, and those that follow from them. \p Seen is not null.
SymbolValues givenValues(const BaseTables &Base, const Definitions &Defined,
                         const ValuesBySymbol &FromPeople,
                         std::shared_ptr<const SeenValues> Seen,
                         const Rules &Use);

/// Adds the values that the rule Namesakes determines.
void addNamesakes(const BaseTables &Base, ValuesBySymbol &Known);

} // namespace prediction
} // namespace evenkeel

#endif
