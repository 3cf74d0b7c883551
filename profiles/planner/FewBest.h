//===- FewBest.h - the few units that gain most -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a short list in the order of gains, whose first units are used up one
// after the other, so that several moves need one look at all units.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PLANNER_FEWBEST_H
#define EVENKEEL_PROFILES_PLANNER_FEWBEST_H

#include "format/ek_raw.h"
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace evenkeel {

/// The units with the largest gain, of which some can be used up.
class FewBest {
  std::vector<std::pair<double, uint32_t>> Its; // the best one first
  size_t Used = 0, Most = 1;

public:
  /// Begins a list of at most \p Units units.
  void clear(size_t Units) {
    Its.clear();
    Used = 0;
    Most = Units;
  }
  /// Less than this is not among them.
  double least() const {
    return Its.size() < Most ? -std::numeric_limits<double>::infinity()
                             : Its.back().first;
  }
  /// Requires \p Gain > least(). Equal ones stay in their order.
  void add(double Gain, uint32_t Unit) {
    auto At = Its.end();
    while (At != Its.begin() && std::prev(At)->first < Gain)
      --At;
    Its.insert(At, {Gain, Unit});
    if (Its.size() > Most)
      Its.pop_back();
  }
  uint32_t first() const {
    return Used < Its.size() ? Its[Used].second : EK_NO_TASK;
  }
  void use() { ++Used; }
  /// Whether others than these may be better than what is left of them.
  bool isUsedUp() const { return Used > 0 && Used == Its.size(); }
};

} // namespace evenkeel

#endif
