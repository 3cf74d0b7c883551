//===- AlikePhases.h - groups of equal phases -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: phases that share their lists of tasks (SharedList.h) and are equal in
// everything except their number: results computed for one are valid for all.
// Not here: phases with equal contents in separate lists.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_ALIKEPHASES_H
#define EVENKEEL_PROFILES_PROBLEM_ALIKEPHASES_H

#include "Problem.h"
#include <functional>

namespace evenkeel {

struct AlikePhases {
  static constexpr uint32_t None = ~0u;
  std::vector<uint32_t> Of;    ///< group by place in Problem::Phases; or None
  std::vector<uint32_t> First; ///< by group, sorted: index of its first phase
  std::vector<uint32_t> Count; ///< by group: number of phases

  /// Groups the phases with numbers from \p From on. \p Tag, if given, returns
  /// further properties that must be equal.
  explicit AlikePhases(
      const Problem &P, uint32_t From = 0,
      const std::function<uint64_t(const PredictedPhase &)> &Tag = nullptr);
};

/// Calls \p Edit with one phase of each group of \p Groups, which are of \p P,
/// and the group's size; the group's other phases share its tasks.
template <typename Fn>
void editAlike(Problem &P, const AlikePhases &Groups, Fn Edit) {
  for (size_t G = 0; G < Groups.First.size(); ++G)
    Edit(P.Phases[Groups.First[G]], Groups.Count[G]);
  for (size_t H = 0; H < Groups.Of.size(); ++H)
    if (const uint32_t G = Groups.Of[H]; G != AlikePhases::None)
      P.Phases[H].Tasks = P.Phases[Groups.First[G]].Tasks;
}

} // namespace evenkeel

#endif
