//===- Definitions.h - symbols that follow from other symbols ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the definitions of symbols by other symbols in the code (rows =
// vertices * layers), whether the base profile confirms them, and which values
// of the target follow from given ones: rows from the two others, vertices from
// rows and layers.
// Not here: symbols that only scale with other symbols (Evaluate.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_DEFINITIONS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_DEFINITIONS_H

#include "format/Facts.h"
#include "format/profile/Profile.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace evenkeel {

class Definitions {
  const Facts &F;
  std::map<uint64_t, double> Base; // symbols with one value in the base run
  std::map<uint64_t, ExprRef> Held;
  unsigned Broken = 0;

public:
  /// A definition counts if all its symbols have one value in \p B and it gives
  /// the symbol's own. \p Facts must outlive this.
  Definitions(const Facts &Facts, const Profile &B);

  /// Null if no definition holds.
  ExprRef of(uint64_t Symbol) const;
  /// The number of definitions that the base profile contradicts.
  unsigned contradicted() const { return Broken; }

  struct Value {
    double V = 0;
    bool Partly = false; // some symbol in it kept its base value
  };
  /// The values that follow from \p Given, directly or through other
  /// definitions, for symbols without a given value. Other symbols in a
  /// definition keep their base values; but if only one symbol in the
  /// definition of a known symbol is open, its value is solved for.
  std::map<uint64_t, Value>
  follow(const std::map<uint64_t, double> &Given) const;
  /// The symbols from which \p Symbol follows and that follow from no other
  /// symbol, or are \p Known; \p Symbol itself if it is one of these.
  std::set<uint64_t> rootsOf(uint64_t Symbol,
                             const std::set<uint64_t> &Known) const;

private:
  std::map<uint64_t, Value>
  forward(const std::map<uint64_t, double> &Given) const;
  std::map<uint64_t, double>
  backward(const std::map<uint64_t, double> &Given,
           const std::map<uint64_t, Value> &Followed) const;
};

} // namespace evenkeel

#endif
