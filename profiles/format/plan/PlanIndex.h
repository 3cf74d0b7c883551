//===- PlanIndex.h - which entry of a plan names an instance ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an instance has at most ten names that an entry for it may have, so
// that sorted entries are found by a few binary searches.
// Makes: the entry that Plan::find would find, for users who ask for many
// instances.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_PLANINDEX_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_PLANINDEX_H

#include "Plan.h"
#include <array>

namespace evenkeel {

/// Refers to the entries, which must stay where they are.
class PlanIndex {
  using Key = std::array<uint64_t, 4>; // site, context, creator, ordinal
  using Entries = std::vector<std::pair<Key, const PlanObject *>>;
  Entries ByName, ByOrder; // sorted; of several of a name the first of the plan

  static const PlanObject *findIn(const Entries &In, const Key &Name);
  /// Entries that name \p O, best first, until \p Take returns false.
  template <typename F> void each(const InstanceName &O, F Take) const;

public:
  explicit PlanIndex(const std::vector<PlanObject> &Objects);
  /// The best match. Null: no entry names it.
  const PlanObject *find(const InstanceName &Name) const;
  /// Of all that name it the first of the plan.
  const PlanObject *first(const InstanceName &Name) const;
};

} // namespace evenkeel

#endif
