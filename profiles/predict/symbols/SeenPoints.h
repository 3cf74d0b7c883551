//===- SeenPoints.h - values of symbols on several inputs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which symbol each value that a run handed over is.
// Makes: values by symbol, of runs and of the base profile.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PREDICT_SYMBOLS_SEENPOINTS_H
#define EVENKEEL_PROFILES_PREDICT_SYMBOLS_SEENPOINTS_H

#include "format/Facts.h"
#include "format/inputs/SeenRun.h"
#include "format/profile/Profile.h"
#include <map>
#include <optional>
#include <set>
#include <string>

namespace evenkeel {
namespace seen {

/// "1 run", "2 runs".
std::string numberOf(size_t N, const std::string &What);

class ValueNames {
  /// By region and variable, or loop.
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> SymbolOf, TotalOf;

public:
  explicit ValueNames(const Facts &F);
  /// By symbol; none: it had several values.
  std::map<uint64_t, std::optional<double>> valuesIn(const SeenRun &R) const;
  /// 0: no formula contains it.
  uint64_t totalOf(const SeenRun::Total &T) const {
    const auto It = TotalOf.find({T.Region, T.Loop});
    return It == TotalOf.end() ? 0 : It->second;
  }
};

/// All values that a symbol had in the base run.
struct BaseRange {
  double Least = 0, Most = 0;
  bool isOne() const { return Least == Most; }
};
std::map<uint64_t, BaseRange> rangesIn(const Profile &Base);

} // namespace seen
} // namespace evenkeel

#endif
