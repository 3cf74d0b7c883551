//===- AlikePhases.h - phases of a problem that are the same ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: phases whose lists of tasks are one list (SharedList.h), and all else
// but their number: what is worked out for one holds for all.
// Leaves out: phases that have the same in lists of their own.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_PROBLEM_ALIKEPHASES_H
#define EVENKEEL_PROFILES_PROBLEM_ALIKEPHASES_H

#include "Problem.h"
#include <functional>

namespace evenkeel {

struct AlikePhases {
  static constexpr uint32_t None = ~0u;
  std::vector<uint32_t> Of;    ///< group by place in Problem::Phases; or None
  std::vector<uint32_t> First; ///< by group, in their order: place of a phase
  std::vector<uint32_t> Count; ///< by group: phases

  /// Of phases with numbers from \p From on. \p Tag, if given, tells apart what
  /// else must be the same.
  explicit AlikePhases(
      const Problem &P, uint32_t From = 0,
      const std::function<uint64_t(const PredictedPhase &)> &Tag = nullptr);
};

/// Calls \p Edit with one phase of each group of \p Groups, which are of \p P,
/// and how many there are; the others get its tasks.
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
