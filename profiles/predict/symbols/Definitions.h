//===- Definitions.h - symbols that follow from others ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what the code says a symbol is in terms of others (rows = vertices *
// layers), whether the base profile bears that out, and which values of the
// target follow from those that are given: rows from the two others, vertices
// from rows and layers. Where the code is silent, for the value went through
// memory, also: that one number of the base run was another one, or their
// product or quotient (vertices = rows of each rank * ranks / layers).
// Leaves out: symbols that only scale with others (Evaluate.h).
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
  std::vector<uint64_t> Telling; // whose base values do not agree by chance
  double Workers = 1;            // ranks, or threads of the widest team
  unsigned Broken = 0;

public:
  /// A definition counts where all its symbols have one value in \p B and it
  /// gives the symbol's own. \p Facts must outlive this.
  Definitions(const Facts &Facts, const Profile &B);

  /// Null where there is none that holds.
  ExprRef of(uint64_t Symbol) const;
  /// How many the base profile contradicts.
  unsigned contradicted() const { return Broken; }

  struct Value {
    double V = 0;
    bool Partly = false; // some symbol behind it kept its base value
    bool Agreed = false; // only numbers of the base run say so, not the code
  };
  /// What follows from \p Given, directly or through other definitions, for
  /// symbols that it has no value of. Symbols behind it that nobody speaks of
  /// keep their base values; but one that alone is left open by the definition
  /// of a symbol with a value is what makes that true.
  std::map<uint64_t, Value>
  follow(const std::map<uint64_t, double> &Given) const;
  /// The symbols that \p Symbol follows from and that follow from nothing
  /// themselves, or are \p Known; itself where it is one of those.
  std::set<uint64_t> rootsOf(uint64_t Symbol,
                             const std::set<uint64_t> &Known) const;

private:
  std::map<uint64_t, Value>
  forward(const std::map<uint64_t, double> &Given) const;
  std::map<uint64_t, double>
  backward(const std::map<uint64_t, double> &Given,
           const std::map<uint64_t, Value> &Followed) const;
  std::map<uint64_t, double>
  alike(const std::map<uint64_t, double> &Given,
        const std::map<uint64_t, Value> &Followed) const;
};

} // namespace evenkeel

#endif
