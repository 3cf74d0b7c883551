//===- PlanIndex.h - fast search for a plan's entries -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: an entry can name an instance in at most ten ways, so a few binary
// searches in sorted entries find it.
// Makes: the same result as Plan::find, for users who look up many instances.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_PLAN_PLANINDEX_H
#define EVENKEEL_PROFILES_FORMAT_PLAN_PLANINDEX_H

#include "Plan.h"
#include <array>

namespace evenkeel {

/// Refers to the entries, which must outlive it.
class PlanIndex {
  using Key = std::array<uint64_t, 4>; // site, context, creator, ordinal
  using Entries = std::vector<std::pair<Key, const PlanObject *>>;
  Entries ByName, ByOrder; // sorted; of equal names, the plan's first entry

  static const PlanObject *findIn(const Entries &In, const Key &Name);
  /// Calls \p Take for entries that name \p O, best first, until it returns
  /// false.
  template <typename F> void each(const InstanceName &O, F Take) const;

public:
  explicit PlanIndex(const std::vector<PlanObject> &Objects);
  /// The best match, or null.
  const PlanObject *find(const InstanceName &Name) const;
  /// The first entry in the plan that names it, or null.
  const PlanObject *first(const InstanceName &Name) const;
};

} // namespace evenkeel

#endif
